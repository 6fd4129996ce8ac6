package dag

import (
	"cmp"
	"errors"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A Node is one package that is installed, or is about to be.
type Node struct {
	// Owners are the names of the objects that install it, such as the names of
	// the entries of a lock. They appear in messages; none is fine.
	Owners []string

	// Source is which package it is. Nodes with equal sources are one package.
	Source meta.Source

	// Version is which of its versions; zero when that is not known.
	Version meta.Version

	// Kind is what the package says that it is; empty when that is not known.
	Kind meta.Kind

	// DependsOn is what it declares. Dependencies on a CRD or on Crossplane are
	// no edges of a graph of packages.
	DependsOn []meta.Dependency
}

// NodeOf is the node of a published version of a package.
func NodeOf(r *meta.Release) Node {
	return Node{Source: r.Source, Version: r.Version, Kind: r.Kind, DependsOn: r.DependsOn}
}

// A Graph is a set of packages and what they require of each other. It does not
// change and may be used by several goroutines; what it returns must not be
// modified. Every answer is in the order of the packages' identities or, where
// it says so, dependencies first; neither depends on the order in which the
// nodes were given.
type Graph struct {
	nodes   []Node
	index   map[string]int32 // by identity: nodes, then the missing packages
	missing []meta.Source

	// The edges run over nodes and, after them, missing packages. declared[e] is
	// where the nodes' DependsOn states edge e.
	edges    digraph
	declared []int32
	backward digraph

	parts components // dependencies first
}

// NewGraph builds the graph of some packages.
//
// Graph and error come back together: a fault of one node leaves everything
// else as it is. The error joins, in the order of the identities, a
// [*DuplicateError] for each package that is there more than once in different
// versions or with different dependencies (the graph keeps the newest; equal
// nodes are merged into one with the owners of both), a [*DependencyError] for
// each dependency that names no package (the graph is without that edge) or has
// a constraint that cannot be read (the edge is there, and unsatisfied), and a
// [*NodeError] for each node without a source (the graph is without it).
//
// A dependency that no node provides is no error here: a fresh cluster is like
// that. [Graph.Missing] lists them. Nor are versions compared before
// [Graph.Unsatisfied] is asked.
func NewGraph(nodes ...Node) (*Graph, error) {
	g := &Graph{index: make(map[string]int32, len(nodes))}
	faults := g.addNodes(nodes)
	faults = append(faults, g.addEdges()...)
	g.backward = g.edges.reverse()
	g.parts = stronglyConnected(g.edges)
	return g, errors.Join(faults...)
}

// addNodes sorts the nodes, merges those that are equal and keeps one of those
// that clash.
func (g *Graph) addNodes(nodes []Node) []error {
	var faults []error
	type keyed struct {
		key  string
		node Node
	}
	sorted := make([]keyed, 0, len(nodes))
	for _, n := range nodes {
		if n.Source.IsZero() {
			faults = append(faults, &NodeError{Node: n})
			continue
		}
		sorted = append(sorted, keyed{key: n.Source.Identity(), node: n})
	}
	slices.SortFunc(faults, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	slices.SortFunc(sorted, func(a, b keyed) int {
		if c := cmp.Compare(a.key, b.key); c != 0 {
			return c
		}
		return compareNodes(a.node, b.node)
	})
	g.nodes = make([]Node, 0, len(sorted))
	for i := 0; i < len(sorted); {
		same := []Node{sorted[i].node}
		key := sorted[i].key
		for i++; i < len(sorted) && sorted[i].key == key; i++ {
			n := sorted[i].node
			if last := &same[len(same)-1]; equalNodes(*last, n) {
				last.Owners = mergeOwners(last.Owners, n.Owners)
				continue
			}
			same = append(same, n)
		}
		if len(same) > 1 {
			faults = append(faults, &DuplicateError{Nodes: same})
		}
		g.index[key] = int32(len(g.nodes))
		g.nodes = append(g.nodes, same[0])
	}
	return faults
}

// addEdges reads the dependencies of every node. Packages without a node get
// numbers after the nodes, in the order of their identities too, so that no
// answer depends on who asked for them first.
func (g *Graph) addEdges() []error {
	type edge struct {
		to       int32 // -1 while the number of a missing package is not known
		declared int32
		key      string
	}
	var faults []error
	absent := make(map[string]meta.Source)
	per := make([][]edge, len(g.nodes))
	total := 0
	for i, n := range g.nodes {
		edges := make([]edge, 0, len(n.DependsOn))
		for j, d := range n.DependsOn {
			if err := check(d); err != nil {
				faults = append(faults, &DependencyError{Source: n.Source, Version: n.Version, Index: j, Dependency: d, Err: err})
			}
			if !onPackage(d) {
				continue
			}
			key := d.Package.Identity()
			to, ok := g.index[key]
			if !ok {
				to = -1
				// The first asker's spelling is the one that messages use.
				if _, met := absent[key]; !met {
					absent[key] = d.Package
				}
			}
			edges = append(edges, edge{to: to, declared: int32(j), key: key})
		}
		per[i] = edges
		total += len(edges)
	}
	keys := make([]string, 0, len(absent))
	for k := range absent {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	for _, k := range keys {
		g.index[k] = int32(len(g.nodes) + len(g.missing))
		g.missing = append(g.missing, absent[k])
	}
	size := len(g.nodes) + len(g.missing)
	g.edges = digraph{start: make([]int32, size+1), to: make([]int32, 0, total)}
	g.declared = make([]int32, 0, total)
	for i, edges := range per {
		for k := range edges {
			if edges[k].to < 0 {
				edges[k].to = g.index[edges[k].key]
			}
		}
		slices.SortFunc(edges, func(a, b edge) int {
			return cmp.Or(cmp.Compare(a.to, b.to), cmp.Compare(a.declared, b.declared))
		})
		for _, e := range edges {
			g.edges.to = append(g.edges.to, e.to)
			g.declared = append(g.declared, e.declared)
		}
		g.edges.start[i+1] = int32(len(g.edges.to))
	}
	for i := len(g.nodes); i < size; i++ {
		g.edges.start[i+1] = int32(len(g.edges.to))
	}
	return faults
}

// compareNodes orders nodes of one package: newest first, then by what they
// declare and who owns them, so that the order is total up to equality.
func compareNodes(a, b Node) int {
	return cmp.Or(
		b.Version.Compare(a.Version),
		cmp.Compare(a.Kind, b.Kind),
		slices.CompareFunc(a.DependsOn, b.DependsOn, compareDependencies),
		cmp.Compare(a.Source.String(), b.Source.String()),
		slices.Compare(a.Owners, b.Owners),
	)
}

// equalNodes says whether two nodes of one package state the same.
func equalNodes(a, b Node) bool {
	return a.Version == b.Version && a.Kind == b.Kind &&
		slices.CompareFunc(a.DependsOn, b.DependsOn, compareDependencies) == 0
}

// compareDependencies compares what two dependencies demand, not how it is spelt.
func compareDependencies(a, b meta.Dependency) int {
	return cmp.Or(
		cmp.Compare(a.APIVersion, b.APIVersion),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Package.Identity(), b.Package.Identity()),
		cmp.Compare(constraintKey(a.Constraint), constraintKey(b.Constraint)),
		cmp.Compare(a.CRD.String(), b.CRD.String()),
	)
}

// mergeOwners is the sorted union.
func mergeOwners(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
