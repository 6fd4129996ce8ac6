package apiserver

import "bytes"

// shorten returns a definition in which every schema is replaced by a trivial one;
// false when one of them is not ordinary. The API server has the same against both,
// if it has something against the one at all: of the rest of a definition, only
// selectable fields look into a schema.
func shorten(definition []byte) ([]byte, bool) {
	var s shortener
	c := &cursor{b: definition}
	ok := s.object(c, func(key string) bool {
		return key != "spec" || s.object(c, func(key string) bool {
			return key != "versions" || s.versions(c)
		})
	})
	s.out.Write(definition[min(s.written, len(definition)):])
	return s.out.Bytes(), ok && c.peek() == 0
}

type shortener struct {
	out     bytes.Buffer
	written int // how much of the definition is in out, or replaced there
}

// object reads an object whose members, unless read handles them, are skipped; false
// ends it.
func (s *shortener) object(c *cursor, read func(key string) bool) bool {
	if !c.open('{') {
		return false
	}
	for c.more('}') {
		before := 0
		key := string(c.key())
		if before = c.i; !read(key) {
			return false
		}
		if c.i == before {
			c.skip()
		}
	}
	return !c.lost
}

func (s *shortener) versions(c *cursor) bool {
	if !c.open('[') {
		return false
	}
	for c.more(']') {
		ok := s.object(c, func(key string) bool {
			return key != "selectableFields" && (key != "schema" || s.object(c, func(key string) bool {
				return key == "openAPIV3Schema" && s.replace(c)
			}))
		})
		if !ok {
			return false
		}
	}
	return !c.lost
}

// replace reads a schema and writes the trivial one.
func (s *shortener) replace(c *cursor) bool {
	c.peek()
	start := c.i
	if o := (&ordinary{}); !o.accepts(c) {
		return false
	}
	s.out.Write(c.b[s.written:start])
	s.out.WriteString(trivial)
	s.written = c.i
	return true
}
