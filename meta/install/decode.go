package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// A decoder reads one JSON value into a struct of this package. encoding/json
// would do, but for three things: it stops at the first value of a wrong type,
// it tells no path inside lists, and it drops what it has no name for.
type decoder struct {
	faults meta.FieldErrors
}

// decode reads data into the struct that v points to and returns every fault
// found. Null counts as absent, as it does for the Kubernetes API server. It
// reports false when data is not an object, and leaves v alone then.
func decode(data []byte, v any) (meta.FieldErrors, bool) {
	var d decoder
	if !utf8.Valid(data) {
		return meta.FieldErrors{{Fault: meta.FaultSyntax, Err: errors.New("the document is not UTF-8")}}, false
	}
	var raw json.RawMessage
	if err := json.Unmarshal(data, &raw); err != nil {
		return meta.FieldErrors{{Fault: meta.FaultSyntax, Err: err}}, false
	}
	if !d.is(nil, raw, "an object") {
		return d.faults, false
	}
	d.object(nil, raw, reflect.ValueOf(v).Elem())
	return d.faults, true
}

func (d *decoder) value(p meta.Path, raw json.RawMessage, v reflect.Value) {
	if v.Type() == reflect.TypeFor[json.RawMessage]() {
		v.SetBytes(compact(raw))
		return
	}
	if kindOf(raw) == "null" {
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		target := reflect.New(v.Type().Elem())
		before := len(d.faults)
		d.value(p, raw, target.Elem())
		// A scalar of a wrong type leaves the pointer nil: a zero would be
		// taken for what the author wrote.
		if len(d.faults) == before || v.Type().Elem().Kind() == reflect.Struct {
			v.Set(target)
		}
	case reflect.Struct:
		if d.is(p, raw, "an object") {
			d.object(p, raw, v)
		}
	case reflect.Map:
		if d.is(p, raw, "an object") {
			d.stringMap(p, raw, v)
		}
	case reflect.Slice:
		if d.is(p, raw, "an array") {
			d.list(p, raw, v)
		}
	case reflect.String:
		if d.is(p, raw, "a string") {
			v.SetString(text(raw))
		}
	case reflect.Bool:
		if d.is(p, raw, "a boolean") {
			v.SetBool(raw[0] == 't')
		}
	default:
		d.integer(p, raw, v)
	}
}

func (d *decoder) is(p meta.Path, raw json.RawMessage, want string) bool {
	if kindOf(raw) == want {
		return true
	}
	d.faults = append(d.faults, &meta.FieldError{Path: p, Fault: meta.FaultType, Found: found(raw), Want: want})
	return false
}

func (d *decoder) integer(p meta.Path, raw json.RawMessage, v reflect.Value) {
	n, err := strconv.ParseInt(string(raw), 10, v.Type().Bits())
	if err != nil {
		want := "an integer of " + strconv.Itoa(v.Type().Bits()) + " bits"
		d.faults = append(d.faults, &meta.FieldError{Path: p, Fault: meta.FaultType, Found: found(raw), Want: want})
		return
	}
	v.SetInt(n)
}

func (d *decoder) object(p meta.Path, raw json.RawMessage, v reflect.Value) {
	l := layoutOf(v.Type())
	for _, f := range d.fields(p, raw) {
		if m, ok := l.member(f.Name); ok {
			d.value(join(p, f.Name), f.JSON, v.FieldByIndex(m.index))
			continue
		}
		unknown := v.FieldByIndex(l.unknown)
		unknown.Set(reflect.Append(unknown, reflect.ValueOf(Field{Name: f.Name, JSON: compact(f.JSON)})))
	}
}

func (d *decoder) stringMap(p meta.Path, raw json.RawMessage, v reflect.Value) {
	m := reflect.MakeMap(v.Type())
	for _, f := range d.fields(p, raw) {
		if kindOf(f.JSON) == "null" || d.is(join(p, f.Name), f.JSON, "a string") {
			m.SetMapIndex(reflect.ValueOf(f.Name), reflect.ValueOf(text(f.JSON)))
		}
	}
	v.Set(m)
}

// fields returns the members of a JSON object, each name once: the last one of a
// name counts, as it does in package meta, and every other one is a fault.
func (d *decoder) fields(p meta.Path, raw json.RawMessage) Fields {
	var all Fields
	last := make(map[string]int)
	for name, value := range members(raw) {
		last[name] = len(all)
		all = append(all, Field{Name: name, JSON: value})
	}
	if len(last) == len(all) {
		return all
	}
	kept := all[:0]
	for i, f := range all {
		if last[f.Name] != i {
			d.faults = append(d.faults, twice(join(p, f.Name)))
			continue
		}
		kept = append(kept, f)
	}
	return kept
}

func (d *decoder) list(p meta.Path, raw json.RawMessage, v reflect.Value) {
	s := reflect.MakeSlice(v.Type(), 0, 0)
	for i, value := range elements(raw) {
		e := reflect.New(v.Type().Elem()).Elem()
		d.value(join(p, i), value, e)
		s = reflect.Append(s, e)
	}
	v.Set(s)
}

// members yields the members of a valid JSON object in document order, repeated
// names included.
func members(raw json.RawMessage) func(yield func(string, json.RawMessage) bool) {
	return func(yield func(string, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader(raw))
		if _, err := dec.Token(); err != nil {
			return
		}
		for dec.More() {
			name, err := dec.Token()
			if err != nil {
				return
			}
			var value json.RawMessage
			if dec.Decode(&value) != nil || !yield(name.(string), bytes.TrimSpace(value)) {
				return
			}
		}
	}
}

// elements yields the elements of a valid JSON list.
func elements(raw json.RawMessage) func(yield func(int, json.RawMessage) bool) {
	return func(yield func(int, json.RawMessage) bool) {
		dec := json.NewDecoder(bytes.NewReader(raw))
		if _, err := dec.Token(); err != nil {
			return
		}
		for i := 0; dec.More(); i++ {
			var value json.RawMessage
			if dec.Decode(&value) != nil || !yield(i, bytes.TrimSpace(value)) {
				return
			}
		}
	}
}

// kindOf names what a valid JSON value without white space around it is.
func kindOf(raw json.RawMessage) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "a boolean"
	case 'n':
		return "null"
	default:
		return "a number"
	}
}

func text(raw json.RawMessage) string {
	var s string
	// The value is valid JSON; null leaves the string empty, which is what it
	// means here.
	_ = json.Unmarshal(raw, &s)
	return s
}

func compact(raw json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return slices.Clone(raw)
	}
	return b.Bytes()
}

// join is p with elements behind it, in memory of its own: several branches
// append to one path.
func join(p meta.Path, elements ...any) meta.Path {
	return append(slices.Clip(p), elements...)
}

// unmarshal is decode for encoding/json: it replaces what v points to, and
// knows no partial result.
func unmarshal[T any](data []byte, v *T) error {
	var fresh T
	if faults, _ := decode(data, &fresh); len(faults) > 0 {
		return sorted(faults)
	}
	*v = fresh
	return nil
}
