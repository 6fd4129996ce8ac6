package linter

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func TestFromError(t *testing.T) {
	field := func(fault meta.Fault, path ...any) *meta.FieldError {
		return &meta.FieldError{Path: path, Fault: fault, Found: `"x"`, Want: "a y"}
	}
	syntax := &parser.Error{Rule: parser.RuleSyntax, Range: at1("b.yaml", 3, 4, 30), Message: "a tab", Index: 1,
		Object: ObjectRef{Kind: "Demo"}, Related: []parser.Range{at1("a.yaml", 1, 1, 0)}}
	invalid := &parser.Error{Rule: parser.RuleMetadataInvalid, Range: at1("a.yaml", 7, 14, 70), Message: "no repository",
		Path: meta.Path{"spec", "dependsOn", 0, "provider"}, Err: field(meta.FaultTagged, "spec", "dependsOn", 0, "provider")}
	cases := map[string]struct {
		reason string
		err    error
		want   []string
	}{
		"Nil":     {"No error is no finding.", nil, nil},
		"Foreign": {"An error about the work is no fault of the package.", errors.New("disk on fire"), nil},
		"One":     {"A reading fault keeps its rule, place and message.", syntax, []string{"error b.yaml:3:4: yaml-syntax: a tab"}},
		"List": {
			"Every fault of a list is a finding, in the order of findings; some get a rule that says more.",
			parser.ErrorList{syntax, invalid},
			[]string{"error a.yaml:7:14: dependency-source: no repository (spec.dependsOn[0].provider)", "error b.yaml:3:4: yaml-syntax: a tab"},
		},
		"Wrapped": {
			"Faults are found below wrapped and joined errors.",
			fmt.Errorf("reading: %w", errors.Join(errors.New("disk on fire"), fmt.Errorf("more: %w", parser.ErrorList{syntax}))),
			[]string{"error b.yaml:3:4: yaml-syntax: a tab"},
		},
		"Fields": {
			"Faults of fields without their document have a path and no place.",
			meta.FieldErrors{
				field(meta.FaultConstraint, "spec", "crossplane", "version"),
				field(meta.FaultRequired, "spec", "dependsOn", 1),
				field(meta.FaultExclusive, "spec", "dependsOn", 2, "provider"),
				field(meta.FaultSource, "spec", "dependsOn", 3, "provider"),
				field(meta.FaultDuplicate, "spec", "crossplane"),
				field(meta.FaultRequired, "kind"),
			},
			[]string{
				`error constraint-syntax: "x" is not a y (spec.crossplane.version)`,
				`error dependency-incomplete: "x" is not a y (spec.dependsOn[1])`,
				`error dependency-incomplete: "x" is not a y (spec.dependsOn[2].provider)`,
				`error dependency-source: "x" is not a y (spec.dependsOn[3].provider)`,
				`error duplicate-key: "x" is not a y (spec.crossplane)`,
				`error metadata-invalid: "x" is not a y (kind)`,
			},
		},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, lines(FromError(tc.err))); diff != "" {
				t.Errorf("\n%s\n-want +got:\n%s", tc.reason, diff)
			}
		})
	}
	if d := FromError(syntax)[0]; d.Object.Kind != "Demo" || len(d.Related) != 1 || d.Related[0].Range.File != "a.yaml" {
		t.Errorf("the object or the related place is lost: %+v", d)
	}
}
