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
		"OffHere": {
			reason: "In some files too.",
			rules:  newer(func(*Rule) {}),
			config: &Config{Paths: []PathConfig{{Match: []string{"crossplane.yaml"}, Rules: map[string]Level{"new-rule": LevelOff}}}},
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

// TestSupersededHeir: what is left out leaves its fixes and places to what is told, which
// keeps its own.
func TestSupersededHeir(t *testing.T) {
	place := func(line, offset int) parser.Range { return at1("crossplane.yaml", line, 1, offset) }
	found := func(rule, path string, r parser.Range, fix string, related ...Related) Diagnostic {
		d := Diagnostic{Rule: rule, Severity: Error, Path: path, Range: r, Related: related}
		if fix != "" {
			d.Fixes = []Fix{{Message: fix}}
		}
		return d
	}
	newer := []*Rule{{ID: "new-rule", Supersedes: []string{"old-rule"}}, {ID: "old-rule"}, nil}
	elsewhere := Related{Range: place(9, 90), Message: "elsewhere"}
	cases := map[string]struct {
		reason    string
		all, want []Diagnostic
	}{
		"Fix": {
			"the fix is what the author wants",
			[]Diagnostic{found("new-rule", "a", place(1, 0), ""), found("old-rule", "a", place(1, 2), "mend", elsewhere)},
			[]Diagnostic{found("new-rule", "a", place(1, 0), "mend", elsewhere)},
		},
		"Own": {
			"one that has a fix and places keeps them",
			[]Diagnostic{found("new-rule", "a", place(1, 0), "mine", elsewhere), found("old-rule", "a", place(1, 2), "yours", Related{Message: "no"})},
			[]Diagnostic{found("new-rule", "a", place(1, 0), "mine", elsewhere)},
		},
		"Around": {
			"what is told of a list is told of its items, whose place stays known",
			[]Diagnostic{found("new-rule", "a.b", place(1, 0), ""), found("old-rule", "a.b[1].c", place(2, 9), "mend")},
			[]Diagnostic{found("new-rule", "a.b", place(1, 0), "mend", Related{Range: place(2, 9)})},
		},
		"Within": {
			"what is told of an item is not all that there is against the list",
			[]Diagnostic{found("new-rule", "a.b[1].c", place(2, 9), ""), found("old-rule", "a.b", place(1, 0), "mend")},
			[]Diagnostic{found("new-rule", "a.b[1].c", place(2, 9), ""), found("old-rule", "a.b", place(1, 0), "mend")},
		},
		"BesideName": {
			"a name that begins like another one is another one",
			[]Diagnostic{found("new-rule", "a.b", place(1, 0), ""), found("old-rule", "a.bc", place(2, 9), "mend")},
			[]Diagnostic{found("new-rule", "a.b", place(1, 0), ""), found("old-rule", "a.bc", place(2, 9), "mend")},
		},
		"Whole": {
			"what is told of the object as a whole is not what is told of a field",
			[]Diagnostic{found("new-rule", "", place(1, 0), ""), found("old-rule", "a", place(2, 9), "mend")},
			[]Diagnostic{found("new-rule", "", place(1, 0), ""), found("old-rule", "a", place(2, 9), "mend")},
		},
		"First": {
			"of two fixes the first, as the other one may be no alternative to it",
			[]Diagnostic{found("new-rule", "a", place(1, 0), ""), found("old-rule", "a.b", place(2, 9), "one"), found("old-rule", "a.c", place(3, 20), "two")},
			[]Diagnostic{found("new-rule", "a", place(1, 0), "one", Related{Range: place(2, 9)}, Related{Range: place(3, 20)})},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, once(tc.all, tc.all, newer)); diff != "" {
				t.Errorf("%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}
