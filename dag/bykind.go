package dag

import (
	"context"
	"errors"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// ByKind is a [Catalog] in which dependencies on kinds are dependencies on the
// packages that bring them, so that [Resolve] follows them. Where several packages
// bring a kind, the one among preferred is taken, such as a root or a package that
// is installed; the first in that order, if there are more. A kind that the
// package brings itself is no dependency.
//
// A release with a kind of which no package is known to bring it, or several of which
// none is preferred, is one that cannot be used: the error of its Release joins a
// [*KindError] for each, which an explanation shows. Everything else is as in c.
func ByKind(c Catalog, x *KindIndex, preferred ...meta.Source) Catalog {
	rank := make(map[string]int, len(preferred))
	for i, s := range slices.Backward(preferred) {
		rank[s.Identity()] = i
	}
	return &kindCatalog{Catalog: c, index: x, rank: rank}
}

type kindCatalog struct {
	Catalog
	index *KindIndex
	rank  map[string]int // of what is preferred, the lowest first
}

func (c *kindCatalog) Release(ctx context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	r, err := c.Catalog.Release(ctx, s, v)
	if err != nil || !slices.ContainsFunc(r.DependsOn, onKind) {
		return r, err
	}
	followed := *r
	followed.DependsOn = make([]meta.Dependency, 0, len(r.DependsOn))
	var faults []error
	for i, d := range r.DependsOn {
		if onKind(d) {
			own, err := c.follow(r, i, &d)
			if err != nil {
				faults = append(faults, err)
			}
			if own || err != nil {
				continue
			}
		}
		followed.DependsOn = append(followed.DependsOn, d)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return &followed, nil
}

func onKind(d meta.Dependency) bool { return d.Package.IsZero() && !d.CRD.IsZero() }

// follow makes the dependency i of a release, on a kind, one on a package. It reports
// true if the package brings the kind itself.
func (c *kindCatalog) follow(r *meta.Release, i int, d *meta.Dependency) (own bool, err error) {
	itself := func(p KindProvider) bool { return p.Source.Equal(r.Source) }
	providers := slices.DeleteFunc(c.index.Find(d.CRD), itself)
	if len(r.Provides.Find(d.CRD)) > 0 {
		return true, nil
	}
	best := -1
	for k, p := range providers {
		at, ok := c.rank[p.Source.Identity()]
		if ok && (best < 0 || at < c.rank[providers[best].Source.Identity()]) {
			best = k
		}
	}
	if best < 0 && len(providers) == 1 {
		best = 0
	}
	if best < 0 {
		return false, &KindError{Index: i, Kind: d.CRD, Providers: providers}
	}
	*d = meta.Dependency{Package: providers[best].Source, Constraint: providers[best].Constraint, Index: d.Index}
	return false, nil
}
