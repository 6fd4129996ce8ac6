package dag

import (
	"fmt"
	"slices"

	"github.com/Masterminds/semver/v3"

	"github.com/xpkg-go/sdk/meta"
)

// between are the versions to install on the way from one version of a package to another,
// oldest first: of each minor version between, the newest release that those accept who
// are installed and depend on the package. They are changed after it, so that they are there at
// their old versions all the while. A minor version of which they accept no release is skipped,
// and a warning says so.
func (p *planner) between(i int32, from, to meta.Version) []meta.Version {
	q := p.u.pkgs[i]
	if p.there == nil {
		p.there = p.u.installedDemands()
	}
	demands := p.there[q.key]
	var via []meta.Version
	first, last := minorOf(from), minorOf(to)
	open, refusal := last, "" // the minor version that is looked at, and who refuses its newest release
	skip := func() {
		if refusal != "" {
			p.skips[i] = append(p.skips[i], refusal)
		}
		refusal = ""
	}
	done := true
	for _, c := range q.candidates[:q.tags] {
		v := c.version
		if v.Compare(to) >= 0 || v.Class() != meta.ClassRelease || c.refused != nil {
			continue
		}
		m := minorOf(v)
		if v.Compare(from) <= 0 || m == first {
			break
		}
		if m != open {
			skip()
			open, done = m, false
		}
		if done {
			continue
		}
		if d, ok := refuses(demands, v); ok {
			if refusal == "" {
				refusal = fmt.Sprintf("no release of v%d.%d is on the way from %s: %s, which is installed, requires %s", m[0], m[1], from, d.Path[0], constraintText(d.Constraint))
			}
			continue
		}
		via, done, refusal = append(via, v), true, ""
	}
	skip()
	slices.Reverse(via)
	return via
}

// minorOf is the minor version that a full version belongs to.
func minorOf(v meta.Version) [2]uint64 {
	s, err := semver.NewVersion(v.Tag())
	if err != nil {
		return [2]uint64{}
	}
	return [2]uint64{s.Major(), s.Minor()}
}

// refuses is the first of some demands that does not allow a version.
func refuses(demands []Requirement, v meta.Version) (Requirement, bool) {
	for _, d := range demands {
		if !d.Constraint.Allows(v) {
			return d, true
		}
	}
	return Requirement{}, false
}

// installedDemands are the demands of what is installed, by the package that they are on, in the
// order of who demands; packages that are taken as given demand nothing.
func (u *universe) installedDemands() map[string][]Requirement {
	on := make(map[string][]Requirement)
	for _, n := range u.inOrder {
		if u.skipped[n.Source.Identity()] {
			continue
		}
		from := Step{Source: n.Source}
		if !n.Version.IsZero() {
			from.Versions = []meta.Version{n.Version}
		}
		for _, d := range n.DependsOn {
			if onPackage(d) {
				key := d.Package.Identity()
				on[key] = append(on[key], Requirement{Source: d.Package, Constraint: d.Constraint, Path: []Step{from}})
			}
		}
	}
	return on
}
