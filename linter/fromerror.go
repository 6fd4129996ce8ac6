package linter

import (
	"errors"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// The rules of findings that come from reading a metadata object and say more
// than parser.RuleMetadataInvalid does.
const (
	// RuleDependencySource: what a dependency names is no image repository, or
	// has a tag or digest, which belongs in its version.
	RuleDependencySource = "dependency-source"
	// RuleDependencyIncomplete: a dependency does not say what it is on, or says
	// it in several ways.
	RuleDependencyIncomplete = "dependency-incomplete"
)

// FromError turns the faults that reading reports into findings of severity
// error, in the order of Sort, so that they print and serialise like those of
// Run: every *parser.Error (so each of a parser.ErrorList) and every
// *meta.FieldError (each of a meta.FieldErrors), wherever in a tree of wrapped
// and joined errors. It returns nothing for other errors, which say that the
// work could not be done rather than what is wrong with a package.
//
// The rule of such a finding is that of the parser.Error (constraint-syntax,
// yaml-syntax …), or RuleDependencySource or RuleDependencyIncomplete where the
// fault is one of these. A *meta.FieldError alone has no range.
func FromError(err error) []Diagnostic { return fromError(err, nil) }

// fromError is FromError with fixes, where a package says what the faults are about.
func fromError(err error, p *parser.Package) []Diagnostic {
	var found []Diagnostic
	collect(err, newMender(p), &found)
	Sort(found)
	return found
}

func collect(err error, m *mender, found *[]Diagnostic) {
	switch e := err.(type) {
	case nil:
	case *parser.Error:
		d := ofParser(e)
		d.Fixes = m.fixes(e)
		*found = append(*found, d)
	case *meta.FieldError:
		*found = append(*found, Diagnostic{Rule: ruleOf(e), Severity: Error, Path: e.Path.String(), Message: e.Message()})
	case interface{ Unwrap() []error }:
		for _, inner := range e.Unwrap() {
			collect(inner, m, found)
		}
	case interface{ Unwrap() error }:
		collect(e.Unwrap(), m, found)
	}
}

func ofParser(e *parser.Error) Diagnostic {
	d := Diagnostic{
		Rule: e.Rule, Severity: Error, Range: e.Range, Object: e.Object, Path: e.Path.String(), Message: e.Message,
	}
	var field *meta.FieldError
	if e.Rule == parser.RuleMetadataInvalid && errors.As(e.Err, &field) {
		d.Rule = ruleOf(field)
	}
	for _, r := range e.Related {
		d.Related = append(d.Related, Related{Range: r, Message: "the first is here"})
	}
	return d
}

// ruleOf names the fault of a field.
func ruleOf(e *meta.FieldError) string {
	inDependency := len(e.Path) > 2 && e.Path[0] == "spec" && e.Path[1] == "dependsOn"
	switch {
	case e.Fault == meta.FaultConstraint:
		return parser.RuleConstraint
	case e.Fault == meta.FaultDuplicate:
		return parser.RuleDuplicateKey
	case e.Fault == meta.FaultSource, e.Fault == meta.FaultTagged:
		return RuleDependencySource
	case inDependency && (e.Fault == meta.FaultRequired || e.Fault == meta.FaultExclusive || e.Fault == meta.FaultCRD):
		return RuleDependencyIncomplete
	default:
		return parser.RuleMetadataInvalid
	}
}
