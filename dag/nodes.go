package dag

import (
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// NodeOf is the node of a published version of a package. That of a nil release names
// no package, which [NewGraph] tells.
func NodeOf(r *meta.Release) Node {
	if r == nil {
		return Node{}
	}
	return Node{Source: r.Source, Version: r.Version, Kind: r.Kind, DependsOn: r.DependsOn}
}

// NodesOf are the nodes of a cluster's lock, one for each entry, in their order;
// the owner of each is the name of the entry. Pass them to [NewGraph], or to
// [Resolve] as what is installed.
//
// A text that says nothing spoils no more than what it belongs to: an entry
// whose source is none becomes a node without one, a version that is none an
// unknown one, a dependency on nothing one that names no package. [NewGraph] tells
// them; what the texts are, [install.DecodeLock] has told. A nil lock has no entries.
//
// The resourceVersion of the lock goes into [ResolveOptions].ResourceVersion.
func NodesOf(l *install.Lock) []Node {
	if l == nil {
		return nil
	}
	total := 0
	for i := range l.Packages {
		total += len(l.Packages[i].Dependencies)
	}
	t := newTexts(len(l.Packages))
	nodes := make([]Node, len(l.Packages))
	owners := make([]string, len(l.Packages))
	all := make([]meta.Dependency, total)
	for i := range l.Packages {
		p := &l.Packages[i]
		owners[i] = p.Name
		n := &nodes[i]
		n.Owners = owners[i : i+1 : i+1]
		n.Source, n.Version, n.Kind = t.source(p.Source), t.version(p.Version), meta.Kind(p.PackageKind())
		k := len(p.Dependencies)
		if k == 0 {
			continue
		}
		n.DependsOn, all = all[:k:k], all[k:]
		for j := range p.Dependencies {
			from, to := &p.Dependencies[j], &n.DependsOn[j]
			to.APIVersion, to.Kind, to.Index = from.APIVersion, from.PackageKind(), j
			if from.APIVersion == "" && from.Type != "" {
				to.APIVersion = impliedAPIVersion
			}
			to.Package, to.Constraint = t.source(from.Package), t.constraint(from.Constraints)
			if from.SkipDependencyResolution != nil && *from.SkipDependencyResolution {
				n.SkipDependencies = append(n.SkipDependencies, to.Package)
			}
		}
	}
	return nodes
}

// impliedAPIVersion is what the older spelling of a kind means, so that entries in
// both spellings are equal.
const impliedAPIVersion = install.Group + "/v1"

// NodesOfPackageLock are the nodes of the packages v2 design's lock, one for each
// package, in their order; the owner of each is its name. That lock records
// sources as dependencies, without versions, so that any version meets them. An
// image that is no reference, such as the name of a cached package, becomes a
// node without a source, which [NewGraph] tells. (packages v2 design, PackageLock
// API) A nil lock has no packages.
func NodesOfPackageLock(l *install.PackageLock) []Node {
	if l == nil {
		return nil
	}
	t := newTexts(len(l.Spec.Packages))
	nodes := make([]Node, len(l.Spec.Packages))
	for i, p := range l.Spec.Packages {
		n := &nodes[i]
		n.Owners = []string{p.Name}
		if r, err := meta.ParseReference(p.Image); err == nil {
			n.Source, n.Version = r.Source, r.Version()
		}
		for j, d := range p.Dependencies {
			n.DependsOn = append(n.DependsOn, meta.Dependency{Package: t.source(d), Index: j})
		}
	}
	return nodes
}

// Texts are what was read so far. Of the texts of a lock most are there many
// times, and each is read once.
type texts struct {
	sources     map[string]meta.Source
	versions    map[string]meta.Version
	constraints map[string]meta.Constraint
}

func newTexts(packages int) *texts {
	return &texts{
		sources:     make(map[string]meta.Source, packages),
		versions:    make(map[string]meta.Version),
		constraints: make(map[string]meta.Constraint),
	}
}

// source is the zero Source for a text that is none.
func (t *texts) source(s string) meta.Source { return once(t.sources, s, meta.ParseSource) }

// version is the zero Version for a text that is none.
func (t *texts) version(s string) meta.Version { return once(t.versions, s, meta.ParseVersion) }

// constraint keeps a text that is none, with its error.
func (t *texts) constraint(s string) meta.Constraint {
	return once(t.constraints, s, meta.ParseConstraint)
}

// once reads a text that was not read before. What a parser gives beside an error
// is kept: the error is in it, or it says nothing.
func once[T any](known map[string]T, s string, parse func(string) (T, error)) T {
	v, ok := known[s]
	if !ok {
		v, _ = parse(s)
		known[s] = v
	}
	return v
}
