package meta

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
)

// A Path leads to a value inside a document. Its elements are the keys of
// objects (string) and the positions in arrays (int, from 0), outermost first.
// The empty Path is the document itself.
type Path []any

// String is the path as people write it: spec.dependsOn[0].version. A key that
// is no identifier is quoted: metadata.annotations["meta.crossplane.io/source"].
// [ParsePath] is its inverse.
func (p Path) String() string {
	var b strings.Builder
	for _, e := range p {
		switch e := e.(type) {
		case int:
			b.WriteByte('[')
			b.WriteString(strconv.Itoa(e))
			b.WriteByte(']')
		case string:
			if !isIdentifier(e) {
				b.WriteByte('[')
				b.WriteString(strconv.Quote(e))
				b.WriteByte(']')
				continue
			}
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(e)
		default:
			fmt.Fprintf(&b, "[%v]", e)
		}
	}
	return b.String()
}

// ParsePath reads what [Path.String] writes. The error matches [ErrInvalid].
func ParsePath(s string) (Path, error) {
	var p Path
	for rest := s; rest != ""; {
		if rest[0] != '[' {
			if len(p) > 0 {
				if rest[0] != '.' {
					return nil, pathError(s, rest)
				}
				rest = rest[1:]
			}
			n := 0
			for n < len(rest) && rest[n] != '.' && rest[n] != '[' {
				n++
			}
			if !isIdentifier(rest[:n]) {
				return nil, pathError(s, rest)
			}
			p, rest = append(p, rest[:n]), rest[n:]
			continue
		}
		var e any
		inner := rest[1:]
		if q, err := strconv.QuotedPrefix(inner); err == nil && q[0] == '"' {
			// QuotedPrefix has checked the syntax that Unquote could refuse.
			key, _ := strconv.Unquote(q)
			e, inner = key, inner[len(q):]
		} else {
			n := 0
			for n < len(inner) && inner[n] >= '0' && inner[n] <= '9' {
				n++
			}
			i, err := strconv.Atoi(inner[:n])
			if err != nil {
				return nil, pathError(s, rest)
			}
			e, inner = i, inner[n:]
		}
		if !strings.HasPrefix(inner, "]") {
			return nil, pathError(s, rest)
		}
		p, rest = append(p, e), inner[1:]
	}
	return p, nil
}

func pathError(s, rest string) error {
	return fmt.Errorf("%w path %s: unexpected %s at byte %d", ErrInvalid, quote(s), quote(rest), len(s)-len(rest))
}

// Compare orders paths: element by element, positions by number and keys by
// their bytes, positions before keys, and a path before those that it leads to.
func (p Path) Compare(q Path) int {
	for i := 0; i < len(p) && i < len(q); i++ {
		a, aIsInt := p[i].(int)
		b, bIsInt := q[i].(int)
		switch {
		case aIsInt && bIsInt:
			if c := cmp.Compare(a, b); c != 0 {
				return c
			}
		case aIsInt:
			return -1
		case bIsInt:
			return 1
		default:
			a, _ := p[i].(string)
			b, _ := q[i].(string)
			if c := strings.Compare(a, b); c != 0 {
				return c
			}
		}
	}
	return cmp.Compare(len(p), len(q))
}

// join is p with elements behind it, in memory of its own: decoding appends to
// one path along several branches.
func (p Path) join(elements ...any) Path {
	q := make(Path, 0, len(p)+len(elements))
	return append(append(q, p...), elements...)
}

// clipped is p with keys cut to a length that may be shown in a message.
func (p Path) clipped() Path {
	q := make(Path, len(p))
	for i, e := range p {
		if s, ok := e.(string); ok {
			e = clip(s)
		}
		q[i] = e
	}
	return q
}

func isIdentifier(s string) bool {
	for i := range len(s) {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
