package report

import (
	"bufio"
	"cmp"
	"io"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter"
)

// TextOptions says how Text looks; nil and zero fields mean plain lines.
type TextOptions struct {
	// Excerpt shows the line of each finding, with a mark under what is meant.
	Excerpt bool
	// Color adds the escape sequences of terminals (ECMA-48).
	Color bool
}

// Text writes findings for people, in the form of linter.Diagnostic.String, with
// its severity where that is not error:
//
//	crossplane.yaml:7:14: constraint-syntax: ">= v" is not a version range (spec.dependsOn[0].version)
//	crossplane.yaml:9:3: dependency-unversioned: … (spec.dependsOn[1]) [warning]
//
// Indented lines below a finding are its other places and the likeliest way to
// mend it. Files are named as they are in the package or, where there are several
// sources, from outside (Source.Dir). No findings are no text.
func Text(w io.Writer, sources []Source, o *TextOptions) error {
	if o == nil {
		o = &TextOptions{}
	}
	b := bufio.NewWriter(w)
	for i := range sources {
		p := printer{Writer: b, o: o, source: &sources[i], outside: len(sources) > 1}
		for j := range sources[i].Findings {
			p.finding(&sources[i].Findings[j])
		}
	}
	return b.Flush()
}

// printer writes the findings of one source; the Writer keeps its first error.
type printer struct {
	*bufio.Writer
	o       *TextOptions
	source  *Source
	outside bool // files are named from outside the package
}

// Escape sequences: what an excerpt adds is dim, a place bold, a rule and a mark in the
// colour of the severity.
const (
	dim   = "2"
	bold  = "1"
	red   = "1;31"
	amber = "1;33"
	blue  = "1;34"
)

func colorOf(s linter.Severity) string {
	switch s {
	case linter.Error:
		return red
	case linter.Warning:
		return amber
	}
	return blue
}

func (p *printer) color(code, text string) string {
	if !p.o.Color || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (p *printer) finding(d *linter.Diagnostic) {
	if place := p.place(*d); place != "" {
		p.print(p.color(bold, place+":"), " ")
	}
	p.print(p.color(colorOf(d.Severity), Printable(d.Rule)+":"), " ", Printable(said(d)))
	if d.Severity != linter.Error {
		p.print(" [", d.Severity.String(), "]")
	}
	p.print("\n")
	if p.o.Excerpt {
		p.excerpt(d)
	}
	for _, r := range d.Related {
		place := p.place(linter.Diagnostic{Range: r.Range})
		p.print("  ", p.color(bold, cmp.Or(place, "also")+":"), " ", Printable(r.Message), "\n")
	}
	if len(d.Fixes) > 0 && d.Fixes[0].Message != "" {
		p.print("  ", p.color(bold, "fix:"), " ", Printable(d.Fixes[0].Message), "\n")
	}
}

// place returns the place of a finding as file:line:column.
func (p *printer) place(d linter.Diagnostic) string {
	if p.outside {
		d.Range.File = p.source.file(d.Range.File)
	}
	return Printable(d.Range.String())
}

func (p *printer) print(texts ...string) {
	for _, text := range texts {
		_, _ = p.WriteString(text)
	}
}

// excerpt shows the line that a finding begins on, and marks what is meant.
func (p *printer) excerpt(d *linter.Diagnostic) {
	text := p.source.line(d.Range.File, d.Range.Start)
	if len(text) == 0 {
		return
	}
	shown, indent, marks := excerpt(text, d.Range)
	number := strconv.Itoa(d.Range.Start.Line)
	blank := strings.Repeat(" ", len(number))
	p.print("  ", p.color(dim, number+" |"), " ", shown, "\n")
	p.print("  ", p.color(dim, blank+" |"), " ", strings.Repeat(" ", indent), p.color(colorOf(d.Severity), strings.Repeat("^", marks)), "\n")
}
