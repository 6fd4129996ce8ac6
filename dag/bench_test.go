package dag_test

import (
	"fmt"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta/install"
)

// lock is n packages, each of which depends on the eight after it, by 144
// different ranges: texts, the input of both ways.
func lock(n int) *install.Lock {
	name := func(i int) string { return fmt.Sprintf("xpkg.example.org/acme/package-%06d", i) }
	l := &install.Lock{Packages: make([]install.LockPackage, n)}
	for i := range l.Packages {
		p := install.LockPackage{Name: name(i)[len("xpkg.example.org/acme/"):], Source: name(i), Version: "v1.20.3", Type: "Provider"}
		for k := 1; k <= 8 && i+k < n; k++ {
			r := (i*8 + k) % 144
			p.Dependencies = append(p.Dependencies, install.LockDependency{
				Package: name(i + k), Type: "Provider", Constraints: fmt.Sprintf(">=v1.%d.%d, <v2.0.0", r%12, r/12),
			})
		}
		l.Packages[i] = p
	}
	return l
}

// BenchmarkGraph builds a graph from texts, checks every constraint against what
// is installed, and puts the packages in order. conventional is the way that the
// field goes today; both run on the same input.
func BenchmarkGraph(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 50_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("dag/%d", n), func(b *testing.B) {
			entries := lock(n)
			b.ReportAllocs()
			for b.Loop() {
				graph, err := dag.NewGraph(dag.NodesOf(entries)...)
				if err != nil {
					b.Fatal(err)
				}
				if unmet := graph.Unsatisfied(); len(unmet) > 0 {
					b.Fatal(unmet[0])
				}
				order, err := graph.Order()
				if err != nil || len(order) != n {
					b.Fatal(len(order), err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/node")
		})
		if n > 10_000 {
			continue // the conventional way takes quadratic time
		}
		b.Run(fmt.Sprintf("conventional/%d", n), func(b *testing.B) {
			entries := lock(n)
			b.ReportAllocs()
			for b.Loop() {
				order, err := conventionalOrder(entries)
				if err != nil || len(order) != n {
					b.Fatal(len(order), err)
				}
			}
		})
	}
}

// conventionalNode is a node of the conventional graph.
type conventionalNode struct {
	version      string
	dependencies []install.LockDependency
	neighbours   map[string]bool
}

// conventionalOrder is the conventional way: a map of nodes whose edges each parse
// and check their constraint when added, and whose depth-first sort writes into
// the first free slot.
func conventionalOrder(entries *install.Lock) ([]string, error) {
	nodes := make(map[string]*conventionalNode, len(entries.Packages))
	for _, e := range entries.Packages {
		nodes[e.Source] = &conventionalNode{version: e.Version, dependencies: e.Dependencies, neighbours: make(map[string]bool)}
	}
	for _, n := range nodes {
		for _, d := range n.dependencies {
			to, ok := nodes[d.Package]
			if !ok {
				return nil, fmt.Errorf("missing node %s", d.Package)
			}
			constraint, err := semver.NewConstraint(d.Constraints)
			if err != nil {
				return nil, err
			}
			version, err := semver.NewVersion(to.version)
			if err != nil {
				return nil, err
			}
			if !constraint.Check(version) {
				return nil, fmt.Errorf("%s is not in %s", to.version, d.Constraints)
			}
			n.neighbours[d.Package] = true
		}
	}
	order := make([]string, len(nodes))
	visited := make(map[string]bool, len(nodes))
	var visit func(string, map[string]bool) error
	visit = func(name string, stack map[string]bool) error {
		if stack[name] {
			return fmt.Errorf("cycle on %s", name)
		}
		if visited[name] {
			return nil
		}
		visited[name], stack[name] = true, true
		defer delete(stack, name)
		for next := range nodes[name].neighbours {
			if err := visit(next, stack); err != nil {
				return err
			}
		}
		for i, slot := range order {
			if slot == "" {
				order[i] = name
				break
			}
		}
		return nil
	}
	for name := range nodes {
		if err := visit(name, make(map[string]bool)); err != nil {
			return nil, err
		}
	}
	return order, nil
}

func BenchmarkResolvePigeons(b *testing.B) {
	m, roots := pigeons(6, 5)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := resolve(roots, m, nil); err == nil {
			b.Fatal("six pigeons fit into five holes")
		}
	}
}
