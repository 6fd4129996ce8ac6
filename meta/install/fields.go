package install

import (
	"encoding/json"
	"reflect"
	"strings"
)

// Field is one member of a JSON object that this package has no name for.
type Field struct {
	Name string
	// JSON is the member's value as it was read, white space between tokens
	// removed.
	JSON json.RawMessage
}

// Fields holds, in document order, the members of one JSON object that this
// package has no name for. They are written behind the named ones when the
// object is encoded, so that what a newer Crossplane knows survives being read
// here.
type Fields []Field

// layout is what the codec knows of one struct type: its named members in the
// order in which they are written, and where the unnamed ones are kept. Structs
// marked ",inline" are flattened into the struct that holds them.
type layout struct {
	members []member
	unknown []int // index of the Fields member, nil when the struct has none
}

type member struct {
	name      string
	index     []int
	omitEmpty bool
}

func layoutOf(t reflect.Type) layout {
	var l layout
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Type == reflect.TypeFor[Fields]() {
			l.unknown = f.Index
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "-" || !f.IsExported():
		case options == "inline":
			for _, m := range layoutOf(f.Type).members {
				m.index = append([]int{i}, m.index...)
				l.members = append(l.members, m)
			}
		default:
			l.members = append(l.members, member{name: name, index: f.Index, omitEmpty: options == "omitempty"})
		}
	}
	return l
}

func (l layout) member(name string) (member, bool) {
	for _, m := range l.members {
		if m.name == name {
			return m, true
		}
	}
	return member{}, false
}
