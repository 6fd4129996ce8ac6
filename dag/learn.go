package dag

import (
	"slices"
	"sort"
)

// A cause is what a conflict is resolved to, step by step: a clause in the making,
// whose terms are all true.
type cause struct {
	pkgs   []int32  // those that it has a term about
	sets   []bitset // by package: the term; nil for none
	at     []int32  // by package: the step that made the term true
	from   []*clause
	origin bitset
}

// learn finds the cause of a conflict, goes back to before the choice that made
// it, and adds the cause as a clause. When no choice has a part in the conflict
// it gives the clause without terms that is the proof.
func (s *search) learn(c *clause) *clause {
	s.met++
	w := &s.cause
	w.from, w.origin = nil, nil
	s.blame(c, caller)
	for {
		last, level := s.satisfier()
		if last < 0 {
			return s.learnt(nil)
		}
		st := &s.trail[last]
		if st.reason == nil || level < st.level {
			c := s.learnt(w.pkgs)
			s.undo(level)
			s.add(c)
			return nil
		}
		s.blame(st.reason, st.pkg)
	}
}

// blame takes a clause into the cause: the conflict itself, or the reason of a step
// in the place of its effect. Of the terms of both clauses not all can be true when the
// package of the step is what either of them forbids.
func (s *search) blame(c *clause, pkg int32) {
	w := &s.cause
	for len(w.sets) < len(s.domains) {
		w.sets, w.at = append(w.sets, nil), append(w.at, 0)
	}
	if s.precise {
		w.from = append(w.from, c)
	}
	w.origin = w.origin.join(s.origin(c))
	c.used = s.met
	for _, t := range c.terms {
		set := t.set
		switch old := w.sets[t.pkg]; {
		case old == nil:
			w.pkgs = append(w.pkgs, t.pkg)
		case t.pkg == pkg:
			set = old.or(set)
		default:
			set = old.and(set)
		}
		w.sets[t.pkg] = set
		if set.count() == s.width(t.pkg) { // it is always true
			w.drop(t.pkg)
			continue
		}
		w.at[t.pkg] = s.since(term{t.pkg, set})
	}
}

// drop takes a term out of a cause.
func (w *cause) drop(i int32) {
	w.sets[i] = nil
	w.pkgs = slices.DeleteFunc(w.pkgs, func(j int32) bool { return j == i })
}

// learnt is the cause as a clause, and leaves room for the next.
func (s *search) learnt(pkgs []int32) *clause {
	w := &s.cause
	slices.Sort(pkgs)
	c := &clause{edge: caller, from: w.from, derived: w.origin, terms: make([]term, 0, len(pkgs)), used: s.met, learnt: true}
	levels := make(map[int]bool)
	for _, i := range pkgs {
		c.terms = append(c.terms, term{i, w.sets[i]})
		levels[s.trail[w.at[i]].level] = true
		w.sets[i] = nil
	}
	c.levels = len(levels)
	w.pkgs = w.pkgs[:0]
	s.keep(c)
	return c
}

// satisfier is the step that made the last term of the cause true, and the level
// at which, with that step, all of them were; below zero when there are no terms.
func (s *search) satisfier() (last int32, level int) {
	w := &s.cause
	last, before := int32(-1), int32(-1)
	for _, i := range w.pkgs {
		switch at := w.at[i]; {
		case at > last:
			last, before = at, last
		case at > before:
			before = at
		}
	}
	if before >= 0 {
		level = s.trail[before].level
	}
	if last < 0 || s.trail[last].reason == nil {
		return last, level
	}
	// The step alone may not be enough for its term: earlier ones on the same
	// package may have a part in it.
	st := &s.trail[last]
	rest := fullBitset(s.width(st.pkg)).without(st.before.without(st.after))
	for _, t := range st.reason.terms {
		if t.pkg == st.pkg {
			rest = fullBitset(s.width(st.pkg)).without(t.set)
		}
	}
	set := w.sets[st.pkg]
	if rest.within(set) {
		return last, level
	}
	history := s.domains[st.pkg].history
	n := sort.Search(len(history), func(n int) bool { return s.trail[history[n]].after.and(rest).within(set) })
	if n < len(history) {
		level = max(level, s.trail[history[n]].level)
	}
	return last, level
}

// undo takes back every step that is above a level.
func (s *search) undo(level int) {
	for len(s.trail) > 0 && s.trail[len(s.trail)-1].level > level {
		last := s.trail[len(s.trail)-1]
		s.trail = s.trail[:len(s.trail)-1]
		d := &s.domains[last.pkg]
		d.left = last.before
		d.history = d.history[:len(d.history)-1]
		d.settled = false
		s.recount(last.pkg)
	}
	s.level = level
	s.queue.back(level)
	// A fact holds whatever was chosen, but it was followed at a level that may be
	// gone.
	s.pending = append(s.pending, s.facts...)
	if level == 0 {
		s.facts = nil
	}
}
