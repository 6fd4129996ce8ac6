package dag

import (
	"cmp"
	"slices"
)

// choice is what was decided.
func (s *search) choice() map[int32]int32 {
	chosen := make(map[int32]int32, len(s.queue.order))
	for _, i := range s.queue.order {
		chosen[i] = int32(s.domains[i].left.next(0))
	}
	return chosen
}

// circle is a clause against a circle that a choice closes, nil when it closes
// none.
func (s *search) circle(chosen map[int32]int32) *clause {
	ids, d, via := s.u.chosenGraph(chosen, s.follows)
	parts := stronglyConnected(d)
	for k := range parts.len() {
		members := parts.members(k)
		if !cyclic(d, members) {
			continue
		}
		c := &clause{edge: caller}
		path := shortestCycle(d, members)
		for n, i := range path[:len(path)-1] {
			c.terms = append(c.terms, s.is(ids[i], int(chosen[ids[i]])))
			c.edges = append(c.edges, via(i, path[n+1]))
		}
		s.circles = append(s.circles, s.u.cycleError(ids, path))
		return c
	}
	return nil
}

// follows says whether the search heeds an edge.
func (s *search) follows(e int32) bool { return s.only == nil || s.only[e] }

// relaxed says whether the search takes an edge for one that allows every version.
func (s *search) relaxed(e int32) bool {
	return s.loose[s.u.edges[e].to] || s.waived[e]
}

// demand is what an edge says.
func (u *universe) demand(e int32) demand {
	ed := &u.edges[e]
	return demand{from: ed.from, to: ed.to, constraint: constraintKey(ed.constraint)}
}

// chosenGraph is the graph of a choice: the chosen packages in the order of their
// identities, the edges between them that follow admits, by position in that
// order, and the first edge from one position to another.
func (u *universe) chosenGraph(chosen map[int32]int32, follow func(int32) bool) (ids []int32, d digraph, via func(from, to int32) int32) {
	ids = make([]int32, 0, len(chosen))
	for i := range chosen {
		ids = append(ids, i)
	}
	slices.SortFunc(ids, func(a, b int32) int { return cmp.Compare(u.pkgs[a].key, u.pkgs[b].key) })
	place := make(map[int32]int32, len(ids))
	for at, i := range ids {
		place[i] = int32(at)
	}
	d.start = make([]int32, 1, len(ids)+1)
	for _, i := range ids {
		first := len(d.to)
		for _, e := range u.pkgs[i].candidates[chosen[i]].edges {
			if at, ok := place[u.edges[e].to]; ok && follow(e) {
				d.to = append(d.to, at)
			}
		}
		slices.Sort(d.to[first:])
		d.start = append(d.start, int32(len(d.to)))
	}
	via = func(from, to int32) int32 {
		i := ids[from]
		for _, e := range u.pkgs[i].candidates[chosen[i]].edges {
			if u.edges[e].to == ids[to] && follow(e) {
				return e
			}
		}
		return caller // not reached: the graph has the edge
	}
	return ids, d, via
}

// cycleError is the error for a path of positions.
func (u *universe) cycleError(ids, path []int32) *CycleError {
	e := &CycleError{}
	for _, at := range path {
		e.Path = append(e.Path, u.pkgs[ids[at]].source)
	}
	return e
}
