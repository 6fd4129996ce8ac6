package parser_test

import (
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/parser"
)

// checkRanges checks every place that a document gives.
func checkRanges(t testing.TB, text string, d *parser.Document) {
	t.Helper()
	checkRange(t, text, d.Range)
	whole := d.At()
	if !whole.Found || whole.Value != d.Range {
		t.Errorf("At() is %v, want the Range %v", whole, d.Range)
	}
	if line := d.Line(d.Range.Start.Line); !strings.Contains(text, string(line)) {
		t.Errorf("Line returns %q, which is not in the text", line)
	}
}

// checkRange checks that a range lies in the text and that its lines and
// columns are those that counting gives.
func checkRange(t testing.TB, text string, r parser.Range) {
	t.Helper()
	if !r.Start.IsValid() {
		return
	}
	if r.End.Offset < r.Start.Offset || r.End.Offset > len(text) {
		t.Errorf("range %+v does not lie in %d bytes", r, len(text))
		return
	}
	for _, p := range []parser.Position{r.Start, r.End} {
		if want := count(text, p.Offset); p != want {
			t.Errorf("position %+v, counting gives %+v", p, want)
		}
	}
}

// count counts lines and columns the slow way.
func count(text string, offset int) parser.Position {
	head := text[:offset]
	if strings.HasSuffix(head, "\r") && strings.HasPrefix(text[offset:], "\n") {
		head = head[:len(head)-1] + "x" // between CR and LF is still the line before
	}
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(head, "\r\n", "\n\n"), "\r", "\n"), "\n")
	n := len(lines) - strings.Count(head, "\r\n")
	return parser.Position{Line: n, Column: len(lines[len(lines)-1]) + 1, Offset: offset}
}
