package dag

import (
	"errors"
	"slices"
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
// part: after 50 million steps the shortest that was found has to do, which for
// every part is at least the shortest through its first package.
func (g *Graph) Cycles() []*CycleError {
	_, circles := g.inOrder()
	return g.cycleErrors(circles)
}

func (g *Graph) cycleErrors(circles []int) []*CycleError {
	if len(circles) == 0 {
		return nil
	}
	type found struct {
		first int32
		err   *CycleError
	}
	finder := newCycleFinder(g.edges)
	all := make([]found, len(circles))
	for k, part := range circles {
		path := finder.shortest(g.parts.members(part))
		e := &CycleError{}
		for _, i := range path {
			e.Path = append(e.Path, g.nodes[i].Source)
		}
		all[k] = found{first: path[0], err: e}
	}
	slices.SortFunc(all, func(a, b found) int { return int(a.first) - int(b.first) })
	errs := make([]*CycleError, len(all))
	for k, f := range all {
		errs[k] = f.err
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
