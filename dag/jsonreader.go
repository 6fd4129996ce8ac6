package dag

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// A jsonReader reads values of valid JSON and collects what is wrong with them.
type jsonReader struct {
	faults meta.FieldErrors
	more   int  // faults beyond meta.MaxFaults
	nulls  bool // a field that is null is a value, and does not count as absent
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
// false for what is no object. A field that is null counts as absent, unless nulls says
// otherwise.
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
		case (d.nulls || string(value) != "null") && !field(key, at, value):
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
	d.fail(path, meta.FaultType, foundJSON(raw), want, nil)
}

// source is the name of an image repository; what is none is in the Source with its error.
func (d *jsonReader) source(path meta.Path, s string) meta.Source {
	source, err := meta.ParseSource(s)
	if err != nil {
		cause := errors.Unwrap(err)
		if ref := (*meta.ReferenceError)(nil); errors.As(err, &ref) {
			cause = ref.Err // the text is quoted once already
		}
		d.fail(path, meta.FaultSource, found(s), "an image repository", cause)
	}
	return source
}

// tag is a version as registries and people spell it, zero for what no registry has.
func (d *jsonReader) tag(path meta.Path, s string) meta.Version {
	v, err := meta.ParseVersion(s)
	if err != nil {
		d.fail(path, FaultVersion, found(s), "a tag or a digest", errors.Unwrap(err))
	}
	return v
}

// found is a text as it may follow "this is", cut short.
func found(s string) string {
	const most = 60
	if len(s) > most {
		cut := most
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}

// foundJSON is a value of valid JSON, or none, as it may follow "this is".
func foundJSON(raw json.RawMessage) string {
	switch {
	case len(raw) == 0 || string(raw) == "null":
		return ""
	case raw[0] == '"':
		var s string
		_ = json.Unmarshal(raw, &s)
		return found(s)
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "an array"
	case raw[0] == 't' || raw[0] == 'f':
		return string(raw)
	case len(raw) > 30:
		return "a number"
	}
	return "the number " + string(raw)
}
