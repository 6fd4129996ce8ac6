package meta

import (
	"encoding/json"
	"slices"
	"strings"
)

// A node is a JSON value as it was written: numbers keep their digits and objects
// their order, which values of encoding/json lose.
type node struct {
	kind    kind
	unknown bool     // set for a field that is in Package.Unknown
	raw     string   // of the value as written; "" if it was made and not read
	members []member // of an object or an array

	// strings are the members of an object whose values are all text, held instead
	// of members: there may be a million annotations.
	strings map[string]string

	// index finds the members of a large object by their keys. It is made when it is
	// first needed.
	index map[string]int
}

// A member is a field of an object, or an element of an array (its key is empty).
type member struct {
	key   string
	value node
}

type kind byte

const (
	absent kind = iota
	null
	boolean
	number
	text
	array
	object
)

// String is the kind as messages name it.
func (k kind) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// text is the value of a string.
func (n node) text() string { return unquote(n.raw) }

// manyMembers is from how many members on an object is looked up by an index.
const manyMembers = 16

// get is the member of an object, or nil.
func (n *node) get(key string) *node {
	if len(n.members) >= manyMembers {
		if n.index == nil {
			n.index = make(map[string]int, len(n.members))
			for i, m := range n.members {
				n.index[m.key] = i
			}
		}
		if i, ok := n.index[key]; ok {
			return &n.members[i].value
		}
		return nil
	}
	for i := range n.members {
		if n.members[i].key == key {
			return &n.members[i].value
		}
	}
	return nil
}

// expand turns an object of texts into one of members, sorted by key.
func (n *node) expand() {
	if n.strings == nil {
		return
	}
	for k, v := range n.strings {
		n.members = append(n.members, member{k, textNode(v)})
	}
	n.strings, n.index = nil, nil
	slices.SortFunc(n.members, func(a, b member) int { return strings.Compare(a.key, b.key) })
}

// set puts value at path, making the objects on the way to it; a value that is
// absent removes what is there. It reports false if something on the way is
// neither object nor array, or an array is too short.
func (n *node) set(path Path, value node) bool {
	if len(path) == 0 {
		*n = value
		return true
	}
	switch e := path[0].(type) {
	case string:
		if n.kind == absent && value.kind != absent {
			*n = node{kind: object}
		}
		if n.kind != object {
			return false
		}
		n.expand()
		if m := n.get(e); m != nil {
			if len(path) == 1 && value.kind == absent {
				n.members = slices.DeleteFunc(n.members, func(m member) bool { return m.key == e })
				n.index = nil
				return true
			}
			return m.set(path[1:], value)
		}
		if value.kind == absent {
			return false
		}
		var m node
		if !m.set(path[1:], value) {
			return false
		}
		n.add(e, m)
		return true
	case int:
		if n.kind != array || e < 0 || e >= len(n.members) {
			return false
		}
		return n.members[e].value.set(path[1:], value)
	default:
		return false
	}
}

// clone is n in memory of its own, for a value that is set into another and
// changed there.
func (n node) clone() node {
	n.members = slices.Clone(n.members)
	for i := range n.members {
		n.members[i].value = n.members[i].value.clone()
	}
	n.index = nil
	return n
}

// at is the value at path, absent if there is none.
func (n *node) at(path Path) node {
	for i, e := range path {
		switch e := e.(type) {
		case string:
			if n.strings != nil {
				if v, ok := n.strings[e]; ok && i == len(path)-1 {
					return textNode(v)
				}
				return node{}
			}
			if n = n.get(e); n == nil || n.kind == absent {
				return node{}
			}
		case int:
			if n.kind != array || e < 0 || e >= len(n.members) {
				return node{}
			}
			n = &n.members[e].value
		default:
			return node{}
		}
	}
	return *n
}

// append writes the value as JSON, on one line and with each key once, whatever it
// was read from.
func (n *node) append(b []byte) []byte {
	n.expand()
	switch n.kind {
	case object:
		b = append(b, '{')
		for i := range n.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendText(b, n.members[i].key), ':')
			b = n.members[i].value.append(b)
		}
		return append(b, '}')
	case array:
		b = append(b, '[')
		for i := range n.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = n.members[i].value.append(b)
		}
		return append(b, ']')
	case absent:
		return append(b, "null"...)
	default:
		return append(b, n.raw...)
	}
}

// appendText appends a string literal.
func appendText(b []byte, s string) []byte {
	if isPlain(s) {
		return append(append(append(b, '"'), s...), '"')
	}
	var w strings.Builder
	e := json.NewEncoder(&w)
	e.SetEscapeHTML(false)
	// A string always encodes.
	_ = e.Encode(s)
	return append(b, strings.TrimSuffix(w.String(), "\n")...)
}

// isPlain reports whether a string literal of s is s between quotes.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return false
		}
	}
	return true
}

func textNode(s string) node { return node{kind: text, raw: string(appendText(nil, s))} }

func textsNode(list []string) node {
	n := node{kind: array}
	for _, s := range list {
		n.members = append(n.members, member{value: textNode(s)})
	}
	return n
}
