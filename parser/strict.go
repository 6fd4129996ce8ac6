package parser

import (
	"encoding"
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
)

// strict finds the fields of a document that a Go type has no place for.
// encoding/json could only tell the name of the first, without its place.
type strict struct {
	tree    *yamltree.Tree
	path    meta.Path // to the value that is looked at
	unknown []foundField
	fields  map[reflect.Type]map[string]reflect.Type

	// own, when not nil, is told of the values whose types decode themselves, until it
	// returns false.
	own func(value foundField, t reflect.Type) bool
	end bool // it did
}

// A foundField is a key or a value and the path of its field.
type foundField struct {
	node yamltree.Node
	path meta.Path
}

// maxUnknown bounds the errors of one Decode.
const maxUnknown = 100

var (
	unmarshaler     = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// check looks at the value n for the Go type t.
func (s *strict) check(n yamltree.Node, t reflect.Type) {
	if t == nil || s.end || len(s.unknown) == maxUnknown {
		return
	}
	isPointer := t.Kind() == reflect.Pointer
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if decodesItself(reflect.PointerTo(t)) {
		if s.own != nil && !(isPointer && s.tree.IsNull(n)) { // null makes a pointer nil
			s.end = !s.own(foundField{n, slices.Clone(s.path)}, t)
		}
		return
	}
	switch t.Kind() {
	case reflect.Struct:
		fields := s.fieldsOf(t)
		for _, p := range s.tree.Pairs(n) {
			key := s.tree.Key(p.Key)
			if field, ok := fields[key]; ok {
				s.step(key, p.Value, field)
			} else if s.own == nil && len(s.unknown) < maxUnknown {
				s.unknown = append(s.unknown, foundField{p.Key, append(slices.Clone(s.path), key)})
			}
		}
	case reflect.Map:
		for _, p := range s.tree.Pairs(n) {
			s.step(s.tree.Key(p.Key), p.Value, t.Elem())
		}
	case reflect.Slice, reflect.Array:
		for i, item := range s.tree.Items(n) {
			s.step(i, item, t.Elem())
		}
	}
}

// step checks the value n behind a key or index.
func (s *strict) step(name any, n yamltree.Node, t reflect.Type) {
	s.path = append(s.path, name)
	s.check(n, t)
	s.path = s.path[:len(s.path)-1]
}

// fieldsOf returns the types of the fields of a struct by their JSON names.
func (s *strict) fieldsOf(t reflect.Type) map[string]reflect.Type {
	if f, ok := s.fields[t]; ok {
		return f
	}
	if s.fields == nil {
		s.fields = make(map[reflect.Type]map[string]reflect.Type)
	}
	f := make(map[string]reflect.Type)
	s.fields[t] = f // before the embedded ones: a type may embed a pointer to itself
	for i := range t.NumField() {
		if embedded := embeddedStruct(t.Field(i)); embedded != nil {
			for name, typ := range s.fieldsOf(embedded) {
				f[name] = typ
			}
		}
	}
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if embeddedStruct(field) != nil || !field.IsExported() || field.Tag.Get("json") == "-" {
			continue
		}
		if name == "" {
			name = field.Name
		}
		f[name] = field.Type
	}
	return f
}

// embeddedStruct returns the struct whose fields count as those of the struct
// that has the field, or nil.
func embeddedStruct(f reflect.StructField) reflect.Type {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if !f.Anonymous || name != "" {
		return nil
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return nil
	}
	return t
}
