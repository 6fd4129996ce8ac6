package dag

// A clause is a list of terms that cannot all be true, about different packages.
type clause struct {
	terms []term
	edges []int32   // what states it: the edges of a demand or of a circle
	from  []*clause // what it was learnt from, as long as that is kept
	edge  int32     // the first of the edges, when it is a demand; else below zero

	// Two terms are watched: as long as neither is true, nothing follows from the
	// clause, and it need not be looked at. With one term both are that one.
	watch [2]int32

	// Of a clause that was learnt.
	learnt  bool
	dropped bool
	levels  int    // how many choices it spans
	used    int    // the last conflict that it had a part in
	derived bitset // the origins that it follows from
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
	watched []watch   // the clauses of whose watched terms one is about it
	demands []*clause // those that demand it
	history []int32   // the steps that narrowed it
	noted   bool      // it is among the packages whose neighbours are to be looked at
	settled bool      // one candidate is left, and its clauses are known
	changed bool      // it is installed and cannot stay as it is
}

// A watch is a clause that watches its term about a package, and one word of what is
// outside of the term's set: as long as anything of that is left, the term is not true,
// and nobody has to look at the clause. Nor has anybody as long as nothing is left of the
// inside of its other term, because then the clause is met; that is known here of
// clauses of two terms, the other of which is within one word of a package.
type watch struct {
	clause  *clause
	outside uint64
	inside  uint64
	word    int32
	beside  int32 // the package of the other term
	at      int32 // its word; below zero when nothing is known here
}

// other notes the other term of a clause of two, where that is within one word.
func (w *watch) other(t term) {
	w.at = -1
	for i, word := range t.set {
		if word == 0 {
			continue
		}
		if w.at >= 0 {
			w.at = -1
			return
		}
		w.beside, w.at, w.inside = t.pkg, int32(i), word
	}
}

// untrue looks for the word that shows that a term is not true. It gives false when the
// term is true.
func (w *watch) untrue(left, set bitset) bool {
	for i := range left {
		if left[i]&^set[i] != 0 {
			w.word, w.outside = int32(i), ^set[i]
			return true
		}
	}
	w.word, w.outside = 0, 0
	return false
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
