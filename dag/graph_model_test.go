package dag_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/internal/executions"
)

// randomGraph makes a graph of up to 12 nodes and, beside it, its edges.
func randomGraph(r *rand.Rand) ([]dag.Node, map[string][]string) {
	n := 1 + r.IntN(12)
	edges := make(map[string][]string)
	var ns []dag.Node
	for i := range n {
		from := fmt.Sprintf("acme.io/n%02d", i)
		node := dag.Node{Source: src(from), Version: ver("v1.0.0")}
		edges[from] = nil
		for range r.IntN(3) {
			to := fmt.Sprintf("acme.io/n%02d", r.IntN(n+1)) // n is missing
			node.DependsOn = append(node.DependsOn, dep(to))
			edges[from] = append(edges[from], to)
		}
		ns = append(ns, node)
	}
	return ns, edges
}

// reach is the model: everything that can be reached from a package.
func reach(edges map[string][]string, from string) map[string]bool {
	seen := make(map[string]bool)
	var walk func(string)
	walk = func(at string) {
		for _, to := range edges[at] {
			if !seen[to] {
				seen[to] = true
				walk(to)
			}
		}
	}
	walk(from)
	return seen
}

// checkGraph compares a graph with the model and with itself when the nodes come
// in another order.
func checkGraph(t *testing.T, r *rand.Rand, ns []dag.Node, edges map[string][]string) {
	t.Helper()
	g, _ := dag.NewGraph(ns...)
	order, err := g.Order()
	got := names(order)

	cyclic := make(map[string]bool)
	for from := range edges {
		cyclic[from] = reach(edges, from)[from]
	}
	for from := range edges {
		spoilt := cyclic[from]
		for to := range reach(edges, from) {
			spoilt = spoilt || cyclic[to]
		}
		if slices.Contains(got, from) == spoilt {
			t.Fatalf("%s: on or above a cycle %v, in the order %v", from, spoilt, !spoilt)
		}
		for _, to := range edges[from] {
			if _, there := edges[to]; there && !spoilt && !before(got, to, from) {
				t.Fatalf("%s is not before %s in %v", to, from, got)
			}
		}
	}
	if slices.Contains(slices.Collect(maps.Values(cyclic)), true) != (err != nil) {
		t.Fatalf("error is %v, cycles are %v", err, cyclic)
	}
	for _, e := range unwrap(err) {
		path := e.(*dag.CycleError).Path
		for i := range path[:len(path)-1] {
			if !slices.Contains(edges[path[i].String()], path[i+1].String()) {
				t.Fatalf("%v: %s does not depend on %s", e, path[i], path[i+1])
			}
			if i > 0 && path[i].String() <= path[0].String() {
				t.Fatalf("%v does not start at its smallest name", e)
			}
		}
		if path[0].String() != path[len(path)-1].String() {
			t.Fatalf("%v does not end where it starts", e)
		}
	}

	shuffled := slices.Clone(ns)
	r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	h, _ := dag.NewGraph(shuffled...)
	again, errAgain := h.Order()
	if !slices.Equal(got, names(again)) || errText(err) != errText(errAgain) {
		t.Fatalf("another order of the nodes gives another answer:\n%v %v\n%v %v", got, err, names(again), errAgain)
	}
}

func TestGraphAgainstModel(t *testing.T) {
	for seed := range uint64(1500) {
		r := rand.New(rand.NewPCG(seed, 1))
		ns, edges := randomGraph(r)
		checkGraph(t, r, ns, edges)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func FuzzGraph(f *testing.F) {
	f.Add([]byte{3, 0, 1, 1, 2, 2, 0})
	f.Add([]byte{12, 0, 0, 5, 12})
	f.Fuzz(executions.Many(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		n := 1 + int(data[0])%12
		name := func(b byte) string { return fmt.Sprintf("acme.io/n%02d", int(b)%(n+1)) }
		edges := make(map[string][]string)
		ns := make([]dag.Node, n)
		for i := range ns {
			ns[i] = dag.Node{Source: src(name(byte(i))), Version: ver("v1.0.0")}
			edges[name(byte(i))] = nil
		}
		for i := 1; i+1 < len(data) && i < 60; i += 2 {
			from := int(data[i]) % n
			to := name(data[i+1])
			ns[from].DependsOn = append(ns[from].DependsOn, dep(to))
			edges[name(byte(from))] = append(edges[name(byte(from))], to)
		}
		checkGraph(t, rand.New(rand.NewPCG(uint64(len(data)), 2)), ns, edges)
	}))
}
