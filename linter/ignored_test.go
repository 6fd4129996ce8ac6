package linter

import (
	"context"
	"encoding/binary"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

// badWords reports every value "bad" of a document at its place, under the rule that its
// key is named after.
func badWords(ids ...string) []*Rule {
	var list []*Rule
	for _, id := range ids {
		list = append(list, &Rule{ID: id, Severity: Error, Run: func(_ context.Context, p *Pass) error {
			for d := range p.Package.Documents() {
				for _, path := range [][]any{{id}, {"spec", id}, {"list", 0, id}, {"list", 1, id}, {"spec", "deep", id}} {
					if place := d.At(path...); place.Found {
						p.Reportf(At(d, path...), "found")
					}
				}
			}
			return nil
		}})
	}
	return list
}

// outline is a result on a few lines.
func outline(r *Result) []string {
	var got []string
	for _, d := range r.Diagnostics {
		got = append(got, d.Range.Start.String()+" "+d.Rule+": "+d.Message)
	}
	for _, i := range r.Ignored {
		got = append(got, i.Range.Start.String()+" "+i.Rule+" ignored at "+i.Comment.Start.String()+": "+i.Reason)
	}
	return got
}

const demo = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata: {name: demo}\n"

func TestIgnore(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string // after three lines of metadata object
		want   []string
	}{
		"EndOfLine":    {"It is for the line.", "a-rule: bad # xpkg:ignore a-rule known\nb-rule: bad\n", []string{"5:9 b-rule: found", "4:9 a-rule ignored at 4:13: known"}},
		"OtherRule":    {"And for the rule.", "b-rule: bad # xpkg:ignore a-rule known\n", []string{"4:9 b-rule: found", "4:13 ignore-unused: a-rule finds nothing here that the comment ignores"}},
		"OtherLine":    {"A value below is not on the line.", "spec: # xpkg:ignore a-rule known\n  a-rule: bad\n", []string{"4:7 ignore-unused: a-rule finds nothing here that the comment ignores", "5:11 a-rule: found"}},
		"OwnLine":      {"It is for the next line.", "# xpkg:ignore a-rule known\na-rule: bad\n", []string{"5:9 a-rule ignored at 4:1: known"}},
		"Indented":     {"However it is indented.", "spec:\n      # xpkg:ignore a-rule known\n  a-rule: bad\n", []string{"6:11 a-rule ignored at 5:7: known"}},
		"BlankBetween": {"Blank lines and comments are no content.", "#xpkg:ignore a-rule known\n\n# more\na-rule: bad\n", []string{"7:9 a-rule ignored at 4:1: known"}},
		"Stacked":      {"Several comments may wait for a line.", "# xpkg:ignore a-rule one\n# xpkg:ignore b-rule two\nspec: {a-rule: bad, b-rule: bad}\n", []string{"6:16 a-rule ignored at 4:1: one", "6:29 b-rule ignored at 5:1: two"}},
		"Within":       {"And for all that is in the value that begins there.", "# xpkg:ignore a-rule known\nspec:\n\n  deep:\n    a-rule: bad\n", []string{"8:13 a-rule ignored at 4:1: known"}},
		"NotBehind":    {"But not for what comes after.", "# xpkg:ignore b-rule known\nspec: {b-rule: bad}\na-rule: bad\n", []string{"6:9 a-rule: found", "5:16 b-rule ignored at 4:1: known"}},
		"Item":         {"An item is a value.", "list:\n# xpkg:ignore a-rule known\n- b: c\n  a-rule: bad\n- a-rule: bad\n", []string{"8:11 a-rule: found", "7:11 a-rule ignored at 5:1: known"}},
		"SecondItem":   {"The last one too.", "list:\n- a-rule: bad\n# xpkg:ignore a-rule known\n- b: c\n  a-rule: bad\n", []string{"5:11 a-rule: found", "8:11 a-rule ignored at 6:1: known"}},
		"Sequence":     {"A sequence that is indented like its key is within.", "# xpkg:ignore a-rule known\nlist:\n- a-rule: bad\n", []string{"6:11 a-rule ignored at 4:1: known"}},
		"QuotedKey":    {"A key may be quoted.", "# xpkg:ignore a-rule known\n\"spec\" :\n  a-rule: bad\n", []string{"6:11 a-rule ignored at 4:1: known"}},
		"Several":      {"One comment may name several rules.", "# xpkg:ignore a-rule,b-rule , c-rule known\nspec: {a-rule: bad, b-rule: bad, c-rule: bad}\n", []string{"5:16 a-rule ignored at 4:1: known", "5:29 b-rule ignored at 4:1: known", "5:42 c-rule ignored at 4:1: known"}},
		"OneOfTwo":     {"Each rule that is named has to find something.", "a-rule: bad # xpkg:ignore a-rule, b-rule known\n", []string{"4:13 ignore-unused: b-rule finds nothing here that the comment ignores", "4:9 a-rule ignored at 4:13: known"}},
		"NoReason":     {"A reason is demanded.", "a-rule: bad # xpkg:ignore a-rule\n", []string{"4:9 a-rule: found", "4:13 ignore-syntax: the comment gives no reason, and ignores nothing without (expected xpkg:ignore RULE reason)"}},
		"Dashes":       {"A dash is no reason.", "a-rule: bad # xpkg:ignore a-rule: --\n", []string{"4:9 a-rule: found", "4:13 ignore-syntax: the comment gives no reason, and ignores nothing without (expected xpkg:ignore RULE reason)"}},
		"NoRule":       {"So is a rule.", "a-rule: bad # xpkg:ignore\n", []string{"4:9 a-rule: found", "4:13 ignore-syntax: the comment names no rule (expected xpkg:ignore RULE reason)"}},
		"Unknown":      {"A misspelled rule is one that is not there.", "a-rule: bad # xpkg:ignore a-rul known\n", []string{"4:9 a-rule: found", `4:13 ignore-unused: there is no rule "a-rul" (did you mean "a-rule"?)`}},
		"NotRun":       {"A rule that does not run says nothing about its comments.", "a-rule: ok # xpkg:ignore publish-rule known\nb: c # xpkg:ignore rule-failed known\n", []string{"4:9 a-rule: found"}},
		"Last":         {"Nothing comes behind the last line.", "a: b\n# xpkg:ignore a-rule known\n", []string{"5:1 ignore-unused: nothing comes behind it that a-rule could find something in"}},
		"OtherWord":    {"Another word is another comment.", "a-rule: bad # xpkg:ignored a-rule known\n", []string{"4:9 a-rule: found"}},
		"Quoted":       {"In a text there are no comments.", "a-rule: \"x # xpkg:ignore a-rule known\"\nb-rule: 'y\n  # xpkg:ignore b-rule known'\n", []string{"4:9 a-rule: found", "5:9 b-rule: found"}},
		"Block":        {"Nor in a block of text.", "a-rule: |\n  # xpkg:ignore a-rule known\n  text\nb-rule: >- # xpkg:ignore b-rule known\n  x\n", []string{"4:9 a-rule: found", "7:9 b-rule ignored at 7:12: known"}},
		"NoBlank":      {"A # within a word begins no comment.", "a-rule: bad# xpkg:ignore a-rule known\n", []string{"4:9 a-rule: found"}},
		"InComment":    {"Nor does one within a comment.", "a-rule: bad # write # xpkg:ignore a-rule known\n", []string{"4:9 a-rule: found"}},
		"OtherDoc":     {"A comment is for its own document.", "# xpkg:ignore a-rule known\n---\napiVersion: v1\nkind: Demo\na-rule: bad\n", []string{"4:1 ignore-unused: nothing comes behind it that a-rule could find something in", "8:9 a-rule: found"}},
		"Separator":    {"A comment behind a separator is for the whole document.", "--- # xpkg:ignore b-rule known\napiVersion: v1\nkind: Demo\nspec:\n  b-rule: bad\na-rule: bad\n--- # xpkg:ignore b-rule known\napiVersion: v1\nkind: Demo\nb: c\n", []string{"9:9 a-rule: found", "10:5 ignore-unused: b-rule finds nothing here that the comment ignores", "8:11 b-rule ignored at 4:5: known"}},
		"Directive":    {"Likewise where directives come before it.", "...\n%YAML 1.2\n--- # xpkg:ignore a-rule known\napiVersion: v1\nkind: Demo\nspec: {a-rule: bad}\n", []string{"9:16 a-rule ignored at 6:5: known"}},
		"Reading":      {"Faults of reading are ignored likewise.", "spec:\n  crossplane:\n    version: \">= v\" # xpkg:ignore constraint-syntax filled in by a template\n", []string{"6:14 constraint-syntax ignored at 6:21: filled in by a template"}},
		"Unread":       {"Of a document that cannot be read nothing is ignored.", "---\na: [ # xpkg:ignore yaml-syntax known\n", []string{"5:4 yaml-syntax: "}},
		"Flow":         {"In flow style too.", "spec: {\n  # xpkg:ignore a-rule known\n  a-rule: bad,\n  b-rule: bad }\n", []string{"7:11 b-rule: found", "6:11 a-rule ignored at 5:3: known"}},
	}
	o := &Options{Rules: append(badWords("a-rule", "b-rule", "c-rule"), &Rule{ID: "publish-rule", Severity: Info, Profile: Publish, Run: reports("x").Run}), Profile: Install}
	for name, tc := range cases {
		for style, change := range styles {
			t.Run(name+style, func(t *testing.T) {
				text := change(demo + tc.text)
				r, err := Text(t.Context(), "a.yaml", []byte(text), o)
				if err != nil {
					t.Fatal(err)
				}
				got := outline(r)
				if name == "Unread" { // the words are the parser's
					for i := range got {
						got[i] = strings.SplitAfter(got[i], "yaml-syntax: ")[0]
					}
				}
				if diff := cmp.Diff(tc.want, got); diff != "" {
					t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
				}
			})
		}
	}
}

