package dag_test

import (
	"fmt"
	"testing"

	"github.com/Masterminds/semver/v3"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// lockEntry is a package of a lock as texts, the input of both ways.
type lockEntry struct {
	source, version string
	dependencies    [][2]string // source and constraint
}

// lock is n packages, each of which depends on the eight after it, by 144
// different ranges.
func lock(n int) []lockEntry {
	name := func(i int) string { return fmt.Sprintf("xpkg.example.org/acme/package-%06d", i) }
	entries := make([]lockEntry, n)
	for i := range entries {
		e := lockEntry{source: name(i), version: "v1.20.3"}
		for k := 1; k <= 8 && i+k < n; k++ {
			r := (i*8 + k) % 144
			e.dependencies = append(e.dependencies, [2]string{name(i + k), fmt.Sprintf(">=v1.%d.%d, <v2.0.0", r%12, r/12)})
		}
		entries[i] = e
	}
	return entries
}

// BenchmarkGraph builds a graph from texts, checks every constraint against what
// is installed, and puts the packages in order. conventional is the way that the
// field goes today; both run on the same input.
func BenchmarkGraph(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 50_000} {
		entries := lock(n)
		b.Run(fmt.Sprintf("dag/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				graph, err := dag.NewGraph(lockNodes(b, entries)...)
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
		})
		if n > 10_000 && testing.Short() {
			continue // the conventional way takes quadratic time
		}
		b.Run(fmt.Sprintf("conventional/%d", n), func(b *testing.B) {
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

// lockNodes reads the texts of a lock as its loader would: a source or a range
// that many packages name is read once.
func lockNodes(b *testing.B, entries []lockEntry) []dag.Node {
	b.Helper()
	sources := make(map[string]meta.Source)
	constraints := make(map[string]meta.Constraint)
	source := func(text string) meta.Source {
		s, ok := sources[text]
		if !ok {
			var err error
			if s, err = meta.ParseSource(text); err != nil {
				b.Fatal(err)
			}
			sources[text] = s
		}
		return s
	}
	nodes := make([]dag.Node, len(entries))
	for i, e := range entries {
		v, err := meta.ParseVersion(e.version)
		if err != nil {
			b.Fatal(err)
		}
		nodes[i] = dag.Node{Source: source(e.source), Version: v, DependsOn: make([]meta.Dependency, len(e.dependencies))}
		for k, d := range e.dependencies {
			c, ok := constraints[d[1]]
			if !ok {
				if c, err = meta.ParseConstraint(d[1]); err != nil {
					b.Fatal(err)
				}
				constraints[d[1]] = c
			}
			nodes[i].DependsOn[k] = meta.Dependency{Package: source(d[0]), Constraint: c}
		}
	}
	return nodes
}

// conventionalNode is a node of the conventional graph.
type conventionalNode struct {
	version      string
	dependencies [][2]string
	neighbours   map[string]bool
}

// conventionalOrder is the conventional way: a map of nodes whose edges each parse
// and check their constraint when added, and whose depth-first sort writes into
// the first free slot.
func conventionalOrder(entries []lockEntry) ([]string, error) {
	nodes := make(map[string]*conventionalNode, len(entries))
	for _, e := range entries {
		nodes[e.source] = &conventionalNode{version: e.version, dependencies: e.dependencies, neighbours: make(map[string]bool)}
	}
	for _, n := range nodes {
		for _, d := range n.dependencies {
			to, ok := nodes[d[0]]
			if !ok {
				return nil, fmt.Errorf("missing node %s", d[0])
			}
			constraint, err := semver.NewConstraint(d[1])
			if err != nil {
				return nil, err
			}
			version, err := semver.NewVersion(to.version)
			if err != nil {
				return nil, err
			}
			if !constraint.Check(version) {
				return nil, fmt.Errorf("%s is not in %s", to.version, d[1])
			}
			n.neighbours[d[0]] = true
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
