package dag

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/xpkg-go/sdk/meta"
)

// narrowCatalog is a catalog of few packages whose versions demand two neighbouring
// versions of later ones, and roots, for which a search meets many conflicts.
func narrowCatalog(seed uint64) (Catalog, []meta.Dependency) {
	const sources, versions = 14, 6
	r := rand.New(rand.NewPCG(seed, 23))
	demand := func(after int) meta.Dependency {
		s, _ := meta.ParseSource(fmt.Sprintf("acme.io/s%02d", after+r.IntN(sources-after)))
		first := r.IntN(versions - 1)
		c, _ := meta.ParseConstraint(fmt.Sprintf(">=v1.%d.0, <=v1.%d.0", first, first+1+r.IntN(2)))
		return meta.Dependency{Package: s, Constraint: c}
	}
	var releases []*meta.Release
	for i := range sources {
		for v := range versions {
			s, _ := meta.ParseSource(fmt.Sprintf("acme.io/s%02d", i))
			rel := &meta.Release{Source: s, Version: meta.FromOCITag(fmt.Sprintf("v1.%d.0", v))}
			for range 1 + int(seed%3) {
				if i+1 < sources {
					rel.DependsOn = append(rel.DependsOn, demand(i+1))
				}
			}
			releases = append(releases, rel)
		}
	}
	var roots []meta.Dependency
	for i := range 3 {
		roots = append(roots, meta.Dependency{Package: releases[i*versions].Source})
	}
	return NewStaticCatalog(releases...), roots
}

// A search that forgets nearly everything and does not know what led to what gives the same
// choice as one that forgets nothing, and a proof that is one.
func TestForget(t *testing.T) {
	everything := bounds{first: 1 << 30, most: 1 << 30, terms: 1 << 30, links: 1 << 30}
	solved, refuted, forgot := 0, 0, 0
	for seed := range uint64(90) {
		c, roots := narrowCatalog(seed)
		run := func(b bounds) (*resolver, *search, outcome) {
			r := &resolver{u: newUniverse(context.Background(), c, &ResolveOptions{}, nil), limit: DefaultMaxSteps, bounds: b}
			r.takeRoots(roots)
			s := &search{u: r.u, roots: r.roots, bounds: b, spent: &r.spent, limit: r.limit}
			out, err := s.run()
			if err != nil {
				t.Fatal(err)
			}
			return r, s, out
		}
		_, whole, want := run(everything)
		r, s, got := run(bounds{first: 4, more: 1, most: 8, terms: 20, links: 10})
		if s.precise && s.met > 20 || !whole.precise {
			t.Fatalf("seed %d: %d conflicts, what led to what is kept: %t, %t", seed, s.met, s.precise, whole.precise)
		}
		if len(s.store.clauses) < s.met {
			forgot++
		}
		if !maps.Equal(got.chosen, want.chosen) || (got.proof == nil) != (want.proof == nil) {
			t.Fatalf("seed %d: got %v, want %v", seed, got, want)
		}
		if got.proof == nil {
			solved++
			continue
		}
		refuted++
		again := &search{u: r.u, roots: r.roots, bounds: everything, spent: &r.extra, limit: explainSteps, only: got.proof}
		if out, err := again.run(); err != nil || out.proof == nil {
			t.Fatalf("seed %d: the proof is none: %v", seed, err)
		}
	}
	if solved < 10 || refuted < 10 || forgot < 10 {
		t.Errorf("%d have a solution, %d none, %d searches forgot something: too few to show anything", solved, refuted, forgot)
	}
}
