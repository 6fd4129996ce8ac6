package linter

import (
	"fmt"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Pass is what a rule is given: the package, what it is judged for, and where
// to report. It is valid until the rule returns, and is used by the goroutine
// that runs the rule only.
type Pass struct {
	// Package is what is judged; a rule must not modify it. Its Meta and Header
	// are nil when the package has no readable metadata.
	Package *parser.Package
	// Releases are the Crossplane releases that the package is judged for.
	Releases Releases
	// Profile is what the package is judged for: Install or Publish.
	Profile Profile
	// Image are facts about the image that the package came from; nil when there is none
	// or the caller did not tell. A rule must not modify it.
	Image *Image

	rule  *Rule
	run   *run
	found []Diagnostic
}

// maxMessage is how many bytes a message has at most.
const maxMessage = 4096

// Report reports a finding. Rule is set to the rule's ID, whatever it holds;
// Severity to the rule's when it is none of the three. A message is cut short above
// 4,096 bytes.
func (p *Pass) Report(d Diagnostic) {
	d.Rule = p.rule.ID
	if d.Severity < Info || d.Severity > Error {
		d.Severity = p.rule.Severity
	}
	d.Message = clipTo(d.Message, maxMessage)
	p.found = append(p.found, d)
}

// Reportf reports a finding whose place comes from At or AtKey, with a message
// that is formatted as by fmt.Sprintf.
func (p *Pass) Reportf(at Diagnostic, format string, args ...any) {
	at.Message = fmt.Sprintf(format, args...)
	p.Report(at)
}

// At starts a finding about the value at a path of string keys and int indexes
// within a document: its range, object and path. When there is no such value,
// the range is that of the key of what is nearest around it, which is where
// the value is missing, or empty at the start of what has no key (the document,
// an item of a sequence). Without a path the finding is about the document.
func At(d *parser.Document, path ...any) Diagnostic { return at(d, path, false) }

// AtKey starts a finding about the key at a path, rather than its value: for
// a field that should not be there or has another name.
func AtKey(d *parser.Document, path ...any) Diagnostic { return at(d, path, true) }

func at(d *parser.Document, path meta.Path, key bool) Diagnostic {
	out := Diagnostic{Path: path.String()}
	if d == nil {
		return out
	}
	out.Object, out.Range = d.Ref(), d.Range
	if len(path) == 0 {
		return out
	}
	place := d.At(path...)
	switch {
	case place.Found && !(key && !place.Key.IsZero()):
		out.Range = place.Value
	case !place.Key.IsZero():
		out.Range = place.Key
	default: // missing in the document itself, or in an item of a sequence
		out.Range = parser.Range{File: place.Value.File, Start: place.Value.Start, End: place.Value.Start}
	}
	return out
}
