package dag

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A universe is what the resolver has learnt from the catalog so far: the
// packages met, their candidates, and the edges between them, all numbered. It
// only grows, each question is asked once, and several searches may run over it
// one after the other.
type universe struct {
	ctx        context.Context
	catalog    Catalog
	crossplane meta.Version

	pkgs  []*pkg
	index map[string]int32 // by identity
	edges []edge

	// grown says that a package got a candidate after the search began to use
	// its sets, because a digest of it was met. The search starts again.
	grown bool
}

// A pkg is one package and its candidates, newest first; pinned digests follow
// in the order in which they were met.
type pkg struct {
	source meta.Source
	key    string

	listed  bool
	listErr error    // why nobody knows the tags
	absent  error    // the catalog's word that there is no such package
	ignored []string // tags that are no full versions

	candidates []candidate
	stable     bitset            // candidates that are no pre-releases
	sets       map[string]bitset // candidates by the key of the constraint that allows them
}

// A candidate is one version of a package.
type candidate struct {
	version meta.Version
	read    bool
	release *meta.Release

	refused error // why it can never be used, for certain
	unknown error // why nobody knows what it needs
	edges   []int32
}

// An edge is one demand: of candidate number candidate of package from, or of
// the caller when from is below zero.
type edge struct {
	from, candidate, to int32
	constraint          meta.Constraint
	declared            meta.Dependency
	set                 bitset // nil until it is asked for
}

func newUniverse(ctx context.Context, c Catalog, crossplane meta.Version) *universe {
	return &universe{ctx: ctx, catalog: c, crossplane: crossplane, index: make(map[string]int32)}
}

// caller is the origin of the roots' edges.
const caller = -1

// pkg is the number of a package, which is new when it was not met before.
func (u *universe) pkg(s meta.Source) int32 {
	key := s.Identity()
	if i, ok := u.index[key]; ok {
		return i
	}
	i := int32(len(u.pkgs))
	u.index[key] = i
	u.pkgs = append(u.pkgs, &pkg{source: s, key: key, sets: make(map[string]bitset)})
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

// pin makes a candidate of a version that somebody names: a digest, or a tag that
// is no version. Full versions are candidates as it is, if there are any such.
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
	p.measure()
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

// measure forgets the sets, whose length is the number of candidates.
func (p *pkg) measure() {
	clear(p.sets)
	p.stable = newBitset(len(p.candidates))
	for k, c := range p.candidates {
		if c.version.Class() != meta.ClassPrerelease {
			p.stable.add(k)
		}
	}
}

// ended is the error of a context that has ended.
func (u *universe) ended() error {
	if err := u.ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", meta.ErrCanceled, err)
	}
	return nil
}

// list asks for the versions of a package.
func (u *universe) list(i int32) error {
	p := u.pkgs[i]
	if p.listed {
		return nil
	}
	tags, err := u.catalog.Tags(u.ctx, p.source)
	if ended := u.ended(); ended != nil {
		return &CatalogError{Source: p.source, Err: ended}
	}
	p.listed = true
	switch {
	case err == nil:
	case certain(err):
		p.absent = err
	default:
		p.listErr = err
	}
	pinned := p.candidates
	p.candidates = nil
	for _, t := range tags {
		v := meta.FromOCITag(t)
		if !v.IsFull() {
			if !slices.ContainsFunc(pinned, func(c candidate) bool { return c.version == v }) {
				p.ignored = append(p.ignored, t)
			}
			continue
		}
		p.candidates = append(p.candidates, candidate{version: v})
	}
	slices.Sort(p.ignored)
	p.ignored = slices.Compact(p.ignored)
	slices.SortFunc(p.candidates, func(a, b candidate) int { return b.version.Compare(a.version) })
	p.candidates = slices.CompactFunc(p.candidates, func(a, b candidate) bool { return a.version == b.version })
	p.candidates = append(p.candidates, pinned...)
	p.measure()
	return nil
}

// unlisted says that nobody knows the versions of a package. Candidates that
// somebody pins by digest can be asked for all the same.
func (p *pkg) unlisted() bool { return p.listErr != nil && len(p.candidates) == 0 }

