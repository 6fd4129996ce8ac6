package yamltree

import (
	"strings"
	"testing"
)

// TestOpened marks in a text what begins a line (with ^) and where that ends (with $); a
// mark that is missing stands for neither key nor item.
func TestOpened(t *testing.T) {
	cases := map[string]struct{ reason, text string }{
		"Key":        {"A key with its value.", "a: b\n^c: d$\n"},
		"Mapping":    {"However deep.", "^a:\n  b:\n    c: d$\ne: f\n"},
		"First":      {"The first key is not its mapping.", "^a: b$\nc: d\n"},
		"Sequence":   {"A sequence may be indented like its key.", "^a:\n- b\n- c$\nd: e\n"},
		"Item":       {"An item with its dash.", "a:\n^- b: c\n  d: e$\n- f\n"},
		"ItemAlone":  {"A scalar.", "a:\n- b\n^- c$\n"},
		"ItemBelow":  {"An item on the next line.", "a:\n^-\n  b: c\n  d: e$\n"},
		"ItemInItem": {"The outer one.", "^- - a\n  - b$\n- c\n"},
		"Quoted":     {"A quoted key.", "^\"a: #\" : b$\n"},
		"Null":       {"A key without a value.", "a: b\n^c:$\nd: e\n"},
		"Block":      {"A block of text.", "^a: |\n  b: c\n\n  d$\ne: f\n"},
		"Flow":       {"In flow style.", "{\n  ^a: [b,\n  c]$, d: e}\n"},
		"Text":       {"A text is neither.", "a:\n  b\n"},
		"Anchor":     {"What an anchor stands before is told of by its line alone.", "&x a: b\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			start, end := strings.IndexByte(tc.text, '^'), strings.IndexByte(tc.text, '$')-1
			text := strings.NewReplacer("^", "", "$", "").Replace(tc.text)
			tree, faults := Parse([]byte(text), false, Limits{Depth: 100})
			if tree == nil {
				t.Fatal(faults)
			}
			if start < 0 {
				if span, ok := tree.Opened(strings.Index(text, "b")); ok {
					t.Errorf("%s: %q", tc.reason, text[span.Start:span.End])
				}
				return
			}
			span, ok := tree.Opened(start)
			if !ok || span != (Span{start, end}) {
				t.Errorf("%s: found %v, %q", tc.reason, ok, text[span.Start:span.End])
			}
		})
	}
}

// TestInScalar marks with ! each # that is in a text.
func TestInScalar(t *testing.T) {
	cases := map[string]struct{ reason, text string }{
		"Comment": {"Comments are in no text.", "# a\na: b # c\n#d\n"},
		"Plain":   {"A word with one in it.", "a: b!#c # d\n"},
		"Quoted":  {"In quotes.", "a: \"b !# c\" # d\nb: 'e\n  !# f' # g\n\"h !#\": i\n"},
		"Block":   {"In a block, not beside its sign.", "a: |- # b\n  !# c\n  d !# e\n# f\ng: >\n  !#\n"},
		"Flow":    {"In flow style.", "a: [b, # c\n  'd !# e'] # f\n"},
	}
	for name, tc := range cases {
		text := strings.ReplaceAll(tc.text, "!#", "#")
		tree, faults := Parse([]byte(text), false, Limits{Depth: 100})
		if tree == nil {
			t.Fatal(name, faults)
		}
		marks := 0
		for i := range tc.text {
			if tc.text[i] != '#' {
				continue
			}
			marked := i > 0 && tc.text[i-1] == '!'
			if marked {
				marks++
			}
			if tree.InScalar(i-marks) != marked {
				t.Errorf("%s: %s at %d of %q: want %v", name, tc.reason, i-marks, text, marked)
			}
		}
	}
}
