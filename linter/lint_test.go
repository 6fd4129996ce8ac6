package linter

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// TestBuiltin: the examples of the rules that are no rules of Options show what they say.
func TestBuiltin(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range Builtin() {
		t.Run(r.ID, func(t *testing.T) {
			if seen[r.ID] || !isKebab(r.ID) || r.Severity == 0 || r.Run != nil {
				t.Errorf("%q is there twice, is no name, has no severity, or can be run", r.ID)
			}
			seen[r.ID] = true
			if !strings.HasSuffix(r.Doc, ".") {
				t.Errorf("the documentation is not made of sentences: %q", r.Doc)
			}
			switch r.ID {
			case RuleFailed, parser.RuleLimit, parser.RuleUnreadable:
				return // of the machine, of a rule, or too long to show
			}
			bad, good := text(t, r.Bad), text(t, r.Good)
			found := false
			for _, d := range bad.Diagnostics {
				found = found || d.Rule == r.ID && d.Severity == r.Severity
			}
			if !found {
				t.Errorf("the bad example is not reported, only %v", outline(bad))
			}
			if len(good.Diagnostics) > 0 {
				t.Errorf("the good example has faults: %v", outline(good))
			}
		})
	}
}

func text(t *testing.T, s string) *Result {
	t.Helper()
	r, err := Text(t.Context(), "a.yaml", []byte(s), &Options{Rules: badWords("a-rule")})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestText: a text is linted at any length, as it is while someone writes it.
func TestText(t *testing.T) {
	const whole = demo + "spec:\n  dependsOn:\n  - provider: \"example.org/a\"\n    version: '>=v1'\na-rule: [bad, {x: |\n"
	for i := range len(whole) {
		if r := text(t, whole[:i]); len(r.Diagnostics) == 0 && i < 50 { // the kind is there
			t.Errorf("%q has no fault", whole[:i])
		}
	}
}

// TestLintUnreadable: a reader that fails is a failure, and what was read is judged.
func TestLintUnreadable(t *testing.T) {
	broken := io.MultiReader(strings.NewReader(demo+"a-rule: bad\n---\n"), readerThatFails{})
	r, err := Lint(t.Context(), parser.Stream(t.Context(), "a.yaml", broken, nil), &Options{Rules: badWords("a-rule")})
	if !errors.Is(err, fs.ErrPermission) || r == nil {
		t.Fatalf("%v, %v", r, err)
	}
	got := outline(r)
	if len(got) != 2 || !strings.Contains(got[0]+got[1], "a-rule: found") || !strings.Contains(got[0]+got[1], parser.RuleUnreadable) {
		t.Errorf("found %v", got)
	}
	if r, err := Lint(t.Context(), parser.Bytes("a.yaml", []byte("a: ["), nil), &Options{Rules: badWords("a-rule")}); err != nil || len(r.Diagnostics) == 0 {
		t.Errorf("a fault of the text is no failure: %v, %v", r, err)
	}
}

type readerThatFails struct{}

func (readerThatFails) Read([]byte) (int, error) { return 0, fs.ErrPermission }

func TestLintCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, err := Lint(ctx, parser.Stream(ctx, "a.yaml", bytes.NewReader([]byte(demo)), nil), &Options{Rules: badWords("a-rule")})
	if r != nil || !errors.Is(err, context.Canceled) || !errors.Is(err, meta.ErrCanceled) {
		t.Errorf("%v, %v", r, err)
	}
}

func TestLintWithoutRules(t *testing.T) {
	if r, err := Text(t.Context(), "a.yaml", nil, nil); r != nil || !errors.Is(err, ErrNoRules) {
		t.Errorf("%v, %v", r, err)
	}
}
