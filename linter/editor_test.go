package linter

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// draft is a text with most of what makes places hard to tell, which an author types from
// beginning to end.
const draft = "\uFEFFapiVersion: meta.pkg.crossplane.io/v1 # xpkg:ignore every-field 😀 is wanted\n" +
	"kind: Configuration\r\n" +
	"metadata:\n" +
	"  name: \"😀é\" # xpkg:ignore every-field\n" +
	"  annotations: {a: '😀', \"b😀\": \"\\U0001F600\", c: [1.10, {d: e}]} # xpkg:ignore every-field,no-such why\n" +
	"  labels: &l\n" +
	"    text: |-\n" +
	"      # xpkg:ignore every-field in a block\n" +
	"      😀 and more\n" +
	"spec:\n" +
	"  # xpkg:ignore every-field two lines\n" +
	"  # xpkg:ignore every-field of one sort\n" +
	"  crossplane: {version: \">= v\"}\n" +
	"  dependsOn: [{provider: 'a/b:v1', version: v1}, *l]\n" +
	"--- # xpkg:ignore every-field of a document\n" +
	"# xpkg:ignore\n" +
	"kind: A\n" +
	"kind: 'A # xpkg:ignore every-field in quotes'\n" +
	"...\n" +
	"--- {kind: B, x: 😀} # xpkg:ignore every-field on one line\n"

// everyField finds something at every key and value of every document.
func everyField() *Rule {
	return ruleThat("every-field", func(_ context.Context, p *Pass) error {
		for d := range p.Package.Documents() {
			for _, path := range []meta.Path{
				nil, {"apiVersion"}, {"kind"}, {"metadata"}, {"metadata", "name"}, {"metadata", "annotations"}, {"metadata", "annotations", "b😀"},
				{"metadata", "annotations", "c", 1, "d"}, {"metadata", "labels", "text"}, {"spec", "crossplane", "version"}, {"spec", "dependsOn", 1, "text"}, {"x"},
			} {
				p.Reportf(At(d, path...), "found")
				p.Reportf(AtKey(d, path...), "found")
			}
		}
		return nil
	})
}

// TestTextAtEveryPrefix types a text byte by byte: whatever there is of it, what is found
// is in order, the same again, and at places of the text, to editors as well.
func TestTextAtEveryPrefix(t *testing.T) {
	o := &Options{Rules: []*Rule{everyField()}}
	for end := range len(draft) + 1 {
		text := []byte(draft[:end])
		r, err := Text(t.Context(), "crossplane.yaml", text, o)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		again, err := Text(t.Context(), "crossplane.yaml", slices.Clone(text), o)
		if diff := cmp.Diff(lines(r.Diagnostics), lines(again.Diagnostics)); err != nil || diff != "" {
			t.Fatalf("%q: another time (%v):\n%s", text, err, diff)
		}
		if !slices.IsSortedFunc(r.Diagnostics, compare) {
			t.Errorf("%q: not in order: %q", text, lines(r.Diagnostics))
		}
		for _, d := range r.Diagnostics {
			checkPlace(t, text, d)
		}
		for _, i := range r.Ignored {
			if i.Reason == "" {
				t.Errorf("%q: ignored without a reason: %v", text, i.Diagnostic)
			}
		}
		if _, _, err := Apply(text, "crossplane.yaml", r.Diagnostics); err != nil && strings.Contains(err.Error(), "another text") {
			t.Errorf("%q: %v", text, err)
		}
		if t.Failed() {
			return
		}
	}
}

// TestCommentsAtOddPlaces: what looks like a comment in a block or in quotes is none, and
// the others ignore what stands on their lines, below them, or in their document.
func TestCommentsAtOddPlaces(t *testing.T) {
	r, err := Text(t.Context(), "crossplane.yaml", []byte(draft), &Options{Rules: []*Rule{everyField()}})
	if err != nil {
		t.Fatal(err)
	}
	ignored := map[int]string{} // by line, the reason
	for _, i := range r.Ignored {
		ignored[i.Range.Start.Line] = i.Reason
	}
	want := map[int]string{1: "😀 is wanted", 5: "why", 13: "two lines", 17: "of a document", 18: "of a document", 20: "on one line"}
	if diff := cmp.Diff(want, ignored); diff != "" {
		t.Errorf("ignored: -want +got:\n%s", diff)
	}
	var told []string
	for _, d := range r.Diagnostics {
		if d.Rule == RuleIgnoreSyntax || d.Rule == RuleIgnoreUnused {
			told = append(told, d.String())
		}
	}
	if diff := cmp.Diff([]string{
		"crossplane.yaml:4:18: ignore-syntax: the comment gives no reason, and ignores nothing without (expected xpkg:ignore RULE reason)",
		`crossplane.yaml:5:70: ignore-unused: there is no rule "no-such"`,
		"crossplane.yaml:16:1: ignore-syntax: the comment names no rule (expected xpkg:ignore RULE reason)",
	}, told); diff != "" {
		t.Errorf("told: -want +got:\n%s", diff)
	}
}