// certain says whether an error is an answer: asking again will not change it.
func certain(err error) bool {
	return slices.ContainsFunc([]error{
		meta.ErrNotFound, meta.ErrNotPackage, meta.ErrInvalid,
	}, func(target error) bool { return errors.Is(err, target) })
}

// read asks what a candidate declares, and makes edges of it.
func (u *universe) read(i, k int32) (*candidate, error) {
	p := u.pkgs[i]
	if p.candidates[k].read {
		return &p.candidates[k], nil
	}
	release, err := u.catalog.Release(u.ctx, p.source, p.candidates[k].version)
	if ended := u.ended(); ended != nil {
		return nil, &CatalogError{Source: p.source, Version: p.candidates[k].version, Err: ended}
	}
	c := &p.candidates[k]
	c.read, c.release = true, release
	switch {
	case err == nil && release != nil:
		c.refused = u.unfit(p, c)
	case err == nil:
		c.refused = errNoRelease
	case certain(err):
		c.refused = err
	default:
		c.unknown = err
	}
	if c.refused != nil || c.unknown != nil {
		return c, nil
	}
	var edges []int32
	for _, d := range release.DependsOn {
		if onPackage(d) {
			edges = append(edges, u.addEdge(i, k, d))
		}
	}
	// A package may depend on itself by digest, and its candidates then moved.
	c = &p.candidates[k]
	c.edges = edges
	return c, nil
}

// errNoRelease is the answer of a catalog that gave neither release nor error.
var errNoRelease = errors.New("the catalog has no release of this version")

// unfit says why a candidate cannot be installed, whatever else is.
func (u *universe) unfit(p *pkg, c *candidate) error {
	ranges := []meta.Constraint{c.release.Crossplane}
	for j, d := range c.release.DependsOn {
		if err := check(d); err != nil {
			return &DependencyError{Source: p.source, Version: c.version, Index: j, Dependency: d, Err: err}
		}
		if d.Spelling == meta.SpellingCrossplane {
			ranges = append(ranges, d.Constraint)
		}
	}
	if u.crossplane.IsZero() {
		return nil
	}
	for _, r := range ranges {
		if !r.Allows(u.crossplane) {
			return &CrossplaneError{Source: p.source, Version: c.version, Constraint: r, Crossplane: u.crossplane}
		}
	}
	return nil
}

// set is the candidates that an edge allows. Each constraint is matched once
// against the versions of a package; the search then works on the sets, so
// that what a constraint means stays what Crossplane's predicates say.
func (u *universe) set(e int32) (bitset, error) {
	ed := &u.edges[e]
	if ed.set != nil {
		return ed.set, nil
	}
	p := u.pkgs[ed.to]
	key := constraintKey(ed.constraint)
	if s, ok := p.sets[key]; ok {
		ed.set = s
		return s, nil
	}
	known := len(p.candidates)
	s := newBitset(known)
	for k := range p.candidates {
		if ed.constraint.Allows(p.candidates[k].version) {
			s.add(k)
		}
	}
	if ed.constraint.Digest() == "" && !ed.constraint.IsZero() {
		for k := range p.candidates {
			if p.candidates[k].version.Tag() != "" {
				continue
			}
			if p.listErr != nil {
				// Which tags there are nobody knows; whoever demands a range is
				// reported, not refuted.
				s.add(k)
				continue
			}
			s.remove(k)
			ok, err := u.tagged(ed.to, k, s)
			if err != nil {
				return nil, err
			}
			if ok {
				s.add(k)
			}
		}
	}
	if len(p.candidates) == known { // otherwise the search starts again
		p.sets[key] = s
		u.edges[e].set = s
	}
	return s, nil
}

// tagged says whether one of the allowed tags is the digest of candidate k. A
// digest cannot be compared with a range, but a tag that names the same content
// can; tags are asked newest first, and only while somebody pins a digest and
// somebody else demands a range.
func (u *universe) tagged(i int32, k int, allowed bitset) (bool, error) {
	digest := u.pkgs[i].candidates[k].version.Digest()
	for t := allowed.next(0); t >= 0; t = allowed.next(t + 1) {
		if u.pkgs[i].candidates[t].version.Tag() == "" {
			continue
		}
		c, err := u.read(i, int32(t))
		if err != nil {
			return false, err
		}
		if c.release != nil && c.release.Digest == digest {
			return true, nil
		}
	}
	return false, nil
}
