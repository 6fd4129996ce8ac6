package dag_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// The sorts of generated catalogs: ranges that allow most versions; narrow ones that
// move with the versions, with a solution hidden among them for which the search must go
// back a hundred times and more; and ranges of a fifth with two demands hidden deep in the
// catalog that cannot be met together, whichever version of anything is chosen.
//
// The width of the tight ranges, in hundredths of the versions, is where it begins to be
// hard: at 5 the search meets thousands of conflicts, at 20 a few dozen.
const (
	loose         = "loose"
	tight         = "tight"
	unsatisfiable = "unsatisfiable"

	tightWidth         = 7
	unsatisfiableWidth = 20
)

// generated is a catalog of many sources, each of whose versions demands three of the
// fifty sources behind it, and ten roots. The same seed gives the same catalog.
func generated(seed uint64, sources, versions int, sort string) (*memory, []meta.Dependency) {
	r := rand.New(rand.NewPCG(seed, 5))
	m := newMemory()
	packages := make([]meta.Source, sources)
	for i := range packages {
		packages[i] = src(fmt.Sprintf("acme.io/s%04d", i))
	}
	solution := make([]int, sources)
	for i := range solution {
		solution[i] = versions*5/10 + r.IntN(versions*5/100)
	}
	ranges := make(map[[2]int]meta.Constraint)
	within := func(from, to int) meta.Constraint {
		key := [2]int{max(from, 0), min(to, versions-1)}
		c, ok := ranges[key]
		if !ok {
			c = con(fmt.Sprintf(">=v1.%d.0, <=v1.%d.0", key[0], key[1]))
			ranges[key] = c
		}
		return c
	}
	for i := range sources {
		for v := range versions {
			rel := &meta.Release{Source: packages[i], Version: ver(fmt.Sprintf("v1.%d.0", v))}
			for range 3 {
				to := i + 1 + r.IntN(50)
				if to >= sources {
					continue
				}
				from, width := r.IntN(v+1), versions
				if sort != loose {
					from, width = v-versions*2/100+r.IntN(versions*4/100+1), versions*tightWidth/100
				}
				if sort == unsatisfiable {
					width = versions * unsatisfiableWidth / 100
				}
				if sort != loose && v == solution[i] {
					from = solution[to] - r.IntN(width)
				}
				from = min(max(from, 0), versions-1)
				rel.DependsOn = append(rel.DependsOn, meta.Dependency{Package: packages[to], Constraint: within(from, from+width)})
			}
			if sort == unsatisfiable {
				rel.DependsOn = append(rel.DependsOn, hidden(i, sources, versions, packages, within)...)
			}
			m.add(rel)
		}
	}
	var roots []meta.Dependency
	for i := range 10 {
		roots = append(roots, meta.Dependency{Package: packages[i], Constraint: within(0, versions*6/10)})
	}
	return m, roots
}

// hidden is what makes a catalog unsatisfiable: the first two roots need two sources in
// the middle, whichever versions of them, and these disagree about the last source.
func hidden(i, sources, versions int, packages []meta.Source, within func(from, to int) meta.Constraint) []meta.Dependency {
	middle := sources / 3
	switch i {
	case 0, 1:
		return []meta.Dependency{{Package: packages[middle+i]}}
	case middle:
		return []meta.Dependency{{Package: packages[sources-1], Constraint: within(0, versions/2)}}
	case middle + 1:
		return []meta.Dependency{{Package: packages[sources-1], Constraint: within(versions/2+1, versions)}}
	}
	return nil
}

// BenchmarkGenerated resolves ten catalogs of each sort, of a thousand sources with a
// hundred versions each, one after the other. B/op is that of all ten; max-ms is the longest
// of them.
func BenchmarkGenerated(b *testing.B) {
	for _, sort := range []string{loose, tight, unsatisfiable} {
		b.Run(sort, func(b *testing.B) {
			b.ReportAllocs()
			var longest time.Duration
			for range b.N {
				for seed := range uint64(10) {
					b.StopTimer()
					m, roots := generated(seed, 1000, 100, sort)
					runtime.GC()
					b.StartTimer()
					start := time.Now()
					_, err := resolve(roots, m, nil)
					took := time.Since(start)
					longest = max(longest, took)
					b.Logf("seed %d: %v", seed, took)
					if (sort == unsatisfiable) != errors.As(err, new(*dag.NoSolutionError)) {
						b.Fatalf("seed %d: %v", seed, err)
					}
				}
			}
			b.ReportMetric(float64(longest.Milliseconds()), "max-ms")
		})
	}
}

// Generated catalogs of each sort, smaller than those of the benchmark.
func TestGenerated(t *testing.T) {
	for _, sort := range []string{loose, tight, unsatisfiable} {
		for seed := range uint64(3) {
			m, roots := generated(seed, 120, 40, sort)
			plan, err := resolve(roots, m, nil)
			if (sort == unsatisfiable) != errors.As(err, new(*dag.NoSolutionError)) {
				t.Fatalf("%s, seed %d: %v", sort, seed, err)
			}
			if err == nil {
				checkPlan(t, roots, plan)
			}
		}
	}
}
