package dag

// A clause is a list of terms that cannot all be true, about different packages.
type clause struct {
	terms []term
	edges []int32   // what states it: the edges of a demand or of a circle
	from  []*clause // what it was learnt from
	edge  int32     // the first of the edges, when it is a demand; else below zero

	// Two terms are watched: as long as neither is true, nothing follows from the
	// clause, and it need not be looked at. With one term both are that one.
	watch [2]int32
}

// proof is the edges that a clause follows from, besides facts about candidates.
func (c *clause) proof() map[int32]bool {
	edges := make(map[int32]bool)
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

// A term is true when the package is one of a set: of its candidates by number,
// and, by the number after the last of them, of not being there at all.
type term struct {
	pkg int32
	set bitset
}

// A domain is what is left of a package.
type domain struct {
	left    bitset
	watched []*clause // those of whose watched terms one is about it
	demands []*clause // those that demand it
	history []int32   // the steps that narrowed it
	settled bool      // one candidate is left, and its clauses are known
	changed bool      // it is installed and cannot stay as it is
}

// A step is one narrowing of a domain.
type step struct {
	pkg           int32
	before, after bitset
	reason        *clause // nil for a choice
	level         int     // choices made until then, this one included
}

// width is the length of the sets of a package: its candidates, and absence.
func (s *search) width(i int32) int { return len(s.u.pkgs[i].candidates) + 1 }

// is is the term that a package is one candidate.
func (s *search) is(i int32, k int) term {
	t := term{pkg: i, set: newBitset(s.width(i))}
	t.set.add(k)
	return t
}

// domain is the domain of a package whose versions are listed.
func (s *search) domain(i int32) *domain {
	for int(i) >= len(s.domains) {
		s.domains = append(s.domains, domain{})
	}
	d := &s.domains[i]
	if d.left == nil {
		d.left = fullBitset(s.width(i))
		s.begin(i)
	}
	return d
}

// begin states what holds of a package whatever is demanded: which of its versions
// are refused before anybody has read them, and that it stays as it is installed,
// where this search wants that.
func (s *search) begin(i int32) {
	p := s.u.pkgs[i]
	barred := newBitset(s.width(i))
	for k := range p.candidates {
		if p.candidates[k].barred {
			barred.add(k)
		}
	}
	if !barred.empty() {
		s.fact(&clause{edge: caller, terms: []term{{pkg: i, set: barred}}})
	}
	if s.stays(i) {
		s.fact(&clause{edge: caller, edges: []int32{p.stay}, terms: []term{{pkg: i, set: s.others(i)}}})
	}
}

// required says whether a package must be there.
func (s *search) required(i int32) bool {
	return !s.domains[i].left.has(len(s.u.pkgs[i].candidates))
}

// add makes a clause known.
func (s *search) add(c *clause) {
	for _, t := range c.terms {
		s.domain(t.pkg)
	}
	if len(c.terms) == 1 {
		s.fact(c)
		return
	}
	s.observe(c)
	s.pending = append(s.pending, c)
}

// fact makes a clause of one term known. What follows from it at a level above
// zero is lost when the search goes back, and has to be found again.
func (s *search) fact(c *clause) {
	if s.level > 0 {
		s.facts = append(s.facts, c)
	}
	s.pending = append(s.pending, c)
}
