package dag

import (
	"cmp"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Unsatisfied are the demands that the installed packages do not meet, in the
// order of the packages and, for one package, of those who demand. A digest, or a
// tag that is no version, meets no range: it cannot be compared, and the error
// says so. A tag with a digest counts as its tag. Missing packages are not
// listed here.
func (g *Graph) Unsatisfied() []*ConstraintError {
	edges := g.unmet()
	slices.SortFunc(edges, func(a, b unmetEdge) int {
		return cmp.Or(cmp.Compare(g.edges.to[a.edge], g.edges.to[b.edge]), cmp.Compare(a.edge, b.edge))
	})
	var unmet []*ConstraintError
	for _, u := range edges {
		unmet = append(unmet, g.constraintError(u))
	}
	return unmet
}

func (g *Graph) constraintError(u unmetEdge) *ConstraintError {
	installed, r := g.nodes[g.edges.to[u.edge]], g.requirement(u.from, u.edge)
	return &ConstraintError{Installed: installed, Requirement: r, Verdict: r.Constraint.Explain(installed.Version)}
}

// An unmetEdge is an edge between nodes whose constraint is not met.
type unmetEdge struct{ from, edge int32 }

// unmet are the unmet edges, in the order of the edges.
func (g *Graph) unmet() []unmetEdge {
	// Thousands of edges share a few constraints and versions, and to match them
	// costs more than to look the answer up.
	versions := g.versionNumbers()
	constraints := make(map[string]uint64)
	answers := make(map[uint64]bool)
	var unmet []unmetEdge
	for i := range g.nodes {
		n := &g.nodes[i]
		for e := g.edges.start[i]; e < g.edges.start[i+1]; e++ {
			t := int(g.edges.to[e])
			c := &n.DependsOn[g.declared[e]].Constraint
			if t >= len(g.nodes) || c.IsZero() {
				continue
			}
			key := constraintKey(*c)
			number, met := constraints[key]
			if !met {
				number = uint64(len(constraints))
				constraints[key] = number
			}
			question := number<<32 | uint64(versions[t])
			ok, asked := answers[question]
			if !asked {
				ok = c.Err() == nil && c.Allows(g.nodes[t].Version)
				answers[question] = ok
			}
			if !ok {
				unmet = append(unmet, unmetEdge{from: int32(i), edge: e})
			}
		}
	}
	return unmet
}

// versionNumbers numbers the versions of the nodes, equal ones alike.
func (g *Graph) versionNumbers() []int32 {
	numbers := make([]int32, len(g.nodes))
	met := make(map[meta.Version]int32)
	for i := range g.nodes {
		v := &g.nodes[i].Version
		if i > 0 && *v == g.nodes[i-1].Version {
			numbers[i] = numbers[i-1]
			continue
		}
		k, ok := met[*v]
		if !ok {
			k = int32(len(met))
			met[*v] = k
		}
		numbers[i] = k
	}
	return numbers
}
