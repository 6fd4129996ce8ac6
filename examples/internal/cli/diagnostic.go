package cli

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/xpkg-go/sdk/linter"
)

// Diagnostic is one finding as the programs print it.
type Diagnostic struct {
	Rule      string `json:"rule"`
	Severity  string `json:"severity"`
	Message   string `json:"message"`
	Source    string `json:"source"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
	EndLine   int    `json:"endLine"`
	EndColumn int    `json:"endColumn"`
	Object    Object `json:"object"`
	Path      string `json:"path"`

	Text string `json:"-"` // the line for a person
}

// Object names the object that a finding is about.
type Object struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
}

// Diagnostics returns findings as the programs print them; never nil, so that
// JSON readers find a list.
func Diagnostics(source string, found []linter.Diagnostic) []Diagnostic {
	all := make([]Diagnostic, 0, len(found))
	for _, d := range found {
		all = append(all, Diagnostic{
			Rule:      d.Rule,
			Severity:  d.Severity.String(),
			Message:   d.Message,
			Source:    source,
			File:      d.Range.File,
			Line:      d.Range.Start.Line,
			Column:    d.Range.Start.Column,
			EndLine:   d.Range.End.Line,
			EndColumn: d.Range.End.Column,
			Object:    Object{d.Object.APIVersion, d.Object.Kind, d.Object.Name},
			Path:      d.Path,
			Text:      Printable(d.String()),
		})
	}
	return all
}

// Count returns a number with its noun: "1 object", "2 objects".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Line returns the first line of a text as a terminal may be shown it, with a
// mark when there are more.
func Line(text string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	first = Printable(strings.TrimSuffix(first, "\r"))
	if rest != "" {
		first += " …"
	}
	return first
}

// Printable returns a text in which nothing can move a terminal's cursor, change
// its colours or forge a line: what a package says of itself is not trusted.
func Printable(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unprintable(r) {
			quoted := strconv.QuoteRune(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }
