package parser

import (
	"bytes"
	"encoding/json"
	"reflect"
)

// unmarshal is json.Unmarshal, but a number for which v has no type of its own is a
// json.Number, with all its digits. Only a json.Decoder can do that, which takes a
// fifth longer, so it is left to values that may hold such a number.
func (c *fitTypes) unmarshal(b []byte, v any) error {
	if !c.hasInterface(reflect.TypeOf(v)) {
		return json.Unmarshal(b, v)
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	return dec.Decode(v)
}

// hasInterface reports whether a value of a Go type may hold an interface that
// encoding/json fills.
func (c *fitTypes) hasInterface(t reflect.Type) bool {
	if known, ok := c.interfaces.Load(t); ok {
		return known.(bool)
	}
	has := t != nil && findInterface(t, make(map[reflect.Type]bool))
	c.interfaces.Store(t, has)
	return has
}

func findInterface(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] || decodesItself(t) || decodesItself(reflect.PointerTo(t)) {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Array:
		return findInterface(t.Elem(), seen)
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); (f.IsExported() || f.Anonymous) && findInterface(f.Type, seen) {
				return true
			}
		}
	}
	return false
}
