package rules

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/parser"
)

// form is what sort of thing a value is.
type form byte

const (
	absent form = iota
	null
	boolean
	number
	text
	list
	mapping
	inOther // below a value that is no mapping, where nothing can be said of it
)

// String is the form as messages name it.
func (f form) String() string {
	return [...]string{"nothing", "null", "a boolean", "a number", "a string", "a list", "a mapping", "another value"}[f]
}

// value is a value of a document, read as deep as a shape has it and no deeper:
// schemas are nearly all of a large definition, and of no interest to these rules.
type value struct {
	form   form
	text   string            // of a string; of a number or boolean as it is written
	fields map[string]*value // of a mapping that the shape knows the fields of
	items  []*value          // of a list that the shape knows the items of
}

var nothing, elsewhere = &value{form: absent}, &value{form: inOther}

// readDocument reads a document; it returns nil for one that has no JSON form,
// which is a fault of reading.
func readDocument(d *parser.Document, s *shape) *value {
	raw, err := d.JSON()
	if err != nil {
		return nil
	}
	return readValue(raw, s)
}

func formOf(raw []byte) form {
	for _, c := range raw {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		case '{':
			return mapping
		case '[':
			return list
		case '"':
			return text
		case 't', 'f':
			return boolean
		case 'n':
			return null
		default:
			return number
		}
	}
	return absent
}

// get returns the value at a path of keys; it is never nil.
func (v *value) get(path ...string) *value {
	for _, name := range path {
		switch v.form {
		case mapping:
			if v = v.fields[name]; v == nil {
				return nothing
			}
		case absent, null:
			return nothing
		default:
			return elsewhere
		}
	}
	return v
}

// isAbsent reports whether nothing is there; null is nothing to a Kubernetes API.
func (v *value) isAbsent() bool { return v.form == absent || v.form == null }

// asText, asTruth and asList return the value that a field of a type has, its zero
// value where nothing is there, and false when something of another type is: what
// that was meant to be nobody knows, so a rule holds its tongue and leaves it to the
// rule that is about types.
func (v *value) asText() (string, bool) { return v.text, v.form == text || v.isAbsent() }

// itemText returns a string that is an item of a list, where null is no absence: false for
// anything else.
func (v *value) itemText() (string, bool) { return v.text, v.form == text }

func (v *value) asTruth() (is, ok bool) {
	return v.form == boolean && v.text == "true", v.form == boolean || v.isAbsent()
}

func (v *value) asList() ([]*value, bool) { return v.items, v.form == list || v.isAbsent() }

// found says what a value is, for a message.
func (v *value) found() string {
	switch v.form {
	case text:
		return "the string " + quote(v.text)
	case number:
		return "the number " + clip(v.text)
	case boolean:
		return "the boolean " + v.text
	default:
		return v.form.String()
	}
}

// plain is a value that was read whole, as encoding/json has it.
func (v *value) plain() any {
	switch v.form {
	case mapping:
		m := map[string]any{}
		for name, field := range v.fields {
			m[name] = field.plain()
		}
		return m
	case list:
		l := []any{}
		for _, item := range v.items {
			l = append(l, item.plain())
		}
		return l
	case text:
		return v.text
	case boolean:
		return v.text == "true"
	case number:
		return json.Number(v.text)
	}
	return nil
}

// sortedFields are the names of the fields of a mapping.
func sortedFields(v *value) []string { return slices.Sorted(maps.Keys(v.fields)) }
