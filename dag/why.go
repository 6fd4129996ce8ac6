package dag

import (
	"iter"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Roots are the packages that no other package requires, in the order of their
// identities. Packages that require each other in a circle are none.
func (g *Graph) Roots() []Node {
	var roots []Node
	for i, n := range g.nodes {
		if g.isRoot(int32(i)) {
			roots = append(roots, n)
		}
	}
	return roots
}

// isRoot says whether no other package requires one.
func (g *Graph) isRoot(i int32) bool {
	return !slices.ContainsFunc(g.backward.succ(i), func(p int32) bool { return p != i })
}

// Orphans are the packages that nothing needs which was asked for: neither asked
// says so of the package itself, nor of one that needs it, directly or not. They have
// the order in which they can be removed, dependents first. A user asks for packages
// by source, or by what installs them, the owner. Where asked is nil, the packages of
// [Graph.Roots] count as asked for.
func (g *Graph) Orphans(asked func(Node) bool) []Node {
	var roots []int32
	if asked == nil {
		asked = func(n Node) bool { return g.isRoot(g.index[n.Source.Identity()]) }
	}
	for i, n := range g.nodes {
		if asked(n) {
			roots = append(roots, int32(i))
		}
	}
	needed := reachable(g.edges, roots...)
	var orphans []Node
	for _, i := range slices.Backward(g.parts.order) {
		if !needed[i] && int(i) < len(g.nodes) {
			orphans = append(orphans, g.nodes[i])
		}
	}
	return orphans
}

// AllDependents are the packages that need a package, directly or not, dependencies
// first: everything that a change of it may break. The package itself is not among
// them. A package that nobody requires and that has no node gives a
// [*MissingError]; one that is required and missing has dependents.
func (g *Graph) AllDependents(s meta.Source) ([]Node, error) {
	start, ok := g.index[s.Identity()]
	if !ok {
		return nil, g.missingError(s)
	}
	needs := reachable(g.backward, start)
	needs[start] = false
	var nodes []Node
	for _, i := range g.parts.order {
		if needs[i] {
			nodes = append(nodes, g.nodes[i])
		}
	}
	return nodes, nil
}

// Path is the shortest way from a package to one that it needs, both ends given;
// among equally short ways one that is the same for the same packages. It is nil if
// there is no way, or one of them has no node.
func (g *Graph) Path(from, to meta.Source) []Node {
	start, ok := g.index[from.Identity()]
	end, there := g.index[to.Identity()]
	if !ok || !there || int(start) >= len(g.nodes) || int(end) >= len(g.nodes) {
		return nil
	}
	next := towards(g.backward, end)
	if start != end && next.of[start] < 0 {
		return nil
	}
	path := []Node{g.nodes[start]}
	for start != end {
		start = next.of[start]
		path = append(path, g.nodes[start])
	}
	return path
}

// Why is why a package is there, or is missing: for each root that needs it a
// requirement with the shortest path from that root, the nearest root first. Roots
// are those of [Graph.Roots] and, of packages in a circle that no other requires, the
// first. There are none for a package that nobody requires. A path is made when
// it is asked for, because all together may be long; ranging may stop at any.
func (g *Graph) Why(s meta.Source) iter.Seq[Requirement] {
	return func(yield func(Requirement) bool) {
		end, ok := g.index[s.Identity()]
		if !ok {
			return
		}
		top := g.tops()
		next := towards(g.backward, end)
		for _, i := range next.met {
			if top[i] && i != end && !yield(g.chain(i, end, next)) {
				return
			}
		}
	}
}

// chain is the requirement at the lower end of the way from start to end.
func (g *Graph) chain(start, end int32, next ways) Requirement {
	var path []Step
	last := start
	for i := start; i != end; i = next.of[i] {
		n := &g.nodes[i]
		path = append(path, Step{Source: n.Source, Versions: []meta.Version{n.Version}})
		last = i
	}
	slices.Reverse(path)
	r := g.requirement(last, g.firstEdge(last, end))
	r.Path, r.Rooted = path, true
	return r
}

// tops marks the first member of each part of the graph that no other part
// requires.
func (g *Graph) tops() []bool {
	part := make([]int32, g.edges.size())
	for k := range g.parts.len() {
		for _, m := range g.parts.members(k) {
			part[m] = int32(k)
		}
	}
	required := make([]bool, g.parts.len())
	for i := range g.nodes {
		for _, t := range g.edges.succ(int32(i)) {
			if part[t] != part[i] {
				required[part[t]] = true
			}
		}
	}
	top := make([]bool, g.edges.size())
	for k := range g.parts.len() {
		if !required[k] {
			top[slices.Min(g.parts.members(k))] = true
		}
	}
	return top
}

// Ways lead to one node.
type ways struct {
	of  []int32 // the next node on the way; below zero where there is none
	met []int32 // the nodes that have a way, nearest first
}

// towards finds the shortest ways to end, in the graph whose edges are turned round.
func towards(backward digraph, end int32) ways {
	w := ways{of: make([]int32, backward.size()), met: []int32{end}}
	for i := range w.of {
		w.of[i] = -1
	}
	for at := 0; at < len(w.met); at++ {
		i := w.met[at]
		for _, p := range backward.succ(i) {
			if w.of[p] < 0 && p != end {
				w.of[p] = i
				w.met = append(w.met, p)
			}
		}
	}
	return w
}
