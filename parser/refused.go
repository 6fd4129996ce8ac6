package parser

import (
	"encoding/json"
	"errors"
	"reflect"

	"github.com/xpkg-go/sdk/internal/yamltree"
)

// refusedBy returns the value of a tree whose type decodes itself and has refused it with
// err; the document as a whole, and false, when there is none. encoding/json hands on
// what the type says, with offsets that count from the value if it has any, and does not
// tell which value it was: so the types are asked again, up to the first that says so.
func refusedBy(tree *yamltree.Tree, t reflect.Type, err error) (at foundField, ok bool) {
	s := strict{tree: tree, own: func(value foundField, t reflect.Type) bool {
		b, fault := tree.AppendJSON(nil, value.node)
		if fault == nil && isSame(json.Unmarshal(b, reflect.New(t).Interface()), err) {
			at, ok = value, true
		}
		return !ok
	}}
	s.check(0, t)
	return at, ok
}

// isSame reports whether two errors of decoding say the same.
func isSame(a, b error) bool {
	if a == nil {
		return false
	}
	var x, y *json.UnmarshalTypeError
	if errors.As(a, &x) && errors.As(b, &y) {
		return x.Offset == y.Offset && x.Value == y.Value && x.Type == y.Type
	}
	return a.Error() == b.Error()
}
