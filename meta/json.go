package meta

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// validJSON is what encoding/json says of data. It refuses what is no JSON, and
// nesting deeper than 10,000; a reader relies on that.
func validJSON(data []byte) error {
	if json.Valid(data) {
		return nil
	}
	var v json.RawMessage
	return json.Unmarshal(data, &v)
}

// A reader is a cursor over valid JSON. It adds what is wrong though it is JSON: keys
// that an object has twice, and texts that are no Unicode. The last value of such a
// key counts, and U+FFFD stands for what is bad in such a text, as it does for
// encoding/json.
type reader struct {
	s      string
	i      int
	faults *faults
}

func (r *reader) skip() {
	for r.i < len(r.s) && strings.IndexByte(" \t\r\n", r.s[r.i]) >= 0 {
		r.i++
	}
}

func (r *reader) value(at Path) node {
	r.skip()
	start := r.i
	var n node
	switch r.s[r.i] {
	case '{':
		n.kind = object
		r.i++
		r.list('}', func(int) {
			literal := r.str()
			key := unquote(literal)
			r.checkText(append(at, key), literal)
			r.skip()
			r.i++ // the colon
			n.members = append(n.members, member{key, r.value(append(at, key))})
		})
		n.members = r.dropDuplicates(n.members, at)
	case '[':
		n.kind = array
		r.i++
		r.list(']', func(i int) {
			n.members = append(n.members, member{value: r.value(append(at, i))})
		})
	case '"':
		n.kind = text
		if literal := r.str(); !r.checkText(at, literal) {
			n.raw = textNode(unquote(literal)).raw
			return n
		}
	default:
		for r.i < len(r.s) && strings.IndexByte(" \t\r\n,]}", r.s[r.i]) < 0 {
			r.i++
		}
		switch r.s[start] {
		case 'n':
			n.kind = null
		case 't', 'f':
			n.kind = boolean
		default:
			n.kind = number
		}
	}
	n.raw = r.s[start:r.i]
	return n
}

// list calls f before each element of an object or array, up to its end.
func (r *reader) list(end byte, f func(i int)) {
	for i := 0; ; i++ {
		r.skip()
		if r.s[r.i] == ',' {
			r.i++
			r.skip()
		}
		if r.s[r.i] == end {
			r.i++
			return
		}
		f(i)
	}
}

// str is the string literal at the cursor, which is moved behind it.
func (r *reader) str() string {
	start := r.i
	for r.i++; r.s[r.i] != '"'; r.i++ {
		if r.s[r.i] == '\\' {
			r.i++
		}
	}
	r.i++
	return r.s[start:r.i]
}

// checkText adds a fault and reports false if a string literal at a path is no
// Unicode.
func (r *reader) checkText(at Path, literal string) bool {
	var err error
	switch {
	case !utf8.ValidString(literal):
		err = errors.New("it has bytes that are no UTF-8")
	case hasLoneSurrogate(literal):
		err = errors.New("it has half of a pair of surrogates")
	default:
		return true
	}
	r.faults.fail(&FieldError{Path: at.join(), Fault: FaultSyntax, Found: quote(unquote(literal)), Want: "a text in Unicode", Err: err})
	return false
}

// hasLoneSurrogate reports whether an escape in a string literal is one half of a
// character.
func hasLoneSurrogate(literal string) bool {
	for {
		i := strings.IndexByte(literal, '\\')
		if i < 0 {
			return false
		}
		c := escape(literal[i:])
		if !utf16.IsSurrogate(c) {
			literal = literal[i+2:]
			continue
		}
		// An escape of a code unit is six bytes, and the literal ends with a quote.
		literal = literal[i+6:]
		if utf16.DecodeRune(c, escape(literal)) == utf8.RuneError {
			return true
		}
		literal = literal[6:]
	}
}

// escape is the code unit of the \u escape that s begins with, 0 if with none.
func escape(s string) rune {
	if !strings.HasPrefix(s, `\u`) {
		return 0
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return rune(n)
}

// dropDuplicates keeps the last member of each key, in its place, and records the
// others.
func (r *reader) dropDuplicates(members []member, at Path) []member {
	twice := func(i int) bool {
		return slices.ContainsFunc(members[i+1:], func(m member) bool { return m.key == members[i].key })
	}
	if len(members) >= manyMembers {
		last := make(map[string]int, len(members))
		for i, m := range members {
			last[m.key] = i
		}
		if len(last) == len(members) {
			return members
		}
		twice = func(i int) bool { return last[members[i].key] != i }
	}
	kept := members[:0]
	for i, m := range members {
		if twice(i) {
			r.faults.fail(&FieldError{Path: at.join(m.key), Fault: FaultDuplicate, Err: errors.New("this key is there twice")})
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// unquote is the text of a string literal.
func unquote(literal string) string {
	// Without escapes it is the bytes between the quotes, but for bytes that are no
	// UTF-8, which encoding/json replaces.
	if s := literal[1 : len(literal)-1]; !strings.Contains(s, `\`) && utf8.ValidString(s) {
		return s
	}
	var s string
	if err := json.Unmarshal([]byte(literal), &s); err != nil {
		return literal
	}
	return s
}

// jsonNode is the value that data holds.
func jsonNode(data []byte) (node, error) {
	if err := validJSON(data); err != nil {
		return node{}, err
	}
	r := reader{s: string(data), faults: &faults{}}
	return r.value(nil), nil
}
