package dag

import (
	"errors"
	"slices"
	"strings"
)

// Order is the packages in the order in which they can be installed:
// dependencies first, and otherwise the same for the same packages, however
// they were given. Packages that are required and have no node are not in it.
//
// Where packages depend on each other in circles, both results count: the error
// joins the errors of [Graph.Cycles], and the nodes are those that neither lie on a
// circle nor need a package that does.
func (g *Graph) Order() ([]Node, error) {
	numbers, circles := g.inOrder()
	return g.collect(numbers), g.joinCycles(circles)
}

// Layers is [Graph.Order] in groups: what the packages of one layer need is in the
// layers before it, so that those of one layer can be installed at the same time.
// Each package is in the first layer that it can be in; within a layer they have
// the order of their identities. Nodes and error come back together as in
// [Graph.Order].
func (g *Graph) Layers() ([][]Node, error) {
	numbers, circles := g.inOrder()
	layer := make([]int32, len(g.nodes))
	var sizes []int
	for _, i := range numbers {
		for _, t := range g.edges.succ(i) {
			if int(t) < len(g.nodes) {
				layer[i] = max(layer[i], layer[t]+1)
			}
		}
		if int(layer[i]) == len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[layer[i]]++
	}
	layers := make([][]Node, len(sizes))
	for k, n := range sizes {
		layers[k] = make([]Node, 0, n)
	}
	slices.Sort(numbers)
	for _, i := range numbers {
		layers[layer[i]] = append(layers[layer[i]], g.nodes[i])
	}
	return layers, g.joinCycles(circles)
}

// inOrder is the nodes that neither lie on a circle nor need one that does,
// dependencies first, and the parts that are circles.
func (g *Graph) inOrder() (numbers []int32, circles []int) {
	numbers = make([]int32, 0, len(g.nodes))
	spoilt := make([]bool, g.edges.size())
	for k := range g.parts.len() {
		members := g.parts.members(k)
		if cyclic(g.edges, members) {
			for _, m := range members {
				spoilt[m] = true
			}
			circles = append(circles, k)
			continue
		}
		m := members[0]
		spoilt[m] = slices.ContainsFunc(g.edges.succ(m), func(t int32) bool { return spoilt[t] })
		if !spoilt[m] && int(m) < len(g.nodes) {
			numbers = append(numbers, m)
		}
	}
	return numbers, circles
}

// Cycles is an error for each part of the graph whose packages all depend on each
// other, directly or not, in the order of the first packages of their paths. Each
// holds the shortest circle of its part; among equally short ones that whose first
// package sorts first. To look for it takes time that grows with the square of a
// part: after 20 million steps the shortest that was found has to do, which for
// every part is at least the shortest through its first package.
func (g *Graph) Cycles() []*CycleError {
	_, circles := g.inOrder()
	return g.cycleErrors(circles)
}

// cycleErrors are the errors of some parts in the order of their first packages.
func (g *Graph) cycleErrors(circles []int) []*CycleError {
	errs := g.cycleErrorsByPart(circles)
	slices.SortFunc(errs, func(a, b *CycleError) int {
		return strings.Compare(a.Path[0].Identity(), b.Path[0].Identity())
	})
	return errs
}

// cycleErrorsByPart are the errors of some parts in the order of the parts.
func (g *Graph) cycleErrorsByPart(circles []int) []*CycleError {
	if len(circles) == 0 {
		return nil
	}
	finder := newCycleFinder(g.edges)
	errs := make([]*CycleError, len(circles))
	for k, part := range circles {
		errs[k] = &CycleError{}
		for _, i := range finder.shortest(g.parts.members(part)) {
			errs[k].Path = append(errs[k].Path, g.nodes[i].Source)
		}
	}
	return errs
}

func (g *Graph) joinCycles(circles []int) error {
	var faults []error
	for _, e := range g.cycleErrors(circles) {
		faults = append(faults, e)
	}
	return errors.Join(faults...)
}
