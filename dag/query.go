package dag

import (
	"errors"
	"iter"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Nodes are the packages of the graph in the order of their identities, merged
// duplicates once.
func (g *Graph) Nodes() []Node { return slices.Clip(g.nodes) }

// Node is the node of a package, if there is one. Any spelling of the source
// will do.
func (g *Graph) Node(s meta.Source) (Node, bool) {
	i, ok := g.index[s.Identity()]
	if !ok || int(i) >= len(g.nodes) {
		return Node{}, false
	}
	return g.nodes[i], true
}

// Given are the packages that are taken as given, in the order of their identities:
// what they depend on the graph does not show.
func (g *Graph) Given() []Node {
	var given []Node
	for i := range g.nodes {
		if len(g.given) > 0 && g.given[g.nodes[i].Source.Identity()] {
			given = append(given, g.nodes[i])
		}
	}
	return given
}

// Dependencies are the nodes that a package requires directly, in the order of
// their identities. A package that has no node gives a [*MissingError]; those of
// its dependencies that have none are left out, see [Graph.Missing].
func (g *Graph) Dependencies(s meta.Source) ([]Node, error) {
	return g.neighbours(s, g.edges)
}

// Dependents are the nodes that require a package directly, in the order of
// their identities. A package that nobody requires and that has no node gives a
// [*MissingError]; one that is required and missing has dependents.
func (g *Graph) Dependents(s meta.Source) ([]Node, error) {
	if i, ok := g.index[s.Identity()]; ok && int(i) >= len(g.nodes) {
		return g.collect(g.backward.succ(i)), nil
	}
	return g.neighbours(s, g.backward)
}

func (g *Graph) neighbours(s meta.Source, d digraph) ([]Node, error) {
	i, ok := g.index[s.Identity()]
	if !ok || int(i) >= len(g.nodes) {
		return nil, g.missingError(s)
	}
	return g.collect(d.succ(i)), nil
}

// collect are the nodes of some ascending numbers, each once, without the
// missing packages.
func (g *Graph) collect(numbers []int32) []Node {
	nodes := make([]Node, 0, len(numbers))
	for k, i := range numbers {
		if int(i) < len(g.nodes) && (k == 0 || numbers[k-1] != i) {
			nodes = append(nodes, g.nodes[i])
		}
	}
	return nodes
}

// Missing are the packages that nodes require and that have no node, each once
// with everybody who requires it, in the order of their identities. What Crossplane
// calls an implied node is one of these.
func (g *Graph) Missing() []*MissingError {
	missing := make([]*MissingError, len(g.missing))
	for k, s := range g.missing {
		missing[k] = &MissingError{Source: s, Requirements: g.requirements(int32(len(g.nodes) + k))}
	}
	return missing
}

// missingError is the error for a package without a node.
func (g *Graph) missingError(s meta.Source) *MissingError {
	e := &MissingError{Source: s}
	if i, ok := g.index[s.Identity()]; ok {
		e.Requirements = g.requirements(i)
	}
	return e
}

// requirements are the demands on the package with a number, in the order of
// the nodes that make them, and for one node as it declares them.
func (g *Graph) requirements(i int32) []Requirement {
	var rs []Requirement
	parents := g.backward.succ(i)
	for k, p := range parents {
		if k > 0 && parents[k-1] == p {
			continue // the edges of p were all read when it was met first
		}
		for e := range g.edgesTo(p, i) {
			rs = append(rs, g.requirement(p, e))
		}
	}
	return rs
}

// edgesTo are the edges from p to i.
func (g *Graph) edgesTo(p, i int32) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for e := g.firstEdge(p, i); e < g.edges.start[p+1] && g.edges.to[e] == i; e++ {
			if !yield(e) {
				return
			}
		}
	}
}

// firstEdge is the first edge from p to i, which there must be. The edges of p are
// sorted by their ends, so that a package with very many dependencies is not read
// whole for each of them.
func (g *Graph) firstEdge(p, i int32) int32 {
	k, _ := slices.BinarySearch(g.edges.succ(p), i)
	return g.edges.start[p] + int32(k)
}

// requirement is edge e of node p.
func (g *Graph) requirement(p, e int32) Requirement {
	n := g.nodes[p]
	d := n.DependsOn[g.declared[e]]
	return Requirement{
		Source:     d.Package,
		Constraint: d.Constraint,
		Path:       []Step{{Source: n.Source, Versions: []meta.Version{n.Version}}},
	}
}

// Trace is a package and everything that it needs, directly or not, dependencies
// first; packages on a circle stand together.
//
// Nodes and error come back together: the error joins a [*MissingError] for each
// package that is needed and has no node, with everybody of the graph who
// requires it. When the package itself has no node there are no nodes, and the
// error is a [*MissingError] that names it.
func (g *Graph) Trace(s meta.Source) ([]Node, error) {
	start, ok := g.index[s.Identity()]
	if !ok || int(start) >= len(g.nodes) {
		return nil, g.missingError(s)
	}
	needed := reachable(g.edges, start)
	var nodes []Node
	for _, i := range g.parts.order {
		if needed[i] && int(i) < len(g.nodes) {
			nodes = append(nodes, g.nodes[i])
		}
	}
	var faults []error
	for k, m := range g.missing {
		if i := len(g.nodes) + k; needed[i] {
			faults = append(faults, &MissingError{Source: m, Requirements: g.requirements(int32(i))})
		}
	}
	return nodes, errors.Join(faults...)
}
