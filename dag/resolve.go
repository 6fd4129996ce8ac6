package dag

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// DefaultMaxSteps is how many steps [Resolve] takes at most unless it is told
// otherwise.
const DefaultMaxSteps = 1_000_000

// ResolveOptions change what [Resolve] does. Nil and zero fields mean the
// defaults.
type ResolveOptions struct {
	// Crossplane is the version of Crossplane to install into. A version of a
	// package whose constraint on Crossplane does not allow it is no candidate.
	// The default, the zero version, is that it is not known and nothing is refused.
	Crossplane meta.Version

	// MaxSteps limits the candidates that are tried and the conflicts that are met,
	// over the whole call; the default is [DefaultMaxSteps]. A search that needs
	// more ends with a *meta.LimitError. Explaining conflicts takes at most 100,000
	// further steps; what would take longer is explained at greater length.
	MaxSteps int64
}

// Resolve chooses one version of every package that the roots need, directly or
// not, such that every demand of the roots and of each chosen version is met and
// no packages depend on each other in a circle, and puts them in order.
//
// The search is complete: when there is such a choice, one is found, however far
// it must go back for it. It prefers the newest version that is allowed, of the
// roots first and of what is nearest to them next. Candidates are the full versions
// among a package's tags, and the digests that somebody pins; what a constraint
// allows, pre-releases too, is what Masterminds/semver says, as in Crossplane, and
// only where nobody constrains a package at all do its releases come before
// its pre-releases. A digest meets a range when a tag in that range names the
// same content. The kind that a dependency states is a hint; a package that
// turns out to be of another kind is in the plan's warnings. A dependency on a
// CRD is not followed, and the plan's warnings say so.
//
// Plan and error come back together, save that the plan is nil when the context
// ended or the limit of steps was reached. The plan holds what could be
// resolved; it and the error are the same for the same roots, in whatever order, and
// the same catalog. The error joins
//   - a [*DependencyError] for each root that names no package or has a constraint
//     that cannot be read,
//   - a [*NoSolutionError] that explains the roots which cannot be met; they are
//     left out, and the others are resolved without them,
//   - a [*CatalogError] for each question that the catalog could not answer; what
//     needs the answer is left out. An unreachable package never makes the
//     resolver choose an older version of something else,
//   - a [*CatalogError] for a context that ended (it matches the context's error),
//     or a *meta.LimitError.
func Resolve(ctx context.Context, roots []meta.Dependency, c Catalog, o *ResolveOptions) (*Plan, error) {
	if o == nil {
		o = &ResolveOptions{}
	}
	limit := o.MaxSteps
	if limit <= 0 {
		limit = DefaultMaxSteps
	}
	r := &resolver{u: newUniverse(ctx, c, o.Crossplane), limit: limit}
	faults := r.takeRoots(roots)
	chosen, none, err := r.settle()
	if err != nil {
		return nil, errors.Join(append(faults, err)...)
	}
	plan, unanswered := newPlan(r.u, r.roots, chosen)
	if none != nil {
		faults = append(faults, none)
		plan.Blocked = append(plan.Blocked, r.blocked...)
		slices.SortStableFunc(plan.Blocked, func(a, b Blocked) int {
			return cmp.Compare(a.Source.Identity(), b.Source.Identity())
		})
	}
	return &plan, errors.Join(append(faults, unanswered...)...)
}

// A resolver is one call of Resolve.
type resolver struct {
	u       *universe
	roots   []int32 // edges of the caller that are still to be met
	spent   int64
	limit   int64
	extra   int64     // steps spent on explanations
	blocked []Blocked // roots that were given up
}

// takeRoots makes edges of the roots, sorted, so that the order in which the
// caller states them does not matter.
func (r *resolver) takeRoots(roots []meta.Dependency) []error {
	var faults []error
	var sound []meta.Dependency
	for i, d := range roots {
		err := check(d)
		if err == nil && !onPackage(d) {
			err = errNoPackage
		}
		if err == nil {
			sound = append(sound, d)
			continue
		}
		faults = append(faults, &DependencyError{Index: i, Dependency: d, Err: err})
	}
	slices.SortStableFunc(sound, func(a, b meta.Dependency) int {
		return cmp.Or(
			cmp.Compare(a.Package.Identity(), b.Package.Identity()),
			cmp.Compare(constraintKey(a.Constraint), constraintKey(b.Constraint)),
			cmp.Compare(a.Package.String(), b.Package.String()),
			cmp.Compare(a.Kind, b.Kind),
		)
	})
	for _, d := range sound {
		r.roots = append(r.roots, r.u.addEdge(caller, 0, d))
	}
	return faults
}

// settle searches, and as long as the roots cannot be met together gives up
// those that have a part in the conflict, so that the others are resolved all
// the same. Each round explains one conflict.
func (r *resolver) settle() (map[int32]int32, *NoSolutionError, error) {
	var none *NoSolutionError
	for {
		out, err := r.search().run()
		if err != nil {
			return nil, none, err
		}
		if out.proof == nil {
			return out.chosen, none, nil
		}
		if none == nil {
			none = &NoSolutionError{}
		}
		proof, circles := r.reduce(out.proof)
		none.Conflicts = append(none.Conflicts, r.explain(proof, circles))
		kept := r.roots[:0:0]
		for _, e := range r.roots {
			if !proof[e] {
				kept = append(kept, e)
				continue
			}
			ed := &r.u.edges[e]
			r.blocked = append(r.blocked, Blocked{
				Source: ed.declared.Package,
				Reason: "the request for " + constraintText(ed.constraint) + " cannot be met",
			})
		}
		r.roots = kept
	}
}

// search is a search for the roots that are left.
func (r *resolver) search() *search {
	return &search{u: r.u, roots: r.roots, spent: &r.spent, limit: r.limit}
}
