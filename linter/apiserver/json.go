package apiserver

import (
	"bytes"
	"encoding/json"
)

// cursor reads through the JSON of a document, which is known to be well formed,
// and makes nothing of it. What is asked of it and is not there marks it as lost.
type cursor struct {
	b    []byte
	i    int
	lost bool
}

// peek returns the first byte of what comes next, 0 at the end.
func (c *cursor) peek() byte {
	for ; c.i < len(c.b); c.i++ {
		switch c.b[c.i] {
		case ' ', '\t', '\n', '\r':
		default:
			return c.b[c.i]
		}
	}
	return 0
}

// open steps into an object or a list.
func (c *cursor) open(bracket byte) bool {
	if c.peek() != bracket {
		c.lost = true
		return false
	}
	c.i++
	return true
}

// more reports whether there is another member, before the bracket that closes.
func (c *cursor) more(bracket byte) bool {
	b := c.peek()
	if b == ',' {
		c.i++
		b = c.peek()
	}
	if b == bracket || b == 0 {
		c.i++
		c.lost = c.lost || b == 0
		return false
	}
	return !c.lost
}

// key returns the name of a member as it is written, without quotes. One with an
// escape is never needed, so it leaves the cursor lost.
func (c *cursor) key() []byte {
	key := c.text()
	c.lost = c.lost || bytes.IndexByte(key, '\\') >= 0 || c.peek() != ':'
	c.i++
	return key
}

// text returns a string as it is written, without quotes.
func (c *cursor) text() []byte {
	if c.peek() != '"' {
		c.lost = true
		return nil
	}
	start := c.i + 1
	for end := start; ; end++ {
		n := bytes.IndexByte(c.b[min(end, len(c.b)):], '"')
		if n < 0 {
			c.i, c.lost = len(c.b), true
			return nil
		}
		end += n
		escapes := 0 // a quote is escaped behind an odd number of them
		for c.b[end-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			c.i = end + 1
			return c.b[start:end]
		}
	}
}

// skip returns a value as it is written.
func (c *cursor) skip() []byte {
	first := c.peek()
	start, depth := c.i, 0
	for c.i < len(c.b) {
		switch b := c.b[c.i]; b {
		case '"':
			c.text()
			if depth == 0 {
				return c.b[start:c.i]
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',', ' ', '\t', '\n', '\r':
			if depth == 0 { // the end of a number or word
				return c.b[start:c.i]
			}
			if b == '}' || b == ']' {
				depth--
			}
			if depth == 0 && (first == '{' || first == '[') {
				c.i++
				return c.b[start:c.i]
			}
		}
		c.i++
	}
	c.lost = c.lost || depth > 0
	return c.b[start:]
}

// lookup returns a member of an object; nil when there is none, or no object.
func lookup(object []byte, name string) []byte {
	c := cursor{b: object}
	if !c.open('{') {
		return nil
	}
	for c.more('}') {
		key := c.key()
		if value := c.skip(); string(key) == name && !c.lost {
			return value
		}
	}
	return nil
}

// unquote returns the text of a string; false when the value is none.
func unquote(value []byte) (string, bool) {
	if len(value) < 2 || value[0] != '"' {
		return "", false
	}
	if inner := value[1 : len(value)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner), true
	}
	var s string
	err := json.Unmarshal(value, &s)
	return s, err == nil
}

// strings returns the items of a list of strings; false when the value is none.
func texts(list []byte) ([]string, bool) {
	c := cursor{b: list}
	if !c.open('[') {
		return nil, false
	}
	all := []string{}
	for c.more(']') {
		s, ok := unquote(c.skip())
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, !c.lost
}
