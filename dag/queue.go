package dag

import (
	"cmp"
	"slices"
)

// A queue is the packages that are needed, in the order in which they are chosen:
// the roots, then what these need, and so on breadth first, each level in the order
// of identities. A level is known only when all of the level before it is
// chosen, so the first choice that works is also the best one by that order.
type queue struct {
	order []int32
	depth map[int32]int // level of each package in order, from 0
	start int           // where the last level begins
	next  int           // the first package that may not be chosen yet
	marks []mark        // by choices made
}

// A mark is where a queue stood when a choice was made.
type mark struct{ length, start, next int }

// choose notes that a choice is made now.
func (q *queue) choose() { q.marks = append(q.marks, mark{len(q.order), q.start, q.next}) }

// back goes back to where only so many choices were made.
func (q *queue) back(choices int) {
	if choices >= len(q.marks) {
		return
	}
	m := q.marks[choices]
	for _, i := range q.order[m.length:] {
		delete(q.depth, i)
	}
	q.order, q.start, q.next = q.order[:m.length], m.start, m.next
	q.marks = q.marks[:choices]
}

// level is the number of the last level.
func (q *queue) level() int {
	if len(q.order) == 0 {
		return -1
	}
	return q.depth[q.order[len(q.order)-1]]
}

// advance appends the level behind the last one: what that needs and is not there
// yet. It gives false when there is no more.
func (s *search) advance() bool {
	q := &s.queue
	level := q.level() + 1
	var found []int32
	put := func(e int32) {
		i := s.u.edges[e].to
		if _, met := q.depth[i]; !met && s.follows(e) {
			q.depth[i] = level
			found = append(found, i)
		}
	}
	if level == 0 {
		for _, e := range s.roots {
			put(e)
		}
	}
	for _, i := range q.order[q.start:] {
		for _, e := range s.u.pkgs[i].candidates[s.domains[i].left.next(0)].edges {
			put(e)
		}
	}
	slices.SortFunc(found, func(a, b int32) int { return cmp.Compare(s.u.pkgs[a].key, s.u.pkgs[b].key) })
	q.start = len(q.order)
	q.order = append(q.order, found...)
	return len(found) > 0
}

// open is the next package to decide: one of which a single version is left, or
// else the first in the order. It gives false when all are decided.
func (s *search) open() (int32, bool) {
	for len(s.waiting) > 0 {
		i := s.waiting[0]
		s.waiting = s.waiting[1:]
		if s.forced(i) {
			return i, true
		}
	}
	q := &s.queue
	for {
		for ; q.next < len(q.order); q.next++ {
			if i := q.order[q.next]; !s.domains[i].settled {
				return i, true
			}
		}
		if !s.advance() {
			return 0, false
		}
	}
}

// forced says whether a package is needed and not decided, and only one of its
// versions is left.
func (s *search) forced(i int32) bool {
	d := &s.domains[i]
	return !d.settled && s.required(i) && d.left.count() == 1
}

// best is the version that is preferred among those left: the newest, where
// something nearer to the roots constrains the package; else the newest release,
// because nobody asks for a pre-release. Behind the tags come the pins.
func (s *search) best(i int32) int {
	p, left := s.u.pkgs[i], s.domains[i].left
	if k := left.next(0); k < p.tags && p.stable.has(k) {
		return k
	}
	if !s.constrained(i) {
		if k := left.and(p.stable).next(0); k >= 0 && k < p.tags {
			return k
		}
	}
	best := left.next(0)
	if best < p.tags {
		return best
	}
	for k := left.next(best + 1); k >= 0 && k < len(p.candidates); k = left.next(k + 1) {
		if p.candidates[k].version.Compare(p.candidates[best].version) > 0 {
			best = k
		}
	}
	return best
}

// constrained says whether a root or a package of a nearer level constrains a package
// at all.
func (s *search) constrained(i int32) bool {
	level, met := s.queue.depth[i]
	for _, c := range s.domains[i].demands {
		ed := &s.u.edges[c.edge]
		if ed.constraint.IsZero() {
			continue
		}
		if ed.from == caller {
			return true
		}
		nearer, there := s.queue.depth[ed.from]
		if met && there && nearer < level && s.domains[ed.from].left.within(c.terms[0].set) {
			return true
		}
	}
	return false
}
