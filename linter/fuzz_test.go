package linter

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/parser"
)

func FuzzText(f *testing.F) {
	f.Add([]byte(fullConfig))
	f.Add([]byte(demo + "# xpkg:ignore a-rule, b-rule known\nspec:\r\n  a-rule: |\r\n    # xpkg:ignore a-rule x\n  - b # xpkg:ignore \u00fc\n"))
	f.Add([]byte("spec:\n  a-rule: |\n# xpkg:ignore a-rule x\n\n   # xpkg:ignore\n")) // the comment ends the text
	f.Add([]byte("\xff\xfea\x00:\x00 \x00b\x00 \x00#\x00 \x00"))
	f.Fuzz(executions.Many(checkText))
}

// TestTexts puts texts together at random, most of which are nearly YAML.
func TestTexts(t *testing.T) {
	pieces := []string{
		"a-rule: bad", "b-rule: bad", "list:", "spec: ", "- ", "- ", "\n", "\n", "\n", "\n  ", "\n  - ", "\r\n", "\r", " ", "# c", " # xpkg:ignore a-rule known", "# xpkg:ignore a-rule,b-rule known",
		"# xpkg:ignore b-rule", "#xpkg:ignore", "\n--- ", "\n---\n", "...\n", "|\n", ">-\n", "'", "\"", "[", "]", "{", "}", ",", "&x ", "*x", "!!map ", "? ", "\u00fc", "\U0001F600", "\u2028", "kind: A\napiVersion: v1\n", "%YAML 1.2\n---\n",
	}
	random := rand.New(rand.NewPCG(5, 6))
	for range 1_000 {
		var b strings.Builder
		b.WriteString([]string{"", demo, "\uFEFF", "--- "}[random.IntN(4)])
		for range random.IntN(20) {
			b.WriteString(pieces[random.IntN(len(pieces))])
		}
		if checkText(t, []byte(b.String())); t.Failed() {
			t.Fatalf("%q", b.String())
		}
	}
}

// checkText lints and mends a text. No fix of a comment may fail, change what the rules
// find, or leave the comment.
func checkText(t *testing.T, text []byte) {
	o := &Options{Rules: badWords("a-rule", "b-rule")}
	_, _ = ParseConfig("x", text, o.Rules)
	r, err := Text(context.Background(), "a.yaml", text, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		start, end := UTF16(text, d.Range)
		if start.Line < 0 || start.Character < 0 || end.Line < start.Line {
			t.Errorf("%v is %v to %v", d.Range, start, end)
		}
	}
	comments := slices.DeleteFunc(slices.Clone(r.Diagnostics), func(d Diagnostic) bool { return d.Rule != RuleIgnoreUnused })
	fixed, applied, err := Apply(text, "a.yaml", comments)
	if err != nil {
		t.Fatalf("the fixes are not for the text that was linted: %v", err)
	}
	again := lintAgain(t, r, text, fixed, o)
	count := func(r *Result, id string) (n int) {
		for _, d := range r.Diagnostics {
			if d.Rule == id {
				n++
			}
		}
		return n
	}
	for _, rule := range []string{"a-rule", "b-rule", RuleIgnoreSyntax, parser.RuleSyntax} {
		if before, after := count(r, rule), count(again, rule); after != before {
			t.Errorf("%s: %d findings became %d", rule, before, after)
		}
	}
	if before, after := count(r, RuleIgnoreUnused), count(again, RuleIgnoreUnused); after != before-len(applied) {
		t.Errorf("%d unused comments became %d after %d fixes", before, after, len(applied))
	}
	mended, applied, err := Apply(text, "a.yaml", r.Diagnostics)
	if err != nil {
		t.Fatal(err)
	}
	again = lintAgain(t, r, text, mended, o)
	if before, after := count(r, parser.RuleSyntax), count(again, parser.RuleSyntax); after > before {
		t.Errorf("%d faults of syntax became %d after %d fixes:\n%s", before, after, len(applied), mended)
	}
}

// lintAgain lints a text that was mended. Where nothing was, the result is the first one.
func lintAgain(t *testing.T, first *Result, text, mended []byte, o *Options) *Result {
	if bytes.Equal(text, mended) {
		return first
	}
	again, err := Text(context.Background(), "a.yaml", mended, o)
	if err != nil {
		t.Fatal(err)
	}
	return again
}
