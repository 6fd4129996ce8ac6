package dag

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// A Plan is what to install, in which order.
type Plan struct {
	// ResourceVersion is [ResolveOptions].ResourceVersion: the lock that the plan was made
	// by; see [Plan.Check].
	ResourceVersion string

	// Packages are one version of each package that is needed, dependencies
	// first.
	Packages []Planned

	// Removed are the installed packages that nothing needs any more, what depends on
	// others first. There are none where something is blocked or could not be read:
	// who knows what that needs. Nor are those among them that a package of the plan
	// depends on which is taken as given: they may be what makes it work.
	Removed []Planned

	// Blocked are the packages that cannot be installed, and the roots that cannot
	// be met, in the order of their identities, each with the reason. A package
	// that is blocked as a root only may still be in Packages, at a version that
	// others need or at which it is installed; nothing in Packages needs any of the
	// others. A package is there once, whatever spellings of it are asked for.
	Blocked []Blocked

	// Warnings are what a person should know although nothing failed, in the order of
	// the packages that they are about.
	Warnings []Warning
}

// Check says whether the plan is still for a lock as it is now; ask it before anything is
// carried out. The error is an [*install.StaleLockError]. No lock, nil, is as one without
// a resourceVersion.
func (p *Plan) Check(now *install.Lock) error {
	if now == nil {
		now = &install.Lock{}
	}
	return now.Unchanged(p.ResourceVersion)
}

// Planned is one package of a plan.
type Planned struct {
	// Action is what to do with it.
	Action Action

	// Reason says why, in words.
	Reason string

	// Installed is the version that is there now; zero for a package that is not
	// installed or whose version is not known.
	Installed meta.Version

	// Via are versions to install one after the other before Version, with
	// [ResolveOptions].Stepwise: of each minor version between Installed and Version the
	// newest release that the installed packages accept which depend on this one, because they
	// are changed after it. Where they accept none, the plan's warnings say who does not. What
	// a version on the way demands itself is not looked at.
	Via []meta.Version

	// Source is the package, as it was spelt where the resolver met it first.
	Source meta.Source

	// Version is the version that was chosen: a full version, or the digest that
	// somebody pins; of a package to be removed that which is installed.
	Version meta.Version

	// Release is what the catalog says about that version; of an installed version
	// that the catalog cannot tell about, and of a package to be removed, what is
	// known by the node.
	Release *meta.Release

	// Requirements are the demands that it meets: one for each package of the
	// plan or root that requires it, with a path of at most one step.
	Requirements []Requirement
}

// Blocked is a package that a plan had to leave out.
type Blocked struct {
	Source meta.Source

	// Version is the version that would have been installed; zero when none was
	// chosen.
	Version meta.Version

	// Reason says what is in the way.
	Reason string
}

// A Warning is a remark about one package of a plan.
type Warning struct {
	Source  meta.Source
	Version meta.Version

	// Message says what is remarkable: a kind that is not what a dependency calls
	// it, a newer version that was passed over, a dependency that was not followed. It is
	// one line, and what came from a catalog is quoted where it cannot be printed.
	Message string
}

// String is the warning as prose has it.
func (w Warning) String() string {
	return packageText(w.Source, w.Version) + ": " + printable(w.Message)
}

// A planner makes a plan of a choice.
type planner struct {
	u      *universe
	roots  []int32
	chosen map[int32]int32
	ids    []int32 // chosen packages in the order of their identities
	edges  map[int32][]int32
	skips  map[int32][]string       // minor versions that are not on the way, and why
	there  map[string][]Requirement // of what is installed, once a step asked for them
	plan   Plan
	faults []error
}

// newPlan makes the plan of what was chosen, and the catalog errors in its way.
func newPlan(u *universe, roots []int32, chosen map[int32]int32) (Plan, []error) {
	ids, d, _ := u.chosenGraph(chosen, func(int32) bool { return true })
	p := &planner{u: u, roots: roots, chosen: chosen, ids: ids, edges: make(map[int32][]int32), skips: make(map[int32][]string)}
	p.demands()
	reasons := p.blocked()
	for _, at := range stronglyConnected(d).order {
		i := ids[at]
		if reasons[i] != "" {
			continue
		}
		p.plan.Packages = append(p.plan.Packages, p.planned(i))
	}
	for _, i := range ids {
		p.warn(i)
	}
	return p.plan, p.faults
}

func (p *planner) candidate(i int32) *candidate {
	return &p.u.pkgs[i].candidates[p.chosen[i]]
}

// demands sorts the edges of the roots and of the chosen candidates by their
// ends: those of roots first, then in the order of who demands.
func (p *planner) demands() {
	for _, e := range p.roots {
		to := p.u.edges[e].to
		p.edges[to] = append(p.edges[to], e)
	}
	for _, i := range p.ids {
		for _, e := range p.candidate(i).edges {
			to := p.u.edges[e].to
			p.edges[to] = append(p.edges[to], e)
		}
	}
}

