package rules

import (
	"bytes"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// findings reports what a rule has against one document: at most maxPlaced one by
// one, and how many more there are.
type findings struct {
	pass         *linter.Pass
	doc          *parser.Document
	placed, more int
	only         func(linter.Severity) bool // which of them it is for; nil means all
}

// fault is one finding of a document.
type fault struct {
	path     meta.Path
	key      bool            // it is about the key, not the value
	severity linter.Severity // zero means that of the rule
	related  []linter.Related
	first    meta.Path           // what is there twice, where it is first
	rewrite  string              // what it should be, where that is sure
	fix      func() []linter.Fix // what mends it otherwise
}

func (f *findings) add(at fault, format string, args ...any) {
	if f.only != nil && !f.only(at.severity) || f.full() {
		return
	}
	f.placed++
	d := linter.At(f.doc, at.path...)
	if at.key {
		d = linter.AtKey(f.doc, at.path...)
	}
	d.Severity, d.Related = at.severity, at.related
	if at.first != nil {
		d.Related = []linter.Related{{Range: linter.At(f.doc, at.first...).Range, Message: "the first is here"}}
	}
	switch {
	case at.fix != nil:
		d.Fixes = at.fix()
	case at.rewrite != "" && at.key:
		d.Fixes = linter.Rename(f.doc, at.rewrite, at.path...)
	case at.rewrite != "":
		d.Fixes = linter.Rewrite(f.doc, at.rewrite, at.path...)
	}
	d.Message = fmt.Sprintf(format, args...)
	f.pass.Report(d)
}

// full reports whether no fault gets a place any more, and counts one. Who asks need not
// look at it closely.
func (f *findings) full() bool {
	if f.placed == maxPlaced {
		f.more++
	}
	return f.placed == maxPlaced
}

// addf is add for a value that is at fault, with the severity of the rule.
func (f *findings) addf(path meta.Path, format string, args ...any) {
	f.add(fault{path: path}, format, args...)
}

// done tells how many faults were not told one by one.
func (f *findings) done() {
	if f.more > 0 {
		f.pass.Reportf(linter.At(f.doc), "there are %d more such faults", f.more)
	}
}

// below is a path with more elements, which shares no memory with it.
func below(path meta.Path, more ...any) meta.Path {
	return append(path[:len(path):len(path)], more...)
}

// textAt is what stands in a range of one line, "" for any other range.
func textAt(doc *parser.Document, r parser.Range) string {
	line := doc.Line(r.Start.Line)
	if r.Start.Line != r.End.Line || r.Start.Column < 1 || r.End.Column < r.Start.Column || r.End.Column > len(line)+1 {
		return ""
	}
	return string(line[r.Start.Column-1 : r.End.Column-1])
}

// insertBefore makes the fix that writes a line before that of a key of a block
// mapping, indented alike. There is none in other styles of YAML.
func insertBefore(doc *parser.Document, key meta.Path, line string) func() []linter.Fix {
	return func() []linter.Fix {
		at, around := doc.At(key...), doc.At(key[:len(key)-1]...)
		text := doc.Line(at.Key.Start.Line)
		column := at.Key.Start.Column
		if !at.Found || column < 1 || column > len(text) || len(bytes.TrimLeft(text[:column-1], " ")) > 0 ||
			textAt(doc, at.Key) != key[len(key)-1] || around.Value.Start.Offset == 0 && around.Value.Start.Line == 0 {
			return nil
		}
		if first := doc.Line(around.Value.Start.Line); around.Value.Start.Column > len(first) || first[around.Value.Start.Column-1] == '{' {
			return nil
		}
		newLine := "\n"
		if bytes.Contains(doc.Text(), []byte("\r\n")) {
			newLine = "\r\n"
		}
		return []linter.Fix{{
			Message: "add " + line,
			Edits: []linter.Edit{{
				Range: parser.Range{File: at.Key.File, Start: at.Key.Start, End: at.Key.Start},
				New:   line + newLine + string(text[:column-1]),
			}},
		}}
	}
}
