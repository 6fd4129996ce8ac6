package dag

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

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
	slices.SortFunc(sorted, func(a, b keyed) int { return strings.Compare(a.key, b.key) })
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
		same := merge(alike(nodes, sorted[first:i]))
		g.nodes[number] = same[0]
		if len(same) > 1 {
			g.faults = append(g.faults, nodeFault{number, &DuplicateError{Nodes: same}})
		}
	}
	return faults
}

// A statement is a node, and what it demands whatever the order and the spelling.
type statement struct {
	*Node
	demands []meta.Dependency
}

// alike are the nodes of one package, equal ones side by side, and otherwise in an
// order that does not depend on how they were given.
func alike(nodes []Node, numbers []keyed) []statement {
	all := make([]statement, len(numbers))
	for k, n := range numbers {
		all[k] = statement{Node: &nodes[n.at], demands: demandsOf(nodes[n.at].DependsOn)}
	}
	slices.SortFunc(all, func(a, b statement) int {
		return cmp.Or(
			compareStatements(a, b),
			cmp.Compare(a.Source.String(), b.Source.String()),
			slices.Compare(a.Owners, b.Owners),
			slices.CompareFunc(a.DependsOn, b.DependsOn, compareSpelt),
		)
	})
	return all
}

// demandsOf are dependencies sorted, each demand once.
func demandsOf(ds []meta.Dependency) []meta.Dependency {
	demands := slices.Clone(ds)
	slices.SortStableFunc(demands, func(a, b meta.Dependency) int {
		return cmp.Or(compareDependencies(a, b), compareSpelt(a, b))
	})
	return slices.CompactFunc(demands, func(a, b meta.Dependency) bool { return compareDependencies(a, b) == 0 })
}

// merge is the different nodes among those of one package.
func merge(all []statement) []Node {
	var same []Node
	for k, n := range all {
		if k > 0 && compareStatements(all[k-1], n) == 0 {
			last := &same[len(same)-1]
			last.Owners = mergeOwners(last.Owners, n.Owners)
			last.SkipDependencies = mergeSources(last.SkipDependencies, n.SkipDependencies)
			continue
		}
		same = append(same, *n.Node)
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
		if len(g.given) > 0 && g.given[n.Source.Identity()] {
			ends[i] = len(packed)
			continue
		}
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

// compareStatements orders what nodes of one package state: newest first, then by kind
// and by what they demand. It is 0 for nodes that state the same.
func compareStatements(a, b statement) int {
	return cmp.Or(
		b.Version.Compare(a.Version),
		cmp.Compare(a.Kind, b.Kind),
		slices.CompareFunc(a.demands, b.demands, compareDependencies),
	)
}

// compareDependencies compares what two dependencies demand, not how it is spelt: the
// kind of a package that a dependency states is a hint, and demands nothing.
func compareDependencies(a, b meta.Dependency) int {
	return cmp.Or(
		cmp.Compare(a.Package.Identity(), b.Package.Identity()),
		cmp.Compare(rangeKey(a.Constraint), rangeKey(b.Constraint)),
		cmp.Compare(a.CRD.String(), b.CRD.String()),
		cmp.Compare(crossplaneKey(a), crossplaneKey(b)),
	)
}

// rangeKey is a constraint without the spaces that mean nothing in it: those behind an
// operator, about a comma or bars, and at the ends.
func rangeKey(c meta.Constraint) string {
	key := constraintKey(c)
	if c.Err() == nil && strings.ContainsFunc(key, unicode.IsSpace) {
		key = strings.Join(strings.Fields(key), " ")
		for _, op := range []string{",", "||", ">", "<", "=", "!", "~", "^"} {
			key = strings.ReplaceAll(key, op+" ", op)
		}
		for _, op := range []string{",", "||"} {
			key = strings.ReplaceAll(key, " "+op, op)
		}
	}
	return key
}

// crossplaneKey tells a dependency on Crossplane from others.
func crossplaneKey(d meta.Dependency) string {
	if d.Spelling == meta.SpellingCrossplane {
		return string(d.Spelling)
	}
	return ""
}

// compareSpelt compares how two dependencies are spelt that may demand the same.
func compareSpelt(a, b meta.Dependency) int {
	return cmp.Or(
		cmp.Compare(a.Package.String(), b.Package.String()),
		cmp.Compare(a.Constraint.String(), b.Constraint.String()),
		cmp.Compare(a.APIVersion, b.APIVersion),
		cmp.Compare(a.Kind, b.Kind),
		cmp.Compare(a.Spelling, b.Spelling),
		cmp.Compare(a.Index, b.Index),
	)
}

// mergeOwners is the sorted union.
func mergeOwners(a, b []string) []string {
	all := slices.Concat(a, b)
	slices.Sort(all)
	return slices.Compact(all)
}

// mergeSources is the union, sorted by identity.
func mergeSources(a, b []meta.Source) []meta.Source {
	all := slices.Concat(a, b)
	slices.SortFunc(all, func(a, b meta.Source) int {
		return cmp.Or(cmp.Compare(a.Identity(), b.Identity()), cmp.Compare(a.String(), b.String()))
	})
	return slices.CompactFunc(all, meta.Source.Equal)
}
