package dag

// An origin is what edges come from: a root, the wish that a package stays, or a
// package. Origins are numbered: the roots first, then two for each package.

// originOf is the number of what an edge comes from; below zero for a root that is given
// up.
func (s *search) originOf(e int32) int {
	ed := &s.u.edges[e]
	switch ed.from {
	case caller:
		if n, ok := s.rootAt[e]; ok {
			return n
		}
		return -1
	case stayer:
		return len(s.roots) + 2*int(ed.to) + 1
	}
	return len(s.roots) + 2*int(ed.from)
}

// origin is the origins that a clause follows from.
func (s *search) origin(c *clause) bitset {
	if c.learnt || c.derived != nil {
		return c.derived
	}
	for _, e := range c.edges {
		o := s.originOf(e)
		one := newBitset(o + 1)
		one.add(o)
		c.derived = c.derived.join(one)
	}
	return c.derived
}

// proof is the edges that a clause follows from, besides facts about candidates. When
// it is not kept any more what it was learnt from, these are all edges of its
// origins that the search knows.
func (s *search) proof(c *clause) map[int32]bool {
	edges := make(map[int32]bool)
	if !s.precise {
		for e := range s.u.edges {
			ed := &s.u.edges[e]
			if o := s.originOf(int32(e)); o >= 0 && o < 64*len(c.derived) && c.derived.has(o) && s.follows(int32(e)) &&
				(ed.from < 0 || s.known[[2]int32{ed.from, ed.candidate}]) {
				edges[int32(e)] = true
			}
		}
		return edges
	}
	met := map[*clause]bool{c: true}
	for open := []*clause{c}; len(open) > 0; {
		c, open = open[len(open)-1], open[:len(open)-1]
		for _, e := range c.edges {
			edges[e] = true
		}
		for _, f := range c.from {
			if !met[f] {
				met[f] = true
				open = append(open, f)
			}
		}
	}
	return edges
}
