package dag

import (
	"math"
	"sort"
)

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
		s.watch(c, c.terms[w])
	}
}

// watch notes at a package that a clause watches its term about it.
func (s *search) watch(c *clause, t term) {
	d := &s.domains[t.pkg]
	w := watch{clause: c, at: -1}
	w.untrue(d.left, t.set)
	if len(c.terms) == 2 {
		w.other(c.besides(t.pkg))
	}
	d.watched = append(d.watched, w)
}

// besides is the other term of a clause of two.
func (c *clause) besides(i int32) term {
	if c.terms[0].pkg == i {
		return c.terms[1]
	}
	return c.terms[0]
}

// rewatch forgets what showed that nobody has to look at a demand, because its first
// term has changed.
func (s *search) rewatch(c *clause) {
	for _, t := range c.terms {
		watched := s.domains[t.pkg].watched
		for n := range watched {
			if watched[n].clause == c {
				watched[n].outside = 0
				watched[n].other(c.besides(t.pkg))
			}
		}
	}
}

// since is the step that made a term true which is true; below zero when it
// always was.
func (s *search) since(t term) int32 {
	if t.set.count() == s.width(t.pkg) {
		return -1
	}
	history := s.domains[t.pkg].history
	n := sort.Search(len(history), func(n int) bool { return s.trail[history[n]].after.within(t.set) })
	if n == len(history) {
		return -1
	}
	return history[n]
}

// propagate follows the clauses until nothing more comes of them. It gives a
// clause whose terms are all true, if it meets one.
func (s *search) propagate() *clause {
	for {
		if c := s.overspent(); c != nil {
			s.forgetChanges()
			return c
		}
		for len(s.pending) > 0 {
			c := s.pending[0]
			s.pending = s.pending[1:]
			if s.conflicts(c) {
				s.forgetChanges() // a conflict undoes them
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
		s.domains[i].noted = false
		if c := s.notice(i); c != nil {
			s.forgetChanges()
			return c
		}
	}
}

func (s *search) forgetChanges() {
	for _, i := range s.changed {
		s.domains[i].noted = false
	}
	s.changed = s.changed[:0]
}

// notice looks at the clauses that watch a package which was narrowed. It gives
// one whose terms are all true, if it meets one.
func (s *search) notice(i int32) *clause {
	d := &s.domains[i]
	watched, left := d.watched, d.left
	kept := 0
	for n := range watched {
		w := &watched[n]
		if left[w.word]&w.outside == 0 && (w.at < 0 || s.domains[w.beside].left[w.at]&w.inside != 0) {
			c := w.clause
			if !w.untrue(left, c.term(i).set) {
				if s.moves(c, i) {
					continue
				}
				if s.conflicts(c) {
					d = &s.domains[i]
					d.watched = append(watched[:kept], watched[n:]...)
					return c
				}
			}
		}
		if kept < n {
			watched[kept] = *w
		}
		kept++
	}
	clear(watched[kept:])
	s.domains[i].watched = watched[:kept]
	return nil
}

// moves makes a clause watch another term instead of the one about a package, which
// has become true, when another has not.
func (s *search) moves(c *clause, i int32) bool {
	w := 0
	if c.terms[c.watch[0]].pkg != i {
		w = 1
	}
	for n, t := range c.terms {
		if n := int32(n); n == c.watch[0] || n == c.watch[1] {
			continue
		}
		if !s.domains[t.pkg].left.within(t.set) {
			c.watch[w] = int32(n)
			s.watch(c, t)
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
	if !d.noted {
		d.noted = true
		s.changed = append(s.changed, i)
	}
	s.recount(i)
	if reason != nil && s.forced(i) {
		s.waiting = append(s.waiting, i)
	}
}
