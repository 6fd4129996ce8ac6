package report_test

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/parser"
)

func wellFormed(t testing.TB, document string) {
	t.Helper()
	for dec := xml.NewDecoder(strings.NewReader(document)); ; {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatalf("%v in %q", err, document)
		}
	}
}

// Whatever a package says of itself, each finding is one line of text and one
// command, and every document stays valid and says it whole.
func FuzzHostile(f *testing.F) {
	f.Add("a\x1b[2J", "b\r\n::error::c", "d\x00\xff\uFFFE", "](x)", int8(3), int8(9))
	f.Add("..", "", "%0A,:", "\u202E", int8(0), int8(-1))
	s := schema(f)
	f.Fuzz(executions.Many(func(t *testing.T, file, message, name, path string, line, column int8) {
		start := parser.Position{Line: int(line), Column: int(column), Offset: 5}
		d := linter.Diagnostic{
			Rule: "a-rule", Severity: linter.Error, Message: message, Path: path, Object: linter.ObjectRef{Kind: name, Name: name},
			Range:   parser.Range{File: file, Start: start, End: parser.Position{Line: 4, Column: 8, Offset: 9}},
			Related: []linter.Related{{Range: parser.Range{File: name}, Message: name}},
			Fixes:   []linter.Fix{{Message: name, Edits: []linter.Edit{{Range: parser.Range{File: file, Start: start, End: start}, New: message}}}},
		}
		ss := []report.Source{{Name: name, Dir: path, Findings: []linter.Diagnostic{d}, Line: func(string, int) []byte { return []byte(message) }}}
		for _, o := range []*report.TextOptions{nil, {Excerpt: true}} {
			got := write(t, func(w io.Writer) error { return report.Text(w, ss, o) })
			for _, l := range strings.SplitAfter(got, "\n") {
				if printed := strings.TrimSuffix(l, "\n"); report.Printable(printed) != printed {
					t.Errorf("%q reaches the terminal", l)
				}
			}
		}
		if got := write(t, func(w io.Writer) error { return report.GitHub(w, ss) }); strings.Count(got, "\n") != 1 || !strings.HasPrefix(got, "::error ") || strings.Contains(got, "\r") {
			t.Errorf("%q is not one command", got)
		}
		wellFormed(t, write(t, func(w io.Writer) error { return report.JUnit(w, ss, nil) }))
		validate(t, s, write(t, func(w io.Writer) error { return report.SARIF(w, ss, nil) }))
		var all struct{ Diagnostics []report.Finding }
		if err := json.Unmarshal([]byte(write(t, func(w io.Writer) error { return report.JSON(w, ss) })), &all); err != nil {
			t.Fatal(err)
		}
		if got, want := all.Diagnostics[0].Message, strings.ToValidUTF8(message, "\uFFFD"); len(all.Diagnostics) != 1 || strings.ToValidUTF8(message, "") == message && got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}))
}
