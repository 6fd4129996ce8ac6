package parser

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
	"github.com/xpkg-go/sdk/meta"
)

// A reader yields the documents of one sequence, which may be several files.
type reader struct {
	ctx   context.Context
	opts  Options
	yield yield
	inDir bool

	index  int // of the next document
	number int // of the last document in its file, from 1
	faults int // of documents, that were yielded
	ahead  ahead
}

func newReader(ctx context.Context, opts Options, yield yield) *reader {
	return &reader{ctx: ctx, opts: opts, yield: yield, ahead: newAhead(opts.Hold)}
}

// run does the steps that take takes from the input, one at a call, until it says that
// there are no more, or a step ends the sequence.
func (r *reader) run(take func() (more bool)) {
	defer r.ahead.end()
	for more := true; ; {
		for more && r.ahead.hasRoom() {
			more = take()
		}
		s := r.ahead.next()
		if s == nil {
			return
		}
		do := s.between
		if do == nil {
			do = func() bool { return r.document(s) }
		}
		if !do() {
			return
		}
	}
}

// stream yields the documents that s cuts.
func (r *reader) stream(name string, s *yamlstream.Splitter) {
	r.run(func() bool { return r.cut(name, s, 0) })
}

// cut takes the next document of a stream, or its end, behind which a file of so many
// bytes is not held any more. It returns false at the end.
func (r *reader) cut(name string, s *yamlstream.Splitter, file int) bool {
	chunk, err := s.Next()
	if err == nil {
		err = r.ctx.Err()
	}
	if err != nil {
		r.ahead.add(file, func() bool { return r.finish(name, s, err) })
		return false
	}
	if isNull(chunk) {
		return true
	}
	limits := yamltree.Limits{Depth: r.opts.MaxDepth, AliasBytes: r.opts.MaxAliasBytes, Nodes: r.opts.MaxNodes}
	src := newSource(name, chunk, limits)
	src.inDir = r.inDir
	r.ahead.scan(src, streamEnd(name, s))
	return true
}

// document yields the document of a step, and reports whether the sequence goes on.
func (r *reader) document(s *step) bool {
	if err := r.ctx.Err(); err != nil {
		return r.yield(nil, ended(err, s.behind, &r.opts)) && false
	}
	doc, faults := s.doc, []*Error(nil)
	if doc == nil {
		// What the engine does not take is parsed here and not in parallel: it
		// takes many times its size in memory.
		if doc, faults = read(s.source); doc == nil && len(faults) == 0 {
			return true // null
		}
		doc.hold(r.opts.Hold)
	}
	if r.index == r.opts.MaxDocuments {
		what := "the package stream"
		if r.inDir {
			what = "the package directory"
		}
		limit := &meta.LimitError{What: what, Limit: int64(r.opts.MaxDocuments), Unit: plural(int64(r.opts.MaxDocuments), "document")}
		at := Position{Line: s.source.line, Column: 1, Offset: s.source.offset}
		r.yield(nil, &Error{Rule: RuleLimit, Range: Range{s.source.file, at, at}, Index: -1, Message: limit.Error(), Err: limit})
		return false
	}
	return r.deliver(doc, faults)
}

// finish yields what is to be said of the end of a stream, and reports whether the
// sequence goes on behind it.
func (r *reader) finish(name string, s *yamlstream.Splitter, err error) bool {
	nothing := r.number == 0
	r.number = 0
	if errors.Is(err, io.EOF) {
		return r.end(name, s.Blank(), nothing)
	}
	// Of a directory that ends one file, unless the context ended.
	return r.yield(nil, ended(err, streamEnd(name, s), &r.opts)) && r.ctx.Err() == nil
}

// end reports a stream that holds nothing, and a metadata file that holds nothing
// but comments, which is no fault of any other file.
func (r *reader) end(name string, blank, nothing bool) bool {
	message := ""
	switch {
	case blank:
		message = "there is nothing in it"
	case nothing && r.inDir && name == metadataFile:
		message = "there is no document in it"
	default:
		return true
	}
	start := Position{Line: 1, Column: 1}
	return r.yield(nil, &Error{Rule: RuleEmptyFile, Range: Range{name, start, start}, Index: -1, Message: message})
}

func streamEnd(name string, s *yamlstream.Splitter) Range {
	at := Position{Line: s.Pos().Line, Column: 1, Offset: s.Pos().Offset}
	return Range{name, at, at}
}

// deliver yields a document and its faults.
func (r *reader) deliver(doc *Document, faults []*Error) bool {
	index := r.index
	r.index++
	r.number++
	if doc != nil {
		doc.Index, doc.number = index, r.number
		if !r.yield(doc, nil) {
			return false
		}
	}
	for _, e := range faults {
		e.Index, e.Document = index, r.number
		if !r.yield(nil, e) {
			return false
		}
	}
	if r.faults += len(faults); r.faults <= r.opts.MaxFaults || len(faults) == 0 {
		return true
	}
	// A faulty document takes the work of a large one: its place has to be found.
	last := faults[len(faults)-1].Range
	limit := &meta.LimitError{What: "what was read so far", Limit: int64(r.opts.MaxFaults), Unit: plural(int64(r.opts.MaxFaults), "fault")}
	r.yield(nil, &Error{
		Rule: RuleLimit, Range: Range{last.File, last.Start, last.Start}, Index: -1,
		Message: limit.Error() + ": the rest is not read", Err: limit,
	})
	return false
}

// read reads one document: nothing at all when it is null, no document when it
// cannot be read or is no mapping.
func read(s source) (*Document, []*Error) {
	if err := s.check(); err != nil {
		return nil, []*Error{err}
	}
	tree, found := s.parse()
	var faults []*Error
	for _, f := range found {
		faults = append(faults, s.fault(tree, f))
	}
	switch {
	case tree == nil:
		return nil, faults
	case tree.IsNull(0):
		return nil, faults
	case tree.Kind(0) != yamltree.Mapping:
		return nil, append(faults, &Error{
			Rule: RuleNotObject, Range: s.rangeIn(tree, 0),
			Message: "expected a mapping with apiVersion and kind, found " + tree.Describe(0),
		})
	}
	d := &Document{source: s, Range: s.rangeIn(tree, 0)}
	d.cache.keep(tree)
	var missing []*Error
	d.Kind, missing = d.identify(tree, "kind", RuleMissingKind, missing)
	d.APIVersion, missing = d.identify(tree, "apiVersion", RuleMissingAPIVersion, missing)
	if p, followed := tree.Find([]any{"metadata", "name"}); followed == 2 && tree.Kind(p.Value) == yamltree.Scalar && !tree.IsNull(p.Value) {
		d.Name, _ = tree.Text(p.Value)
	}
	faults = append(missing, faults...)
	for _, e := range faults {
		e.Object = d.Ref()
	}
	return d, faults
}

// identify returns the field of the document that says what it is, and appends
// an error when it does not.
func (d *Document) identify(tree *yamltree.Tree, field, rule string, faults []*Error) (string, []*Error) {
	pair, ok := tree.Get(0, field)
	if !ok {
		place := d.Range
		place.End = place.Start
		return "", append(faults, &Error{Rule: rule, Range: place, Message: "the object has no " + field})
	}
	text, isText := tree.Text(pair.Value)
	if isText && text != "" {
		return text, faults
	}
	found := tree.Describe(pair.Value)
	if isText {
		found = `""`
	}
	return "", append(faults, &Error{
		Rule: rule, Range: d.source.rangeIn(tree, pair.Value), Path: meta.Path{field},
		Message: "expected the object's " + field + ", found " + found,
	})
}

// check refuses text that YAML does not allow, before it is parsed.
func (s *source) check() *Error {
	flaw, oldBreaks := yamlstream.CheckText(s.text)
	s.oldBreaks = oldBreaks
	at := func(offset int) Range { return s.rangeOf(nil, yamltree.Span{Start: offset, End: offset}) }
	switch {
	case s.badEnd > 0:
		return &Error{Rule: RuleSyntax, Range: at(s.badEnd), Message: `nothing but a comment may follow "..." on its line`}
	case flaw != nil && flaw.Byte && s.encoding != yamlstream.UTF8:
		return &Error{Rule: RuleNotUTF8, Range: at(flaw.Offset), Message: "this is no character in UTF-16, as the rest is"}
	case flaw != nil && flaw.Byte:
		return &Error{
			Rule: RuleNotUTF8, Range: at(flaw.Offset),
			Message: fmt.Sprintf("byte 0x%02x is not UTF-8", s.text[flaw.Offset]),
		}
	case flaw != nil:
		return &Error{
			Rule: RuleSyntax, Range: at(flaw.Offset),
			Message: fmt.Sprintf("control character %U is not allowed", flaw.Rune),
		}
	}
	body := s.raw + len(s.text[s.raw:]) - len(bytes.TrimLeft(s.text[s.raw:], " \t\r\n"))
	if what := foreignMarkup(s.text[body:]); what != "" {
		return &Error{Rule: RuleSyntax, Range: at(body), Message: "this is " + what + ", not YAML"}
	}
	return nil
}

// foreignMarkup recognises the error page of a web server in the place of YAML.
func foreignMarkup(text []byte) string {
	head := bytes.ToLower(text[:min(len(text), 64)])
	switch {
	case bytes.HasPrefix(head, []byte("<!doctype html")), bytes.HasPrefix(head, []byte("<html")):
		return "an HTML page"
	case bytes.HasPrefix(head, []byte("<?xml")):
		return "XML"
	}
	return ""
}