// checkPlace counts, slowly, where the finding is.
func checkPlace(t *testing.T, text []byte, d Diagnostic) {
	t.Helper()
	if d.Range.String() == "" || !d.Range.Start.IsValid() {
		return
	}
	start, end := UTF16(text, d.Range)
	for p, got := range map[parser.Position]UTF16Position{d.Range.Start: start, d.Range.End: end} {
		if !p.IsValid() {
			continue
		}
		if p.Offset < 0 || p.Offset > len(text) || p != positionAt(string(text), p.Offset) {
			t.Errorf("%q: %s is at %+v, which is no place of the text", text, d, p)
			return
		}
		line := strings.TrimPrefix(string(text[p.Offset-p.Column+1:p.Offset]), "\uFEFF")
		if want := (UTF16Position{p.Line - 1, len(utf16.Encode([]rune(line)))}); got != want {
			t.Errorf("%q: %s is at %+v in an editor, want %+v", text, d, got, want)
		}
	}
}

// TestRulesOfOthers runs rules that do what no rule should: what the others find is told
// all the same, and so is which of them failed.
func TestRulesOfOthers(t *testing.T) {
	nowhere := parser.Position{Line: 1 << 30, Column: -7, Offset: 1 << 40}
	bad := []*Rule{
		ruleThat("far-away", func(_ context.Context, p *Pass) error {
			p.Report(Diagnostic{Range: parser.Range{File: "crossplane.yaml", Start: nowhere, End: nowhere}, Path: "a[", Message: "m", Fixes: []Fix{{Edits: []Edit{{Range: parser.Range{File: "crossplane.yaml", Start: nowhere}}}}}})
			p.Report(Diagnostic{Range: parser.Range{File: "../../etc\x00", Start: parser.Position{Line: -1}}, Related: []Related{{Range: parser.Range{Start: nowhere}}}})
			return nil
		}),
		ruleThat("far-nil", func(_ context.Context, p *Pass) error { p.Package.Objects[1<<20] = nil; return nil }),
		ruleThat("nil-panic", func(context.Context, *Pass) error { panic(nil) }),
		ruleThat("odd-error", func(context.Context, *Pass) error { return errors.Join(errBoom, meta.ErrCanceled) }),
		ruleThat("keeps-pass", func(_ context.Context, p *Pass) error {
			raw := p.Package.Header.Raw()
			_ = append(raw[:0:0], raw...)
			p.Package = nil
			p.Profile, p.Image = "mine", &Image{}
			return nil
		}),
		ruleThat("negative", func(_ context.Context, p *Pass) error {
			p.Reportf(At(p.Package.Header, "metadata", -1, 1<<40, 3.5, nil), "%d", 1)
			return nil
		}),
		reports("good-rule", at1("crossplane.yaml", 1, 1, 0)),
	}
	super := reports("super-rule", at1("crossplane.yaml", 1, 1, 0))
	super.Supersedes = []string{"far-away", "", "good-rule"}
	r, err := Text(t.Context(), "crossplane.yaml", []byte(header), &Options{Rules: append(bad, super)})
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, f := range r.Failed {
		failed = append(failed, f.Rule)
	}
	if diff := cmp.Diff([]string{"far-nil", "nil-panic", "odd-error"}, failed); diff != "" {
		t.Errorf("failed: -want +got:\n%s", diff)
	}
	counts := map[string]int{}
	for _, d := range r.Diagnostics {
		counts[d.Rule]++
		UTF16([]byte(header), d.Range)
	}
	want := map[string]int{"far-away": 2, "negative": 1, "super-rule": 1, RuleFailed: 3}
	if diff := cmp.Diff(want, counts); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	fixed, applied, err := Apply([]byte(header), "crossplane.yaml", r.Diagnostics)
	if refused := (*FixError)(nil); !errors.As(err, &refused) || string(fixed) != header || applied != nil {
		t.Errorf("the fix for no place: %q, %v, %v", fixed, applied, err)
	}
}

// TestRuleWaits: a rule that waits for the end of the context ends with it.
func TestRuleWaits(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	waits := ruleThat("waits", func(ctx context.Context, _ *Pass) error {
		cancel(errBoom)
		<-ctx.Done()
		return nil // and says nothing of it
	})
	r, err := Text(ctx, "crossplane.yaml", []byte(header), &Options{Rules: []*Rule{waits, reports("after")}})
	if r != nil || !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) || !errors.Is(err, errBoom) {
		t.Errorf("got %v, %v", r, err)
	}
}
