package linter_test

import (
	"context"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// TestMend: what is surely meant by a fault of reading, and what is not.
func TestMend(t *testing.T) {
	const head = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\n"
	const dependency = head + "spec:\n  dependsOn:\n"
	cases := map[string]struct {
		reason     string
		text, rule string
		want       string // empty for no fix
	}{
		"Number":        {"an annotation is a text", head + "  annotations: {a: 1.10, b: c}\n", parser.RuleMetadataInvalid, head + "  annotations: {a: \"1.10\", b: c}\n"},
		"Boolean":       {"a label is a text", head + "  labels:\n    a: true # b\n", parser.RuleMetadataInvalid, head + "  labels:\n    a: \"true\" # b\n"},
		"Object":        {"a mapping is nothing in quotes", head + "  labels:\n    a: {b: c}\n", parser.RuleMetadataInvalid, ""},
		"ObjectLine":    {"nor is one on a line of its own", head + "  labels:\n    a:\n      b: c\n", parser.RuleMetadataInvalid, ""},
		"ObjectQuoted":  {"with quotes at both of its ends", head + "  labels:\n    a:\n      \"b\": \"c\"\n", parser.RuleMetadataInvalid, ""},
		"ObjectColons":  {"a colon may be part of a key", head + "  labels:\n    a:\n      b:: c\n", parser.RuleMetadataInvalid, ""},
		"Array":         {"nor is a sequence", head + "  labels:\n    a:\n    - b\n", parser.RuleMetadataInvalid, ""},
		"Negative":      {"a dash may belong to a number", head + "  labels: {a: -1}\n", parser.RuleMetadataInvalid, head + "  labels: {a: \"-1\"}\n"},
		"Version":       {"a number is no version in quotes either", dependency + "  - provider: a/b\n    version: 1.10\n", parser.RuleMetadataInvalid, ""},
		"Tagged":        {"the tag belongs in the version", dependency + "  - provider: 'a/b:v1' # c\n", linter.RuleDependencySource, dependency + "  - provider: 'a/b' # c\n    version: \"v1\"\n"},
		"TaggedFlow":    {"in flow style, too", dependency + "  - {\"provider\": \"a/b:v1\"}\n", linter.RuleDependencySource, dependency + "  - {\"provider\": \"a/b\", \"version\": \"v1\"}\n"},
		"TaggedPort":    {"a port is no tag", dependency + "  - provider: localhost:5000/b:v1\n", linter.RuleDependencySource, dependency + "  - provider: \"localhost:5000/b\"\n    version: \"v1\"\n"},
		"TaggedDigest":  {"a digest likewise, behind its tag", dependency + "  - provider: a/b:v1@sha256:" + strings.Repeat("a", 64) + "\n", linter.RuleDependencySource, dependency + "  - provider: a/b\n    version: \"v1@sha256:" + strings.Repeat("a", 64) + "\"\n"},
		"TaggedSame":    {"the version says it", dependency + "  - provider: a/b:v1\n    version: \"v1\"\n", linter.RuleDependencySource, dependency + "  - provider: a/b\n    version: \"v1\"\n"},
		"TaggedOther":   {"which of the two is meant?", dependency + "  - provider: a/b:v1\n    version: v2\n", linter.RuleDependencySource, ""},
		"NoSource":      {"nobody knows", dependency + "  - provider: Hello World\n    version: v2\n", linter.RuleDependencySource, ""},
		"Range":         {"a range is in the field version", head + "spec:\n  crossplane: '>=v1.14.0'\n", parser.RuleConstraint, head + "spec:\n  crossplane: {version: \">=v1.14.0\"}\n"},
		"RangeJSON":     {"in JSON with quotes", `{"apiVersion": "meta.pkg.crossplane.io/v1", "kind": "Configuration", "metadata": {"name": "a"}, "spec": {"crossplane": "v1.x"}}`, parser.RuleConstraint, `{"apiVersion": "meta.pkg.crossplane.io/v1", "kind": "Configuration", "metadata": {"name": "a"}, "spec": {"crossplane": {"version": "v1.x"}}}`},
		"NoRange":       {"what is none stays", head + "spec:\n  crossplane: a b\n", parser.RuleConstraint, ""},
		"Twice":         {"the second of two that are equal", head + "spec:\n  a: b\n  a: b\n", parser.RuleDuplicateKey, head + "spec:\n  a: b\n"},
		"TwiceApart":    {"with something between them", head + "spec:\n  a: b\n  c: d\n  a: b\n  e: f\n", parser.RuleDuplicateKey, head + "spec:\n  a: b\n  c: d\n  e: f\n"},
		"TwiceMapping":  {"a mapping with its lines", head + "spec:\n  a:\n    b: c\n  a:\n    b: c\n  d: e\n", parser.RuleDuplicateKey, head + "spec:\n  a:\n    b: c\n  d: e\n"},
		"TwiceList":     {"a list that is not indented", head + "spec:\n  a:\n  - b\n  - c\n  a:\n  - b\n  - c\n", parser.RuleDuplicateKey, head + "spec:\n  a:\n  - b\n  - c\n"},
		"TwiceOther":    {"values differ", head + "spec:\n  a: b\n  a: c\n", parser.RuleDuplicateKey, ""},
		"TwiceBehind":   {"values differ behind a blank line", head + "spec:\n  a: |\n    b\n\n    c\n  a: |\n    b\n\n    d\n", parser.RuleDuplicateKey, ""},
		"TwiceLonger":   {"one goes on", head + "spec:\n  a: |\n    b\n  a: |\n    b\n    c\n", parser.RuleDuplicateKey, ""},
		"TwiceComment":  {"comments behind a value are text, too", head + "spec:\n  a: b # c\n  a: b # d\n", parser.RuleDuplicateKey, ""},
		"TwiceFlow":     {"two on one line", head + "spec: {a: b, a: b}\n", parser.RuleDuplicateKey, ""},
		"TwiceItem":     {"the first stands behind a dash", head + "spec:\n- a: b\n  a: b\n", parser.RuleDuplicateKey, ""},
		"TwiceNoEnd":    {"the last line has no end", head + "spec:\n  a: b\n  a: b", parser.RuleDuplicateKey, ""},
		"TwiceCRLF":     {"other line ends", strings.ReplaceAll(head+"spec:\n  a: b\n  a: b\n", "\n", "\r\n"), parser.RuleDuplicateKey, strings.ReplaceAll(head+"spec:\n  a: b\n", "\n", "\r\n")},
		"TwiceQuoted":   {"keys in other quotes are other text", head + "spec:\n  a: b\n  'a': b\n", parser.RuleDuplicateKey, ""},
		"TwiceAnchored": {"what is named elsewhere stays", head + "spec:\n  a: b\n  a: b\n  c: &x d\n  e: *x\n", parser.RuleDuplicateKey, ""},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			quiet := &linter.Rule{ID: "quiet", Severity: linter.Info, Run: func(context.Context, *linter.Pass) error { return nil }}
			r, err := linter.Text(t.Context(), "crossplane.yaml", []byte(tc.text), &linter.Options{Rules: []*linter.Rule{quiet}})
			if err != nil {
				t.Fatal(err)
			}
			found, got := false, ""
			for _, d := range r.Diagnostics {
				if d.Rule == tc.rule {
					found = true
					if len(d.Fixes) > 0 {
						got = apply(tc.text, d.Fixes[0].Edits)
					}
				}
			}
			if !found || got != tc.want {
				t.Errorf("%s (found: %t)\ngot:\n%s\nwant:\n%s", tc.reason, found, got, tc.want)
			}
		})
	}
}
