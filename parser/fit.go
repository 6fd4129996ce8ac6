package parser

import (
	"bytes"
	"reflect"
	"sync"
	"sync/atomic"
)

// fits reports whether a Go type has a place for every field of a document. When it
// returns false, [strict] tells which it has not: fits only finds out, without a tree,
// that there is nothing to tell. b is JSON as the engine writes it, without white space.
func (c *fitTypes) fits(b []byte, t reflect.Type) bool {
	if t == nil {
		return true // encoding/json has an error for it
	}
	f := fit{json: b, types: c}
	return f.value(c.of(t))
}

type fit struct {
	json  []byte
	at    int
	types *fitTypes
}

// fitTypes holds what fits knows of Go types. The documents of a sequence share one: to
// look at a type of an API takes as long as to decode a small object of it.
type fitTypes struct {
	types      sync.Map // reflect.Type -> *fitType
	interfaces sync.Map // reflect.Type -> bool: hasInterface
}

// A fitType is what fits knows of a Go type: nothing of one that takes anything.
type fitType struct {
	fields map[string]*fitField // of a struct
	items  *fitField            // of a map, slice or array
	isMap  bool
}

// A fitField is a field of a struct, or what a map or slice holds. Its type is looked at
// when the first value for it is met: most fields of a type of an API are not used.
type fitField struct {
	goType reflect.Type
	known  atomic.Pointer[fitType]
}

func (c *fitTypes) of(t reflect.Type) *fitType {
	if known, ok := c.types.Load(t); ok {
		return known.(*fitType)
	}
	known, _ := c.types.LoadOrStore(t, newFitType(t))
	return known.(*fitType)
}

func (c *fitTypes) ofField(f *fitField) *fitType {
	known := f.known.Load()
	if known == nil {
		known = c.of(f.goType)
		f.known.Store(known)
	}
	return known
}

func newFitType(t reflect.Type) *fitType {
	known := new(fitType)
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if decodesItself(reflect.PointerTo(t)) {
		return known
	}
	switch t.Kind() {
	case reflect.Struct:
		known.fields = make(map[string]*fitField)
		for name, field := range new(strict).fieldsOf(t) {
			known.fields[name] = &fitField{goType: field}
		}
	case reflect.Map, reflect.Slice, reflect.Array:
		known.items = &fitField{goType: t.Elem()}
		known.isMap = t.Kind() == reflect.Map
	}
	return known
}

func decodesItself(t reflect.Type) bool {
	return t.Implements(unmarshaler) || t.Implements(textUnmarshaler)
}

// value passes over the value at f.at, and reports whether all of it has a place.
func (f *fit) value(t *fitType) bool {
	switch c := f.json[f.at]; {
	case c == '{' && (t.fields != nil || t.isMap):
		return f.object(t)
	case c == '[' && t.items != nil && !t.isMap:
		return f.array(f.types.ofField(t.items))
	}
	f.skip()
	return true
}

func (f *fit) object(t *fitType) bool {
	for f.at++; f.json[f.at] != '}'; f.comma() {
		start := f.at + 1
		f.text()
		field := t.items
		if !t.isMap {
			if field = t.fields[string(f.json[start:f.at-1])]; field == nil {
				return false // or a field whose name has escapes, which strict will find
			}
		}
		f.at++ // the colon
		if !f.value(f.types.ofField(field)) {
			return false
		}
	}
	f.at++
	return true
}

func (f *fit) array(t *fitType) bool {
	for f.at++; f.json[f.at] != ']'; f.comma() {
		if !f.value(t) {
			return false
		}
	}
	f.at++
	return true
}

func (f *fit) comma() {
	if f.json[f.at] == ',' {
		f.at++
	}
}

// text passes over a text. A quote behind an odd number of backslashes is part of it.
func (f *fit) text() {
	for f.at++; ; {
		part := f.json[f.at : f.at+bytes.IndexByte(f.json[f.at:], '"')]
		f.at += len(part) + 1
		if (len(part)-len(bytes.TrimRight(part, `\`)))%2 == 0 {
			return
		}
	}
}

// skip passes over a value.
func (f *fit) skip() {
	for depth := 0; ; {
		switch f.json[f.at] {
		case '"':
			f.text()
		case '{', '[':
			depth++
			f.at++
		case '}', ']':
			depth--
			f.at++
		default:
			f.at++
		}
		if depth > 0 {
			continue
		}
		if f.at == len(f.json) {
			return
		}
		switch f.json[f.at] {
		case ',', '}', ']':
			return
		}
	}
}
