package dag

import "math"

// observe chooses the terms of a clause to watch: those that are not true, and
// else those that became true last, because going back makes them untrue first.
func (s *search) observe(c *clause) {
	rank := func(t term) int32 {
		if !s.domains[t.pkg].left.within(t.set) {
			return math.MaxInt32
		}
		return s.since(t)
	}
	first, second := int32(-1), int32(-1)
	for n := range c.terms {
		switch n := int32(n); {
		case first < 0 || rank(c.terms[n]) > rank(c.terms[first]):
			first, second = n, first
		case second < 0 || rank(c.terms[n]) > rank(c.terms[second]):
			second = n
		}
	}
	c.watch = [2]int32{first, second}
	for _, w := range c.watch {
		d := &s.domains[c.terms[w].pkg]
		d.watched = append(d.watched, c)
	}
}

// since is the step that made a term true which is true; below zero when it
// always was.
func (s *search) since(t term) int32 {
	if t.set.count() == s.width(t.pkg) {
		return -1
	}
	for _, k := range s.domains[t.pkg].history {
		if s.trail[k].after.within(t.set) {
			return k
		}
	}
	return -1
}

// propagate follows the clauses until nothing more comes of them. It gives a
// clause whose terms are all true, if it meets one.
func (s *search) propagate() *clause {
	for {
		if c := s.overspent(); c != nil {
			s.changed = s.changed[:0]
			return c
		}
		for len(s.pending) > 0 {
			c := s.pending[0]
			s.pending = s.pending[1:]
			if s.conflicts(c) {
				s.changed = s.changed[:0] // a conflict undoes these
				return c
			}
		}
		if s.over() {
			continue
		}
		if len(s.changed) == 0 {
			return nil
		}
		i := s.changed[0]
		s.changed = s.changed[1:]
		if c := s.notice(i); c != nil {
			s.changed = s.changed[:0]
			return c
		}
	}
}

// notice looks at the clauses that watch a package which was narrowed. It gives
// one whose terms are all true, if it meets one.
func (s *search) notice(i int32) *clause {
	watched := s.domains[i].watched
	kept := watched[:0]
	for n, c := range watched {
		if s.moves(c, i) {
			continue
		}
		kept = append(kept, c)
		if !s.domains[i].left.within(c.term(i).set) || !s.conflicts(c) {
			continue
		}
		s.domains[i].watched = append(kept, watched[n+1:]...)
		return c
	}
	clear(watched[len(kept):])
	s.domains[i].watched = kept
	return nil
}

// moves makes a clause watch another term instead of the one about a package,
// when that has become true and another has not.
func (s *search) moves(c *clause, i int32) bool {
	w := 0
	if c.terms[c.watch[0]].pkg != i {
		w = 1
	}
	if !s.domains[i].left.within(c.terms[c.watch[w]].set) {
		return false
	}
	for n, t := range c.terms {
		if n := int32(n); n == c.watch[0] || n == c.watch[1] {
			continue
		}
		if d := &s.domains[t.pkg]; !d.left.within(t.set) {
			c.watch[w] = int32(n)
			d.watched = append(d.watched, c)
			return true
		}
	}
	return false
}

// term is the watched term about a package.
func (c *clause) term(i int32) term {
	if t := c.terms[c.watch[0]]; t.pkg == i {
		return t
	}
	return c.terms[c.watch[1]]
}

// conflicts says whether all terms of a clause are true. When all but one are,
// that one is made false.
func (s *search) conflicts(c *clause) bool {
	open := -1
	for n, t := range c.terms {
		left := s.domains[t.pkg].left
		if left.within(t.set) {
			continue
		}
		if open >= 0 || !left.meets(t.set) {
			return false
		}
		open = n
	}
	if open < 0 {
		return true
	}
	t := c.terms[open]
	s.narrow(t.pkg, s.domains[t.pkg].left.without(t.set), c)
	return false
}

// narrow replaces what is left of a package by a part of it.
func (s *search) narrow(i int32, left bitset, reason *clause) {
	d := &s.domains[i]
	s.trail = append(s.trail, step{pkg: i, before: d.left, after: left, reason: reason, level: s.level})
	d.history = append(d.history, int32(len(s.trail)-1))
	d.left = left
	s.changed = append(s.changed, i)
	s.recount(i)
	if reason != nil && s.forced(i) {
		s.waiting = append(s.waiting, i)
	}
}
