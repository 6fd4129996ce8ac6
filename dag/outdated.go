package dag

import (
	"context"
	"errors"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// An Update says which newer versions there are of an installed package.
type Update struct {
	Installed Node

	// Allowed is the newest version that everything installed allows; zero when
	// there is none. Newest is the newest release, or the newest version that is allowed
	// if that is newer. Either may be the installed version.
	Allowed, Newest meta.Version

	// Requirements are those that do not allow the newest version.
	Requirements []Requirement
}

// Outdated lists the installed packages of which there is a newer version than the
// installed one, and those whose installed version cannot be compared, in the order of
// their identities. It looks at each package by itself; what an update needs
// in turn, [Resolve] says with the option Upgrade.
//
// Updates and error come back together. The error joins the faults of the nodes, as
// [NewGraph] reports them, and a [*CatalogError] for each package whose versions cannot be
// listed.
func Outdated(ctx context.Context, installed []Node, c Catalog) ([]Update, error) {
	c = known(c)
	g, err := NewGraph(installed...)
	faults := []error{err}
	nodes := g.Nodes()
	type answer struct {
		tags []string
		err  error
	}
	answers := make([]answer, len(nodes))
	each(len(nodes), func(i int) { answers[i].tags, answers[i].err = c.Tags(ctx, nodes[i].Source) })
	var updates []Update
	for i, n := range nodes {
		rs := g.requirements(int32(i))
		if err := answers[i].err; err != nil {
			faults = append(faults, &CatalogError{Source: n.Source, Requirements: rs, Err: err})
			continue
		}
		if u, newer := update(n, rs, answers[i].tags); newer {
			updates = append(updates, u)
		}
	}
	return updates, errors.Join(faults...)
}

// update compares an installed package with the tags that there are.
func update(n Node, rs []Requirement, tags []string) (u Update, newer bool) {
	versions := make([]meta.Version, len(tags))
	for i, t := range tags {
		versions[i] = meta.FromOCITag(t)
	}
	u.Installed = n
	u.Newest, _ = meta.Newest(meta.Constraint{}, versions)
	allowed := slices.DeleteFunc(versions, func(v meta.Version) bool {
		return !v.IsFull() || slices.ContainsFunc(rs, func(r Requirement) bool { return !r.Constraint.Allows(v) })
	})
	constrained := meta.Constraint{}
	for _, r := range rs {
		if !r.Constraint.IsZero() {
			constrained = r.Constraint
			break
		}
	}
	u.Allowed, _ = meta.Newest(constrained, allowed)
	if u.Allowed.Compare(u.Newest) > 0 {
		u.Newest = u.Allowed
	}
	for _, r := range rs {
		if !r.Constraint.Allows(u.Newest) {
			u.Requirements = append(u.Requirements, r)
		}
	}
	return u, !u.Newest.IsZero() && (!n.Version.IsFull() || u.Newest.Compare(n.Version) > 0)
}
