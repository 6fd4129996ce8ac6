package dag

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A universe is what the resolver has learnt from the catalog so far: the
// packages met, their candidates, and the edges between them, all numbered. It
// only grows, each question is asked once, and several searches may run over it
// one after the other.
type universe struct {
	ctx     context.Context
	catalog Catalog
	options *ResolveOptions

	installed map[string]*Node // by identity
	inOrder   []Node           // the same, in the order of their identities
	skipped   map[string]bool  // packages whose dependencies are not looked at, by identity
	moved     map[int32]string // packages pinned as tag@digest: where the tag leads now

	sets map[string]map[string]bitset // by the versions of a package and by constraint
	tags map[string]tagList           // by the tags as a catalog listed them

	pkgs  []*pkg
	index map[string]int32 // by identity
	edges []edge

	// grown says that a package got a candidate after the search began to use
	// its sets, because a digest of it was met. The search starts again.
	grown bool
}

// A tagList is the full versions among some tags, newest first, and the others.
type tagList struct {
	tags     []string
	versions []meta.Version
	others   []string
}

// A pkg is one package and its candidates: the full versions among its tags,
// newest first; behind them pins, in the order in which they were met, and what
// stands for the versions that nobody knows.
type pkg struct {
	source meta.Source
	key    string
	root   bool  // the caller requires it
	at     int32 // the candidate that is installed; below zero for none
	stay   int32 // the edge that says that it is to stay; below zero for none

	listed  bool
	listErr error    // why nobody knows the tags
	absent  error    // the catalog's word that there is no such package
	ignored []string // tags that are no full versions

	candidates []candidate
	tags       int               // how many candidates are full versions
	stable     bitset            // candidates that are no pre-releases
	sets       map[string]bitset // candidates by the key of the constraint that allows them
}

// A candidate is one version of a package.
type candidate struct {
	version meta.Version
	read    bool
	release *meta.Release

	refused error // why it can never be used, for certain
	barred  bool  // it was refused before it was read
	looked  bool  // barred, and the catalog was asked what it is all the same
	judged  bool  // a digest: which tag it has was asked for, where the options make that matter
	unknown error // why nobody knows what it needs
	assumed error // why its declaration is that of the installed package
	edges   []int32
}

// An edge is one demand: of candidate number candidate of package from, of the
// caller, or of what is installed to stay as it is.
type edge struct {
	from, candidate, to int32
	constraint          meta.Constraint
	declared            meta.Dependency
	fallback            bool   // the caller's, for a package that is to stay because its request cannot be met
	set                 bitset // nil until it is asked for
}

// Origins of edges that no package states: the caller, whose edges the roots are,
// and the wish that what is installed stays.
const (
	caller = -1
	stayer = -2
)

func newUniverse(ctx context.Context, c Catalog, o *ResolveOptions, installed []Node) *universe {
	u := &universe{
		ctx: ctx, catalog: c, options: o, index: make(map[string]int32),
		installed: make(map[string]*Node, len(installed)), inOrder: installed,
		sets: make(map[string]map[string]bitset),
		tags: make(map[string]tagList),
	}
	for i := range installed {
		u.installed[installed[i].Source.Identity()] = &installed[i]
	}
	return u
}

// pkg is the number of a package, which is new when it was not met before.
func (u *universe) pkg(s meta.Source) int32 {
	key := s.Identity()
	if i, ok := u.index[key]; ok {
		return i
	}
	i := int32(len(u.pkgs))
	u.index[key] = i
	u.pkgs = append(u.pkgs, &pkg{source: s, key: key, at: -1, stay: -1})
	return i
}

// addEdge records one demand. A demand for a digest, or for a tag that is no
// version, makes that a candidate.
func (u *universe) addEdge(from, candidate int32, d meta.Dependency) int32 {
	to := u.pkg(d.Package)
	e := int32(len(u.edges))
	u.edges = append(u.edges, edge{from: from, candidate: candidate, to: to, constraint: d.Constraint, declared: d})
	if v, ok := d.Constraint.Exact(); ok && (v.Digest() != "" || !v.IsFull()) {
		u.pin(to, v)
	}
	return e
}

// pin makes a candidate of a pin. Full versions are candidates as it is, if there
// are any such.
func (u *universe) pin(i int32, v meta.Version) {
	p := u.pkgs[i]
	if slices.ContainsFunc(p.candidates, func(c candidate) bool { return samePin(c.version, v) }) {
		return
	}
	p.candidates = append(p.candidates, candidate{version: v})
	if !p.listed {
		return // nobody has made a set of its candidates yet
	}
	u.grown = true
	u.restrict(p)
	u.measure(p)
	for e := range u.edges {
		if u.edges[e].to == i {
			u.edges[e].set = nil
		}
	}
}

// samePin says whether two pins lead to the same content: digests do not lie,
// whatever tags stand before them.
func samePin(a, b meta.Version) bool {
	return a == b || a.Digest() != "" && a.Digest() == b.Digest()
}

