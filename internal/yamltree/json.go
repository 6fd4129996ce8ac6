package yamltree

import (
	"fmt"
	"unicode/utf8"
)

// JSON appends the document to dst as JSON, keys in document order. The fault
// is that of a value that JSON cannot express.
func (t *Tree) JSON(dst []byte) ([]byte, *Fault) { return t.AppendJSON(dst, 0) }

// AppendJSON is JSON for the node n alone.
func (t *Tree) AppendJSON(dst []byte, n Node) ([]byte, *Fault) {
	n = t.deref(n)
	var fault *Fault
	switch e := &t.nodes[n]; e.kind {
	case Mapping:
		if e.flags&hasBadPair != 0 {
			if fault = t.badPair(n); fault != nil {
				return dst, fault
			}
		}
		dst = append(dst, '{')
		for i, p := range t.Pairs(n) {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendString(dst, t.Key(p.Key))
			dst = append(dst, ':')
			if dst, fault = t.AppendJSON(dst, p.Value); fault != nil {
				return dst, fault
			}
		}
		return append(dst, '}'), nil
	case Sequence:
		dst = append(dst, '[')
		first := true
		for c := range t.children(n) {
			if !first {
				dst = append(dst, ',')
			}
			first = false
			if dst, fault = t.AppendJSON(dst, c); fault != nil {
				return dst, fault
			}
		}
		return append(dst, ']'), nil
	default:
		s := t.scalarText(n)
		switch v, json := resolve(s, e.style, e.tag); v {
		case valString:
			return appendString(dst, s), nil
		case valNotFinite, valBad:
			return dst, &Fault{Span: t.Span(n), Message: fmt.Sprintf("%s cannot be written as JSON", Quote(s))}
		default:
			return append(dst, json...), nil
		}
	}
}

const hex = "0123456789abcdef"

// appendString appends s, which is valid UTF-8, as a JSON string.
func appendString(dst []byte, s string) []byte {
	dst = append(dst, '"')
	from := 0
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' || c >= utf8.RuneSelf {
			continue
		}
		dst = append(dst, s[from:i]...)
		from = i + 1
		switch c {
		case '"', '\\':
			dst = append(dst, '\\', c)
		case '\n':
			dst = append(dst, '\\', 'n')
		case '\r':
			dst = append(dst, '\\', 'r')
		case '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(append(dst, s[from:]...), '"')
}
