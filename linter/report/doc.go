// Package report writes findings for those who read them: Text for people, JSON
// for programs, SARIF for code scanning, GitHub for the annotations of its
// workflows, JUnit for what shows tests.
//
//	result, err := linter.Lint(ctx, parser.Dir(ctx, root, nil), &linter.Options{Rules: rules})
//	…
//	sources := []report.Source{{
//		Name: "./platform", Dir: "platform", Findings: result.Diagnostics, Line: report.Lines(result.Package),
//	}}
//	err = report.SARIF(os.Stdout, sources, &report.SARIFOptions{Rules: rules})
//
// All of them write nothing but their format, the same bytes for the same
// findings, and take any findings: what a package says of itself is not trusted,
// so that no name or value of it can move a terminal's cursor, forge a line or a
// command, or make a document invalid. An error is that of the writer.
//
// Findings are read and not kept. Several goroutines may write reports at once, each to
// a writer of its own; writers are not closed.
package report

import (
	"path"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// Source is one package that was judged, and what was found in it.
type Source struct {
	// Name is what its user calls it: a directory, a file, an image reference.
	Name string
	// Dir is what stands before the files of the findings where these must be
	// found from outside the package: the package's directory, slash-separated
	// and relative to the root of the repository. An image, whose files are in
	// no directory, is told from others by its name here. Empty adds nothing.
	Dir string
	// Findings are written in their order, which is that of linter.Sort in all
	// that the linter returns.
	Findings []linter.Diagnostic
	// Ignored are findings that the author has answered; only SARIF has a place
	// for them.
	Ignored []linter.Ignored
	// Skipped and Failed are the rules that were not applied, as linter.Result has them,
	// so that none of them counts as one that found nothing; only JUnit tells of them.
	Skipped []linter.Skipped
	Failed  []*linter.RuleError
	// Line returns the text of a line of a file (a parser.Range has both) as
	// parser.Document.Line does, or nil when it does not know it; see Lines and
	// LinesOf. Nil knows none: then there are no excerpts, and formats that do not
	// count in bytes leave out columns that they cannot be sure of.
	Line func(file string, line int) []byte
}

// file returns the name of a file of the source from outside the package.
func (s *Source) file(name string) string {
	switch {
	case s.Dir == "":
		return name
	case name == "":
		return s.Dir
	}
	return path.Join(s.Dir, name)
}

// line returns the text of the line of a position, nil when it is not known.
func (s *Source) line(file string, p parser.Position) []byte {
	if s.Line == nil || !p.IsValid() {
		return nil
	}
	return s.Line(file, p.Line)
}

// column returns the column of a position in UTF-16 code units, from 1, and 0
// when the line's text, and so the column, is not known.
func (s *Source) column(file string, p parser.Position) int {
	if p.Column <= 1 {
		return max(p.Column, 0)
	}
	line := s.line(file, p)
	if line == nil {
		return 0
	}
	return p.UTF16Column(line)
}

// said returns what a finding says, with its path and without place and rule.
func said(d *linter.Diagnostic) string {
	if d.Path == "" {
		return d.Message
	}
	return d.Message + " (" + d.Path + ")"
}