// TestIgnoreInRun: a run of rules alone has not looked for faults of reading.
func TestIgnoreInRun(t *testing.T) {
	p, err := parser.Collect(parser.Bytes("a.yaml", []byte(demo+"a: b # xpkg:ignore constraint-syntax, a-rule known\n"), nil))
	if err != nil {
		t.Fatal(err)
	}
	found, err := Run(t.Context(), p, &Options{Rules: badWords("a-rule")})
	if diff := cmp.Diff([]string{"warning a.yaml:4:6: ignore-unused: a-rule finds nothing here that the comment ignores"}, lines(found)); diff != "" || err != nil {
		t.Errorf("%v\n-want +got:\n%s", err, diff)
	}
}

// TestIgnoreUTF16: in UTF-16 a comment is where it is in the file, and has no fix, since
// fixes are for UTF-8.
func TestIgnoreUTF16(t *testing.T) {
	const text = demo + "x: \U0001F600ü\na-rule: bad # xpkg:ignore a-rule known\nb: c # xpkg:ignore a-rule known\n"
	var file []byte
	for _, unit := range utf16.Encode([]rune("\uFEFF" + text)) {
		file = binary.BigEndian.AppendUint16(file, unit)
	}
	o := &Options{Rules: badWords("a-rule")}
	r, err := Text(t.Context(), "a.yaml", file, o)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"6:6 ignore-unused: a-rule finds nothing here that the comment ignores", "5:9 a-rule ignored at 5:13: known"}
	if diff := cmp.Diff(want, outline(r)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, at := range []parser.Range{r.Diagnostics[0].Range, r.Ignored[0].Comment} {
		if sign := file[at.Start.Offset : at.Start.Offset+2]; string(sign) != "\x00#" {
			t.Errorf("at %v there is %q", at.Start, sign)
		}
	}
	if fixed, applied, err := Apply(file, "a.yaml", r.Diagnostics); err != nil || len(applied) > 0 || string(fixed) != string(file) {
		t.Errorf("%d fixes were applied, %v", len(applied), err)
	}
}

