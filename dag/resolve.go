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

	// Installed is what is there, such as the packages of a lock, each once. As few
	// of these packages are changed as possible. The roots are all that is wanted: an
	// installed package that nothing needs is to be removed, save where a root
	// cannot be met or read, for then nobody knows what it needs. Faults in it are reported as [NewGraph] does. A version that is
	// installed is a candidate even if the catalog does not have it.
	//
	// A package that is installed by a digest, or by a tag that is no version, cannot
	// be compared with a range. It stays as it is unless it is a root itself.
	Installed []Node

	// ResourceVersion is the metadata.resourceVersion of the lock that Installed was
	// read from. The plan carries it, so that [Plan.Check] can tell when the lock has
	// changed since.
	ResourceVersion string

	// Upgrade prefers the newest versions to the installed ones, also where
	// nothing demands a change.
	Upgrade bool

	// NoUpgrades and NoDowngrades rule out that an installed package is replaced by
	// a newer, or by an older version. A digest counts as the newest tag of the catalog
	// with the same content. With either of them nothing is
	// replaced of which the order cannot be told.
	NoUpgrades, NoDowngrades bool

	// Stepwise plans an upgrade of an installed package over the newest release of
	// each minor version between, see [Planned].Via.
	Stepwise bool

	// NoPrereleases keeps pre-releases out, also where a constraint allows them,
	// save the one that is installed and digests that somebody pins.
	NoPrereleases bool

	// SkipDependencies are packages to take as given, as spec.skipDependencyResolution
	// has it: what they depend on is neither followed nor demanded, and the plan's
	// warnings say so. Those that nodes of Installed name ([Node].SkipDependencies) are
	// taken as given too.
	SkipDependencies []meta.Source

	// RootCatalog, if it is not nil, gives the catalog to ask about a root, in place of the
	// one given to Resolve; nil for none of its own. Credentials that belong to a root go
	// in there, so that they never serve for a dependency. A package that is a root and
	// a dependency is asked about as a root. It is called from several goroutines.
	RootCatalog func(root meta.Source) Catalog

	// MaxSteps limits the candidates that are tried and the conflicts that are met, over the
	// whole call; the default is [DefaultMaxSteps]. A search that needs more ends with a
	// *meta.LimitError. What is learnt from conflicts is kept within bounds of memory, however
	// many steps there are: of at most 20,000 of them, with a million terms. Explaining conflicts takes at most 100,000
	// further steps; what would take longer is explained at greater length.
	MaxSteps int64
}

// Resolve chooses one version of every package that the roots need, directly or
// not, such that every demand of the roots and of each chosen version is met and
// no packages depend on each other in a circle, and puts them in order.
//
// The search is complete: when there is such a choice, one is found, however far
// it must go back for it. It is the best one in this order: the fewest installed
// packages changed (another version of them is needed; one that nobody needs any more
// does not count); then the newest versions of the roots; then of the others, the
// nearest to the roots first. Packages that are equally near are compared in the
// order of their identities, and the first that differs decides.
//
// Candidates are the full versions among a package's tags, and the digests that
// somebody pins; what a constraint allows, pre-releases too, is what
// Masterminds/semver says, as in Crossplane, and only where neither a root nor a
// package nearer to the roots constrains a package at all do its releases come before
// its pre-releases. Digests come behind versions. A digest meets a range when a tag
// in that range names the same content. The kind that a dependency states is a hint; a package that
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
//   - an error that matches meta.ErrCanceled and the context's error when the context
//     ended, or a *meta.LimitError. A question that the catalog goes on with after
//     the context ended is left to itself, so that it does not hold the caller.
func Resolve(ctx context.Context, roots []meta.Dependency, c Catalog, o *ResolveOptions) (*Plan, error) {
	if o == nil {
		o = &ResolveOptions{}
	}
	limit := o.MaxSteps
	if limit <= 0 {
		limit = DefaultMaxSteps
	}
	there, err := newGraph(o.Installed, o.SkipDependencies)
	r := &resolver{u: newUniverse(ctx, known(c), o, there.Nodes()), there: there, limit: limit, bounds: keptBounds()}
	r.u.skipped = there.given
	faults := r.takeRoots(roots)
	whole := len(faults) == 0
	if err != nil {
		faults = append(faults, err)
	}
	chosen, none, err := r.settle()
	if err != nil {
		return nil, errors.Join(append(faults, err)...)
	}
	if err := r.u.followTags(chosen); err != nil {
		return nil, errors.Join(append(faults, err)...)
	}
	plan, unanswered := newPlan(r.u, r.roots, chosen)
	plan.ResourceVersion = o.ResourceVersion
	if none != nil {
		faults = append(faults, none)
		plan.block(r.blocked)
	}
	if whole && len(plan.Blocked)+len(unanswered) == 0 {
		plan.remove(r.there, r.u.skipped)
	}
	return &plan, errors.Join(append(faults, unanswered...)...)
}

