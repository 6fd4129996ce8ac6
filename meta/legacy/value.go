package legacy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// maxDepth is how deep the objects and arrays of a definition may nest. It is the
// parser's default, so that what the parser has read is never refused.
const maxDepth = 1000

// valueKind is what a value is in JSON.
type valueKind byte

const (
	isNull valueKind = iota
	isBool
	isNumber
	isText
	isArray
	isObject
)

// String is the kind as messages name it.
func (k valueKind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// value is a JSON value that keeps the order of its keys and the digits of its
// numbers, which values of encoding/json lose. A nil value is one that is absent.
type value struct {
	kind    valueKind
	text    string   // of a string what it says, of a number or boolean how it is written
	members []member // of an object or an array, whose members have no keys
}

type member struct {
	key   string
	value *value
}

func textValue(s string) *value { return &value{kind: isText, text: s} }

func boolValue(b bool) *value { return &value{kind: isBool, text: fmt.Sprint(b)} }

func objectValue(members ...member) *value { return &value{kind: isObject, members: members} }

func arrayValue(items ...*value) *value {
	v := &value{kind: isArray}
	for _, item := range items {
		v.members = append(v.members, member{value: item})
	}
	return v
}

func textsValue(texts []string) *value {
	v := arrayValue()
	for _, s := range texts {
		v.members = append(v.members, member{value: textValue(s)})
	}
	return v
}

// decodeValue reads JSON. Of a key that an object has twice the last value counts, in
// the place of the first.
func decodeValue(data []byte) (*value, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	v, err := decodeNext(d, 0)
	if err == nil {
		if _, more := d.Token(); more != io.EOF {
			err = fmt.Errorf("there is more behind it")
		}
	}
	if err == nil {
		return v, nil
	}
	if limit := (*meta.LimitError)(nil); errors.As(err, &limit) {
		return nil, err
	}
	return nil, &meta.FieldError{Fault: meta.FaultSyntax, Found: "this", Want: "a JSON value", Err: err}
}

func decodeNext(d *json.Decoder, depth int) (*value, error) {
	if depth > maxDepth {
		return nil, &meta.LimitError{What: "the nesting of a definition", Limit: maxDepth, Unit: "levels"}
	}
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case nil:
		return &value{}, nil
	case bool:
		return boolValue(t), nil
	case json.Number:
		return &value{kind: isNumber, text: t.String()}, nil
	case string:
		return textValue(t), nil
	case json.Delim:
		return decodeMembers(d, t, depth)
	}
	return nil, fmt.Errorf("unexpected token")
}

func decodeMembers(d *json.Decoder, open json.Delim, depth int) (*value, error) {
	v := &value{kind: isArray}
	index := map[string]int{}
	if open == '{' {
		v.kind = isObject
	}
	for d.More() {
		key := ""
		if v.kind == isObject {
			t, err := d.Token()
			if err != nil {
				return nil, err
			}
			key, _ = t.(string)
		}
		m, err := decodeNext(d, depth+1)
		if err != nil {
			return nil, err
		}
		if i, twice := index[key]; twice && v.kind == isObject {
			v.members[i].value = m
			continue
		}
		index[key] = len(v.members)
		v.members = append(v.members, member{key, m})
	}
	_, err := d.Token()
	return v, err
}

// appendJSON writes the value on one line.
func (v *value) appendJSON(b []byte) []byte {
	switch v.kind {
	case isNull:
		return append(b, "null"...)
	case isBool, isNumber:
		return append(b, v.text...)
	case isText:
		return append(b, quoteText(v.text)...)
	}
	ends := "[]"
	if v.kind == isObject {
		ends = "{}"
	}
	b = append(b, ends[0])
	for i, m := range v.members {
		if i > 0 {
			b = append(b, ',')
		}
		if v.kind == isObject {
			b = append(append(b, quoteText(m.key)...), ':')
		}
		b = m.value.appendJSON(b)
	}
	return append(b, ends[1])
}

// get returns the field of an object; nil when it is absent or null, or v is no object.
func (v *value) get(path ...string) *value {
	for _, key := range path {
		if v == nil || v.kind != isObject {
			return nil
		}
		i := v.index(key)
		if i < 0 {
			return nil
		}
		v = v.members[i].value
	}
	if v == nil || v.kind == isNull {
		return nil
	}
	return v
}

// str returns the text of a field of an object; "" when there is none.
func (v *value) str(path ...string) string {
	if f := v.get(path...); f != nil && f.kind == isText {
		return f.text
	}
	return ""
}

func (v *value) index(key string) int {
	return slices.IndexFunc(v.members, func(m member) bool { return m.key == key })
}

// set gives a field of an object a value, in its place or behind the others.
func (v *value) set(key string, to *value) {
	if i := v.index(key); i >= 0 {
		v.members[i].value = to
		return
	}
	v.members = append(v.members, member{key, to})
}

// fill makes null in an object of schemas what a server takes it for, a schema that says
// nothing.
func (v *value) fill() {
	if v == nil || v.kind != isObject {
		return
	}
	for i, m := range v.members {
		if m.value.kind == isNull {
			v.members[i].value = objectValue()
		}
	}
}

// remove takes a field from an object and returns it; nil when it was absent or null.
func (v *value) remove(key string) *value {
	was := v.get(key)
	v.members = slices.DeleteFunc(v.members, func(m member) bool { return m.key == key })
	return was
}

// rename gives a field another name, in its place.
func (v *value) rename(from, to string) {
	if i := v.index(from); i >= 0 {
		v.members[i].key = to
	}
}

// clone is the value in memory of its own.
func (v *value) clone() *value {
	c := *v
	c.members = slices.Clone(v.members)
	for i := range c.members {
		c.members[i].value = c.members[i].value.clone()
	}
	return &c
}

// equal reports whether two values are the same, whatever the order of keys.
func (v *value) equal(w *value) bool {
	if v == nil || w == nil {
		return v == w
	}
	if v.kind != w.kind || v.text != w.text || len(v.members) != len(w.members) {
		return false
	}
	for i, m := range v.members {
		of := w.members[i].value
		if v.kind == isObject {
			j := w.index(m.key)
			if j < 0 {
				return false
			}
			of = w.members[j].value
		}
		if !m.value.equal(of) {
			return false
		}
	}
	return true
}

// found says what a value is, as an error names it.
func (v *value) found() string {
	switch {
	case v == nil:
		return ""
	case v.kind == isText:
		return quoteShort(v.text)
	case v.kind == isNumber:
		return "the number " + v.text
	}
	return v.kind.String()
}

// quoteShort quotes a text for a message.
func quoteShort(s string) string {
	const most = 60
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return fmt.Sprintf("%q", s)
}
