package dag

import "github.com/xpkg-go/sdk/meta"

// A search looks for one candidate of every package that is required, such that
// every edge of a chosen candidate leads to a candidate that it allows, and no
// circle is closed. It is complete: it fails only when there is no such choice.
//
// It works as PubGrub does, on finite sets instead of ranges. What is known is a
// list of clauses: terms that cannot all be true. A demand of one version is such
// a clause, and following clauses narrows what is left of each package. A choice
// that leads to a conflict is undone together with everything chosen since its
// true cause, and the cause is learnt as a new clause, so that the same mistake
// is not made twice, however many choices lie between. Every clause remembers the
// edges that it follows from: when the roots themselves are refuted, these edges
// are a proof, and the explanation is made of them.
//
// Packages are decided in the order of the agenda and each at the newest version
// that is left, and a clause never rules out anything that could be part of a
// solution, so the first solution found is also the first in that order.
type search struct {
	u     *universe
	roots []int32 // edges of the caller
	spent *int64  // candidates looked at and conflicts, over all searches of one call
	limit int64

	// only, when not nil, restricts the search to some edges and to what the
	// universe knows already: is this part of a proof enough?
	only map[int32]bool
	// waived, when not nil, is a demand to take for one that allows every version:
	// would relaxing it help? The same goes for all demands on the packages of
	// loose: what would be required of them, were they not in the way?
	waived *demand
	loose  map[int32]bool

	demands map[demand]*clause
	known   map[[2]int32]bool // candidates whose clauses are there
	pending []*clause         // new or changed, to be looked at
	facts   []*clause         // those of one term
	domains []domain          // by package
	trail   []step
	level   int     // how many choices stand
	changed []int32 // packages whose neighbours are to be looked at
	agenda  *agenda
	circles []*CycleError // those that choices closed
}

// A demand is what an edge says, whichever version of a package says it.
type demand struct {
	from, to   int32
	constraint string
}

// outcome is the end of a search: a choice, or the edges of a proof that there
// is none.
type outcome struct {
	chosen map[int32]int32 // package to candidate
	proof  map[int32]bool
}

// run searches. It starts again when the catalog turns out to hold a candidate
// that was not known, which happens at most once for each version that is pinned.
func (s *search) run() (outcome, error) {
	for {
		s.u.grown = false
		s.pending, s.facts, s.domains, s.trail, s.changed, s.circles = nil, nil, nil, nil, nil, nil
		s.demands, s.known = make(map[demand]*clause), make(map[[2]int32]bool)
		s.level = 0
		s.agenda = newAgenda(s.before)
		out, err := s.once()
		if err != nil || !s.u.grown {
			return out, err
		}
	}
}

// before is the order of the agenda.
func (s *search) before(a, b int32) bool {
	x, y := &s.domains[a], &s.domains[b]
	if fx, fy := x.left.count() == 1, y.left.count() == 1; fx != fy {
		return fx
	}
	if x.distance != y.distance {
		return x.distance < y.distance
	}
	return s.u.pkgs[a].key < s.u.pkgs[b].key
}

func (s *search) once() (outcome, error) {
	for _, e := range s.roots {
		if err := s.demand(e); err != nil {
			return outcome{}, err
		}
	}
	for !s.u.grown {
		if conflict := s.propagate(); conflict != nil {
			if proof := s.learn(conflict); proof != nil {
				return outcome{proof: proof.proof()}, nil
			}
			if err := s.spend(conflict.terms[0].pkg); err != nil {
				return outcome{}, err
			}
			continue
		}
		i, ok := s.agenda.pop()
		if !ok {
			chosen := s.choice()
			circle := s.circle(chosen)
			if circle == nil {
				return outcome{chosen: chosen}, nil
			}
			s.add(circle)
			continue
		}
		if err := s.decide(i); err != nil {
			return outcome{}, err
		}
	}
	return outcome{}, nil
}

// spend counts one step.
func (s *search) spend(at int32) error {
	if *s.spent++; *s.spent > s.limit {
		return &meta.LimitError{What: "the search for a solution", Limit: s.limit, Unit: "steps", Where: s.u.pkgs[at].source.String()}
	}
	return nil
}

// decide chooses the best candidate that is left of a package, and makes its
// demands known.
func (s *search) decide(i int32) error {
	if err := s.spend(i); err != nil {
		return err
	}
	d := &s.domains[i]
	k := s.best(i)
	if d.left.count() > 1 {
		s.level++
		only := newBitset(s.width(i))
		only.add(k)
		s.narrow(i, only, nil)
	}
	s.domains[i].settled = true
	return s.expand(i, int32(k))
}

