package linter

import (
	"bytes"
	"slices"
	"strings"
)

// field is a field that a fix makes: a key of the mapping that a finding is in.
type field struct {
	object      ObjectRef
	parent, key string
}

// fieldsMade returns the fields that the fix of a finding makes, by writing another key or
// by adding one: two fixes that each are right may make one field twice.
func fieldsMade(content []byte, d Diagnostic) []field {
	var made []field
	for _, e := range d.Fixes[0].Edits {
		if key := keyMade(content, e); key != "" {
			made = append(made, field{d.Object, parentPath(d.Path), key})
		}
	}
	return made
}

// keyMade returns the key that an edit makes; "" if it makes none.
func keyMade(content []byte, e Edit) string {
	if e.Range.Start.Offset == e.Range.End.Offset {
		key, _, ok := strings.Cut(strings.TrimLeft(e.New, ", \r\n"), ":")
		if !ok {
			return ""
		}
		return unquoted(key)
	}
	if rest := bytes.TrimLeft(content[e.Range.End.Offset:], " \t"); !bytes.HasPrefix(rest, []byte(":")) {
		return ""
	}
	return unquoted(e.New)
}

// parentPath is the path of what is around the field or item at a path.
func parentPath(path string) string {
	end := strings.LastIndexByte(path, '.')
	if strings.HasSuffix(path, "]") {
		end = strings.LastIndexByte(path, '[')
	}
	return path[:max(end, 0)]
}

// makesTwice reports whether one of the fields has been made by other edits; what is done
// already is not done again.
func makesTwice(made map[field][]Edit, fields []field, edits []Edit) bool {
	return slices.ContainsFunc(fields, func(f field) bool {
		before, there := made[f]
		return there && !slices.Equal(before, edits)
	})
}
