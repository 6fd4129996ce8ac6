package dag

import (
	"cmp"
	"slices"
)

// learn finds the cause of a conflict, goes back to before the choice that made
// it, and adds the cause as a clause. When no choice has a part in the conflict
// it gives the clause without terms that is the proof.
func (s *search) learn(c *clause) *clause {
	c = &clause{edge: caller, terms: s.trim(c.terms), from: []*clause{c}}
	for len(c.terms) > 0 {
		last, level := s.satisfier(c)
		st := &s.trail[last]
		if st.reason == nil || level < st.level {
			s.undo(level)
			s.add(c)
			*s.spent += int64(len(c.terms) / 4) // it is kept, and long ones take memory
			return nil
		}
		c.terms = s.resolve(c.terms, st.reason.terms, st.pkg)
		c.from = append(c.from, st.reason)
	}
	return c
}

// satisfier is the step that made the last term of a clause true, and the level
// at which, with that step, all of them were.
func (s *search) satisfier(c *clause) (last int32, level int) {
	last = -1
	var late term
	at := make([]int32, len(c.terms))
	for n, t := range c.terms {
		if at[n] = s.since(t); at[n] > last {
			last, late = at[n], t
		}
	}
	for n, t := range c.terms {
		if t.pkg != late.pkg {
			level = max(level, s.trail[at[n]].level)
		}
	}
	// The step alone may not be enough for its term: earlier ones on the same
	// package may have a part in it.
	st := &s.trail[last]
	if st.reason == nil {
		return last, level
	}
	by := st.before.without(st.after) // what the step excluded
	rest := fullBitset(s.width(late.pkg)).without(by)
	for _, t := range st.reason.terms {
		if t.pkg == late.pkg {
			rest = fullBitset(s.width(late.pkg)).without(t.set)
		}
	}
	if rest.within(late.set) {
		return last, level
	}
	for _, k := range s.domains[late.pkg].history {
		if s.trail[k].after.and(rest).within(late.set) {
			return last, max(level, s.trail[k].level)
		}
	}
	return last, level
}

// resolve puts the reason of a step in the place of its effect. Of the terms of
// both clauses not all can be true when the package of the step is what either of
// them forbids.
func (s *search) resolve(a, b []term, pkg int32) []term {
	all := slices.Concat(a, b)
	slices.SortStableFunc(all, func(a, b term) int { return cmp.Compare(a.pkg, b.pkg) })
	var terms []term
	for _, t := range all {
		last := len(terms) - 1
		switch {
		case last < 0 || terms[last].pkg != t.pkg:
			terms = append(terms, t)
		case t.pkg == pkg:
			terms[last].set = terms[last].set.or(t.set)
		default:
			terms[last].set = terms[last].set.and(t.set)
		}
	}
	return s.trim(terms)
}

// trim is the terms without those that are always true.
func (s *search) trim(terms []term) []term {
	return slices.DeleteFunc(slices.Clone(terms), func(t term) bool { return t.set.count() == s.width(t.pkg) })
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
