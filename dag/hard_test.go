package dag_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
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
	m, roots := pigeons(8, 7)
	if _, err := resolve(roots, m, nil); !errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("eight pigeons fit into seven holes: %v", err)
	}
	m, roots = pigeons(8, 8)
	if plan, err := resolve(roots, m, nil); err != nil || len(plan.Packages) != 16 {
		t.Errorf("eight pigeons do not fit into eight holes: %v", err)
	}
}

// Every one of many roots is chosen before the first conflict, and only the first of
// them is to blame: a search that goes back one choice at a time tries all the others.
func TestTrapFirstToBlame(t *testing.T) {
	m := newMemory()
	roots := deps("acme.io/a; acme.io/zz")
	add := func(source, version, dependencies string) {
		m.add(&meta.Release{Source: src(source), Version: ver(version), DependsOn: deps(dependencies)})
	}
	for v := range 20 {
		add("acme.io/a", fmt.Sprintf("v1.%d.0", v), fmt.Sprintf("acme.io/x =v1.%d.0", v))
		add("acme.io/x", fmt.Sprintf("v1.%d.0", v), "")
	}
	for i := range 40 {
		source := fmt.Sprintf("acme.io/m%02d", i)
		roots = append(roots, dep(source))
		for v := range 20 {
			add(source, fmt.Sprintf("v1.%d.0", v), fmt.Sprintf("acme.io/n%02d >=v1.%d.0", i, v))
			add(fmt.Sprintf("acme.io/n%02d", i), fmt.Sprintf("v1.%d.0", v), "")
		}
	}
	add("acme.io/zz", "v1.0.0", "acme.io/zx")
	add("acme.io/zx", "v1.0.0", "acme.io/x =v1.0.0")
	plan, err := resolve(roots, m, &dag.ResolveOptions{MaxSteps: 5000})
	if err != nil || !slices.Contains(planned(plan), "acme.io/a v1.0.0") || !slices.Contains(planned(plan), "acme.io/m39 v1.19.0") {
		t.Errorf("error %v", err)
	}
}

// Each choice of one package fails far below it, for a reason that the choices in
// between have no part in: what is learnt must not name them.
func TestTrapLongChains(t *testing.T) {
	m := newMemory()
	add := func(source, version, dependencies string) {
		m.add(&meta.Release{Source: src(source), Version: ver(version), DependsOn: deps(dependencies)})
	}
	const depth = 40
	for v := range 10 {
		for i := range depth {
			next := fmt.Sprintf("acme.io/c%02d >=v1.%d.0", i+1, v)
			if i+1 == depth {
				next = "acme.io/end <v1.1.0"
			}
			add(fmt.Sprintf("acme.io/c%02d", i), fmt.Sprintf("v1.%d.0", v), next)
		}
		add("acme.io/end", fmt.Sprintf("v1.%d.0", v), "")
	}
	_, err := resolve(deps("acme.io/c00; acme.io/end >=v1.5.0"), m, &dag.ResolveOptions{MaxSteps: 50_000})
	if !errors.As(err, new(*dag.NoSolutionError)) {
		t.Errorf("error %v", err)
	}
}

// Of many pairs either the one or the other must change, whatever else: counting
// changes one by one would try every combination of them.
func TestTrapPairsOfInstalled(t *testing.T) {
	m := newMemory()
	var roots []meta.Dependency
	var installed []dag.Node
	for i := range 20 {
		root := fmt.Sprintf("acme.io/r%02d", i)
		pair := []string{fmt.Sprintf("acme.io/p%02d", i), fmt.Sprintf("acme.io/q%02d", i)}
		m.add(&meta.Release{Source: src(root), Version: ver("v1.0.0"), DependsOn: deps(pair[0] + "; " + pair[1] + " >=v2.0.0")})
		m.add(&meta.Release{Source: src(root), Version: ver("v2.0.0"), DependsOn: deps(pair[0] + " >=v2.0.0; " + pair[1])})
		roots = append(roots, dep(root))
		for _, p := range pair {
			for _, v := range []string{"v1.0.0", "v2.0.0"} {
				m.add(&meta.Release{Source: src(p), Version: ver(v)})
			}
			installed = append(installed, node(p+" v1.0.0"))
		}
	}
	plan, err := resolve(roots, m, &dag.ResolveOptions{Installed: installed, MaxSteps: 50_000})
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for _, x := range plan.Packages {
		if x.Action == dag.ActionKeep {
			kept++
		}
	}
	if kept != 20 {
		t.Errorf("%d packages are kept, want one of each pair", kept)
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
