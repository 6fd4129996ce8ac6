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
		s := &search{u: r.u, roots: r.roots, spent: &r.extra, limit: explainSteps, only: edges}
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
	requirements := make([]Requirement, len(x.groups))
	for k := range x.groups {
		requirements[k] = x.requirement(k)
	}
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
	s.u, s.spent, s.limit = r.u, &r.extra, explainSteps
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
	s := &search{u: r.u, roots: r.roots, spent: &r.extra, limit: explainSteps, loose: x.clashes()}
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

// An explainer turns the groups of a proof into numbered requirements, package
// by package.
type explainer struct {
	u        *universe
	groups   []group         // those of the proof, and others that lead to them
	core     []bool          // which groups are of the proof
	on       map[int32][]int // groups by the package that they demand
	of       map[int32][]int // groups by the package that makes them
	distance map[int32]int   // of a package from the roots, along groups
	sections []int32         // packages in the order of the text
}

// newExplainer finds the distances, and the order of the sections: those packages
// first that demand nothing further, where the demands clash; then back towards the
// roots.
func newExplainer(u *universe, groups []group, proof map[int32]bool) *explainer {
	x := &explainer{
		u: u, groups: groups, core: make([]bool, len(groups)),
		on: make(map[int32][]int), of: make(map[int32][]int),
		distance: map[int32]int{caller: -1},
	}
	about, brings := make(map[int32]bool), make(map[int32]int)
	for k, g := range groups {
		x.on[g.to] = append(x.on[g.to], k)
		x.of[g.from] = append(x.of[g.from], k)
		if x.core[k] = slices.ContainsFunc(g.edges, func(e int32) bool { return proof[e] }); x.core[k] {
			about[g.to] = true
			brings[g.from] = 1
		}
	}
	queue := []int32{caller}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, k := range x.of[i] {
			to := groups[k].to
			if _, met := x.distance[to]; !met {
				x.distance[to] = x.distance[i] + 1
				queue = append(queue, to)
			}
		}
	}
	x.sections = slices.SortedFunc(maps.Keys(about), func(a, b int32) int {
		return cmp.Or(
			cmp.Compare(brings[a], brings[b]),
			cmp.Compare(x.distance[b], x.distance[a]),
			cmp.Compare(u.pkgs[a].key, u.pkgs[b].key),
		)
	})
	for _, groups := range x.on {
		slices.SortFunc(groups, x.compare)
	}
	return x
}

// clashes are the packages of the proof that demand nothing further in it.
func (x *explainer) clashes() map[int32]bool {
	c := make(map[int32]bool)
	for k, g := range x.groups {
		if x.core[k] {
			c[g.to] = true
		}
	}
	for k, g := range x.groups {
		if x.core[k] {
			delete(c, g.from)
		}
	}
	return c
}

// stated says whether the explanation states a group: it is of the proof, or it
// demands a package where that clashes.
func (x *explainer) stated(k int, clashes map[int32]bool) bool {
	return x.core[k] || clashes[x.groups[k].to]
}

// compare orders groups: by how near to the roots they are made, then by who
// makes them, what they demand, and how.
func (x *explainer) compare(a, b int) int {
	g, h := x.groups[a], x.groups[b]
	return cmp.Or(
		cmp.Compare(x.distance[g.from], x.distance[h.from]),
		cmp.Compare(x.key(g.from), x.key(h.from)),
		cmp.Compare(x.key(g.to), x.key(h.to)),
		cmp.Compare(g.constraint, h.constraint),
	)
}

// key is the identity of a package, and the empty string for the caller.
func (x *explainer) key(i int32) string {
	if i == caller {
		return ""
	}
	return x.u.pkgs[i].key
}

// byDistance are all groups in the order of compare.
func (x *explainer) byDistance() []int {
	all := make([]int, len(x.groups))
	for k := range all {
		all[k] = k
	}
	slices.SortFunc(all, x.compare)
	return all
}

// number gives every group that is stated its number in the text, from 1; the
// others have 0.
func (x *explainer) number() []int {
	numbers, clashes := make([]int, len(x.groups)), x.clashes()
	n := 0
	for _, i := range x.sections {
		for _, k := range x.on[i] {
			if x.stated(k, clashes) {
				n++
				numbers[k] = n
			}
		}
	}
	return numbers
}

// requirement is a group as the explanation states it.
func (x *explainer) requirement(k int) Requirement {
	g := x.groups[k]
	first := x.u.edges[g.edges[0]]
	r := Requirement{Source: first.declared.Package, Constraint: first.constraint, Installed: first.fallback}
	met := make(map[int32]bool)
	for from := g.from; from != caller && !met[from]; {
		met[from] = true
		r.Path = append(r.Path, x.step(from, g))
		k, ok := x.parent(from, g)
		if !ok {
			return r
		}
		g = x.groups[k]
		from = g.from
	}
	r.Rooted = true
	return r
}

// step is the package that makes a group, in the versions that make it.
func (x *explainer) step(i int32, g group) Step {
	s := Step{Source: x.u.pkgs[i].source}
	for _, e := range g.edges {
		s.Versions = append(s.Versions, x.u.pkgs[i].candidates[x.u.edges[e].candidate].version)
	}
	return s
}

// parent is the group that brings in a package which makes group g: the nearest
// to the roots that allows one of the versions that make g.
func (x *explainer) parent(i int32, g group) (int, bool) {
	nearest := -1
	for _, k := range x.on[i] {
		if x.distance[x.groups[k].from] >= x.distance[i] {
			continue
		}
		if nearest < 0 {
			nearest = k
		}
		if slices.ContainsFunc(g.edges, func(e int32) bool {
			return x.allows(k, int(x.u.edges[e].candidate))
		}) {
			return k, true
		}
	}
	return nearest, nearest >= 0
}

// allows says whether a group allows a candidate of the package that it demands.
func (x *explainer) allows(k, candidate int) bool {
	e := &x.u.edges[x.groups[k].edges[0]]
	if e.set == nil { // the candidates are more than they were when it was used
		v := x.u.pkgs[e.to].candidates[candidate].version
		return v.IsZero() || e.constraint.Allows(v)
	}
	return e.set.has(candidate)
}

// section is what the explanation says about one package.
func (x *explainer) section(i int32, numbers []int, requirements []Requirement) PackageConflict {
	p := x.u.pkgs[i]
	c := PackageConflict{Source: p.source, Err: p.absent, Ignored: p.ignored}
	for _, k := range x.on[i] {
		if numbers[k] > 0 {
			c.Requirements = append(c.Requirements, NumberedRequirement{
				Number: numbers[k], Core: x.core[k], Requirement: requirements[k],
			})
		}
	}
	for n := range p.candidates {
		v := Rejected{Version: p.candidates[n].version, Err: p.candidates[n].refused}
		for _, k := range x.on[i] {
			if numbers[k] > 0 && !x.allows(k, n) {
				constraint := x.u.edges[x.groups[k].edges[0]].constraint
				v.Fails = append(v.Fails, Failure{Number: numbers[k], Verdict: constraint.Explain(v.Version)})
			}
		}
		for _, k := range x.of[i] {
			if numbers[k] > 0 && slices.ContainsFunc(x.groups[k].edges, func(e int32) bool {
				return x.u.edges[e].candidate == int32(n)
			}) {
				v.Brings = append(v.Brings, numbers[k])
			}
		}
		slices.Sort(v.Brings)
		c.Candidates = append(c.Candidates, v)
	}
	return c
}
