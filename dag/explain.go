package dag

import (
	"cmp"
	"maps"
	"slices"
)

// Reducing a proof and looking for a change that would help are searches too.
// They may be long where the proof was, and an explanation is worth only so much
// time: beyond this many steps, over all conflicts of a call, a proof stays as it
// is and no change is named.
const explainSteps = 100_000

// reduce leaves demands out of a proof for as long as it stays one, so that an
// explanation holds nothing that has no part in the conflict. It asks the catalog
// nothing. It gives the circles that the proof rests on as well.
func (r *resolver) reduce(proof map[int32]bool) (map[int32]bool, []*CycleError) {
	test := func(edges map[int32]bool) (map[int32]bool, []*CycleError) {
		s := &search{u: r.u, bounds: r.bounds, roots: r.roots, spent: &r.extra, limit: explainSteps, only: edges}
		out, err := s.run()
		if err != nil {
			return nil, nil
		}
		return out.proof, s.circles
	}
	// A proof of a part of itself is often much shorter.
	for range 8 {
		smaller, _ := test(proof)
		if smaller == nil || len(smaller) >= len(proof) {
			break
		}
		proof = smaller
	}
	// The demands met last are left out first: those near to the roots are the
	// ones that a reader can do something about. Many are tried at a time, then fewer,
	// at last each by itself.
	groups := r.demands(proof)
	slices.Reverse(groups)
	for size := max(1, len(groups)/4); ; size = max(1, size/4) {
		for some := range slices.Chunk(groups, size) {
			if r.extra > explainSteps {
				return proof, nil // every further search would end at once
			}
			less := maps.Clone(proof)
			for _, g := range some {
				for _, e := range g.edges {
					delete(less, e)
				}
			}
			if len(less) == len(proof) {
				continue
			}
			if smaller, _ := test(less); smaller != nil {
				proof = smaller
			}
		}
		if size == 1 {
			break
		}
	}
	whole, circles := test(proof)
	if whole == nil {
		return proof, nil
	}
	// The circles met are sorted and each told once.
	slices.SortFunc(circles, func(a, b *CycleError) int { return cmp.Compare(a.Error(), b.Error()) })
	circles = slices.CompactFunc(circles, func(a, b *CycleError) bool { return a.Error() == b.Error() })
	return proof, circles
}

// A group is the edges of a proof that say the same: the same demand, of several
// versions of one package.
type group struct {
	demand
	edges []int32 // the demanding version newest first
}

// demands are the groups of a proof in the order in which they were met.
func (r *resolver) demands(proof map[int32]bool) []group {
	var groups []group
	at := make(map[demand]int)
	for _, e := range slices.Sorted(maps.Keys(proof)) {
		d := r.u.demand(e)
		k, ok := at[d]
		if !ok {
			k = len(groups)
			at[d] = k
			groups = append(groups, group{demand: d})
		}
		groups[k].edges = append(groups[k].edges, e)
	}
	for _, g := range groups {
		slices.SortStableFunc(g.edges, func(a, b int32) int {
			return cmp.Compare(r.u.edges[a].candidate, r.u.edges[b].candidate)
		})
	}
	return groups
}

// explain makes a conflict of a proof.
func (r *resolver) explain(proof map[int32]bool, circles []*CycleError) Conflict {
	x := newExplainer(r.u, r.demands(proof), proof)
	if context := r.further(x, proof); context != nil {
		x = newExplainer(r.u, r.demands(context), proof)
	}
	conflict := Conflict{Circles: circles}
	numbers := x.number()
	requirements := x.requirements()
	for _, i := range x.sections {
		conflict.Packages = append(conflict.Packages, x.section(i, numbers, requirements))
	}
	// Last, because trying changes may teach the universe new candidates.
	conflict.Relax = r.help(x, proof, requirements)
	if conflict.Relax == nil {
		conflict.Drop = r.drop(x, proof, requirements)
	}
	return conflict
}

// drop is the first root of a conflict without which its other roots can be resolved,
// nil when there are no others or that takes too long to find out.
func (r *resolver) drop(x *explainer, proof map[int32]bool, requirements []Requirement) *Requirement {
	roots := rootsOf(r.roots, proof)
	for _, k := range x.byDistance() {
		g := x.groups[k]
		others := slices.DeleteFunc(slices.Clone(roots), func(e int32) bool { return slices.Contains(g.edges, e) })
		if g.from != caller || len(others) == 0 || len(others) == len(roots) {
			continue
		}
		if r.solves(&search{roots: others}) {
			return &requirements[k]
		}
	}
	return nil
}

// solves tries a search out: does it find a choice of which the catalog can tell
// everything?
func (r *resolver) solves(s *search) bool {
	s.u, s.bounds, s.spent, s.limit = r.u, r.bounds, &r.extra, explainSteps
	out, err := s.run()
	if err != nil || out.proof != nil {
		return false
	}
	_, unanswered := newPlan(r.u, s.roots, out.chosen)
	return len(unanswered) == 0
}

// further adds to a proof what would be chosen if the packages where it clashes
// stood in nobody's way, so that the explanation can name everybody who demands
// them: whoever changes one requirement has to meet the others as well. It is nil
// when that cannot be found out.
func (r *resolver) further(x *explainer, proof map[int32]bool) map[int32]bool {
	s := &search{u: r.u, bounds: r.bounds, roots: r.roots, spent: &r.extra, limit: explainSteps, loose: x.clashes()}
	out, err := s.run()
	if err == nil && out.proof != nil { // other roots have a conflict of their own
		s.roots = rootsOf(r.roots, proof)
		out, err = s.run()
	}
	if err != nil || out.proof != nil {
		return nil
	}
	all := maps.Clone(proof)
	for _, e := range s.roots {
		all[e] = true
	}
	for i, k := range out.chosen {
		for _, e := range r.u.pkgs[i].candidates[k].edges {
			all[e] = true
		}
	}
	return all
}

// rootsOf are the roots that have a part in a proof.
func rootsOf(roots []int32, proof map[int32]bool) []int32 {
	return slices.DeleteFunc(slices.Clone(roots), func(e int32) bool { return !proof[e] })
}

// help is the first requirement, nearest to the roots, whose relaxing to any
// version would let the roots of this conflict be resolved. It is tried, not
// guessed: nil when none would or when that takes too long to find out.
func (r *resolver) help(x *explainer, proof map[int32]bool, requirements []Requirement) *Requirement {
	roots := rootsOf(r.roots, proof)
	for _, k := range x.byDistance() {
		g := x.groups[k]
		if !x.core[k] || r.u.edges[g.edges[0]].constraint.IsZero() {
			continue
		}
		if r.solves(&search{roots: roots, waived: waive(g.edges)}) {
			return &requirements[k]
		}
	}
	return nil
}

// waive is the edges to take for ones that allow every version.
func waive(edges []int32) map[int32]bool {
	w := make(map[int32]bool, len(edges))
	for _, e := range edges {
		w[e] = true
	}
	return w
}
