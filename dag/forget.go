package dag

import (
	"cmp"
	"slices"
)

// What a search has learnt is kept within bounds, so that a long one takes no more
// memory than a short one: of each thousand clauses and a few, those are forgotten that
// were of the least use. Nothing is lost by that but time, because a clause that was learnt
// follows from those that were not, and these stay.
type bounds struct {
	first int // clauses that were learnt and are kept at first
	more  int // and this many more after each time that some were forgotten
	most  int // up to so many
	terms int // and as long as they have no more terms together

	// From so many links on, which of the clauses led to which others is not kept either. A
	// proof is then known by the packages that have a part in it.
	links int
}

// keptBounds are those of [Resolve].
func keptBounds() bounds {
	return bounds{first: 2_000, more: 200, most: 20_000, terms: 1_000_000, links: 2_000_000}
}

// A store is the clauses that a search has learnt.
type store struct {
	clauses []*clause
	terms   int // of all of them
	most    int // clauses, before some are forgotten
	again   int // conflicts, before more are forgotten
	links   int // from clauses to those that they were learnt from
}

// keep puts a clause that was learnt into the store.
func (s *search) keep(c *clause) {
	s.store.clauses = append(s.store.clauses, c)
	s.store.terms += len(c.terms)
	if s.store.links += len(c.from); s.store.links > s.bounds.links {
		s.precise = false
		s.store.links = 0
		for _, c := range s.store.clauses {
			c.from = nil
		}
	}
}

// full says whether it is time to forget.
func (s *search) full() bool {
	if s.met < s.store.again {
		return false
	}
	return len(s.store.clauses) > s.store.most || s.store.terms > s.bounds.terms
}

// forget drops half of what was learnt: first that which spans the most choices, and of
// that the clauses that were used the longest ago. Those stay that are the reason of
// what holds now, facts, and those of at most two choices.
func (s *search) forget() {
	reasons := make(map[*clause]bool)
	for n := range s.trail {
		reasons[s.trail[n].reason] = true
	}
	var loose []*clause
	for _, c := range s.store.clauses {
		if len(c.terms) > 1 && c.levels > 2 && !reasons[c] {
			loose = append(loose, c)
		}
	}
	slices.SortStableFunc(loose, func(a, b *clause) int {
		return cmp.Or(cmp.Compare(b.levels, a.levels), cmp.Compare(a.used, b.used))
	})
	for _, c := range loose[:len(loose)/2] {
		s.store.terms -= len(c.terms)
		c.terms, c.dropped = nil, true
	}
	dropped := func(c *clause) bool { return c.dropped }
	s.store.clauses = slices.DeleteFunc(s.store.clauses, dropped)
	for i := range s.domains {
		d := &s.domains[i]
		d.watched = slices.DeleteFunc(d.watched, func(w watch) bool { return w.clause.dropped })
	}
	s.store.again = s.met + s.bounds.more
	s.store.most = min(max(s.store.most, len(s.store.clauses))+s.bounds.more, s.bounds.most)
}
