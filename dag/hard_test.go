package dag_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// pigeons is a catalog in which some packages, the pigeons, each need one of
// some others to themselves: version h of a pigeon demands its own version of
// hole h.
func pigeons(n, holes int) (*memory, []meta.Dependency) {
	m := newMemory()
	var roots []meta.Dependency
	for p := range n {
		pigeon := fmt.Sprintf("acme.io/pigeon%d", p)
		roots = append(roots, dep(pigeon))
		for h := range holes {
			m.add(&meta.Release{Source: src(pigeon), Version: ver(fmt.Sprintf("v1.%d.0", h)),
				DependsOn: deps(fmt.Sprintf("acme.io/hole%d =v1.%d.0", h, p))})
		}
	}
	for h := range holes {
		for p := range n {
			m.add(&meta.Release{Source: src(fmt.Sprintf("acme.io/hole%d", h)), Version: ver(fmt.Sprintf("v1.%d.0", p))})
		}
	}
	return m, roots
}

func TestPigeons(t *testing.T) {
	m, roots := pigeons(6, 5)
	if _, err := resolve(roots, m, nil); !errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("six pigeons fit into five holes: %v", err)
	}
	m, roots = pigeons(6, 6)
	if plan, err := resolve(roots, m, nil); err != nil || len(plan.Packages) != 12 {
		t.Errorf("six pigeons do not fit into six holes: %v", err)
	}
}

// A chain of choices lies between a conflict and its cause: what has nothing to do
// with it must not be tried in vain.
func TestTrapBehindChoices(t *testing.T) {
	m := newMemory()
	roots := deps("acme.io/a; acme.io/z")
	add := func(source, version, dependencies string) {
		m.add(&meta.Release{Source: src(source), Version: ver(version), DependsOn: deps(dependencies)})
	}
	add("acme.io/a", "v1.0.0", "acme.io/x v1.0.0")
	add("acme.io/a", "v2.0.0", "acme.io/x v2.0.0")
	add("acme.io/x", "v1.0.0", "")
	add("acme.io/x", "v2.0.0", "")
	for i := range 30 {
		source := fmt.Sprintf("acme.io/m%02d", i)
		roots = append(roots, dep(source))
		for v := range 10 {
			add(source, fmt.Sprintf("v1.%d.0", v), "")
		}
	}
	for v := range 10 {
		add("acme.io/z", fmt.Sprintf("v1.%d.0", v), fmt.Sprintf("acme.io/y >=v1.%d.0", v))
		add("acme.io/y", fmt.Sprintf("v1.%d.0", v), "acme.io/x v1.0.0")
	}
	plan, err := resolve(roots, m, &dag.ResolveOptions{MaxSteps: 2000})
	if err != nil || len(plan.Packages) != 34 {
		t.Errorf("error %v", err)
	}
}

// randomCatalog is a catalog of many sources in layers, each of whose versions
// demands sources of the next layers: windows of the given width over their versions.
func randomCatalog(seed uint64, sources, versions, width int) (*memory, []meta.Dependency) {
	r := rand.New(rand.NewPCG(seed, 5))
	m := newMemory()
	name := func(i int) string { return fmt.Sprintf("acme.io/s%04d", i) }
	for i := range sources {
		for v := range versions {
			rel := &meta.Release{Source: src(name(i)), Version: ver(fmt.Sprintf("v1.%d.0", v))}
			for range 3 {
				if to := i + 1 + r.IntN(50); to < sources {
					from := r.IntN(versions - width + 1)
					rel.DependsOn = append(rel.DependsOn, dep(fmt.Sprintf("%s >=v1.%d.0, <=v1.%d.0", name(to), from, from+width)))
				}
			}
			m.add(rel)
		}
	}
	var roots []meta.Dependency
	for i := range 5 {
		roots = append(roots, dep(name(i)))
	}
	return m, roots
}

func TestRandomCatalogs(t *testing.T) {
	for _, width := range []int{5, 15} {
		for seed := range uint64(3) {
			m, roots := randomCatalog(seed, 60, 20, width)
			plan, err := resolve(roots, m, nil)
			if plan == nil {
				t.Fatalf("width %d, seed %d: %v", width, seed, err)
			}
			if err == nil {
				checkPlan(t, roots, plan)
			}
			t.Logf("width %d, seed %d: %d packages, %d roots blocked", width, seed, len(plan.Packages), len(plan.Blocked))
		}
	}
}
