package dag_test

import (
	"context"
	"errors"
	"runtime"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/fixture/catalogs"
	"github.com/xpkg-go/sdk/meta"
)

// The sorts of generated catalogs, and how many steps one of a thousand sources with a
// hundred versions each may take at most. Steps do not depend on the machine.
var sorts = map[catalogs.Sort]int64{
	catalogs.Loose:         20_000,
	catalogs.Tight:         100_000,
	catalogs.Unsatisfiable: 300_000,
}

// generated is a generated catalog and its roots.
func generated(seed uint64, sources, versions int, sort catalogs.Sort) (*dag.StaticCatalog, []meta.Dependency) {
	releases, roots := catalogs.Generate(seed, sources, versions, sort)
	return dag.NewStaticCatalog(releases...), roots
}

// BenchmarkGenerated resolves ten catalogs of each sort, of a thousand sources with a
// hundred versions each, one after the other. B/op is that of all ten; max-ms is the longest
// of them.
func BenchmarkGenerated(b *testing.B) {
	for _, sort := range []catalogs.Sort{catalogs.Loose, catalogs.Tight, catalogs.Unsatisfiable} {
		b.Run(string(sort), func(b *testing.B) {
			b.ReportAllocs()
			var longest time.Duration
			for range b.N {
				for seed := range uint64(10) {
					b.StopTimer()
					c, roots := generated(seed, 1000, 100, sort)
					runtime.GC()
					b.StartTimer()
					start := time.Now()
					_, err := resolve(roots, c, nil)
					took := time.Since(start)
					longest = max(longest, took)
					b.Logf("seed %d: %v", seed, took)
					if (sort == catalogs.Unsatisfiable) != errors.As(err, new(*dag.NoSolutionError)) {
						b.Fatalf("seed %d: %v", seed, err)
					}
				}
			}
			b.ReportMetric(float64(longest.Milliseconds()), "max-ms")
		})
	}
}

// The catalogs of the benchmark are decided, well within the default limit of steps.
func TestGenerated(t *testing.T) {
	sources, seeds := 1000, uint64(10)
	if testing.Short() {
		sources, seeds = 300, 2 // thirty of full size take half a minute
	}
	for sort, steps := range sorts {
		for seed := range seeds {
			c, roots := generated(seed, sources, 100, sort)
			plan, err := dag.Resolve(context.Background(), roots, c, &dag.ResolveOptions{MaxSteps: steps})
			if (sort == catalogs.Unsatisfiable) != errors.As(err, new(*dag.NoSolutionError)) {
				t.Fatalf("%s, seed %d: %v", sort, seed, err)
			}
			if plan == nil || len(plan.Packages) == 0 {
				t.Fatalf("%s, seed %d: nothing is planned", sort, seed)
			}
			if err == nil {
				checkPlan(t, roots, plan)
			}
		}
	}
}
