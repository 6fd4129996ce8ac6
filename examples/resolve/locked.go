package main

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// takeProjectLock lets the project lock rule, where there is one and -upgrade does
// not say otherwise, and reports whether it does. The error is one for findings: the
// lock cannot be used for these roots.
func (j *job) takeProjectLock(ctx context.Context) (bool, error) {
	if j.s.projectLock == "" || j.s.upgrade {
		return false, nil
	}
	lock, err := readProjectLock(ctx, j.s.projectLock)
	if lock == nil {
		return false, err
	}
	if err := lock.Check(j.roots); err != nil {
		return false, fmt.Errorf("%s: %w; -upgrade writes it anew", j.s.projectLock, err)
	}
	locked := &lockedCatalog{Catalog: j.catalog, packages: make(map[string]dag.LockedPackage)}
	for _, p := range lock.Packages {
		locked.packages[p.Source.Identity()] = p
	}
	j.catalog = locked
	return true, nil
}

// A lockedCatalog has one version of each package: the one that the project lock
// keeps, with the content that it had then.
type lockedCatalog struct {
	dag.Catalog
	packages map[string]dag.LockedPackage // by identity
}

// Tags implements dag.Catalog.
func (c *lockedCatalog) Tags(_ context.Context, s meta.Source) ([]string, error) {
	p, ok := c.packages[s.Identity()]
	if !ok {
		return nil, notLocked(s.String())
	}
	if tag := p.Version.OCITag(); tag != "" {
		return []string{tag}, nil
	}
	return nil, nil
}

// Release implements dag.Catalog.
func (c *lockedCatalog) Release(ctx context.Context, s meta.Source, v meta.Version) (*meta.Release, error) {
	p, ok := c.packages[s.Identity()]
	if !ok || v.OCITag() != p.Version.OCITag() || v.Digest() != "" && p.Digest != "" && v.Digest() != p.Digest {
		return nil, notLocked(s.String() + " " + v.String())
	}
	if v.Digest() == "" && p.Digest != "" {
		v = v.WithDigest(p.Digest) // the tag may have moved
	}
	return c.Catalog.Release(ctx, s, v)
}

// notLocked says what is missing in the project lock.
type notLocked string

// Error implements error.
func (e notLocked) Error() string { return string(e) + " is not in the project lock" }

// Is reports whether target is meta.ErrNotFound.
func (e notLocked) Is(target error) bool { return target == meta.ErrNotFound }
