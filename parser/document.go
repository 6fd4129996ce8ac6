package parser

import (
	"errors"
	"sync/atomic"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
)

// A Document is one object of a package stream: a YAML document that is a
// mapping. It does not change, and its methods may be called concurrently. Use
// it by pointer.
//
// A Document holds its text and nothing else of what it was read with: of Stream a copy
// of its own; of Bytes all bytes that were given; of Dir its file, or a copy where that is
// large; and nothing where Options.Hold holds it. JSON, At and Decode
// read it again each time they are called; what takes a tree (many places, errors of
// Decode, YAML that objects are seldom written in) keeps the tree for as long as memory
// allows.
type Document struct {
	APIVersion string // "" when it is absent or no string
	Kind       string // "" when it is absent or no string
	Name       string // metadata.name as it is written; "" when it is absent
	Index      int    // from 0, among the documents of the stream or directory that hold something
	Range      Range  // from the first key, or the opening brace, to the end of the last value

	number int // from 1, among the documents of the file
	source source
	cache  treeCache
	finds  atomic.Int32 // places that the engine was asked for
}

// Raw returns the author's bytes with their comments, from behind the separator
// that begins the document up to the one that ends it. Of a document with
// directives (%YAML, %TAG) both directives and separator are part. A byte order
// mark at its start is not, one behind a comment is. Of a stream in UTF-16 they are UTF-16, encoded anew by each call.
//
// The bytes must not be modified. They are valid for as long as the document
// is held; for a document of Bytes they are a part of what was given, and with
// Options.Hold another copy at another time.
func (d *Document) Raw() []byte {
	if d.source.encoding == yamlstream.UTF8 {
		return d.Text()
	}
	return d.source.encoding.Encode(d.Text())
}

// Text is [Document.Raw] in UTF-8: the same bytes, save for a stream in UTF-16.
//
// The texts of the documents of a stream, each followed by a line break where it has none,
// with "---\n" between them ("...\n" before one with directives), are a stream of
// the same documents, save that a block scalar (| or >, without -) at the end of
// a file without a last line break gets that line break.
//
// The bytes must not be modified.
func (d *Document) Text() []byte {
	s := d.loaded()
	if s.text == nil {
		return nil
	}
	return s.text[s.raw:len(s.text):len(s.text)]
}

// InDir reports whether the document is of a directory ([Dir], [Examples]), and not of a
// stream.
func (d *Document) InDir() bool { return d.source.inDir }

// Ref returns apiVersion, kind and name.
func (d *Document) Ref() ObjectRef { return ObjectRef{d.APIVersion, d.Kind, d.Name} }

// Line returns the text of line n, counted from 1 as in [Position], as UTF-8 without
// its line break; nil when the line is not one of the document's. It is meant for
// showing a line, and for [Position.UTF16Column].
func (d *Document) Line(n int) []byte {
	s := d.loaded()
	if s.text == nil {
		return nil
	}
	return s.marks.line(s.text, n-s.line)
}

// lineAt returns where the text of the line that begins at start ends, and
// where the next one begins.
func lineAt(text []byte, start int) (end, next int) {
	for i := start; i < len(text); i++ {
		switch {
		case text[i] == '\n':
			return i, i + 1
		case text[i] == '\r' && i+1 < len(text) && text[i+1] == '\n':
			return i, i + 2
		case text[i] == '\r':
			return i, i + 1
		}
	}
	return len(text), len(text)
}

// errNoText is the error of the methods of a Document that was not read.
var errNoText = errors.New("the document has no text")

// JSON returns the document as JSON, with its keys in the author's order.
//
// What words and numbers mean is YAML 1.2's core schema, save the merge key <<
// of YAML 1.1, which is carried out:
//
//   - yes, no, on, off, 1_000, 0b1, 12:30:45 and 2001-01-01 are strings;
//   - a number keeps its digits, however many: 1.10 is 1.10, and
//     12345678901234567890123 is itself. 0x1F and 0o17 become decimal, and
//     what JSON does not allow goes: +1 is 1, 007 is 7, .5 is 0.5, 5. is 5.0;
//   - .inf and .nan have no JSON form: JSON returns an error with their place;
//   - a key that is a number or boolean is the text that it is written with; one that is
//     null, a mapping or a sequence has no JSON form;
//   - a binary (!!binary) is its text in base64, not what that stands for; every other value with a tag is
//     what the tag says.
//
// Of a key that is there twice the last value counts, as it does for the
// readers of Kubernetes that do not refuse it. An error is an *[Error].
func (d *Document) JSON() ([]byte, error) {
	if b, ok := d.scanJSON(); ok {
		return b, nil
	}
	t := d.tree()
	if t == nil {
		return nil, errNoText
	}
	b, fault := t.JSON(nil)
	if fault != nil {
		return nil, d.fault(t, *fault)
	}
	return b, nil
}

// A Place is where a field of a document stands.
type Place struct {
	// Key is the field's name; zero for the document itself and for an item
	// of a sequence.
	Key Range
	// Value is the field's value, without anchor and tag. It is empty, and
	// stands where the value would begin, for a null that is not written.
	Value Range
	// Found says that the field is there. When it is not, Key and Value are
	// those of the nearest field around it that is.
	Found bool
}

// At returns where the field with the path stands, whose elements are keys
// (string) and indexes from 0 (int); a meta.Path p is given as p... A value that
// is behind an alias or a merge key is where the author wrote it, at the anchor.
// Without a path it is the place of the whole document.
func (d *Document) At(path ...any) Place {
	if p, ok := d.scanPlace(path); ok {
		return p
	}
	s := d.loaded()
	t := d.cache.get(s)
	if t == nil {
		return Place{}
	}
	p, followed := t.Find(path)
	return Place{
		Key:   s.rangeIn(t, p.Key),
		Value: s.rangeIn(t, p.Value),
		Found: followed == len(path),
	}
}

// fault turns a fault of the document's tree into an error.
func (d *Document) fault(t *yamltree.Tree, f yamltree.Fault) *Error {
	e := d.loaded().fault(t, f)
	e.Object, e.Index, e.Document = d.Ref(), d.Index, d.number
	return e
}

// fault turns a fault into an error that does not know its document. The tree is nil
// where the fault has left none.
func (s *source) fault(t *yamltree.Tree, f yamltree.Fault) *Error {
	e := &Error{Rule: RuleSyntax, Range: s.rangeOf(t, f.Span), Path: meta.Path(f.Path), Message: f.Message}
	switch f.Problem {
	case yamltree.DuplicateKey:
		first := s.rangeOf(t, f.Other)
		e.Rule = RuleDuplicateKey
		e.Related = []Range{first}
		e.Message = "key " + f.Message + " is there twice, first at " + first.Start.String()
	case yamltree.TooDeep:
		e.Rule = RuleLimit
		e.Err = &meta.LimitError{What: "the nesting of mappings and sequences", Limit: f.Limit, Unit: plural(f.Limit, "level")}
		e.Message = e.Err.Error()
	case yamltree.TooManyNodes:
		e.Rule = RuleLimit
		e.Err = &meta.LimitError{What: "the document", Limit: f.Limit, Unit: "keys, values and items"}
		e.Message = e.Err.Error()
	case yamltree.TooManyTags:
		e.Rule = RuleLimit
		e.Err = &meta.LimitError{What: "the document", Limit: f.Limit, Unit: "%TAG directives"}
		e.Message = e.Err.Error()
	case yamltree.TooManyAliases:
		e.Rule = RuleLimit
		e.Err = &meta.LimitError{What: "what too many aliases add to the document", Limit: f.Limit}
		e.Message = e.Err.Error()
	}
	return e
}
