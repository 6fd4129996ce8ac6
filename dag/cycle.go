package dag

import "slices"

// maxCycleSteps bounds the search for the shortest cycles of a graph.
const maxCycleSteps = 20_000_000

// A cycleFinder looks for shortest cycles. What it notes of nodes is kept from
// search to search and told apart by the number of the search, so that a million
// cycles of two take no more than their own time each.
type cycleFinder struct {
	d      digraph
	part   []int32 // the number of the component that a node was last put in
	parts  int32
	search []int32 // the number of the search that last met a node
	runs   int32
	from   []int32 // and where it came from
	depth  []int32
	queue  []int32
	steps  int // edges that may still be looked at
}

func newCycleFinder(d digraph) *cycleFinder {
	n := d.size()
	return &cycleFinder{
		d: d, steps: maxCycleSteps,
		part: make([]int32, n), search: make([]int32, n), from: make([]int32, n), depth: make([]int32, n),
	}
}

// shortestCycle is the shortest cycle of a cyclic component, as the path from its
// smallest member back to it, both ends given; see [cycleFinder.shortest].
func shortestCycle(d digraph, members []int32) []int32 {
	return newCycleFinder(d).shortest(members)
}

// shortest is the shortest cycle of a cyclic component. Each cycle is looked for
// from its smallest member, among larger ones only, and only as long as it would
// be shorter than the shortest so far. Every member of a component lies on a
// cycle, so the smallest has one. When the steps are used up, that is the one.
func (f *cycleFinder) shortest(members []int32) []int32 {
	f.parts++
	for _, m := range members {
		f.part[m] = f.parts
	}
	sorted := slices.Clone(members)
	slices.Sort(sorted)
	best := f.through(sorted[0], len(members)+1)
	if f.isRing(members) {
		return best
	}
	for _, m := range sorted[1:] {
		if len(best) == 2 || f.steps <= 0 {
			break // nothing is shorter than a package that needs itself
		}
		if path := f.through(m, len(best)-1); path != nil {
			best = path
		}
	}
	return best
}

// isRing says whether a component has no more edges than members, so that it has
// but one cycle.
func (f *cycleFinder) isRing(members []int32) bool {
	edges := 0
	for _, m := range members {
		for _, t := range f.d.succ(m) {
			if f.part[t] == f.parts {
				edges++
			}
		}
	}
	return edges == len(members)
}

// through is the shortest cycle of fewer than limit edges whose smallest member is
// first, nil if there is none.
func (f *cycleFinder) through(first int32, limit int) []int32 {
	f.runs++
	f.search[first], f.depth[first] = f.runs, 0
	f.queue = append(f.queue[:0], first)
	for at := 0; at < len(f.queue); at++ {
		i := f.queue[at]
		if int(f.depth[i])+1 >= limit {
			return nil
		}
		for _, t := range f.d.succ(i) {
			f.steps--
			if t == first {
				return f.path(first, i)
			}
			if t > first && f.part[t] == f.parts && f.search[t] != f.runs {
				f.search[t], f.from[t], f.depth[t] = f.runs, i, f.depth[i]+1
				f.queue = append(f.queue, t)
			}
		}
	}
	return nil
}

// path is the cycle that an edge from last to first closes.
func (f *cycleFinder) path(first, last int32) []int32 {
	path := []int32{first}
	for i := last; i != first; i = f.from[i] {
		path = append(path, i)
	}
	path = append(path, first)
	slices.Reverse(path)
	return path
}
