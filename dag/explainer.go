package dag

import (
	"cmp"
	"maps"
	"slices"
)

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

// requirements are the groups as the explanation states them. The way from a group to the
// root goes on along that of the group that brings it in, so that the far ones are
// made first and the others share theirs: a chain of thousands has one path in memory.
func (x *explainer) requirements() []Requirement {
	rs := make([]Requirement, len(x.groups))
	made := make([]bool, len(x.groups))
	all := x.byDistance()
	slices.Reverse(all)
	for _, k := range all {
		if made[k] {
			continue
		}
		var way []int // groups from k towards the root that have no path yet
		var steps, rest []Step
		rooted := true
		for at := k; x.groups[at].from != caller; {
			if made[at] {
				rest, rooted = rs[at].Path, rs[at].Rooted
				break
			}
			way = append(way, at)
			g := x.groups[at]
			steps = append(steps, x.step(g.from, g))
			parent, ok := x.parent(g.from, g)
			if !ok {
				rooted = false
				break
			}
			at = parent
		}
		if len(way) == 0 {
			way = []int{k} // a root
		}
		steps = slices.Clip(append(steps, rest...))
		for n, at := range way {
			first := x.u.edges[x.groups[at].edges[0]]
			rs[at] = Requirement{Source: first.declared.Package, Constraint: first.constraint, Installed: first.fallback, Path: steps[n:], Rooted: rooted}
			made[at] = true
		}
	}
	return rs
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
