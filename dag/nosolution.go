package dag

import (
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A NoSolutionError explains why some roots cannot be met. Its text is prose for a
// person who has to change something; the fields are the same as data. Both are
// the same for the same roots and catalog. It matches meta.ErrInvalid, and
// errors.As finds the [*CycleError] of a conflict that rests on one.
type NoSolutionError struct {
	// Conflicts are independent of each other: none shares a root with another.
	Conflicts []Conflict
}

// A Conflict is a set of requirements that cannot be met together.
type Conflict struct {
	// Packages are those that the requirements are about, the one where they
	// clash first, then back towards the roots.
	Packages []PackageConflict

	// Circles are the circles that choices would close, if the conflict rests on
	// some.
	Circles []*CycleError

	// Relax is a requirement that, relaxed to any version, lets the roots of this
	// conflict be resolved. It was tried. It is nil when no single one helps.
	Relax *Requirement

	// Drop is a root without which the other roots of this conflict can be
	// resolved, when there are others and Relax is nil. It was tried.
	Drop *Requirement
}

// A PackageConflict is what a conflict demands of one package, and why each
// version of that fails.
type PackageConflict struct {
	Source meta.Source

	// Err is the catalog's word that there is no such package; nil when there is.
	Err error

	// Requirements are the demands on the package. Their numbers are unique in
	// the conflict.
	Requirements []NumberedRequirement

	// Candidates are its versions, newest first.
	Candidates []Rejected

	// Ignored are its tags that are no full versions, sorted.
	Ignored []string
}

// A NumberedRequirement is a requirement with the number by which the reasons
// refer to it, from 1.
type NumberedRequirement struct {
	Number int

	// Core says that the requirement is one of those that cannot be met together.
	// Leaving one of these out would resolve the conflict, save where finding that
	// out took too long. The others are demands on the same package that would have
	// to be met as well.
	Core bool
	Requirement
}

// A Rejected is a version and why it does not help.
type Rejected struct {
	Version meta.Version

	// Fails are the requirements that do not allow it.
	Fails []Failure

	// Brings are the numbers of the requirements that it makes itself.
	Brings []int

	// Err is why it can never be used, whatever is required: nil, a
	// [*CrossplaneError], a [*DependencyError] or an error of the catalog.
	Err error
}

// A Failure is a requirement that does not allow a version, and why.
type Failure struct {
	Number  int
	Verdict meta.Verdict
}

// A CrossplaneError says that a version of a package is not for the Crossplane
// that was given in [ResolveOptions]. It matches meta.ErrInvalid.
type CrossplaneError struct {
	Source  meta.Source
	Version meta.Version

	// Constraint is what the package demands, Crossplane what there is.
	Constraint meta.Constraint
	Crossplane meta.Version
}

// Error implements error.
func (e *CrossplaneError) Error() string {
	return fmt.Sprintf("%s needs Crossplane %s, not %s", packageText(e.Source, e.Version), constraintText(e.Constraint), versionText(e.Crossplane))
}

// Is reports whether target is meta.ErrInvalid.
func (e *CrossplaneError) Is(target error) bool { return target == meta.ErrInvalid }

// Error is the whole explanation, several lines long, without a final newline.
func (e *NoSolutionError) Error() string {
	if len(e.Conflicts) == 0 {
		return "there is no solution"
	}
	var b strings.Builder
	for i := range e.Conflicts {
		if i > 0 {
			b.WriteString("\n\n")
		}
		e.Conflicts[i].write(&b)
	}
	return b.String()
}

// Unwrap are the circles.
func (e *NoSolutionError) Unwrap() []error {
	var errs []error
	for _, c := range e.Conflicts {
		for _, circle := range c.Circles {
			errs = append(errs, circle)
		}
	}
	return errs
}

// Is reports whether target is meta.ErrInvalid.
func (e *NoSolutionError) Is(target error) bool { return target == meta.ErrInvalid }

// String is the explanation of this conflict alone.
func (c Conflict) String() string {
	var b strings.Builder
	c.write(&b)
	return b.String()
}
