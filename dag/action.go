package dag

import (
	"cmp"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// An Action is what a plan does with a package.
type Action string

// The actions.
const (
	ActionInstall   Action = "install"   // it is not there
	ActionUpgrade   Action = "upgrade"   // an older version is there
	ActionDowngrade Action = "downgrade" // a newer version is there
	ActionReplace   Action = "replace"   // another version is there, of which the order cannot be told
	ActionKeep      Action = "keep"      // this version is there
	ActionRemove    Action = "remove"    // it is there, and nothing needs it
)

// planned is a chosen package with what to do about it.
func (p *planner) planned(i int32) Planned {
	q, c := p.u.pkgs[i], p.candidate(i)
	x := Planned{Source: q.source, Version: c.version, Release: c.release, Requirements: p.requirements(i)}
	n := p.u.installed[q.key]
	if n == nil {
		x.Action, x.Reason = ActionInstall, x.Requirements[0].because()
		return x
	}
	x.Installed = n.Version
	switch {
	case q.at >= 0 && p.chosen[i] == q.at:
		x.Action, x.Reason = ActionKeep, "it meets every requirement"
		return x
	case !x.Installed.IsFull() || !x.Version.IsFull():
		x.Action = ActionReplace
	case x.Version.Compare(x.Installed) > 0:
		x.Action = ActionUpgrade
		if p.u.options.Stepwise {
			x.Via = p.between(i, x.Installed, x.Version)
		}
	default:
		x.Action = ActionDowngrade
	}
	x.Reason = p.change(i)
	return x
}

// because is why a package that is not there is wanted.
func (r Requirement) because() string {
	if len(r.Path) == 0 {
		return "it is asked for"
	}
	return r.Origin() + " requires " + constraintText(r.Constraint)
}

// change is why the installed version of a package does not stay.
func (p *planner) change(i int32) string {
	q := p.u.pkgs[i]
	n := p.u.installed[q.key]
	if q.at < 0 {
		return "the installed version is not known"
	}
	old := &q.candidates[q.at]
	for _, r := range p.requirements(i) {
		if v := r.Constraint.Explain(n.Version); !v.Allowed {
			return r.Origin() + " requires " + constraintText(r.Constraint) + ": " + printable(v.Message)
		}
	}
	switch {
	case old.refused != nil:
		return causeText(old.refused)
	case p.u.options.Upgrade && q.candidates[p.chosen[i]].version.Compare(n.Version) > 0:
		return "it is the newest version that will do"
	}
	return "with " + n.Version.String() + " the other requirements cannot be met"
}

// remove plans the removal of what is installed and not needed by a plan that has all
// that is asked for. What packages depend on that are taken as given stays: nobody has
// looked whether they need it.
func (p *Plan) remove(there *Graph, given map[string]bool) {
	needed := make(map[string]bool)
	var kept []meta.Dependency
	for _, x := range p.Packages {
		id := x.Source.Identity()
		needed[id] = true
		if given[id] && x.Release != nil {
			kept = append(kept, x.Release.DependsOn...)
		}
	}
	for len(kept) > 0 {
		d := kept[len(kept)-1]
		kept = kept[:len(kept)-1]
		if n, ok := there.Node(d.Package); ok && !needed[n.Source.Identity()] {
			needed[n.Source.Identity()] = true
			kept = append(kept, n.DependsOn...)
		}
	}
	for _, i := range slices.Backward(there.parts.order) {
		if int(i) >= len(there.nodes) || needed[there.nodes[i].Source.Identity()] {
			continue
		}
		n := &there.nodes[i]
		p.Removed = append(p.Removed, Planned{
			Action: ActionRemove, Reason: "nothing that is asked for needs it",
			Source: n.Source, Version: n.Version, Installed: n.Version, Release: releaseOf(n),
		})
	}
}

// block adds to what is blocked, in the order of identities, each package once with
// all reasons.
func (p *Plan) block(more []Blocked) {
	all := slices.Concat(p.Blocked, more)
	slices.SortStableFunc(all, func(a, b Blocked) int {
		return cmp.Compare(a.Source.Identity(), b.Source.Identity())
	})
	p.Blocked = nil
	for _, b := range all {
		last := len(p.Blocked) - 1
		if last < 0 || !p.Blocked[last].Source.Equal(b.Source) {
			p.Blocked = append(p.Blocked, b)
			continue
		}
		same := &p.Blocked[last]
		if same.Version.IsZero() {
			same.Version = b.Version
		}
		same.Reason += "; " + b.Reason
	}
}
