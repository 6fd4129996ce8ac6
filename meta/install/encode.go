package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/xpkg-go/sdk/meta"
)

// An encoder writes a struct of this package as JSON: named members in the
// order of the struct, then the unknown ones in the order in which they were
// read, and maps sorted by key, so that equal values give equal bytes.
type encoder struct {
	out    bytes.Buffer
	faults meta.FieldErrors
}

// encode writes the struct v. The error is meta.FieldErrors: an unknown field
// that bears the name of a known one, or whose value is not JSON.
func encode(v any) ([]byte, error) {
	var e encoder
	e.value(nil, reflect.ValueOf(v))
	if len(e.faults) > 0 {
		return nil, sorted(e.faults)
	}
	return e.out.Bytes(), nil
}

func (e *encoder) value(p meta.Path, v reflect.Value) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		e.raw(p, v.Bytes())
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			e.out.WriteString("null")
			return
		}
		e.value(p, v.Elem())
	case reflect.Struct:
		e.object(p, v)
	case reflect.Map:
		e.stringMap(v.Interface().(map[string]string))
	case reflect.Slice:
		e.out.WriteByte('[')
		for i := range v.Len() {
			e.separate(i)
			e.value(join(p, i), v.Index(i))
		}
		e.out.WriteByte(']')
	case reflect.String:
		e.text(v.String())
	case reflect.Bool:
		e.out.WriteString(strconv.FormatBool(v.Bool()))
	default:
		e.out.WriteString(strconv.FormatInt(v.Int(), 10))
	}
}

func (e *encoder) object(p meta.Path, v reflect.Value) {
	l, n := layoutOf(v.Type()), 0
	e.out.WriteByte('{')
	for _, m := range l.members {
		field := v.FieldByIndex(m.index)
		if m.omitEmpty && absent(field) {
			continue
		}
		e.separate(n)
		e.text(m.name)
		e.out.WriteByte(':')
		e.value(join(p, m.name), field)
		n++
	}
	written := make(map[string]bool)
	for _, f := range unknownOf(v, l) {
		if _, known := l.member(f.Name); known || written[f.Name] {
			e.faults = append(e.faults, twice(join(p, f.Name)))
			continue
		}
		written[f.Name] = true
		e.separate(n)
		e.text(f.Name)
		e.out.WriteByte(':')
		e.raw(join(p, f.Name), f.JSON)
		n++
	}
	e.out.WriteByte('}')
}

func (e *encoder) stringMap(m map[string]string) {
	e.out.WriteByte('{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		e.separate(i)
		e.text(k)
		e.out.WriteByte(':')
		e.text(m[k])
	}
	e.out.WriteByte('}')
}

func (e *encoder) separate(n int) {
	if n > 0 {
		e.out.WriteByte(',')
	}
}

func (e *encoder) text(s string) {
	enc := json.NewEncoder(&e.out)
	enc.SetEscapeHTML(false) // ">=v1.0.0" is read by people
	// A string cannot fail to encode, nor a buffer to be written to.
	_ = enc.Encode(s)
	e.out.Truncate(e.out.Len() - 1) // Encode ends with a line feed
}

func (e *encoder) raw(p meta.Path, raw json.RawMessage) {
	if json.Compact(&e.out, raw) != nil {
		e.faults = append(e.faults, &meta.FieldError{Path: p, Fault: meta.FaultSyntax, Err: errors.New("what it holds is not JSON")})
	}
}

// absent says that a value says nothing. A list or a map that is there but
// empty was written by somebody, and is kept.
func absent(v reflect.Value) bool {
	if v.Kind() != reflect.Struct {
		return v.IsZero()
	}
	l := layoutOf(v.Type())
	for _, m := range l.members {
		if !absent(v.FieldByIndex(m.index)) {
			return false
		}
	}
	return len(unknownOf(v, l)) == 0
}

func unknownOf(v reflect.Value, l layout) Fields {
	if l.unknown == nil {
		return nil
	}
	return v.FieldByIndex(l.unknown).Interface().(Fields)
}

// unknownFields lists every unknown field below v, in the order in which it
// would be written.
func unknownFields(p meta.Path, v reflect.Value) []meta.Unknown {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return unknownFields(p, v.Elem())
	case reflect.Slice:
		var all []meta.Unknown
		if v.Type().Elem().Kind() == reflect.Struct {
			for i := range v.Len() {
				all = append(all, unknownFields(join(p, i), v.Index(i))...)
			}
		}
		return all
	case reflect.Struct:
		l := layoutOf(v.Type())
		var all []meta.Unknown
		for _, m := range l.members {
			all = append(all, unknownFields(join(p, m.name), v.FieldByIndex(m.index))...)
		}
		for _, f := range unknownOf(v, l) {
			all = append(all, meta.Unknown{Path: join(p, f.Name), JSON: f.JSON})
		}
		return all
	default:
		return nil
	}
}
