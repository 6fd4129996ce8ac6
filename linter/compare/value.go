package compare

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/xpkg-go/sdk/parser"
)

// An object is a mapping of a document. A field that is absent, or of another type
// than is asked for, is the zero value: what is wrong with a definition is for the
// linter to say. encoding/json's structs would not do: they take fields in any
// spelling, Kubernetes in one.
type object map[string]any

// readObject reads a document; nil when it has no JSON form.
func readObject(d *parser.Document) object {
	b, err := d.JSON()
	if err != nil {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var o map[string]any
	if dec.Decode(&o) != nil {
		return nil
	}
	return o
}

func asObject(v any) object {
	o, _ := v.(map[string]any)
	return o
}

func (o object) object(name string) object { return asObject(o[name]) }

func (o object) list(name string) []any {
	l, _ := o[name].([]any)
	return l
}

// objects returns the items of a list. An item that is no mapping is nil, so that
// the others keep their index.
func (o object) objects(name string) []object {
	var list []object
	for _, v := range o.list(name) {
		list = append(list, asObject(v))
	}
	return list
}

func (o object) text(name string) string {
	s, _ := o[name].(string)
	return s
}

func (o object) texts(name string) []string {
	var list []string
	for _, v := range o.list(name) {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

func (o object) truth(name string) bool {
	b, _ := o[name].(bool)
	return b
}

// number returns a number as Kubernetes holds those of schemas.
func (o object) number(name string) (float64, bool) { return asNumber(o[name]) }

func asNumber(v any) (float64, bool) {
	n, ok := v.(json.Number)
	if !ok {
		return 0, false
	}
	f, err := n.Float64()
	return f, err == nil
}

// keyOf is a text that equal values have in common, whatever the order of their
// fields and the spelling of their numbers.
func keyOf(v any) string {
	b, err := json.Marshal(plainNumbers(v))
	if err != nil {
		return ""
	}
	return string(b)
}

func plainNumbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		if _, err := strconv.ParseInt(string(v), 10, 64); err == nil {
			return v
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, field := range v {
			out[name] = plainNumbers(field)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = plainNumbers(item)
		}
		return out
	}
	return v
}
