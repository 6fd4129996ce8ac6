package dag

import (
	"cmp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A keyed is the number of something, and the identity that it is sorted by.
type keyed struct {
	key string
	at  int32
}

// addNodes sorts the nodes, merges those that are equal and keeps one of those
// that clash. What it returns are the faults of nodes that are left out.
func (g *Graph) addNodes(nodes []Node) []error {
	var faults []error
	sorted := make([]keyed, 0, len(nodes))
	for i := range nodes {
		if n := &nodes[i]; !n.Source.IsZero() {
			sorted = append(sorted, keyed{key: n.Source.Identity(), at: int32(i)})
		} else {
			faults = append(faults, &NodeError{Node: *n})
		}
	}
	slices.SortFunc(faults, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	slices.SortFunc(sorted, func(a, b keyed) int {
		if c := strings.Compare(a.key, b.key); c != 0 {
			return c
		}
		return compareNodes(&nodes[a.at], &nodes[b.at])
	})
	g.nodes = make([]Node, 0, len(sorted))
	for i := 0; i < len(sorted); {
		first, key := i, sorted[i].key
		number := int32(len(g.nodes))
		g.index[key] = number
		g.nodes = append(g.nodes, nodes[sorted[i].at])
		for i++; i < len(sorted) && sorted[i].key == key; i++ {
		}
		if i-first == 1 {
			continue
		}
		same := merge(nodes, sorted[first:i])
		g.nodes[number] = same[0]
		if len(same) > 1 {
			g.faults = append(g.faults, nodeFault{number, &DuplicateError{Nodes: same}})
		}
	}
	return faults
}

// merge is the different nodes among sorted ones of one package.
func merge(nodes []Node, sorted []keyed) []Node {
	var same []Node
	for _, k := range sorted {
		n := &nodes[k.at]
		if last := len(same) - 1; last >= 0 && equalNodes(&same[last], n) {
			same[last].Owners = mergeOwners(same[last].Owners, n.Owners)
			continue
		}
		same = append(same, *n)
	}
	return same
}

// addEdges reads the dependencies of every node. Packages without a node get
// numbers after the nodes, in the order of their identities too, so that no
// answer depends on who asked for them first.
func (g *Graph) addEdges() {
	total := 0
	for i := range g.nodes {
		total += len(g.nodes[i].DependsOn)
	}
	// An edge is the number of its end and, below it, where it is declared, so that
	// the edges of a node are sorted as numbers are.
	packed := make([]uint64, 0, total)
	ends := make([]int, len(g.nodes))
	for i := range g.nodes {
		n := &g.nodes[i]
		for j := range n.DependsOn {
			d := &n.DependsOn[j]
			// The usual dependency is on a package and sound; what else there may be
			// is looked at only when it is not.
			sound := d.Package.Err() == nil
			if !sound || d.Constraint.Err() != nil {
				if err := check(*d); err != nil {
					g.faults = append(g.faults, nodeFault{int32(i), &DependencyError{
						Source: n.Source, Version: n.Version, Index: j, Dependency: *d, Err: err,
					}})
				}
			}
			if sound {
				packed = append(packed, uint64(g.number(d.Package))<<32|uint64(j))
			}
		}
		ends[i] = len(packed)
	}
	g.sortMissing(packed)
	size := len(g.nodes) + len(g.missing)
	g.edges = digraph{start: make([]int32, size+1), to: make([]int32, len(packed))}
	g.declared = make([]int32, len(packed))
	first := 0
	for i, end := range ends {
		slices.Sort(packed[first:end])
		g.edges.start[i+1] = int32(end)
		first = end
	}
	for i := len(g.nodes); i < size; i++ {
		g.edges.start[i+1] = int32(len(packed))
	}
	for e, x := range packed {
		g.edges.to[e], g.declared[e] = int32(x>>32), int32(x)
	}
}

// number is the number of a package; one that has no node gets the next that is
// free. The first asker's spelling is the one that messages use.
func (g *Graph) number(s meta.Source) int32 {
	// A text that is somebody's identity is its own: most are written in full.
	if i, ok := g.index[s.String()]; ok {
		return i
	}
	key := s.Identity()
	i, ok := g.index[key]
	if !ok {
		i = int32(len(g.nodes) + len(g.missing))
		g.index[key] = i
		g.missing = append(g.missing, s)
	}
	return i
}

// sortMissing renumbers the missing packages in the order of their identities.
func (g *Graph) sortMissing(packed []uint64) {
	if len(g.missing) == 0 {
		return
	}
	sorted := make([]keyed, len(g.missing))
	for k, s := range g.missing {
		sorted[k] = keyed{key: s.Identity(), at: int32(k)}
	}
	slices.SortFunc(sorted, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
	missing := make([]meta.Source, len(sorted))
	place := make([]int32, len(sorted)) // by the number so far, the new one
	for k, m := range sorted {
		i := int32(len(g.nodes) + k)
		missing[k] = g.missing[m.at]
		place[m.at] = i
		g.index[m.key] = i
	}
	g.missing = missing
	for e, x := range packed {
		if k := int(x>>32) - len(g.nodes); k >= 0 {
			packed[e] = uint64(place[k])<<32 | x&(1<<32-1)
		}
	}
}

// compareNodes orders nodes of one package: newest first, then by what they
// declare and who owns them, so that the order is total up to equality.
func compareNodes(a, b *Node) int {
	return cmp.Or(
		b.Version.Compare(a.Version),
		cmp.Compare(a.Kind, b.Kind),
		slices.CompareFunc(a.DependsOn, b.DependsOn, compareDependencies),
		cmp.Compare(a.Source.String(), b.Source.String()),
		slices.Compare(a.Owners, b.Owners),
	)
}

// equalNodes says whether two nodes of one package state the same.
func equalNodes(a, b *Node) bool {
	return a.Version == b.Version && a.Kind == b.Kind &&
		slices.CompareFunc(a.DependsOn, b.DependsOn, compareDependencies) == 0
}

// compareDependencies compares what two dependencies demand, not how it is spelt.
func compareDependencies(a, b meta.Dependency) int {
	return cmp.Or(
		cmp.Compare(a.APIVersion, b.APIVersion),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Package.Identity(), b.Package.Identity()),
		cmp.Compare(constraintKey(a.Constraint), constraintKey(b.Constraint)),
		cmp.Compare(a.CRD.String(), b.CRD.String()),
	)
}

// mergeOwners is the sorted union.
func mergeOwners(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}
