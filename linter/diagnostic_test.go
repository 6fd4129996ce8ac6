package linter

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

func at1(file string, line, column, offset int) parser.Range {
	p := parser.Position{Line: line, Column: column, Offset: offset}
	return parser.Range{File: file, Start: p, End: p}
}

func TestDiagnosticString(t *testing.T) {
	cases := map[string]struct {
		reason string
		d      Diagnostic
		want   string
	}{
		"Promise": {
			reason: "This line is what the design promises, to the letter.",
			d: Diagnostic{
				Rule: "constraint-syntax", Severity: Error, Range: at1("crossplane.yaml", 7, 14, 99),
				Message: `">= v" is not a version range`, Path: "spec.dependsOn[0].version",
			},
			want: `crossplane.yaml:7:14: constraint-syntax: ">= v" is not a version range (spec.dependsOn[0].version)`,
		},
		"NoPath": {
			reason: "A finding about an object has no path to print.",
			d:      Diagnostic{Rule: "object-not-allowed", Range: at1("a.yaml", 1, 1, 0), Message: "x is not allowed"},
			want:   `a.yaml:1:1: object-not-allowed: x is not allowed`,
		},
		"FileOnly": {
			reason: "A finding about a file has no line.",
			d:      Diagnostic{Rule: "empty-file", Range: parser.Range{File: "a.yaml"}, Message: "it is empty"},
			want:   `a.yaml: empty-file: it is empty`,
		},
		"NoPlace": {
			reason: "A finding about the package as a whole begins with its rule.",
			d:      Diagnostic{Rule: "metadata-missing", Message: "there is none"},
			want:   `metadata-missing: there is none`,
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, tc.d.String()); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
}

func TestSort(t *testing.T) {
	want := []Diagnostic{
		{Rule: "z", Range: at1("a.yaml", 1, 1, 0)},
		{Rule: "a", Range: at1("a.yaml", 2, 1, 5)},
		{Rule: "b", Range: at1("a.yaml", 2, 1, 5)},
		{Rule: "b", Range: at1("a.yaml", 2, 1, 5), Path: "spec"},
		{Rule: "b", Range: at1("a.yaml", 2, 1, 5), Path: "spec", Message: "m", Severity: Error},
		{Rule: "b", Range: at1("a.yaml", 2, 1, 5), Path: "spec", Message: "m", Severity: Info},
		{Rule: "a", Range: at1("b.yaml", 1, 1, 0)},
		{Rule: "a"},
	}
	for range 50 {
		got := slices.Clone(want)
		rand.Shuffle(len(got), func(i, j int) { got[i], got[j] = got[j], got[i] })
		Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("by file, offset, rule, path, message; without a place last; the worst first among equals: -want +got:\n%s", diff)
		}
	}
}

func TestMaxSeverity(t *testing.T) {
	if got := MaxSeverity(nil); got != 0 {
		t.Errorf("nothing found, but severity %v", got)
	}
	if got := MaxSeverity([]Diagnostic{{Severity: Info}, {Severity: Error}, {Severity: Warning}}); got != Error {
		t.Errorf("got %v, want error", got)
	}
}

func TestClip(t *testing.T) {
	long := strings.Repeat("x", clipLength-1) + "é" + strings.Repeat("y", 1000)
	got := clip(long)
	if len(got) > clipLength+len("…") || strings.ContainsRune(got, '\uFFFD') || !strings.HasSuffix(got, "…") {
		t.Errorf("clip gave %q", got)
	}
}
