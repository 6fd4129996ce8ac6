package meta

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// parseJSON reads a document and reports the keys that an object of it has twice;
// the last value of such a key counts, as it does for encoding/json.
func parseJSON(data []byte) (node, []Path, error) {
	// The scanner of encoding/json refuses what is no JSON, and nesting deeper than
	// 10,000; everything below relies on that.
	if !json.Valid(data) {
		var v json.RawMessage
		return node{}, nil, json.Unmarshal(data, &v)
	}
	r := reader{s: string(data)}
	n := r.value(nil)
	return n, r.duplicates, nil
}

// A reader is a cursor over valid JSON.
type reader struct {
	s          string
	i          int
	duplicates []Path
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
			key := unquote(r.str())
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
		r.str()
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
			r.duplicates = append(r.duplicates, at.join(m.key))
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
	n, duplicates, err := parseJSON(data)
	if err == nil && len(duplicates) > 0 {
		err = errors.New("it has a key twice: " + clip(duplicates[0].String()))
	}
	return n, err
}
