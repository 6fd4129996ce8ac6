package rules

import (
	"bytes"
	"encoding/json"
)

// readValue reads valid JSON as deep as the shape has it. What the shape does not
// have is passed over and not looked at: the schemas of a definition are nearly all
// of it, and a large provider has thousands of definitions.
func readValue(raw []byte, s *shape) *value {
	r := reader{text: raw}
	return r.value(s)
}

// reader reads JSON that is known to be valid. Of other text it reads something or
// other, and ends.
type reader struct {
	text []byte
	next int
}

func (r *reader) value(s *shape) *value {
	start := r.skipSpace()
	v := &value{form: formOf(r.text[start:])}
	switch {
	case v.form == mapping && s != nil && s.fields != nil:
		v.fields = make(map[string]*value)
		r.members('}', func() {
			name := r.string()
			if r.skipSpace() < len(r.text) {
				r.next++ // the colon
			}
			v.fields[name] = r.value(s.field(name))
		})
	case v.form == list && s != nil && s.item != nil:
		r.members(']', func() { v.items = append(v.items, r.value(s.item)) })
	case v.form == text:
		v.text = r.string()
	case v.form == boolean, v.form == number:
		r.skip()
		v.text = string(r.text[start:r.next])
	default:
		r.skip()
	}
	return v
}

// members calls read for each member of a mapping or list, of which the reader stands
// at the opening bracket, and passes the closing one.
func (r *reader) members(end byte, read func()) {
	for r.next++; r.skipSpace() < len(r.text) && r.text[r.next] != end; {
		if r.text[r.next] == ',' {
			r.next++
			r.skipSpace()
		}
		before := r.next
		read()
		if r.next == before { // no JSON
			r.next = len(r.text)
		}
	}
	r.next = min(r.next+1, len(r.text))
}

func (r *reader) skipSpace() int {
	for r.next < len(r.text) {
		switch r.text[r.next] {
		case ' ', '\t', '\r', '\n':
			r.next++
		default:
			return r.next
		}
	}
	return r.next
}

// string reads a string.
func (r *reader) string() string {
	start := r.skipSpace()
	r.skipString()
	raw := r.text[start:r.next]
	if len(raw) >= 2 && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	var s string
	_ = json.Unmarshal(raw, &s) // a string in valid JSON decodes
	return s
}

func (r *reader) skipString() {
	for i := r.next + 1; i < len(r.text); i++ {
		n := bytes.IndexByte(r.text[i:], '"')
		if n < 0 {
			break
		}
		i += n
		slashes := 0
		for r.text[i-1-slashes] == '\\' { // ends at the opening quote
			slashes++
		}
		if slashes%2 == 0 {
			r.next = i + 1
			return
		}
	}
	r.next = len(r.text)
}

// skip passes over a value.
func (r *reader) skip() {
	for depth := 0; r.next < len(r.text); {
		switch r.text[r.next] {
		case '"':
			r.skipString()
		case '{', '[':
			depth++
			r.next++
			continue
		case '}', ']':
			depth--
			r.next++
		case ',', ':', ' ', '\t', '\r', '\n':
			r.next++
			continue
		default:
			r.skipWord()
		}
		if depth <= 0 {
			return
		}
	}
}

// skipWord passes over a number, true, false or null.
func (r *reader) skipWord() {
	for r.next++; r.next < len(r.text); r.next++ {
		switch r.text[r.next] {
		case ',', '}', ']', ':', '"', '{', '[', ' ', '\t', '\r', '\n':
			return
		}
	}
}
