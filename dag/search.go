package dag

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

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
// Packages are decided in the order of the queue and each at the best version that
// is left, and a clause never rules out anything that could be part of a solution,
// so the first solution found is also the best by that order. What a clause leaves
// no choice about is decided at once, whatever its place, because nothing is chosen
// by that.
type search struct {
	u      *universe
	roots  []int32       // edges of the caller
	rootAt map[int32]int // their places
	spent  *int64        // candidates looked at and conflicts, over all searches of one call
	limit  int64

	// budget, when not nil, says which installed packages must stay as they are.
	budget *budget

	// only, when not nil, restricts the search to some edges and to what the
	// universe knows already: is this part of a proof enough?
	only map[int32]bool
	// waived, when not nil, are edges to take for ones that allow every version:
	// would relaxing them help? The same goes for all demands on the packages of
	// loose: what would be required of them, were they not in the way?
	waived map[int32]bool
	loose  map[int32]bool

	demands map[demand]*clause
	known   map[[2]int32]bool // candidates whose clauses are there
	pending []*clause         // new or changed, to be looked at
	facts   []*clause         // those of one term that were followed after a choice
	domains []domain          // by package
	trail   []step
	level   int     // how many choices stand
	changed []int32 // packages whose neighbours are to be looked at
	waiting []int32 // packages of which a single version was left
	queue   queue
	circles []*CycleError // those that choices closed

	met     int // how many conflicts were met
	cause   cause
	bounds  bounds // of the store
	store   store
	precise bool // which clauses led to which others is kept
}

// A demand is what an edge says, whichever version of a package says it.
type demand struct {
	from, to   int32
	constraint string
	waived     bool
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
		s.pending, s.facts, s.domains, s.trail, s.changed, s.waiting, s.circles = nil, nil, nil, nil, nil, nil, nil
		s.demands, s.known = make(map[demand]*clause), make(map[[2]int32]bool)
		s.level, s.queue = 0, queue{depth: make(map[int32]int)}
		s.met, s.cause, s.store, s.precise = 0, cause{}, store{most: s.bounds.first}, true
		s.rootAt = make(map[int32]int, len(s.roots))
		for n, e := range s.roots {
			s.rootAt[e] = n
		}
		if s.budget != nil {
			s.budget.reset()
		}
		out, err := s.once()
		if err != nil || !s.u.grown {
			return out, err
		}
	}
}

func (s *search) once() (outcome, error) {
	if err := ended(s.u.ctx); err != nil {
		return outcome{}, err
	}
	if err := s.demandAll(s.roots); err != nil {
		return outcome{}, err
	}
	for !s.u.grown {
		if conflict := s.propagate(); conflict != nil {
			at := conflict.terms[0].pkg
			if proof := s.learn(conflict); proof != nil {
				return outcome{proof: s.proof(proof)}, nil
			}
			if err := s.spend(at); err != nil {
				return outcome{}, err
			}
			continue
		}
		if s.full() {
			s.forget()
		}
		if i, ok := s.open(); ok {
			if err := s.decide(i); err != nil {
				return outcome{}, err
			}
			continue
		}
		chosen := s.choice()
		fault := s.circle(chosen)
		if fault == nil {
			return outcome{chosen: chosen}, nil
		}
		s.add(fault)
	}
	return outcome{}, nil
}

// spend counts one step. Now and then it looks whether the caller still waits.
func (s *search) spend(at int32) error {
	if *s.spent++; *s.spent%16 == 0 {
		if err := ended(s.u.ctx); err != nil {
			return err
		}
	}
	if *s.spent > s.limit {
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
		s.queue.choose()
		s.level++
		only := newBitset(s.width(i))
		only.add(k)
		s.narrow(i, only, nil)
	}
	s.domains[i].settled = true
	return s.expand(i, int32(k))
}

// expand makes clauses of what a candidate demands.
func (s *search) expand(i, k int32) error {
	if s.known[[2]int32{i, k}] {
		return nil
	}
	s.known[[2]int32{i, k}] = true
	if s.only == nil && !s.u.pkgs[i].candidates[k].read {
		if err := s.u.readAll(s.ahead(i, k)); err != nil {
			return err
		}
	}
	if s.only == nil {
		if err := s.u.judge(i, k); err != nil {
			return err
		}
	}
	c := &s.u.pkgs[i].candidates[k]
	if c.refused != nil {
		s.add(&clause{edge: caller, terms: []term{s.is(i, int(k))}})
		return nil
	}
	return s.demandAll(c.edges)
}

// ahead is a candidate to read, and those that are read next if nothing comes in
// between: a catalog is asked for all of them at the same time.
func (s *search) ahead(i, k int32) [][2]int32 {
	ask := [][2]int32{{i, k}}
	put := func(j int32) {
		if s.domains[j].settled || s.domains[j].left == nil || !s.required(j) || s.domains[j].left.empty() {
			return
		}
		next := int32(s.best(j))
		if !s.u.pkgs[j].candidates[next].read && !slices.Contains(ask, [2]int32{j, next}) {
			ask = append(ask, [2]int32{j, next})
		}
	}
	for _, j := range s.waiting {
		if len(ask) < parallelQuestions {
			put(j)
		}
	}
	for _, j := range s.queue.order[min(s.queue.next, len(s.queue.order)):] {
		if len(ask) < parallelQuestions {
			put(j)
		}
	}
	return ask
}

// demandAll makes clauses of edges, and asks for the versions of all their packages
// at the same time.
func (s *search) demandAll(edges []int32) error {
	var to []int32
	for _, e := range edges {
		if s.follows(e) {
			to = append(to, s.u.edges[e].to)
		}
	}
	if err := s.u.listAll(to); err != nil {
		return err
	}
	if s.only != nil {
		*s.spent += int64(len(to)) // searches that explain are many, and short but for this
	}
	for _, e := range edges {
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
	set, err := s.u.set(e)
	if err != nil || s.u.grown {
		return err
	}
	s.domain(ed.to)
	key := s.u.demand(e)
	key.waived = s.waived[e]
	if c, ok := s.demands[key]; ok {
		c.edges = append(c.edges, e)
		if ed.from != caller {
			c.terms[0].set = c.terms[0].set.with(int(ed.candidate))
			s.rewatch(c)
		}
		s.pending = append(s.pending, c)
		return nil
	}
	n := len(s.u.pkgs[ed.to].candidates)
	refused := fullBitset(n + 1)
	allowed := set
	if s.relaxed(e) {
		allowed = fullBitset(n)
	}
	for w := range allowed {
		refused[w] &^= allowed[w]
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
