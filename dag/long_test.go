package dag_test

import (
	"fmt"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// chain is n packages, each of which requires the next.
func chain(n int) []dag.Node {
	ns := make([]dag.Node, n)
	for i := range ns {
		ns[i].Source = src(fmt.Sprintf("acme.io/p%07d", i))
	}
	for i := range n - 1 {
		ns[i].DependsOn = []meta.Dependency{{Package: ns[i+1].Source}}
	}
	return ns
}

// A chain of a million packages is hostile input, not a reason to overflow.
func TestMillion(t *testing.T) {
	if testing.Short() {
		t.Skip("a million packages take half a gigabyte and some seconds: run without -short")
	}
	const n = 1_000_000
	ns := chain(n)
	first, last := ns[0].Source, ns[n-1].Source
	g := mustGraph(t, ns...)
	order, err := g.Order()
	if err != nil || len(order) != n || !order[0].Source.Equal(last) {
		t.Fatalf("%d packages in order, error %v", len(order), err)
	}
	if path := g.Path(first, last); len(path) != n {
		t.Errorf("a path of %d", len(path))
	}
}

// A ring, whose only circle is the whole, costs no more than the documented steps.
func TestLongRing(t *testing.T) {
	const n = 100_000
	ns := chain(n)
	if layers, err := mustGraph(t, ns...).Layers(); err != nil || len(layers) != n {
		t.Errorf("the chain has %d layers, error %v", len(layers), err)
	}
	ns[n-1].DependsOn = []meta.Dependency{{Package: ns[0].Source}}
	g := mustGraph(t, ns...)
	if cycles := g.Cycles(); len(cycles) != 1 || len(cycles[0].Path) != n+1 {
		t.Errorf("%d cycles", len(cycles))
	}
	if spoilt := g.Spoilt(); len(spoilt) != n || len(g.Sound()) != 0 {
		t.Errorf("%d packages of %d are spoilt", len(spoilt), n)
	}
}
