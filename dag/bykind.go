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
// See the packages v2 design, "Package Resolution by CRD".
func ByKind(c Catalog, x *KindIndex, preferred ...meta.Source) Catalog {
	return &kindCatalog{Catalog: known(c), index: x, preferred: preferred}
}

type kindCatalog struct {
	Catalog
	index     *KindIndex
	preferred []meta.Source
}

// Release is what the catalog below answers, with dependencies on kinds followed to the
// packages that bring them.
func (c *kindCatalog) Release(ctx context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	r, err := c.Catalog.Release(ctx, s, v)
	if err != nil || r == nil || !slices.ContainsFunc(r.DependsOn, onKind) {
		return r, err
	}
	followed := *r
	followed.DependsOn = make([]meta.Dependency, 0, len(r.DependsOn))
	var faults []error
	for i, d := range r.DependsOn {
		if len(r.Provides.Find(d.CRD)) > 0 {
			continue
		}
		d, err := c.index.follow(d, i, r.Source, c.preferred)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		followed.DependsOn = append(followed.DependsOn, d)
	}
	if len(faults) > 0 {
		return nil, errors.Join(faults...)
	}
	return &followed, nil
}

func onKind(d meta.Dependency) bool { return d.Package.IsZero() && !d.CRD.IsZero() }

// Follow makes of a dependency on a kind one on the package that brings it, as [ByKind]
// does; another dependency is as it was. The error is a [*KindError].
func (x *KindIndex) Follow(d meta.Dependency, preferred ...meta.Source) (meta.Dependency, error) {
	return x.follow(d, d.Index, meta.Source{}, preferred)
}

// follow is Follow for the dependency i of a package, which does not serve itself.
func (x *KindIndex) follow(d meta.Dependency, i int, self meta.Source, preferred []meta.Source) (meta.Dependency, error) {
	if !onKind(d) {
		return d, nil
	}
	providers := slices.DeleteFunc(x.Find(d.CRD), func(p KindProvider) bool { return p.Source.Equal(self) })
	best := -1
	for _, s := range preferred {
		if best = slices.IndexFunc(providers, func(p KindProvider) bool { return p.Source.Equal(s) }); best >= 0 {
			break
		}
	}
	if best < 0 && len(providers) == 1 {
		best = 0
	}
	if best < 0 {
		return d, &KindError{Index: i, Kind: d.CRD, Providers: providers}
	}
	return meta.Dependency{Package: providers[best].Source, Constraint: providers[best].Constraint, Index: d.Index}, nil
}
