package parser

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"time"

	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
)

// Decode decodes the document into v, a pointer to a value with JSON tags, as
// encoding/json decodes [Document.JSON]. It is strict: a field that v has no
// place for, in this very spelling, and a key that is there twice are errors.
// Below a type that decodes itself (json.Unmarshaler, encoding.TextUnmarshaler)
// that type decides.
//
// No number changes unless v asks for it: in an interface it is a json.Number with all its
// digits. A float32 or float64 holds the nearest number that it can, without an error;
// [Document.Doubts] tells which numbers a float64 does not hold.
//
// The error is an [ErrorList] of such fields (RuleUnknownField,
// RuleDuplicateKey; the first hundred of each) and of one value of a wrong type
// (RuleWrongType), with their places; v then holds what could be decoded. That value is
// the first that a type refuses which decodes itself, whose error errors.As reaches, or else
// the first of all. A v that is no pointer, or of a type that JSON has nothing for, such as a
// channel, is no fault of the document: the error is that of encoding/json.
func (d *Document) Decode(v any) error {
	w := newWorkspace()
	b, ok := d.appendJSON(w.scanner, w.json)
	w.json = b
	if ok && d.source.types.fits(b, reflect.TypeOf(v)) {
		err := d.decode(b, v) // the engine takes no document with a key that is there twice
		w.free()
		return err
	}
	t := d.tree()
	if t == nil {
		return errNoText
	}
	errs := d.repeats(t)
	s := strict{tree: t}
	s.check(0, reflect.TypeOf(v))
	for _, u := range s.unknown {
		errs = append(errs, d.fieldError(RuleUnknownField, u.node, u.path, "unknown field "+quote(t.Key(u.node))))
	}
	var list ErrorList
	if err := d.DecodeLax(v); err != nil && !errors.As(err, &list) {
		return err
	}
	if errs = append(errs, list...); len(errs) > 0 {
		errs.Sort()
		return errs
	}
	return nil
}

// DecodeLax is [Document.Decode] without its strictness: fields that v has no
// place for are passed over, upper and lower case of a field's name need not be right,
// and of a key that is there twice the last counts. The errors are those of Decode.
func (d *Document) DecodeLax(v any) error {
	b, err := d.JSON()
	if err != nil {
		var e *Error
		if errors.As(err, &e) {
			return ErrorList{e}
		}
		return err
	}
	return d.decode(b, v)
}

// decode is json.Unmarshal with the errors of this package, and with the digits of
// numbers that no type is given for.
func (d *Document) decode(b []byte, v any) error {
	types := d.source.types
	if types == nil {
		types = new(fitTypes)
	}
	err := types.unmarshal(b, v)
	if err == nil || isOfValue(err) {
		return err
	}
	return ErrorList{d.wrongType(b, v, err)}
}

// isOfValue reports whether an error of encoding/json is of the Go value, which could take
// no document, and not of this document.
func isOfValue(err error) bool {
	var invalid *json.InvalidUnmarshalError
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &invalid), strings.HasPrefix(err.Error(), "json: cannot set embedded pointer"):
		return true
	case !errors.As(err, &wrong):
		return false
	case wrong.Type.Kind() == reflect.Map:
		return wrong.Value == "object" // of keys that JSON does not have
	}
	return wordFor(wrong.Type) == ""
}

// wrongType tells of an error of encoding/json in words of YAML.
func (d *Document) wrongType(b []byte, v any, err error) *Error {
	t := d.tree()
	if strings.HasPrefix(err.Error(), "json: invalid use of ,string") { // the rest is about Go
		return d.fieldError(RuleWrongType, 0, nil, "expected a number or boolean in quotes for a field that takes them so")
	}
	at, refused := refusedBy(t, reflect.TypeOf(v), err)
	message := clip(err.Error())
	var wrong *json.UnmarshalTypeError
	var noTime *time.ParseError
	switch {
	case errors.As(err, &wrong):
		message = "expected " + wordFor(wrong.Type) + ", found " + found(wrong.Value)
		if refused {
			break
		}
		path, isKey := pathAt(b, wrong.Offset)
		p, _ := t.Find(path)
		if at = (foundField{p.Value, path}); isKey {
			at.node = p.Key
			message = "expected a key that is " + wordFor(wrong.Type) + ", found " + quote(t.Key(p.Key))
		}
	case errors.As(err, &noTime), strings.HasPrefix(message, "Time.UnmarshalJSON: "):
		message = "expected a time such as 2006-01-02T15:04:05Z, found " + t.Describe(at.node)
		if text, ok := t.Text(at.node); ok {
			message = "expected a time such as 2006-01-02T15:04:05Z, found " + quote(text)
		}
	}
	e := d.fieldError(RuleWrongType, at.node, at.path, message)
	if wrong == nil {
		e.Err = err
	}
	return e
}

func (d *Document) fieldError(rule string, n yamltree.Node, path meta.Path, message string) *Error {
	t := d.tree()
	return &Error{
		Rule: rule, Range: d.loaded().rangeIn(t, n), Object: d.Ref(), Index: d.Index, Document: d.number,
		Path: path, Message: message,
	}
}

// repeats returns the errors of keys that are there twice.
func (d *Document) repeats(t *yamltree.Tree) ErrorList {
	if !t.HasRepeats() {
		return nil
	}
	var errs ErrorList
	_, faults := d.loaded().parse()
	for _, f := range faults {
		if f.Problem == yamltree.DuplicateKey {
			errs = append(errs, d.fault(t, f))
		}
	}
	return errs
}

// pathAt returns the path of the value of b, which is valid JSON without white space, that
// was read last when offset bytes of it had been read. encoding/json puts the fault of a
// key behind its first quote: then it is the path of the key's value, and isKey is true.
func pathAt(b []byte, offset int64) (p meta.Path, isKey bool) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var path, last meta.Path // of the next value; of the last one
	var inObject []bool
	key := false // the next token is a key
	for {
		before := dec.InputOffset()
		token, err := dec.Token()
		if err != nil || dec.InputOffset() > offset {
			if isKey = key && err == nil && offset > before; isKey {
				last = append(path[:len(path)-1], token)
			}
			return last, isKey
		}
		delim, isDelim := token.(json.Delim)
		switch {
		case isDelim && (delim == '}' || delim == ']'):
			inObject = inObject[:len(inObject)-1]
			path = path[:len(path)-1]
		case key:
			path[len(path)-1] = token
			key = false
			continue
		default:
			last = append(meta.Path(nil), path...)
			if isDelim {
				object := delim == '{'
				inObject = append(inObject, object)
				if path = append(path, ""); !object {
					path[len(path)-1] = -1
				}
			}
		}
		if len(inObject) > 0 {
			if key = inObject[len(inObject)-1]; !key {
				path[len(path)-1] = path[len(path)-1].(int) + 1
			}
		}
	}
}

// wordFor names what a Go type holds, and returns "" for one that JSON has no value for.
func wordFor(t reflect.Type) string {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(textUnmarshaler) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return "an integer in range"
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return "a natural number in range"
	case reflect.Float32, reflect.Float64:
		return "a number in range"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "a sequence"
	case reflect.Struct, reflect.Map:
		return "a mapping"
	}
	return ""
}

// found puts encoding/json's word for a value into one of YAML.
func found(value string) string {
	switch value {
	case "object":
		return "a mapping"
	case "array":
		return "a sequence"
	case "bool":
		return "a boolean"
	case "string":
		return "a string"
	case "number":
		return "a number"
	}
	if n, ok := strings.CutPrefix(value, "number "); ok {
		return clip(n)
	}
	return clip(value)
}
