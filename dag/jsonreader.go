package dag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A jsonReader reads values of valid JSON and collects what is wrong with them.
type jsonReader struct {
	faults meta.FieldErrors
	more   int // faults beyond meta.MaxFaults
}

func (d *jsonReader) add(f *meta.FieldError) {
	if len(d.faults) >= meta.MaxFaults {
		d.more++
		return
	}
	d.faults = append(d.faults, f)
}

func (d *jsonReader) fail(path meta.Path, fault meta.Fault, found, want string, err error) {
	d.add(&meta.FieldError{Path: path, Fault: fault, Found: found, Want: want, Err: err})
}

func (d *jsonReader) unknown(path meta.Path) {
	d.fail(path, meta.FaultNotInFormat, "", "", errors.New("there is no such field"))
}

// sorted is the error of all faults, nil if there are none.
func (d *jsonReader) sorted() error {
	if len(d.faults) == 0 {
		return nil
	}
	slices.SortStableFunc(d.faults, func(a, b *meta.FieldError) int { return a.Path.Compare(b.Path) })
	if d.more > 0 {
		d.faults = append(d.faults, &meta.FieldError{Fault: meta.FaultLimit, Err: fmt.Errorf("%d more faults are not listed", d.more)})
	}
	return d.faults
}

// join is a path with more behind it, in memory of its own.
func join(path meta.Path, more ...any) meta.Path { return slices.Concat(path, more) }

// object gives the fields of an object in their order, and notes those that field does
// not know and those that are there twice, of which the first counts. It reports
// false for what is no object. A field that is null counts as absent.
func (d *jsonReader) object(path meta.Path, raw json.RawMessage, field func(key string, path meta.Path, raw json.RawMessage) bool) bool {
	dec, ok := d.open(path, raw, '{', "an object")
	if !ok {
		return false
	}
	seen := make(map[string]bool)
	for dec.More() {
		token, _ := dec.Token()
		key, _ := token.(string)
		var value json.RawMessage
		_ = dec.Decode(&value) // it is valid
		at := join(path, key)
		switch {
		case seen[key]:
			d.fail(at, meta.FaultDuplicate, "", "", errors.New("this key is there twice"))
		case string(value) != "null" && !field(key, at, value):
			d.unknown(at)
		}
		seen[key] = true
	}
	return true
}

// list gives the elements of an array.
func (d *jsonReader) list(path meta.Path, raw json.RawMessage, element func(path meta.Path, raw json.RawMessage)) {
	dec, ok := d.open(path, raw, '[', "an array")
	for i := 0; ok && dec.More(); i++ {
		var value json.RawMessage
		_ = dec.Decode(&value)
		element(join(path, i), value)
	}
}

// open is a decoder behind the first token of an object or array.
func (d *jsonReader) open(path meta.Path, raw json.RawMessage, delim json.Delim, want string) (*json.Decoder, bool) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if token, _ := dec.Token(); token != delim {
		d.wrongType(path, raw, want)
		return nil, false
	}
	return dec, true
}

// text is a value that must be a text.
func (d *jsonReader) text(path meta.Path, raw json.RawMessage) (string, bool) {
	var s string
	if err := json.Unmarshal(raw, &s); err != nil || string(raw) == "null" {
		d.wrongType(path, raw, "a string")
		return "", false
	}
	return s, true
}

func (d *jsonReader) wrongType(path meta.Path, raw json.RawMessage, want string) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	_ = dec.Decode(&v)
	d.fail(path, meta.FaultType, found(v), want, nil)
}