// measure forgets the sets, whose length is the number of candidates. The packages
// of a family have the same versions, and then the same sets.
func (u *universe) measure(p *pkg) {
	p.stable = newBitset(len(p.candidates))
	var list strings.Builder
	for k, c := range p.candidates {
		if c.version.Class() != meta.ClassPrerelease {
			p.stable.add(k)
		}
		list.WriteString(c.version.String())
		list.WriteByte(' ')
	}
	p.sets = make(map[string]bitset)
	if p.tags < len(p.candidates) {
		return // whether a digest is in a range, the tags of its own package say
	}
	if shared, ok := u.sets[list.String()]; ok {
		p.sets = shared
		return
	}
	u.sets[list.String()] = p.sets
}

// take records the catalog's answer about the versions of a package.
func (u *universe) take(i int32, tags []string, err error) {
	p := u.pkgs[i]
	p.listed = true
	switch {
	case err == nil:
	case certain(err):
		p.absent = err
	default:
		p.listErr = err
	}
	pins := p.candidates
	versions, others := u.versions(tags)
	for _, t := range others {
		if v := meta.FromOCITag(t); !slices.ContainsFunc(pins, func(c candidate) bool { return c.version == v }) {
			p.ignored = append(p.ignored, t)
		}
	}
	p.candidates = make([]candidate, len(versions), len(versions)+len(pins)+1)
	for k, v := range versions {
		p.candidates[k].version = v
	}
	if n := u.installed[p.key]; n != nil {
		pins = p.takeInstalled(n, pins)
		slices.SortFunc(p.candidates, func(a, b candidate) int { return b.version.Compare(a.version) })
	}
	p.tags = len(p.candidates)
	p.candidates = append(p.candidates, pins...)
	if p.listErr != nil {
		// Which versions there are nobody knows: one of them may do, so whoever
		// demands one is reported, not refuted.
		p.candidates = append(p.candidates, candidate{read: true, unknown: p.listErr})
	}
	u.findInstalled(i)
	u.restrict(p)
	u.measure(p)
}

// versions are the full versions among tags, newest first, and the other tags, sorted; of
// each one. The packages of a family have the same tags, which are read once.
func (u *universe) versions(tags []string) ([]meta.Version, []string) {
	key := strings.Join(tags, " ")
	read, ok := u.tags[key]
	if ok && slices.Equal(read.tags, tags) {
		return read.versions, read.others
	}
	read = tagList{tags: slices.Clone(tags)}
	for _, t := range tags {
		if v := meta.FromOCITag(t); v.IsFull() {
			read.versions = append(read.versions, v)
		} else {
			read.others = append(read.others, t)
		}
	}
	slices.Sort(read.others)
	read.others = slices.Compact(read.others)
	slices.SortFunc(read.versions, func(a, b meta.Version) int { return b.Compare(a) })
	read.versions = slices.Compact(read.versions)
	u.tags[key] = read
	return read.versions, read.others
}

// certain says whether an error is an answer: asking again will not change it.
func certain(err error) bool {
	return slices.ContainsFunc([]error{
		meta.ErrNotFound, meta.ErrNotPackage, meta.ErrInvalid,
	}, func(target error) bool { return errors.Is(err, target) })
}

// declare records the catalog's answer about a candidate, and makes edges of it.
func (u *universe) declare(i, k int32, release *meta.Release, err error) {
	p := u.pkgs[i]
	c := &p.candidates[k]
	if err != nil && k == p.at {
		// What is installed is there, whatever the catalog has of it.
		release, c.assumed, err = releaseOf(u.installed[p.key]), err, nil
	}
	c.read, c.release = true, release
	switch {
	case err == nil:
		c.refused = u.unfit(p, c)
	case certain(err) || err == errNoRelease:
		c.refused = err
	default:
		c.unknown = err
	}
	if c.refused != nil || c.unknown != nil || u.skipped[p.key] {
		return
	}
	var edges []int32
	for _, d := range release.DependsOn {
		if onPackage(d) {
			edges = append(edges, u.addEdge(i, k, d))
		}
	}
	// A package may depend on itself by digest, and its candidates then moved.
	p.candidates[k].edges = edges
}

// unfit says why a candidate cannot be installed, whatever else is.
func (u *universe) unfit(p *pkg, c *candidate) error {
	ranges := []meta.Constraint{c.release.Crossplane}
	for j, d := range c.release.DependsOn {
		if err := check(d); err != nil && !u.skipped[p.key] {
			return &DependencyError{Source: p.source, Version: c.version, Index: j, Dependency: d, Err: err}
		}
		if d.Spelling == meta.SpellingCrossplane {
			ranges = append(ranges, d.Constraint)
		}
	}
	crossplane := u.options.Crossplane
	if crossplane.IsZero() {
		return nil
	}
	for _, r := range ranges {
		if !r.Allows(crossplane) {
			return &CrossplaneError{Source: p.source, Version: c.version, Constraint: r, Crossplane: crossplane}
		}
	}
	return nil
}
