package linter

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

// positionAt counts, slowly, where an offset is.
func positionAt(text string, offset int) parser.Position {
	p := parser.Position{Line: 1, Column: 1, Offset: offset}
	for i := 0; i < offset; i++ {
		p.Column++
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			p.Line, p.Column = p.Line+1, 1
		}
	}
	return p
}

func edit(text string, start, end int, by string) Edit {
	return Edit{Range: parser.Range{File: "a.yaml", Start: positionAt(text, start), End: positionAt(text, end)}, New: by}
}

func TestApply(t *testing.T) {
	const text = "one\ntwo\r\nthree\rfour"
	fix := func(edits ...Edit) Diagnostic {
		return Diagnostic{Rule: "a-rule", Fixes: []Fix{{Edits: edits}, {Edits: []Edit{edit(text, 0, len(text), "")}}}}
	}
	at := func(start, end int, by string) Edit { return edit(text, start, end, by) }
	elsewhere := at(0, 1, "X")
	elsewhere.Range.File = "b.yaml"
	cases := map[string]struct {
		reason  string
		ds      []Diagnostic
		want    string
		applied int
	}{
		"None":      {"Nothing to do.", []Diagnostic{{}}, text, 0},
		"Replace":   {"The first fix of several.", []Diagnostic{fix(at(4, 7, "2"))}, "one\n2\r\nthree\rfour", 1},
		"Insert":    {"An empty range is a place.", []Diagnostic{fix(at(3, 3, "!")), fix(at(19, 19, "\n"))}, "one!\ntwo\r\nthree\rfour\n", 2},
		"Remove":    {"Line breaks too.", []Diagnostic{fix(at(4, 9, ""))}, "one\nthree\rfour", 1},
		"AnyOrder":  {"Findings may be in any order.", []Diagnostic{fix(at(15, 19, "4")), fix(at(0, 3, "1"))}, "1\ntwo\r\nthree\r4", 2},
		"Overlap":   {"Of two that overlap the first.", []Diagnostic{fix(at(0, 5, "x")), fix(at(4, 7, "y"))}, "xwo\r\nthree\rfour", 1},
		"Within":    {"Whichever is larger.", []Diagnostic{fix(at(5, 6, "x")), fix(at(4, 7, "y"))}, "one\ntxo\r\nthree\rfour", 1},
		"SamePlace": {"Of two insertions at one place nobody knows the order.", []Diagnostic{fix(at(3, 3, "x")), fix(at(3, 3, "y"))}, "onex\ntwo\r\nthree\rfour", 1},
		"Same":      {"What is done already is done.", []Diagnostic{fix(at(0, 3, "x")), fix(at(0, 3, "x"))}, "x\ntwo\r\nthree\rfour", 2},
		"Beside":    {"Neighbours do not overlap.", []Diagnostic{fix(at(0, 3, "x")), fix(at(3, 4, "/"))}, "x/two\r\nthree\rfour", 2},
		"Whole":     {"A fix is all of its edits.", []Diagnostic{fix(at(4, 7, "2"), at(0, 3, "1"))}, "1\n2\r\nthree\rfour", 1},
		"Half":      {"Or none of them.", []Diagnostic{fix(at(4, 7, "2")), fix(at(0, 3, "1"), at(9, 14, "3"), at(5, 6, "x"))}, "one\n2\r\nthree\rfour", 1},
		"Touching":  {"A fix whose edits overlap is none.", []Diagnostic{fix(at(0, 3, "1"), at(2, 4, "x"))}, text, 0},
		"Elsewhere": {"A fix of another file is for another call.", []Diagnostic{fix(elsewhere), fix(at(0, 3, "1"), elsewhere)}, text, 0},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, applied, err := Apply([]byte(text), "a.yaml", tc.ds)
			if err != nil || len(applied) != tc.applied {
				t.Errorf("%s: applied %d, %v", tc.reason, len(applied), err)
			}
			if diff := cmp.Diff(tc.want, string(got)); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

// TestApplyMakesFieldOnce: fixes that are each right would make one field twice.
func TestApplyMakesFieldOnce(t *testing.T) {
	cases := map[string]struct {
		reason, text string
		paths        []string
		fixes        func(*parser.Document) [][]Fix
		want         string
	}{
		"Renames": {"two misspellings of one name", "a: {cc: 1, ccc: 2}\n", []string{"a.cc", "a.ccc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{Rename(d, "c", "a", "cc"), Rename(d, "c", "a", "ccc")}
		}, "a: {c: 1, ccc: 2}\n"},
		"Quotes": {"a name is one in quotes too", "cc: 1\n'ccc': 2\n", []string{"cc", "ccc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{Rename(d, "c", "cc"), Rename(d, "c", "ccc")}
		}, "c: 1\n'ccc': 2\n"},
		"Append": {"a field that is added", "a: 1\ncc: 2\n", []string{"a", "cc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{Append(d, "c", "x", "a"), Rename(d, "c", "cc")}
		}, "a: 1\nc: \"x\"\ncc: 2\n"},
		"Prepend": {"before another one", "a: 1\ncc: 2\n", []string{"a", "cc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{Prepend(d, "c", "x", "a"), Rename(d, "c", "cc")}
		}, "c: x\na: 1\ncc: 2\n"},
		"Together": {"a part of a fix", "a: 1\ncc: 2\n", []string{"a", "cc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{together("both", Rewrite(d, "y", "a"), Append(d, "c", "x", "a")), Rename(d, "c", "cc")}
		}, "a: \"y\"\nc: \"x\"\ncc: 2\n"},
		"Elsewhere": {"a field of that name in another mapping is another one", "a: {cc: 1}\nb: {cc: 2}\n", []string{"a.cc", "b.cc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{Rename(d, "c", "a", "cc"), Rename(d, "c", "b", "cc")}
		}, "a: {c: 1}\nb: {c: 2}\n"},
		"Same": {"what is done already is done", "cc: 1\n", []string{"cc", "cc"}, func(d *parser.Document) [][]Fix {
			return [][]Fix{Rename(d, "c", "cc"), Rename(d, "c", "cc")}
		}, "c: 1\n"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			const head = "apiVersion: v1\nkind: A\n"
			var ds []Diagnostic
			for d, err := range parser.Bytes("a.yaml", []byte(head+tc.text), nil) {
				if err != nil {
					t.Fatal(err)
				}
				for i, f := range tc.fixes(d) {
					ds = append(ds, Diagnostic{Rule: "a-rule", Path: tc.paths[i], Fixes: f})
				}
			}
			got, _, err := Apply([]byte(head+tc.text), "a.yaml", ds)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(head+tc.want, string(got)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestApplyRefuses(t *testing.T) {
	const text = "one\ntwo\n"
	fixed := []Diagnostic{{Rule: "a-rule", Fixes: []Fix{{Edits: []Edit{edit(text, 4, 7, "2")}}}}}
	for reason, content := range map[string]string{
		"a line is longer":     "one!\ntwo\n",
		"a line is missing":    "twotwo\n",
		"it is shorter":        "one\n",
		"other line breaks":    "one\r\ntwo\r\n",
		"a byte order mark":    "\uFEFFone\ntwo\n",
		"UTF-16 with its mark": "\xff\xfeo\x00n\x00e\x00\n\x00",
		"UTF-16 without":       "o\x00n\x00e\x00\n\x00",
		"nothing":              "",
	} {
		got, applied, err := Apply([]byte(content), "a.yaml", fixed)
		if err == nil || applied != nil || got != nil && string(got) != content {
			t.Errorf("%s: the text %q became %q", reason, content, got)
		}
	}
	backwards := edit(text, 4, 7, "2")
	backwards.Range.Start, backwards.Range.End = backwards.Range.End, backwards.Range.Start
	unknown := Edit{Range: parser.Range{File: "a.yaml"}}
	for _, e := range []Edit{backwards, unknown} {
		if _, _, err := Apply([]byte(text), "a.yaml", []Diagnostic{{Fixes: []Fix{{Edits: []Edit{e}}}}}); err == nil {
			t.Errorf("an edit at %v was applied", e.Range)
		}
	}
}

// TestApplyLeavesOut: a rule that is wrong about places keeps no other from being mended.
func TestApplyLeavesOut(t *testing.T) {
	const text = "one\ntwo\n"
	fix := func(rule string, edits ...Edit) Diagnostic {
		return Diagnostic{Rule: rule, Fixes: []Fix{{Edits: edits}}}
	}
	at := func(line, column, offset int) parser.Position {
		return parser.Position{Line: line, Column: column, Offset: offset}
	}
	from := func(start, end parser.Position) Edit {
		return Edit{Range: parser.Range{File: "a.yaml", Start: start, End: end}, New: "X"}
	}
	right := edit(text, 4, 7, "2")
	for reason, wrong := range map[string][]Edit{
		"no place":                      {from(parser.Position{}, parser.Position{})},
		"an end before the start":       {from(at(2, 4, 7), at(2, 1, 4))},
		"a line that there is not":      {from(at(9, 1, 40), at(9, 2, 41))},
		"the greatest offset":           {from(at(1, 1, 0), at(1<<62, 1<<62, 1<<62))},
		"negative places":               {from(at(-1, -1, -1), at(1, 1, 0))},
		"a column behind its line":      {from(at(1, 9, 8), at(1, 9, 8))},
		"an offset of another line":     {from(at(1, 1, 4), at(1, 2, 5))},
		"one wrong edit of two":         {edit(text, 0, 1, "1"), from(at(7, 1, 1), at(7, 1, 1))},
		"a place that only begins well": {from(at(1, 1, 0), at(7, 7, 7))},
	} {
		got, applied, err := Apply([]byte(text), "a.yaml", []Diagnostic{fix("bad-rule", wrong...), fix("good-rule", right), fix("bad-rule", wrong...)})
		if string(got) != "one\n2\n" || len(applied) != 1 || applied[0].Rule != "good-rule" {
			t.Errorf("%s: got %q by %v", reason, got, applied)
		}
		var refused *FixError
		if !errors.As(err, &refused) || refused.Finding.Rule != "bad-rule" || strings.Count(err.Error(), "the fix of bad-rule is for another text") != 2 {
			t.Errorf("%s: got the error %v", reason, err)
		}
	}
}

// TestApplyKeepsOtherBytes applies random fixes to random texts: what came of it is the
// text with the edits of the fixes that were applied, and no other byte changed.
func TestApplyKeepsOtherBytes(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteString([]string{"a", "ü", "\U0001F600", "\n", "\r\n", "\r", " "}[random.IntN(7)])
		}
		text := b.String()
		var ds []Diagnostic
		for i := range random.IntN(6) {
			d := Diagnostic{Rule: fmt.Sprint("rule-", i), Fixes: []Fix{{}}}
			for range 1 + random.IntN(2) {
				start := random.IntN(len(text) + 1)
				end := start + random.IntN(min(4, len(text)-start+1))
				d.Fixes[0].Edits = append(d.Fixes[0].Edits, edit(text, start, end, strings.Repeat("X", random.IntN(3))))
			}
			ds = append(ds, d)
		}
		got, applied, err := Apply([]byte(text), "a.yaml", ds)
		halves := func(ds []Diagnostic) (n int) {
			for _, d := range ds {
				if slices.ContainsFunc(d.Fixes[0].Edits, func(e Edit) bool {
					return !utf8.ValidString(text[:e.Range.Start.Offset]) || !utf8.ValidString(text[:e.Range.End.Offset])
				}) {
					n++
				}
			}
			return n
		}
		refused := 0
		if joined, ok := err.(interface{ Unwrap() []error }); ok {
			refused = len(joined.Unwrap())
		}
		if refused != halves(ds) || halves(applied) > 0 {
			t.Fatalf("%d of %d fixes that are within a character of %q were refused: %v", refused, halves(ds), text, err)
		}
		// The oracle: a text of one piece per byte, each with what is put before it.
		before, gone := make([]string, len(text)+1), make([]bool, len(text))
		seen := map[Edit]bool{}
		for _, d := range applied {
			for _, e := range d.Fixes[0].Edits {
				if seen[e] {
					continue
				}
				seen[e] = true
				before[e.Range.Start.Offset] += e.New
				for i := e.Range.Start.Offset; i < e.Range.End.Offset; i++ {
					if gone[i] {
						t.Fatalf("two edits change byte %d of %q", i, text)
					}
					gone[i] = true
				}
			}
		}
		var want strings.Builder
		for i := range len(text) + 1 {
			want.WriteString(before[i])
			if i < len(text) && !gone[i] {
				want.WriteByte(text[i])
			}
		}
		if want.String() != string(got) {
			t.Fatalf("%q became %q, want %q by %v", text, got, want.String(), applied)
		}
	}
}

// TestApplyRefusesHalfCharacters: an edit within a character would leave a text that is
// not in UTF-8.
func TestApplyRefusesHalfCharacters(t *testing.T) {
	const text = "a: \u00e9\U0001f600\xff\x80\nb: 1\n" // 2 and 4 bytes, and 2 that are no character
	whole := map[int]bool{3: true, 5: true, 9: true, 10: true, 11: true}
	for at := 3; at <= 11; at++ {
		for name, e := range map[string]Edit{"from": edit(text, at, 12, ""), "to": edit(text, 0, at, ""), "in": edit(text, at, at, "x")} {
			got, applied, err := Apply([]byte(text), "a.yaml", []Diagnostic{{Rule: "a-rule", Fixes: []Fix{{Edits: []Edit{e}}}}})
			var refused *FixError
			switch {
			case whole[at] && (err != nil || len(applied) != 1):
				t.Errorf("an edit %s byte %d was not applied: %v", name, at, err)
			case !whole[at] && (!errors.As(err, &refused) || refused.Range != e.Range || string(got) != text || applied != nil):
				t.Errorf("an edit %s byte %d: %q, %v", name, at, got, err)
			}
		}
	}
}
