package dag

import (
	"errors"

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

	// SkipDependencies are packages that it wants to be taken as given, itself or some
	// of those that it depends on, as skipDependencyResolution in a lock has it. One node
	// that says so of a package is enough. What such a package depends on is neither
	// followed nor demanded.
	SkipDependencies []meta.Source
}

// A Graph is a set of packages and what they require of each other. It does not
// change and may be used by several goroutines; what it returns must not be
// modified. Every answer is in the order of the packages' identities or, where
// it says so, dependencies first; neither depends on the order in which the
// nodes were given. The zero Graph has no packages.
type Graph struct {
	nodes   []Node
	index   map[string]int32 // by identity: nodes, then the missing packages
	missing []meta.Source

	// The edges run over nodes and, after them, missing packages. declared[e] is
	// where the nodes' DependsOn states edge e.
	edges    digraph
	declared []int32
	backward digraph

	parts  components // dependencies first
	faults []nodeFault
	given  map[string]bool // packages whose dependencies are no edges, by identity
}

// A nodeFault is what is wrong with the node of a number.
type nodeFault struct {
	node int32
	err  error
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
// [Graph.Unsatisfied] is asked. What packages declare that are taken as given
// ([Node].SkipDependencies, [Graph.Given]) is no part of the graph, faults included.
func NewGraph(nodes ...Node) (*Graph, error) { return newGraph(nodes, nil) }

// newGraph is NewGraph with packages that the caller takes as given besides those that
// the nodes name.
func newGraph(nodes []Node, given []meta.Source) (*Graph, error) {
	g := &Graph{index: make(map[string]int32, len(nodes)), given: givenBy(nodes, given)}
	faults := g.addNodes(nodes)
	g.addEdges()
	for _, f := range g.faults {
		faults = append(faults, f.err)
	}
	g.backward = g.edges.reverse()
	g.parts = stronglyConnected(g.edges)
	return g, errors.Join(faults...)
}

// givenBy are the packages that the caller or the nodes take as given, by identity.
func givenBy(nodes []Node, more []meta.Source) map[string]bool {
	given := make(map[string]bool)
	for _, s := range more {
		given[s.Identity()] = true
	}
	for i := range nodes {
		for _, s := range nodes[i].SkipDependencies {
			given[s.Identity()] = true
		}
	}
	return given
}