// best is the newest candidate that is left. When nobody constrains the package,
// and so nobody asks for a pre-release, releases come first.
func (s *search) best(i int32) int {
	d := &s.domains[i]
	first := d.left.next(0)
	for _, c := range d.demands {
		if !s.u.edges[c.edge].constraint.IsZero() && s.active(c) {
			return first
		}
	}
	if k := d.left.and(s.u.pkgs[i].stable).next(0); k >= 0 {
		return k
	}
	return first
}

// active says whether the demand of a clause is made.
func (s *search) active(c *clause) bool {
	from := s.u.edges[c.edge].from
	return from == caller || s.domains[from].left.within(c.terms[0].set)
}

// expand makes clauses of what a candidate demands.
func (s *search) expand(i, k int32) error {
	if s.known[[2]int32{i, k}] {
		return nil
	}
	s.known[[2]int32{i, k}] = true
	c := &s.u.pkgs[i].candidates[k]
	if s.only == nil {
		var err error
		if c, err = s.u.read(i, k); err != nil {
			return err
		}
	}
	if c.refused != nil {
		s.add(&clause{edge: caller, terms: []term{s.is(i, int(k))}})
		return nil
	}
	for _, e := range c.edges {
		if err := s.demand(e); err != nil {
			return err
		}
	}
	return nil
}

// demand makes a clause of one edge: whoever makes the demand and a version that
// it does not allow, or none, cannot be true together. Versions of one package
// that demand the same share a clause.
func (s *search) demand(e int32) error {
	ed := s.u.edges[e]
	if s.u.grown || !s.follows(e) {
		return nil
	}
	if err := s.u.list(ed.to); err != nil {
		return err
	}
	if s.u.pkgs[ed.to].unlisted() {
		return nil // nobody knows; whoever needs it is reported, not refuted
	}
	set, err := s.u.set(e)
	if err != nil || s.u.grown {
		return err
	}
	s.domain(ed.to)
	key := s.u.demand(e)
	if c, ok := s.demands[key]; ok {
		c.edges = append(c.edges, e)
		if ed.from != caller {
			c.terms[0].set = c.terms[0].set.with(int(ed.candidate))
		}
		s.pending = append(s.pending, c)
		return nil
	}
	n := len(s.u.pkgs[ed.to].candidates)
	refused := fullBitset(n + 1)
	for k := range n {
		if s.relaxed(e) || set.has(k) {
			refused.remove(k)
		}
	}
	c := &clause{edge: e, edges: []int32{e}}
	if ed.from != caller {
		c.terms = append(c.terms, s.is(ed.from, int(ed.candidate)))
	}
	if ed.from == ed.to {
		// One package, two terms: what must not be true is both at once.
		refused = refused.and(c.terms[0].set)
		c.terms = nil
		c.edge = caller
		if refused.empty() {
			return nil
		}
	} else {
		s.demands[key] = c
		s.domains[ed.to].demands = append(s.domains[ed.to].demands, c)
	}
	c.terms = append(c.terms, term{pkg: ed.to, set: refused})
	s.add(c)
	return nil
}

// choice is what was decided.
func (s *search) choice() map[int32]int32 {
	chosen := make(map[int32]int32)
	for i := range s.domains {
		if s.domains[i].settled {
			chosen[int32(i)] = int32(s.domains[i].left.next(0))
		}
	}
	return chosen
}

// circle is a clause against a circle that a choice closes, nil when it closes
// none.
func (s *search) circle(chosen map[int32]int32) *clause {
	ids, d, via := s.u.chosenGraph(chosen, s.follows)
	parts := stronglyConnected(d)
	for k := range parts.len() {
		members := parts.members(k)
		if !cyclic(d, members) {
			continue
		}
		c := &clause{edge: caller}
		path := shortestCycle(d, members)
		for n, i := range path[:len(path)-1] {
			c.terms = append(c.terms, s.is(ids[i], int(chosen[ids[i]])))
			c.edges = append(c.edges, via(i, path[n+1]))
		}
		s.circles = append(s.circles, s.u.cycleError(ids, path))
		return c
	}
	return nil
}

// follows says whether the search heeds an edge.
func (s *search) follows(e int32) bool { return s.only == nil || s.only[e] }

// relaxed says whether the search takes an edge for one that allows every version.
func (s *search) relaxed(e int32) bool {
	return s.loose[s.u.edges[e].to] || s.waived != nil && s.u.demand(e) == *s.waived
}

// demand is what an edge says.
func (u *universe) demand(e int32) demand {
	ed := &u.edges[e]
	return demand{from: ed.from, to: ed.to, constraint: constraintKey(ed.constraint)}
}
