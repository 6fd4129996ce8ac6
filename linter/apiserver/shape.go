package apiserver

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// misfit is a value that the API server cannot decode, or a field that it drops.
type misfit struct {
	path        []any
	found, want string // both are empty for a field that is dropped
}

// misfits returns the values of a definition that are of other types than their
// fields, and the fields that there are not, each in the order of their paths. The
// API server's own decoder stops at the first, and does not say where it is.
func misfits(raw []byte) (mistyped, dropped []misfit, err error) {
	root, err := decode(raw) // a whole number is one by its digits
	if err != nil {
		return nil, nil, err
	}
	f := &fitting{fields: map[reflect.Type]map[string]reflect.Type{}}
	f.fit(nil, root, reflect.TypeFor[apiextensionsv1.CustomResourceDefinition]())
	return f.mistyped, f.dropped, nil
}

type fitting struct {
	mistyped, dropped []misfit
	fields            map[reflect.Type]map[string]reflect.Type // of structs seen, by their names in JSON
}

var (
	unmarshaler  = reflect.TypeFor[json.Unmarshaler]()
	moment       = reflect.TypeFor[metav1.Time]()
	schema       = reflect.TypeFor[apiextensionsv1.JSONSchemaProps]()
	schemaOrList = reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrArray]()
	schemaOrBool = reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]()
	schemaOrKeys = reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrStringArray]()
)

// fit holds a value against the type that the API server decodes it into.
func (f *fitting) fit(path []any, v any, t reflect.Type) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if v == nil { // is decoded as if it were not there
		return
	}
	object, isObject := v.(map[string]any)
	items, isList := v.([]any)
	switch t {
	case schemaOrBool:
		if _, ok := v.(bool); ok {
			return
		}
		if !isObject {
			f.misfit(path, v, "a boolean or a mapping")
			return
		}
		t = schema
	case moment:
		if text, ok := v.(string); !ok || text != "" && !isTime(text) {
			f.misfit(path, v, "a time such as 2006-01-02T15:04:05Z")
		}
		return
	case schemaOrList, schemaOrKeys: // what is neither is decoded as if it were not there
		switch {
		case isObject:
			t = schema
		case isList && t == schemaOrList:
			t = reflect.SliceOf(schema)
		case isList:
			t = reflect.TypeFor[[]string]()
		default:
			return
		}
	default:
		if reflect.PointerTo(t).Implements(unmarshaler) {
			f.anything(path, v)
			return
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		if !isObject {
			f.misfit(path, v, "a mapping")
			return
		}
		known := f.fields[t]
		if known == nil {
			known = map[string]reflect.Type{}
			fieldsOf(t, known)
			f.fields[t] = known
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			at := append(slices.Clone(path), name)
			if field, ok := known[name]; ok {
				f.fit(at, object[name], field)
			} else {
				f.dropped = append(f.dropped, misfit{path: at})
			}
		}
	case reflect.Map:
		if !isObject {
			f.misfit(path, v, "a mapping")
			return
		}
		for _, name := range slices.Sorted(maps.Keys(object)) {
			f.fit(append(slices.Clone(path), name), object[name], t.Elem())
		}
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Uint8 {
			text, ok := v.(string)
			if _, err := base64.StdEncoding.DecodeString(text); !ok || err != nil {
				f.misfit(path, v, "a string in base64")
			}
			return
		}
		if !isList {
			f.misfit(path, v, "a list")
			return
		}
		for i, item := range items {
			f.fit(append(slices.Clone(path), i), item, t.Elem())
		}
	case reflect.String:
		f.scalar(path, v, "a string")
	case reflect.Bool:
		f.scalar(path, v, "a boolean")
	case reflect.Float64:
		f.scalar(path, v, "a number")
		f.anything(path, v)
	case reflect.Int32, reflect.Int64:
		n, ok := v.(json.Number)
		if _, err := strconv.ParseInt(n.String(), 10, t.Bits()); !ok || err != nil {
			f.misfit(path, v, "a whole number of "+strconv.Itoa(t.Bits())+" bits")
		}
	}
}

// anything looks at a value of which every kind will do. The numbers among them are decoded
// all the same.
func (f *fitting) anything(path []any, v any) {
	switch v := v.(type) {
	case json.Number:
		if _, err := v.Float64(); err != nil {
			f.misfit(path, v, "a number that 64 bits can hold")
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			f.anything(append(slices.Clone(path), name), v[name])
		}
	case []any:
		for i, item := range v {
			f.anything(append(slices.Clone(path), i), item)
		}
	}
}

func isTime(s string) bool {
	_, err := time.Parse(time.RFC3339, s)
	return err == nil
}

// fieldsOf collects the fields of a struct by their names in JSON.
func fieldsOf(t reflect.Type, known map[string]reflect.Type) {
	for i := range t.NumField() {
		field := t.Field(i)
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		switch {
		case field.Anonymous && name == "":
			fieldsOf(field.Type, known)
		case name != "" && name != "-":
			known[name] = field.Type
		}
	}
}

func (f *fitting) scalar(path []any, v any, want string) {
	if form(v) != want {
		f.misfit(path, v, want)
	}
}

func (f *fitting) misfit(path []any, v any, want string) {
	f.mistyped = append(f.mistyped, misfit{path, described(v), want})
}

func form(v any) string {
	switch v.(type) {
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case json.Number:
		return "a number"
	case []any:
		return "a list"
	default:
		return "a mapping"
	}
}

// described says what a value is, as the rules of linter/rules do.
func described(v any) string {
	switch v := v.(type) {
	case string:
		return "the string " + strconv.Quote(clip(v, valueLength))
	case bool:
		return "the boolean " + strconv.FormatBool(v)
	case json.Number:
		return "the number " + clip(v.String(), valueLength)
	default:
		return form(v)
	}
}
