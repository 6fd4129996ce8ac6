package linter

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

func TestSuperseded(t *testing.T) {
	const text = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo # xpkg:ignore old-rule the name is given
`
	report := func(id string) *Rule { return reports(id, at1("crossplane.yaml", 1, 1, 0)) }
	newer := func(change func(*Rule)) []*Rule {
		r := report("new-rule")
		r.Supersedes = []string{"old-rule", "no-rule"}
		change(r)
		return []*Rule{report("old-rule"), r}
	}
	finds := func(id string) string { return "error crossplane.yaml:1:1: " + id + ": found" }
	unused := "warning crossplane.yaml:4:14: ignore-unused: old-rule finds nothing here that the comment ignores"
	cases := map[string]struct {
		reason string
		rules  []*Rule
		config *Config
		want   []string
	}{
		"Beside": {
			reason: "What another rule says more about is told once.",
			rules:  newer(func(*Rule) {}),
			want:   []string{finds("new-rule"), unused},
		},
		"Elsewhere": {
			reason: "What the other one did not find is told.",
			rules:  newer(func(r *Rule) { r.Run = reports("x", at1("crossplane.yaml", 2, 1, 39)).Run }),
			want:   []string{finds("old-rule"), "error crossplane.yaml:2:1: new-rule: found", unused},
		},
		"Off": {
			reason: "So is all where the other one is off.",
			rules:  newer(func(*Rule) {}),
			config: &Config{Rules: map[string]Level{"new-rule": LevelOff}},
			want:   []string{finds("old-rule"), unused},
		},
		"NotApplied": {
			reason: "And where the other one is for other releases of Crossplane.",
			rules:  newer(func(r *Rule) { r.Until = "v1.0" }),
			want:   []string{finds("old-rule"), unused},
		},
		"Invalid": {
			reason: "And where it cannot be run.",
			rules:  newer(func(r *Rule) { r.Supersedes = append(r.Supersedes, r.ID) }),
			want:   []string{finds("old-rule"), unused, `error rule-failed: rule "new-rule": supersedes itself`},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			r, err := Lint(t.Context(), parser.Bytes("crossplane.yaml", []byte(text), nil), &Options{Rules: tc.rules, Config: tc.config})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, lines(r.Diagnostics)); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}