// A resolver is one call of Resolve.
type resolver struct {
	u       *universe
	there   *Graph  // of what is installed
	roots   []int32 // edges of the caller that are still to be met
	spent   int64
	limit   int64
	bounds  bounds    // of what a search learns
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
			cmp.Compare(a.Kind, b.Kind),
			cmp.Compare(a.Package.String(), b.Package.String()),
		)
	})
	sound = slices.CompactFunc(sound, func(a, b meta.Dependency) bool {
		return a.Package.Equal(b.Package) && constraintKey(a.Constraint) == constraintKey(b.Constraint) && a.Kind == b.Kind
	})
	for _, d := range sound {
		e := r.u.addEdge(caller, 0, d)
		r.u.pkgs[r.u.edges[e].to].root = true
		r.roots = append(r.roots, e)
	}
	return faults
}

// settle searches, and as long as the roots cannot be met together gives up
// those that have a part in the conflict, so that the others are resolved all
// the same. Each round explains one conflict. An installed package whose request is
// given up is to stay as it is, if that can be.
func (r *resolver) settle() (map[int32]int32, *NoSolutionError, error) {
	var none *NoSolutionError
	for {
		out, err := r.optimum()
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
		if r.leave(proof) {
			continue
		}
		none.Conflicts = append(none.Conflicts, r.explain(proof, circles))
		if err := ended(r.u.ctx); err != nil {
			return nil, none, err // the explanation is not whole
		}
		var kept, stay []int32
		for _, e := range r.roots {
			ed := &r.u.edges[e]
			if !proof[e] {
				kept = append(kept, e)
				continue
			}
			r.block(e, "the request for "+constraintText(ed.constraint)+" cannot be met")
			stay = append(stay, ed.to)
		}
		r.roots = append(kept, r.stay(stay)...)
	}
}

// block notes that a root is given up.
func (r *resolver) block(e int32, reason string) {
	r.blocked = append(r.blocked, Blocked{Source: r.u.edges[e].declared.Package, Reason: reason})
}

// leave gives up the wish that packages stay as they are installed whose requests
// were given up before, where that has a part in a proof, and reports whether it does.
// That conflict is nobody's request: it is told with the request, and what is asked
// for beside it is not given up for it.
func (r *resolver) leave(proof map[int32]bool) bool {
	var beside []string
	for _, e := range r.roots {
		if proof[e] && !r.u.edges[e].fallback {
			beside = append(beside, sourceText(r.u.edges[e].declared.Package))
		}
	}
	why := ": what it needs cannot be had"
	if len(beside) > 0 {
		why = " beside " + joinAnd(slices.Compact(beside))
	}
	var kept []int32
	for _, e := range r.roots {
		if ed := &r.u.edges[e]; proof[e] && ed.fallback {
			r.block(e, "it cannot stay at "+constraintText(ed.constraint)+why)
		} else {
			kept = append(kept, e)
		}
	}
	left := len(kept) < len(r.roots)
	r.roots = kept
	return left
}

// stay are edges that demand the installed versions of packages.
func (r *resolver) stay(is []int32) []int32 {
	var edges []int32
	slices.Sort(is)
	for _, i := range slices.Compact(is) {
		p := r.u.pkgs[i]
		n := r.u.installed[p.key]
		if n == nil {
			continue
		}
		c, err := meta.ExactConstraint(n.Version.String())
		if err != nil || n.Version.IsZero() {
			continue
		}
		e := r.u.addEdge(caller, 0, meta.Dependency{Package: p.source, Constraint: c})
		r.u.edges[e].fallback = true
		edges = append(edges, e)
	}
	return edges
}

// optimum is the best choice for the roots that are left, or the proof that there is
// none.
func (r *resolver) optimum() (outcome, error) {
	if r.u.options.Upgrade || len(r.u.installed) == 0 {
		return r.search(nil)
	}
	b := &budget{core: make(map[int32]int), hold: true}
	for {
		out, err := r.search(b)
		if err != nil || out.proof == nil && b.cores == 0 {
			return out, err
		}
		if out.proof == nil {
			break
		}
		if !b.addCore(r.u, out.proof) {
			return out, nil // what is installed has no part in it
		}
	}
	for b.hold = false; ; b.spare++ {
		if out, err := r.search(b); err != nil || out.proof == nil || b.spare > len(r.u.installed) {
			return out, err
		}
	}
}

// search looks for a choice for the roots that are left.
func (r *resolver) search(b *budget) (outcome, error) {
	s := &search{u: r.u, bounds: r.bounds, roots: r.roots, budget: b, spent: &r.spent, limit: r.limit}
	return s.run()
}