// blocked finds what cannot be installed, because the catalog could not say what
// it needs or because something that it needs cannot be installed. It gives a
// reason for each such package that was chosen.
func (p *planner) blocked() map[int32]string {
	reasons := make(map[int32]string)
	var spread []int32
	block := func(i int32, reason string) {
		if reasons[i] == "" {
			reasons[i] = reason
			spread = append(spread, i)
		}
	}
	ends := make([]int32, 0, len(p.edges))
	for to := range p.edges {
		ends = append(ends, to)
	}
	slices.SortFunc(ends, func(a, b int32) int { return cmp.Compare(p.u.pkgs[a].key, p.u.pkgs[b].key) })
	for _, i := range ends {
		q := p.u.pkgs[i]
		if _, ok := p.chosen[i]; !ok {
			continue
		}
		c := p.candidate(i)
		if c.unknown == nil {
			continue
		}
		p.faults = append(p.faults, &CatalogError{Source: q.source, Version: c.version, Requirements: p.requirements(i), Err: c.unknown})
		if c.version.IsZero() {
			block(i, "the catalog cannot list its versions")
		} else {
			block(i, "the catalog cannot say what it needs")
		}
	}
	for len(spread) > 0 {
		i := spread[0]
		spread = spread[1:]
		for _, e := range p.edges[i] {
			if from := p.u.edges[e].from; from != caller {
				block(from, "it needs "+sourceText(p.u.pkgs[i].source)+", which is blocked")
			}
		}
	}
	for _, i := range ends {
		if reasons[i] == "" {
			continue
		}
		b := Blocked{Source: p.u.pkgs[i].source, Reason: reasons[i]}
		if _, ok := p.chosen[i]; ok {
			b.Version = p.candidate(i).version
		}
		p.plan.Blocked = append(p.plan.Blocked, b)
	}
	return reasons
}

// requirements are the demands on a package, each with who makes it.
func (p *planner) requirements(i int32) []Requirement {
	var rs []Requirement
	for _, e := range p.edges[i] {
		ed := &p.u.edges[e]
		r := Requirement{Source: ed.declared.Package, Constraint: ed.constraint}
		if ed.from == caller {
			r.Rooted, r.Installed = true, ed.fallback
		} else {
			r.Path = []Step{{Source: p.u.pkgs[ed.from].source, Versions: []meta.Version{p.candidate(ed.from).version}}}
			r.Rooted = p.isRoot(ed.from)
		}
		rs = append(rs, r)
	}
	return rs
}

// isRoot says whether the caller requires a package. The roots' edges come first.
func (p *planner) isRoot(i int32) bool {
	edges := p.edges[i]
	return len(edges) > 0 && p.u.edges[edges[0]].from == caller
}

// warn remarks on one chosen package.
func (p *planner) warn(i int32) {
	q, c := p.u.pkgs[i], p.candidate(i)
	say := func(format string, args ...any) {
		p.plan.Warnings = append(p.plan.Warnings, Warning{Source: q.source, Version: c.version, Message: fmt.Sprintf(format, args...)})
	}
	for _, skip := range p.skips[i] {
		say("%s", skip)
	}
	if c.assumed != nil {
		say("the catalog cannot tell about it, so what is installed is taken: %s", causeText(c.assumed))
	}
	if q.listErr != nil && !c.version.IsZero() {
		say("its versions cannot be listed, so it is as it is installed or pinned: %s", causeText(q.listErr))
	}
	if now := p.u.moved[i]; now != "" {
		say("the tag %s leads to %s now: what it led to when it was written down is taken", c.version.Tag(), printable(now))
	}
	if p.u.skipped[q.key] {
		say("it is taken as given: its dependencies are neither followed nor demanded")
		return
	}
	for k := range min(int(p.chosen[i]), q.tags) {
		newer := &q.candidates[k]
		allowed := !slices.ContainsFunc(p.edges[i], func(e int32) bool {
			set := p.u.edges[e].set
			return set == nil || !set.has(int(k))
		})
		if allowed && newer.refused != nil && !newer.barred {
			say("%s was passed over: %s", newer.version, causeText(newer.refused))
		}
	}
	if c.version.Class() == meta.ClassPrerelease && !slices.ContainsFunc(p.edges[i], func(e int32) bool {
		return !p.u.edges[e].constraint.IsZero()
	}) {
		say("it is a pre-release, which nobody asked for: no release will do")
	}
	if c.release == nil {
		return
	}
	told := make(map[string]bool)
	for _, e := range p.edges[i] {
		ed := &p.u.edges[e]
		hint := ed.declared.Kind
		if hint == "" || c.release.Kind == "" || hint == string(c.release.Kind) {
			continue
		}
		from := "the request"
		if ed.from != caller {
			from = packageText(p.u.pkgs[ed.from].source, p.candidate(ed.from).version)
		}
		if key := from + " " + hint; !told[key] {
			told[key] = true
			say("it is a %s, and %s calls it a %s", printable(string(c.release.Kind)), from, printable(hint))
		}
	}
	for j, d := range c.release.DependsOn {
		if !d.CRD.IsZero() {
			say("dependsOn[%d] is not followed: it is on the kind %s, not on a package", j, printable(d.CRD.String()))
		}
	}
}
