package legacy

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// fields are those of a document, or of an object within one, while they are read. What is
// of another type than a field wants is a fault, and read as absent.
type fields struct {
	read   *reader
	doc    *parser.Document
	at     meta.Path
	values map[string]json.RawMessage
	taken  map[string]bool
}

// fields begins to read a document.
func (r *reader) fields(doc *parser.Document) *fields {
	f := &fields{read: r, doc: doc, taken: map[string]bool{}}
	// What is wrong with the document as a whole was told when it was read.
	_ = doc.DecodeLax(&f.values)
	return f
}

// path leads to a field.
func (f *fields) path(elements ...any) meta.Path {
	return slices.Concat(f.at, meta.Path(elements))
}

func (f *fields) fail(e *meta.FieldError) { f.read.fieldFault(f.doc, e) }

func (f *fields) missing(key, want string) {
	f.fail(&meta.FieldError{Path: f.path(key), Fault: meta.FaultRequired, Want: want})
}

// wrong says that what a field holds is not what is wanted.
func (f *fields) wrong(key string, fault meta.Fault, want string) {
	f.fail(&meta.FieldError{Path: f.path(key), Fault: fault, Found: found(f.values[key]), Want: want})
}

// take returns the value of a field; nil when it is absent or null.
func (f *fields) take(key string) json.RawMessage {
	f.taken[key] = true
	if v := f.values[key]; string(v) != "null" {
		return v
	}
	return nil
}

// text reads a text.
func (f *fields) text(key string) string {
	v := f.take(key)
	if v == nil {
		return ""
	}
	s, ok := textOf(v)
	if !ok {
		e := &meta.FieldError{Path: f.path(key), Fault: meta.FaultType, Found: found(v), Want: "a text"}
		if v[0] != '{' && v[0] != '[' {
			e.Err = errors.New("write it in quotes")
		}
		f.fail(e)
	}
	return s
}

// word reads a text that is one of a few.
func (f *fields) word(key, what string, words ...string) string {
	s := f.text(key)
	if s != "" && !slices.Contains(words, s) {
		f.wrong(key, FaultEnum, what+" (want "+strings.Join(words, ", ")+")")
	}
	return s
}

// overviewShort reads the field that the document calls by two names. Where both are there
// and differ, the other one stays an unknown field.
func (f *fields) overviewShort() string {
	const first, second = "overviewShort", "shortOverview"
	s := f.text(first)
	if _, ok := f.values[second]; !ok {
		return s
	}
	other := f.text(second)
	if s != "" && s != other {
		delete(f.taken, second)
		return s
	}
	return other
}

// list reads a list.
func (f *fields) list(key string) []json.RawMessage {
	v := f.take(key)
	if v == nil {
		return nil
	}
	var list []json.RawMessage
	if err := json.Unmarshal(v, &list); err != nil {
		f.wrong(key, meta.FaultType, "a list")
	}
	return list
}

// texts reads a list of texts.
func (f *fields) texts(key string) []string {
	var texts []string
	for i, v := range f.list(key) {
		s, ok := textOf(v)
		if !ok {
			f.fail(&meta.FieldError{Path: f.path(key, i), Fault: meta.FaultType, Found: found(v), Want: "a text"})
			continue
		}
		texts = append(texts, s)
	}
	return texts
}

// objects reads a list of objects. Each is to be ended with done.
func (f *fields) objects(key string) []*fields {
	var objects []*fields
	for i, v := range f.list(key) {
		if o := f.within(v, key, i); o != nil {
			objects = append(objects, o)
		}
	}
	return objects
}

// object reads an object, which is empty when it is absent, and is to be ended with done.
func (f *fields) object(key string) *fields {
	if v := f.take(key); v != nil {
		if o := f.within(v, key); o != nil {
			return o
		}
	}
	return &fields{read: f.read, doc: f.doc, at: f.path(key), taken: map[string]bool{}}
}

// raw takes an object as it is, with everything in it; nil when it is absent.
func (f *fields) raw(key string) json.RawMessage {
	v := f.take(key)
	if v == nil || f.within(v, key) == nil {
		return nil
	}
	return v
}

// within begins to read an object, and returns nil for what is none.
func (f *fields) within(v json.RawMessage, elements ...any) *fields {
	o := &fields{read: f.read, doc: f.doc, at: f.path(elements...), taken: map[string]bool{}}
	if err := json.Unmarshal(v, &o.values); err != nil || o.values == nil {
		f.fail(&meta.FieldError{Path: o.at, Fault: meta.FaultType, Found: found(v), Want: "an object"})
		return nil
	}
	return o
}

// done keeps the fields that nobody has taken as unknown ones.
func (f *fields) done() {
	for _, key := range slices.Sorted(maps.Keys(f.values)) {
		if !f.taken[key] {
			f.read.p.UnknownFields = append(f.read.p.UnknownFields, UnknownField{Document: f.doc, Path: f.path(key), JSON: f.values[key]})
		}
	}
}

// textOf returns the text of a JSON string.
func textOf(v json.RawMessage) (string, bool) {
	var s *string
	if err := json.Unmarshal(v, &s); err != nil || s == nil {
		return "", false
	}
	return *s, true
}

// found describes a JSON value, as it may follow "this is".
func found(v json.RawMessage) string {
	switch s, ok := textOf(v); {
	case ok:
		return quote(s)
	case len(v) == 0:
		return ""
	case v[0] == '{':
		return "an object"
	case v[0] == '[':
		return "a list"
	case v[0] == 't', v[0] == 'f', v[0] == 'n':
		return string(v)
	}
	if len(v) > maxNumber {
		v = append(slices.Clip(v[:maxNumber]), "…"...)
	}
	return "the number " + string(v)
}

// maxNumber is how many digits of a number a message shows.
const maxNumber = 40

func quote(s string) string { return yamltree.Quote(s) }

// oneLine is the text of a foreign error on one line, cut short.
func oneLine(err error) string {
	s := strings.Map(func(c rune) rune {
		if strconv.IsPrint(c) {
			return c
		}
		return ' '
	}, err.Error())
	const most = 200
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
