package linter

import (
	"testing"
	"unicode/utf16"

	"github.com/xpkg-go/sdk/parser"
)

// TestUTF16 compares each place of a text with a count of the units before it on its line.
func TestUTF16(t *testing.T) {
	const text = "a: b\n\U0001F600: \u00fc\U0001F600 # \u2028\r\n- \u00fc\rc: \U0001F600d\n\nend"
	for i := range text { // the beginnings of characters
		p := positionAt(text, i)
		want := UTF16Position{Line: p.Line - 1, Character: len(utf16.Encode([]rune(text[i-(p.Column-1) : i])))}
		if start, end := UTF16([]byte(text), parser.Range{Start: p, End: p}); start != want || end != want {
			t.Errorf("%v is %+v to %+v, want %+v", p, start, end, want)
		}
	}
}

func TestUTF16Borders(t *testing.T) {
	far := parser.Position{Line: 9, Column: 9, Offset: 1 << 30}
	cases := map[string]struct {
		reason string
		text   string
		at     parser.Position
		want   UTF16Position
	}{
		"Unknown": {"A place that is unknown is the start.", "a", parser.Position{}, UTF16Position{}},
		"Far":     {"A place behind the text, which has become shorter, is on its line.", "", far, UTF16Position{Line: 8}},
		"Mark":    {"A byte order mark does not count.", "\uFEFFa: b", parser.Position{Line: 1, Column: 7, Offset: 6}, UTF16Position{Character: 3}},
	}
	for name, tc := range cases {
		if got, _ := UTF16([]byte(tc.text), parser.Range{Start: tc.at, End: tc.at}); got != tc.want {
			t.Errorf("%s: %s got %+v, want %+v", name, tc.reason, got, tc.want)
		}
	}
}
