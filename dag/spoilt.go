package dag

import (
	"errors"
	"slices"
)

// Spoilt is a package that cannot be relied on as the graph has it.
type Spoilt struct {
	Node Node

	// Err is what is wrong with the package itself; nil if it only needs what is
	// spoilt. It joins, for as many as there are, a [*DuplicateError], a
	// [*DependencyError] for each malformed dependency, a [*MissingError] for each
	// package that it requires and that has no node, a [*ConstraintError] for
	// each that is there at another version, and the [*CycleError] of the circle
	// that it lies on or has a part in.
	Err error

	// Needs are the packages that it requires directly and that are spoilt.
	Needs []Node
}

// Spoilt are the packages with a fault and those that need one, directly or not,
// in the order of their identities. Everything else is [Graph.Sound].
func (g *Graph) Spoilt() []Spoilt {
	own, spoilt := g.spoilt()
	var all []Spoilt
	for i, n := range g.nodes {
		if !spoilt[i] {
			continue
		}
		s := Spoilt{Node: n, Err: errors.Join(own[int32(i)]...)}
		for k, t := range g.edges.succ(int32(i)) {
			if int(t) < len(g.nodes) && spoilt[t] && (k == 0 || g.edges.succ(int32(i))[k-1] != t) {
				s.Needs = append(s.Needs, g.nodes[t])
			}
		}
		all = append(all, s)
	}
	return all
}

// Sound are the packages that have no fault and need nothing that has one, in the
// order of [Graph.Order].
func (g *Graph) Sound() []Node {
	_, spoilt := g.spoilt()
	numbers, _ := g.inOrder()
	return g.collect(slices.DeleteFunc(numbers, func(i int32) bool { return spoilt[i] }))
}

// spoilt is what is wrong with each node itself, and which nodes that spoils.
func (g *Graph) spoilt() (map[int32][]error, []bool) {
	own := make(map[int32][]error)
	for _, f := range g.faults {
		own[f.node] = append(own[f.node], f.err)
	}
	for k := range g.missing {
		i := int32(len(g.nodes) + k)
		parents := g.backward.succ(i)
		for j, p := range parents {
			if j > 0 && parents[j-1] == p {
				continue
			}
			e := &MissingError{Source: g.missing[k]}
			for edge := range g.edgesTo(p, i) {
				e.Requirements = append(e.Requirements, g.requirement(p, edge))
			}
			own[p] = append(own[p], e)
		}
	}
	for _, u := range g.unmet() {
		if e := g.constraintError(u); e.Requirement.Constraint.Err() == nil {
			own[u.from] = append(own[u.from], e) // a malformed one is told already
		}
	}
	_, circles := g.inOrder()
	for k, e := range g.cycleErrorsByPart(circles) {
		for _, m := range g.parts.members(circles[k]) {
			own[m] = append(own[m], e)
		}
	}
	starts := make([]int32, 0, len(own))
	for i := range own {
		starts = append(starts, i)
	}
	return own, reachable(g.backward, starts...)
}
