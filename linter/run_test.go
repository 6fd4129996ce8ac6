package linter

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

var errBoom = errors.New("boom")

func ruleThat(id string, run func(context.Context, *Pass) error) *Rule {
	return &Rule{ID: id, Severity: Error, Run: run}
}

func reports(id string, ranges ...parser.Range) *Rule {
	return ruleThat(id, func(_ context.Context, p *Pass) error {
		for _, r := range ranges {
			p.Report(Diagnostic{Range: r, Message: "found"})
		}
		return nil
	})
}

func lines(ds []Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Severity.String()+" "+d.String())
	}
	return out
}

func TestRun(t *testing.T) {
	provider := &parser.Package{Meta: &meta.Package{APIVersion: "meta.pkg.crossplane.io/v1", Kind: meta.Provider}}
	cases := map[string]struct {
		reason string
		pkg    *parser.Package
		rules  []*Rule
		target string
		want   []string
		errs   []string // of the RuleErrors, in order
	}{
		"Order": {
			reason: "Findings come by file, offset and rule, not by the order of rules or of reports.",
			rules: []*Rule{
				reports("b-rule", at1("b.yaml", 1, 1, 0), at1("a.yaml", 9, 1, 90)),
				reports("a-rule", at1("a.yaml", 9, 1, 90), at1("a.yaml", 2, 1, 9)),
			},
			want: []string{
				"error a.yaml:2:1: a-rule: found",
				"error a.yaml:9:1: a-rule: found",
				"error a.yaml:9:1: b-rule: found",
				"error b.yaml:1:1: b-rule: found",
			},
		},
		"Severity": {
			reason: "A finding has the rule's severity unless it brings its own; it cannot bring another rule.",
			rules: []*Rule{ruleThat("a-rule", func(_ context.Context, p *Pass) error {
				p.Report(Diagnostic{Message: "1"})
				p.Report(Diagnostic{Message: "2", Severity: Info, Rule: "other"})
				return nil
			})},
			want: []string{"error a-rule: 1", "info a-rule: 2"},
		},
		"Failure": {
			reason: "A rule that fails hides neither what it had found nor what others find.",
			rules: []*Rule{
				ruleThat("a-rule", func(_ context.Context, p *Pass) error {
					p.Report(Diagnostic{Message: "before"})
					return errBoom
				}),
				reports("b-rule", at1("a.yaml", 1, 1, 0)),
			},
			want: []string{"error a.yaml:1:1: b-rule: found", "error a-rule: before"},
			errs: []string{`rule "a-rule": boom`},
		},
		"Panic": {
			reason: "A rule that panics is an error of that rule, of a text that is the same every time.",
			rules: []*Rule{
				ruleThat("a-rule", func(context.Context, *Pass) error { panic(strings.Repeat("long ", 100)) }),
				ruleThat("b-rule", func(_ context.Context, p *Pass) error {
					p.Report(Diagnostic{Message: "before"})
					var none []int
					_ = none[len(p.found)]
					return nil
				}),
				reports("c-rule", at1("a.yaml", 1, 1, 0)),
			},
			want: []string{"error a.yaml:1:1: c-rule: found", "error b-rule: before"},
			errs: []string{
				`rule "a-rule": panicked: ` + strings.Repeat("long ", 16) + "…",
				`rule "b-rule": panicked: runtime error: index out of range [1] with length 0`,
			},
		},
		"BadRules": {
			reason: "A rule that is none is an error; the others are run.",
			rules: []*Rule{
				nil,
				{ID: "Not Kebab", Severity: Error, Run: func(context.Context, *Pass) error { return nil }},
				{ID: "no-run", Severity: Error},
				{ID: "no-severity", Run: func(context.Context, *Pass) error { return nil }},
				{ID: "bad-bound", Severity: Error, Since: "soon", Run: func(context.Context, *Pass) error { return nil }},
				reports("a-rule", at1("a.yaml", 1, 1, 0)),
			},
			want: []string{"error a.yaml:1:1: a-rule: found"},
			errs: []string{
				`rule "": is nil`,
				`rule "Not Kebab": ID "Not Kebab" is not kebab-case words`,
				`rule "no-run": has no Run function`,
				`rule "no-severity": has no severity`,
				`rule "bad-bound": "soon" is not a Crossplane version such as v1.20`,
			},
		},
		"Kinds": {
			reason: "A rule for other kinds of packages is not run, nor is one for any kind on a package without metadata.",
			pkg:    provider,
			rules: []*Rule{
				{ID: "a-rule", Severity: Error, Kinds: []meta.Kind{meta.Function}, Run: reports("x").Run},
				{ID: "b-rule", Severity: Error, Kinds: []meta.Kind{meta.Function, meta.Provider}, Run: reports("x", at1("a.yaml", 1, 1, 0)).Run},
			},
			want: []string{"error a.yaml:1:1: b-rule: found"},
		},
		"KindsWithoutMetadata": {
			reason: "Without metadata nobody knows the kind.",
			rules:  []*Rule{{ID: "b-rule", Severity: Error, Kinds: []meta.Kind{meta.Provider}, Run: reports("x", at1("a.yaml", 1, 1, 0)).Run}},
		},
		"Releases": {
			reason: "A rule for other releases of Crossplane is not run.",
			target: "v1.20",
			rules: []*Rule{
				{ID: "a-rule", Severity: Error, Since: "v2.0", Run: reports("x", at1("a.yaml", 1, 1, 0)).Run},
				{ID: "b-rule", Severity: Error, Until: "v2.0", Run: reports("x", at1("a.yaml", 1, 1, 0)).Run},
			},
			want: []string{"error a.yaml:1:1: b-rule: found"},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Run(t.Context(), tc.pkg, &Options{Rules: tc.rules, Target: tc.target})
			// Each rule that fails is a finding without a place as well, behind all others.
			want := slices.Clone(tc.want)
			for _, text := range slices.Sorted(slices.Values(tc.errs)) {
				want = append(want, "error "+RuleFailed+": "+text)
			}
			if diff := cmp.Diff(want, lines(got)); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
			var texts []string
			if joined, ok := err.(interface{ Unwrap() []error }); ok {
				for _, e := range joined.Unwrap() {
					texts = append(texts, e.Error())
				}
			}
			if diff := cmp.Diff(tc.errs, texts); diff != "" {
				t.Errorf("\n%s\nerrors: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestRunRefuses(t *testing.T) {
	two := []*Rule{reports("a-rule"), reports("a-rule")}
	if _, err := Run(t.Context(), nil, &Options{Rules: two}); err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("two rules of one ID: %v", err)
	}
	for _, o := range []*Options{nil, {}} {
		if _, err := Run(t.Context(), nil, o); !errors.Is(err, ErrNoRules) {
			t.Errorf("without rules: %v", err)
		}
	}
	if _, err := Run(t.Context(), nil, &Options{Rules: two[:1], Target: "latest"}); err == nil || !strings.Contains(err.Error(), `"latest"`) {
		t.Errorf("a target that is none: %v", err)
	}
}

func TestRunErrorTypes(t *testing.T) {
	_, err := Run(t.Context(), nil, &Options{Rules: []*Rule{
		ruleThat("a-rule", func(context.Context, *Pass) error { return errBoom }),
		ruleThat("b-rule", func(context.Context, *Pass) error { panic(errBoom) }),
		ruleThat("c-rule", func(_ context.Context, p *Pass) error { return errors.New(p.Package.Objects[len(p.found)].Kind) }),
	}})
	var rule *RuleError
	if !errors.As(err, &rule) || rule.Rule != "a-rule" {
		t.Errorf("no *RuleError of a-rule in %v", err)
	}
	var p *PanicError
	if !errors.As(err, &p) || p.Value != error(errBoom) || !strings.Contains(string(p.Stack), "run_test.go") {
		t.Errorf("no *PanicError with its value and stack in %v", err)
	}
	var re runtime.Error
	if !errors.Is(err, errBoom) || !errors.As(err, &re) {
		t.Errorf("the causes are lost in %v", err)
	}
}

func TestRunCanceled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	ran := 0
	found, err := Run(ctx, nil, &Options{Rules: []*Rule{
		reports("a-rule", at1("a.yaml", 1, 1, 0)),
		ruleThat("b-rule", func(ctx context.Context, _ *Pass) error { cancel(errBoom); return ctx.Err() }),
		ruleThat("c-rule", func(context.Context, *Pass) error { ran++; return nil }),
	}})
	if found != nil || !errors.Is(err, errBoom) || ran > 0 {
		t.Errorf("after a cancel: %d findings, %v, %d more rules run; half of the findings look like all of them", len(found), err, ran)
	}
	silent, stop := context.WithCancel(t.Context())
	r, err := Check(silent, nil, nil, &Options{Rules: []*Rule{
		ruleThat("a-rule", func(ctx context.Context, _ *Pass) error { stop(); <-ctx.Done(); return nil }),
	}})
	if r != nil || !errors.Is(err, meta.ErrCanceled) {
		t.Errorf("the last rule stopped and did not say why: %v, %v", r, err)
	}
	for _, target := range []error{errBoom, context.Canceled, meta.ErrCanceled} {
		if _, err := Run(ctx, nil, &Options{Rules: []*Rule{reports("a-rule")}}); !errors.Is(err, target) {
			t.Errorf("with a context that is done: %v does not match %v", err, target)
		}
	}
}

// TestRunBounds: what a rule says is held to what a reader of findings may count on.
func TestRunBounds(t *testing.T) {
	found, err := Run(t.Context(), nil, &Options{Rules: []*Rule{ruleThat("a-rule", func(_ context.Context, p *Pass) error {
		p.Report(Diagnostic{Severity: 77, Message: strings.Repeat("x", 1<<20)})
		p.Report(Diagnostic{Severity: -1})
		return nil
	})}})
	if err != nil || len(found) != 2 {
		t.Fatalf("found %d, %v", len(found), err)
	}
	for _, d := range found {
		if d.Severity != Error || len(d.Message) > 4100 {
			t.Errorf("severity %d, a message of %d bytes", d.Severity, len(d.Message))
		}
	}
}

func TestFact(t *testing.T) {
	computed := 0
	fact := NewFact(func(_ context.Context, p *Pass) (int, error) { computed++; return len(p.Package.Objects), nil })
	failing := NewFact(func(context.Context, *Pass) (int, error) { computed++; return 7, errBoom })
	ask := func(ctx context.Context, p *Pass) error {
		if n, err := fact.Of(ctx, p); n != 2 || err != nil {
			t.Errorf("the fact is %d, %v", n, err)
		}
		if n, err := failing.Of(ctx, p); n != 7 || err != errBoom {
			t.Errorf("the failing fact is %d, %v", n, err)
		}
		return nil
	}
	pkg := &parser.Package{Objects: []*parser.Document{{}, {}}}
	for range 2 {
		computed = 0
		if _, err := Run(t.Context(), pkg, &Options{Rules: []*Rule{ruleThat("a-rule", ask), ruleThat("b-rule", ask)}}); err != nil {
			t.Fatal(err)
		}
		if computed != 2 {
			t.Errorf("two facts were computed %d times in a run of two rules", computed)
		}
	}
}
