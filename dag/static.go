package dag

import (
	"context"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A StaticCatalog is a [Catalog] of releases that are known beforehand, such as those
// of a catalog file; see [DecodeCatalog]. The zero value and nil are catalogs of
// nothing. It may be used concurrently.
type StaticCatalog struct {
	releases []*meta.Release
	packages map[string]*published // by identity
}

// published is one package of a StaticCatalog.
type published struct {
	tags     []string
	releases map[string]*meta.Release // by tag and by digest
}

// NewStaticCatalog makes a catalog of releases. Each is found by the tag of its
// version and by its digest, whichever it has. Of two releases of a package with the
// same tag or digest the first counts. Any spelling of a source will do. Releases that
// are nil are left out.
func NewStaticCatalog(releases ...*meta.Release) *StaticCatalog {
	c := &StaticCatalog{packages: make(map[string]*published)}
	for _, r := range releases {
		if r != nil {
			c.add(r)
		}
	}
	return c
}

// find is the package with that source, nil if there is none.
func (c *StaticCatalog) find(s meta.Source) *published {
	if c == nil {
		return nil
	}
	return c.packages[s.Identity()]
}

// listed is the package with that source; it is made if there is none.
func (c *StaticCatalog) listed(s meta.Source) *published {
	p := c.packages[s.Identity()]
	if p == nil {
		p = &published{releases: make(map[string]*meta.Release)}
		c.packages[s.Identity()] = p
	}
	return p
}

// add takes a release, and reports false if there is one with its tag, or with its
// digest where it has no tag.
func (c *StaticCatalog) add(r *meta.Release) bool {
	p := c.listed(r.Source)
	tag, digest := r.Version.OCITag(), r.Version.Digest()
	if digest == "" {
		digest = r.Digest
	}
	key := tag
	if key == "" {
		key = digest
	}
	if p.releases[key] != nil {
		return false
	}
	if tag != "" {
		p.tags = append(p.tags, tag)
	}
	for _, key := range []string{tag, digest} {
		if key != "" && p.releases[key] == nil {
			p.releases[key] = r
		}
	}
	c.releases = append(c.releases, r)
	return true
}

// Releases are all releases, in the order in which they were given.
func (c *StaticCatalog) Releases() []*meta.Release {
	if c == nil {
		return nil
	}
	return slices.Clip(c.releases)
}

// Tags lists the tags of a package. The error for one that the catalog does not have
// matches meta.ErrNotFound.
func (c *StaticCatalog) Tags(_ context.Context, s meta.Source) ([]string, error) {
	p := c.find(s)
	if p == nil {
		return nil, absentError(s.String())
	}
	return slices.Clone(p.tags), nil
}

// Release is the release with a digest, or else with a tag. For a tag with a digest of
// which the catalog knows the tag and no digest, it is the release with that
// tag. The error for one that the catalog does not have matches meta.ErrNotFound.
func (c *StaticCatalog) Release(_ context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	if p := c.find(s); p != nil {
		if r := p.releases[v.Digest()]; r != nil {
			return r, nil
		}
		r := p.releases[v.OCITag()]
		switch {
		case r == nil:
		case v.Digest() == "":
			return r, nil
		case r.Digest == "":
			pinned := *r
			pinned.Version, pinned.Digest = v, v.Digest()
			return &pinned, nil
		}
	}
	return nil, absentError(packageText(s, v))
}

// absentError says that a catalog does not have what it names.
type absentError string

// Error says what the catalog does not have.
func (e absentError) Error() string { return string(e) + " is not in the catalog" }

// Is reports whether target is meta.ErrNotFound.
func (e absentError) Is(target error) bool { return target == meta.ErrNotFound }
