package dag

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A Closure is everything that some roots need: what a mirror copies, and what has to
// be there before a cluster without a network can install the roots.
type Closure struct {
	// Packages are one version of each package: those that [Resolve] planned,
	// dependencies first, and behind them those that it had to leave out, the nearest to
	// the roots first.
	Packages []Member
}

// A Member is a package of a closure.
type Member struct {
	Source  meta.Source
	Version meta.Version

	// Digest is the digest of its image, or of its index; "" if the catalog does not
	// tell.
	Digest string

	// Images are the container images that the package runs, such as that of its
	// controller, as they are written, sorted, each once. ImagesKnown says that the
	// catalog looks at them.
	Images      []string
	ImagesKnown bool

	// Release is what the catalog says about it.
	Release *meta.Release

	// Planned says that the package is part of a solution. Others were taken because a
	// root needs them, although not everything can be met.
	Planned bool
}

// An EdgeError says that a demand could not be followed, so that a closure lacks what
// it is about, or has it at a version that the demand does not allow. It matches what its
// cause matches.
type EdgeError struct {
	Requirement Requirement

	// Err says why: an error of the catalog, a [*ConstraintError], or that no
	// version is allowed, which matches meta.ErrNotFound.
	Err error
}

// Error names who demands what, and why it cannot be had.
func (e *EdgeError) Error() string {
	r := e.Requirement
	return fmt.Sprintf("%s (%s), required by %s: %s", sourceText(r.Source), constraintText(r.Constraint), r.Origin(), causeText(e.Err))
}

// Unwrap is the cause.
func (e *EdgeError) Unwrap() error { return e.Err }

// Images are the container images of all packages, sorted, each once. They do not
// include the packages themselves.
func (c *Closure) Images() []string {
	var all []string
	for _, m := range c.Packages {
		all = append(all, m.Images...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// ClosureOf collects everything that the roots need, of every kind and in whichever
// spelling. What [Resolve] can plan is taken as it plans it, one version of each package.
// What it must leave out is followed all the same: the newest version that the first
// demand for a package allows, releases before pre-releases. A demand that cannot be
// followed or met does not stop the others, and a circle is gone round once.
//
// Closure and error come back together, save that the closure is nil where Resolve's plan
// is, and where the context ended. The error joins what Resolve returned and an [*EdgeError] for each demand that the
// closure does not meet. The catalog has to look into packages for their images, such as
// xpkg.Details does.
func ClosureOf(ctx context.Context, roots []meta.Dependency, c Catalog, o *ResolveOptions) (*Closure, error) {
	plan, err := Resolve(ctx, roots, c, o)
	if plan == nil {
		return nil, err
	}
	w := &walk{ctx: ctx, catalog: known(c), closure: &Closure{}, place: make(map[string]int)}
	if o != nil {
		w.options = *o
		w.given = givenBy(o.Installed, o.SkipDependencies)
	}
	for _, p := range plan.Packages {
		w.take(p.Source, p.Version, p.Release, true, true)
	}
	if err != nil {
		w.roots(roots)
		err = errors.Join(append([]error{err}, w.faults...)...)
		if ended := ctx.Err(); ended != nil {
			return nil, fmt.Errorf("%w: %w", meta.ErrCanceled, ended)
		}
	}
	return w.closure, err
}

// A walk follows the demands that have no solution, breadth first.
type walk struct {
	ctx     context.Context
	catalog Catalog
	options ResolveOptions
	given   map[string]bool // packages whose demands are not followed, by identity
	closure *Closure
	place   map[string]int // of packages, by identity; below zero for those that failed
	queue   []int          // packages whose demands are to be followed
	faults  []error
}

// take makes a package a member.
func (w *walk) take(s meta.Source, v meta.Version, r *meta.Release, planned, known bool) {
	m := Member{Source: s, Version: v, Release: r, Planned: planned}
	if r != nil {
		m.Digest = cmp.Or(r.Digest, v.Digest())
		if r.Provides != nil {
			m.ImagesKnown = true
			for _, i := range r.Provides.Images {
				m.Images = append(m.Images, i.Image)
			}
			slices.Sort(m.Images)
			m.Images = slices.Compact(m.Images)
		}
	}
	w.place[s.Identity()] = len(w.closure.Packages)
	if !known {
		w.queue = append(w.queue, len(w.closure.Packages))
	}
	w.closure.Packages = append(w.closure.Packages, m)
}

func (w *walk) roots(roots []meta.Dependency) {
	for _, d := range roots {
		if onPackage(d) && d.Constraint.Err() == nil { // others are in Resolve's error
			w.follow(Requirement{Source: d.Package, Constraint: d.Constraint, Rooted: true})
		}
	}
	for len(w.queue) > 0 && w.ctx.Err() == nil {
		m := w.closure.Packages[w.queue[0]]
		w.queue = w.queue[1:]
		if w.given[m.Source.Identity()] {
			continue
		}
		for _, d := range m.Release.DependsOn {
			if !onPackage(d) && check(d) == nil {
				continue
			}
			w.follow(Requirement{
				Source: d.Package, Constraint: d.Constraint,
				Path: []Step{{Source: m.Source, Versions: []meta.Version{m.Version}}},
			})
		}
	}
}

// follow sees to one demand.
func (w *walk) follow(r Requirement) {
	at, met := w.place[r.Source.Identity()]
	switch {
	case !onPackage(meta.Dependency{Package: r.Source}):
		w.fail(r, errNoPackage)
	case met && at < 0:
		w.fail(r, errSourceFailed)
	case met:
		m := w.closure.Packages[at]
		if v := r.Constraint.Explain(m.Version); !v.Allowed {
			w.fail(r, &ConstraintError{Installed: Node{Source: m.Source, Version: m.Version}, Requirement: r, Verdict: v})
		}
	default:
		v, release, err := w.choose(r)
		if err != nil {
			w.place[r.Source.Identity()] = -1
			w.fail(r, err)
			return
		}
		w.take(r.Source, v, release, false, false)
	}
}

// errSourceFailed stands for the fault that was told where the package was met first.
var errSourceFailed = errors.New("no version of it could be had, as told before")

func (w *walk) fail(r Requirement, err error) {
	w.faults = append(w.faults, &EdgeError{Requirement: r, Err: err})
}

// choose is the newest version that a demand allows and that can be had.
func (w *walk) choose(r Requirement) (meta.Version, *meta.Release, error) {
	c := w.catalog
	if own := w.options.RootCatalog; own != nil && len(r.Path) == 0 {
		if rooted := own(r.Source); rooted != nil {
			c = rooted
		}
	}
	v, exact := r.Constraint.Exact()
	versions := []meta.Version{v}
	if !exact || v.IsFull() && v.Digest() == "" {
		tags, err := c.Tags(w.ctx, r.Source)
		if err != nil {
			return v, nil, err
		}
		all := make([]meta.Version, len(tags))
		for i, tag := range tags {
			all[i] = meta.FromOCITag(tag)
		}
		versions = meta.Candidates(r.Constraint, all)
		if r.Constraint.IsZero() {
			later := func(v meta.Version) bool { return v.Class() == meta.ClassPrerelease }
			versions = slices.Concat(slices.DeleteFunc(slices.Clone(versions), later),
				slices.DeleteFunc(versions, func(v meta.Version) bool { return !later(v) }))
		}
	}
	var first error = absentError("a version that " + constraintText(r.Constraint) + " allows")
	for i, v := range versions {
		release, err := askRelease(w.ctx, c, r.Source, v)
		if err == nil || !certain(err) {
			return v, release, err
		}
		if i == 0 {
			first = err
		}
	}
	return v, nil, first
}
