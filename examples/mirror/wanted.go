package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// wanted is where the packages come from, and which they are.
func (j *job) wanted(ctx context.Context) (*mirror.Source, []meta.Reference, error) {
	if j.s.from != "" {
		return j.held(ctx)
	}
	from := mirror.FromRegistries(j.client)
	if j.s.only {
		refs, err := references(j.env.Args)
		return from, refs, err
	}
	roots, err := j.roots(ctx)
	if err != nil {
		return nil, nil, err
	}
	c, err := dag.ClosureOf(ctx, roots, xpkg.Details{Client: j.client}, nil)
	if c == nil || err != nil && len(c.Packages) == 0 {
		return nil, nil, err
	}
	if err != nil {
		j.faults = append(j.faults, err)
	}
	var refs []meta.Reference
	for _, m := range c.Packages {
		refs = append(refs, meta.Reference{Source: m.Source, Tag: m.Version.OCITag(), Digest: m.Digest})
	}
	for _, image := range c.Images() {
		ref, err := meta.ParseReference(image)
		if err != nil {
			j.faults = append(j.faults, err)
			continue
		}
		refs = append(refs, ref)
	}
	return from, refs, nil
}

// held are the packages of a layout: all, or those that the references name.
func (j *job) held(ctx context.Context) (*mirror.Source, []meta.Reference, error) {
	l, err := xpkg.OpenLayout(ctx, j.s.from, &xpkg.Options{MaxManifestBytes: 64 << 20})
	if err != nil {
		return nil, nil, err
	}
	if len(j.env.Args) > 0 {
		refs, err := references(j.env.Args)
		return mirror.FromLayout(l), refs, err
	}
	refs, err := mirror.References(l)
	if err != nil {
		j.faults = append(j.faults, err)
	}
	return mirror.FromLayout(l), refs, nil
}

// references reads references, all of them.
func references(args []string) ([]meta.Reference, error) {
	var refs []meta.Reference
	var faults []error
	for _, arg := range args {
		ref, err := meta.ParseReference(arg)
		if err == nil && ref.Tag == "" && ref.Digest == "" {
			err = fmt.Errorf("%s names neither a tag nor a digest", arg)
		}
		if err != nil {
			faults = append(faults, &cli.UsageError{Err: err})
			continue
		}
		refs = append(refs, ref)
	}
	return refs, errors.Join(faults...)
}

// roots reads the roots, all of them.
func (j *job) roots(ctx context.Context) ([]meta.Dependency, error) {
	var roots []meta.Dependency
	var faults []error
	for _, arg := range j.env.Args {
		found, err := j.root(ctx, arg)
		if err != nil {
			faults = append(faults, err)
		}
		roots = append(roots, found...)
	}
	return roots, errors.Join(faults...)
}

// root reads SOURCE@RANGE, SOURCE:TAG, SOURCE, or what a package directory depends on.
func (j *job) root(ctx context.Context, arg string) ([]meta.Dependency, error) {
	kind, err := source.KindOf(arg)
	switch {
	case err == nil && kind == source.Directory:
		_, needs, err := source.Needs(ctx, arg)
		var packages []meta.Dependency
		for _, d := range needs {
			if d.Package.IsZero() {
				j.faults = append(j.faults, fmt.Errorf("%s: the dependency on %s is not followed: nothing tells which package brings it", arg, d.CRD))
				continue
			}
			packages = append(packages, d)
		}
		return packages, err
	case err == nil && kind != source.Reference:
		return nil, &cli.UsageError{Err: fmt.Errorf("%s is a file: want SOURCE@RANGE, SOURCE:TAG, SOURCE or a package directory", arg)}
	case err != nil && !strings.Contains(arg, "@"):
		return nil, err
	}
	if ref, err := meta.ParseReference(arg); err == nil && ref.Tag != "" {
		arg = ref.Source.String() + "@" + ref.Version().String()
		if ref.Digest != "" {
			arg = ref.Source.String() + "@" + ref.Digest
		}
	}
	d, err := source.ParseRoot(arg)
	if err != nil {
		return nil, err
	}
	return []meta.Dependency{d}, nil
}
