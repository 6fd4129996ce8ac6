package dag

import "slices"

// What is installed should stay: as few installed packages as possible are changed.
// A package that is installed is changed when another version of it is needed;
// one that nobody needs any more is not.
//
// First every installed package is held as it is. When that cannot be, the proof
// tells a set of them, a core, of which at least one must change. The core is
// set free and the search made again, until there is a solution. Cores have no
// package in common, so each costs a change of its own, and the fewest changes are
// one for each core and a few to spare: none, if that will do.

// A budget is how many installed packages a search may change.
type budget struct {
	core  map[int32]int // installed packages that cannot all stay: the number of their core
	cores int

	// hold means that those outside of cores must stay and the others are free.
	hold  bool
	spare int // otherwise: changes besides one for each core

	spent  []int // changed packages of each core
	beyond int   // changed packages of no core
	list   []int32
}

// addCore takes the packages of a proof whose staying is a part of it. It gives
// false when there are none.
func (b *budget) addCore(u *universe, proof map[int32]bool) bool {
	found := false
	for e := range proof {
		if ed := &u.edges[e]; ed.from == stayer {
			b.core[ed.to] = b.cores
			found = true
		}
	}
	if found {
		b.cores++
	}
	return found
}

// reset forgets what was counted.
func (b *budget) reset() {
	b.spent, b.beyond, b.list = make([]int, b.cores), 0, nil
}

// installedAt is the candidate that is installed of a package, below zero when
// none is that can be held.
func (u *universe) installedAt(i int32) int32 {
	if p := u.pkgs[i]; p.stay >= 0 {
		return p.at
	}
	return -1
}

// stays says whether this search holds a package as it is installed.
func (s *search) stays(i int32) bool {
	if s.budget == nil || s.u.installedAt(i) < 0 {
		return false
	}
	_, free := s.budget.core[i]
	return !free && (s.budget.hold || s.budget.spare == 0)
}

// others are the candidates of an installed package but the installed one.
func (s *search) others(i int32) bitset {
	set := fullBitset(s.width(i))
	set.remove(len(s.u.pkgs[i].candidates))
	set.remove(int(s.u.installedAt(i)))
	return set
}

// recount notes whether an installed package can still stay as it is.
func (s *search) recount(i int32) {
	b := s.budget
	if b == nil || b.hold || s.u.installedAt(i) < 0 {
		return
	}
	d := &s.domains[i]
	changed := d.left.within(s.others(i))
	if changed == d.changed {
		return
	}
	d.changed = changed
	n := 1
	if changed {
		b.list = append(b.list, i)
	} else {
		n = -1
		b.list = slices.DeleteFunc(b.list, func(j int32) bool { return j == i })
	}
	if k, ok := b.core[i]; ok {
		b.spent[k] += n
	} else {
		b.beyond += n
	}
}

// over says whether more is changed than the search may change.
func (s *search) over() bool {
	b := s.budget
	if b == nil || b.hold {
		return false
	}
	excess := b.beyond
	for _, n := range b.spent {
		excess += max(0, n-1)
	}
	return excess > b.spare
}

// overspent is a clause against the changes that are too many together, nil when they
// are not. Cores of which one package is changed have no part in it.
func (s *search) overspent() *clause {
	if !s.over() {
		return nil
	}
	b := s.budget
	c := &clause{edge: caller}
	for _, i := range slices.Sorted(slices.Values(b.list)) {
		if k, ok := b.core[i]; !ok || b.spent[k] > 1 {
			c.terms = append(c.terms, term{pkg: i, set: s.others(i)})
		}
	}
	return c
}
