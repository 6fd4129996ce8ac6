package linter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// Diagnostic is one finding: which rule, how bad, where, about what, and a
// message for people.
type Diagnostic struct {
	// Rule is the ID of the rule that reported it, or that names the fault when
	// the finding came from reading (FromError).
	Rule string
	// Severity of this finding; never zero in what Run and FromError return.
	Severity Severity
	// Range is the key or the value that is at fault, the nearest thing around
	// it when the fault is that something is missing, and zero when the
	// finding is about the package as a whole.
	Range parser.Range
	// Object is what the finding is about; zero for findings about the package.
	Object ObjectRef
	// Path is the field within the object, such as spec.dependsOn[0].version;
	// empty when the finding is about the object as a whole.
	Path string
	// Message says what was found and what was expected: lower case, no full
	// stop, without place, rule and path, which the other fields hold.
	Message string
	// Related are other places that belong to the finding, such as the first
	// of two equal objects, in the order in which they help the reader.
	Related []Related
	// Fixes are ways to mend it, the likeliest first; only one is to be applied.
	Fixes []Fix
}

// Related is a second place of a finding.
type Related struct {
	// Range is the place; zero when it is unknown.
	Range parser.Range
	// Message says what is there, in the form of Diagnostic.Message.
	Message string
}

// ObjectRef names an object in a package; fields that the document does not have
// are empty. It is parser's own type, so that reading faults and findings speak
// of objects alike.
type ObjectRef = parser.ObjectRef

// String returns the finding on one line, without its severity and related
// places:
//
//	crossplane.yaml:7:14: constraint-syntax: ">= v" is not a version range (spec.dependsOn[0].version)
//
// The place is left out when it is unknown and the path when there is none.
func (d Diagnostic) String() string {
	var b strings.Builder
	if place := d.Range.String(); place != "" {
		b.WriteString(place)
		b.WriteString(": ")
	}
	b.WriteString(d.Rule)
	b.WriteString(": ")
	b.WriteString(d.Message)
	if d.Path != "" {
		b.WriteString(" (")
		b.WriteString(d.Path)
		b.WriteString(")")
	}
	return b.String()
}

// Sort puts findings in the order in which Run returns them: by file, offset
// and rule, then by everything else that tells two of them apart, so that the
// same findings are always in the same order; those without a place come last.
// Findings from several sources (FromError, Run) are sorted together this way.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, compare)
}

func compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(placeless(a), placeless(b)),
		cmp.Compare(a.Range.File, b.Range.File),
		cmp.Compare(a.Range.Start.Offset, b.Range.Start.Offset),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Path, b.Path),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Range.End.Offset, b.Range.End.Offset),
		cmp.Compare(b.Severity, a.Severity),
	)
}

// placeless returns 1 for a finding that has no place and 0 for all others.
func placeless(d Diagnostic) int {
	if d.Range.String() == "" {
		return 1
	}
	return 0
}

// MaxSeverity returns the highest severity among the findings, and zero when
// there are none.
func MaxSeverity(ds []Diagnostic) Severity {
	var highest Severity
	for _, d := range ds {
		highest = max(highest, d.Severity)
	}
	return highest
}
