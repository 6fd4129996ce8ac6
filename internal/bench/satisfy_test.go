package bench

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/crillab/gophersat/solver"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// layers is a catalog whose packages demand only later ones, so that there is no
// circle, which a SAT solver knows nothing of.
type layers struct {
	sources  []meta.Source
	versions []meta.Version
	demands  map[[2]int][]window
	roots    []window
}

// A window allows the versions from..to of a package.
type window struct{ to, first, last int }

func newLayers(seed uint64, sources, versions int) *layers {
	r := rand.New(rand.NewPCG(seed, 17))
	l := &layers{demands: make(map[[2]int][]window)}
	for i := range sources {
		s, err := meta.ParseSource(fmt.Sprintf("acme.io/s%02d", i))
		if err != nil {
			panic(err)
		}
		l.sources = append(l.sources, s)
	}
	for v := range versions {
		l.versions = append(l.versions, meta.FromOCITag(fmt.Sprintf("v1.%d.0", v)))
	}
	some := func(after int) window {
		first := r.IntN(versions)
		return window{after + r.IntN(sources-after), first, min(first+r.IntN(2), versions-1)}
	}
	for i := range sources - 1 {
		for v := range versions {
			for range int(seed%2) + r.IntN(4-int(seed%2)) {
				l.demands[[2]int{i, v}] = append(l.demands[[2]int{i, v}], some(i+1))
			}
		}
	}
	for i := range 4 {
		l.roots = append(l.roots, window{i, 0, versions - 1})
	}
	return l
}

func (l *layers) dependency(w window) meta.Dependency {
	c, err := meta.ParseConstraint(fmt.Sprintf(">=v1.%d.0, <=v1.%d.0", w.first, w.last))
	if err != nil {
		panic(err)
	}
	return meta.Dependency{Package: l.sources[w.to], Constraint: c}
}

func (l *layers) index(s meta.Source) int {
	var i int
	_, _ = fmt.Sscanf(s.String(), "acme.io/s%d", &i)
	return i
}

func (l *layers) Tags(context.Context, meta.Source) ([]string, error) {
	var tags []string
	for _, v := range l.versions {
		tags = append(tags, v.Tag())
	}
	return tags, nil
}

func (l *layers) Release(_ context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	rel := &meta.Release{Source: s, Version: v}
	for n := range l.versions {
		if l.versions[n] == v {
			for _, w := range l.demands[[2]int{l.index(s), n}] {
				rel.DependsOn = append(rel.DependsOn, l.dependency(w))
			}
		}
	}
	return rel, nil
}

// satisfiable is the answer of a SAT solver: a variable for each version, of each
// package one at most, and for each demand one of the versions that it allows.
func (l *layers) satisfiable() bool {
	variable := func(i, v int) int { return i*len(l.versions) + v + 1 }
	met := func(w window) []int {
		var clause []int
		for v := w.first; v <= w.last; v++ {
			clause = append(clause, variable(w.to, v))
		}
		return clause
	}
	var clauses [][]int
	for i := range l.sources {
		for v := range l.versions {
			for other := range v {
				clauses = append(clauses, []int{-variable(i, v), -variable(i, other)})
			}
			for _, w := range l.demands[[2]int{i, v}] {
				clauses = append(clauses, append(met(w), -variable(i, v)))
			}
		}
	}
	for _, w := range l.roots {
		clauses = append(clauses, met(w))
	}
	return solver.New(solver.ParseSlice(clauses)).Solve() == solver.Sat
}

// The resolver finds a solution of middle-sized catalogs exactly where a SAT solver
// does.
func TestResolveAgainstSAT(t *testing.T) {
	count := map[bool]int{}
	for seed := range uint64(200) {
		l := newLayers(seed, 15+int(seed%15), 6)
		var roots []meta.Dependency
		for _, w := range l.roots {
			roots = append(roots, l.dependency(w))
		}
		want := l.satisfiable()
		count[want]++
		_, err := dag.Resolve(t.Context(), roots, l, nil)
		if want != (err == nil) || err != nil && !errors.As(err, new(*dag.NoSolutionError)) {
			t.Fatalf("seed %d: the SAT solver says %v, the resolver %v", seed, want, err)
		}
	}
	if count[true] < 30 || count[false] < 30 {
		t.Errorf("%v: too few of one sort to show anything", count)
	}
}