// TestIgnoreMany: many comments that are for many findings take no square of time.
func TestIgnoreMany(t *testing.T) {
	var b strings.Builder
	b.WriteString(demo + "list:\n")
	for range maxComments {
		b.WriteString("# xpkg:ignore a-rule known\n# xpkg:ignore b-rule known\n- a-rule: bad\n")
	}
	r, err := Text(t.Context(), "a.yaml", []byte(b.String()), &Options{Rules: badWords("a-rule", "b-rule")})
	if err != nil {
		t.Fatal(err)
	}
	// The rule looks at two items only; the comments beyond the limit are not read.
	unused := slices.DeleteFunc(r.Diagnostics, func(d Diagnostic) bool { return d.Rule != RuleIgnoreUnused })
	if len(r.Ignored) != 2 || len(unused) != maxComments-2 {
		t.Errorf("%d ignored, %d comments unused", len(r.Ignored), len(unused))
	}
}

// TestIgnoreFix: taking away what ignores nothing leaves all else, and nothing to find.
func TestIgnoreFix(t *testing.T) {
	cases := map[string]struct{ reason, text, want string }{
		"EndOfLine": {"The blanks before it go too.", "a: b \t # xpkg:ignore a-rule known\nc: d\n", "a: b\nc: d\n"},
		"OwnLine":   {"The whole line goes.", "a: b\n  # xpkg:ignore a-rule known\nc: d\n", "a: b\nc: d\n"},
		"First":     {"A name goes with its comma.", "spec: {b-rule: 1} # xpkg:ignore a-rule, b-rule known\n", "spec: {b-rule: 1} # xpkg:ignore b-rule known\n"},
		"Last":      {"Or with the one before.", "spec: {a-rule: 1} # xpkg:ignore a-rule , b-rule known\n", "spec: {a-rule: 1} # xpkg:ignore a-rule known\n"},
		"Deeper":    {"What a deeper comment stands behind goes as well.", "a:\n# xpkg:ignore a-rule known\n  # more\n  b: c\n", "a:\n  # more\n  b: c\n"},
		"Text":      {"Without its sign the text before would go on.", "a: |\n# xpkg:ignore a-rule known\n\n  # more\nb: c\n", "a: |\n#\n\n  # more\nb: c\n"},
		"NoBreak":   {"The last line may have no end.", "a: b\n# xpkg:ignore a-rule known", "a: b\n"},
		"Separator": {"A separator stays.", "--- # xpkg:ignore a-rule known\napiVersion: v1\nkind: A\n", "--- \napiVersion: v1\nkind: A\n"},
		"BothEnds":  {"All names are one comment.", "a: b # xpkg:ignore a-rule,b-rule known\n", "a: b\n"},
	}
	o := &Options{Rules: badWords("a-rule", "b-rule")}
	for name, tc := range cases {
		for style, change := range styles {
			t.Run(name+style, func(t *testing.T) {
				text, want := change(demo+"# ü\U0001F600\n"+tc.text), change(demo+"# ü\U0001F600\n"+tc.want)
				r, err := Text(t.Context(), "a.yaml", []byte(text), o)
				if err != nil {
					t.Fatal(err)
				}
				got, applied, err := Apply([]byte(text), "a.yaml", r.Diagnostics)
				if err != nil || len(applied) == 0 {
					t.Fatalf("applied %d, %v", len(applied), err)
				}
				if diff := cmp.Diff(want, string(got)); diff != "" {
					t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
				}
				if r, _ := Text(t.Context(), "a.yaml", got, o); len(r.Diagnostics) > 0 {
					t.Errorf("after it: %v", outline(r))
				}
			})
		}
	}
}

// styles are ways to write one text down.
var styles = map[string]func(string) string{
	"LF":   func(s string) string { return s },
	"CRLF": func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },
	"CR":   func(s string) string { return strings.ReplaceAll(s, "\n", "\r") },
	"BOM":  func(s string) string { return "\uFEFF" + s },
}
