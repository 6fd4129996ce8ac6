package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/meta"
)

// takeRoots reads the roots. Those that depend on kinds follow the index to packages,
// where the roots and what is installed rule between several.
func (j *job) takeRoots(ctx context.Context, index *dag.KindIndex) error {
	var faults []error
	for _, arg := range j.env.Args {
		roots, err := j.readRoot(ctx, arg)
		if err != nil {
			faults = append(faults, err)
		}
		j.roots = append(j.roots, roots...)
	}
	if len(faults) > 0 {
		return errors.Join(faults...)
	}
	if len(j.env.Args) == 0 {
		there, _ := dag.NewGraph(j.options.Installed...) // its faults come with the plan
		for _, n := range there.Roots() {
			j.roots = append(j.roots, meta.Dependency{Package: n.Source})
		}
	}
	if index.IsEmpty() {
		j.roots = slices.DeleteFunc(j.roots, func(d meta.Dependency) bool {
			if d.Package.IsZero() {
				fmt.Fprintf(j.env.Stderr, "warning: the dependency on %s is not followed: nothing tells which package brings it\n", d.CRD)
			}
			return d.Package.IsZero()
		})
		return nil
	}
	var preferred []meta.Source
	for _, d := range j.roots {
		preferred = append(preferred, d.Package)
	}
	for _, n := range j.options.Installed {
		preferred = append(preferred, n.Source)
	}
	for i, d := range j.roots {
		followed, err := index.Follow(d, preferred...)
		if err != nil {
			faults = append(faults, err)
		}
		j.roots[i] = followed
	}
	j.catalog = dag.ByKind(j.catalog, index, preferred...)
	return errors.Join(faults...)
}

// readRoot reads SOURCE@RANGE, SOURCE, or what a package directory depends on.
func (j *job) readRoot(ctx context.Context, arg string) ([]meta.Dependency, error) {
	kind, err := source.KindOf(arg)
	switch {
	case err != nil && !strings.Contains(arg, "@"):
		return nil, err
	case err == nil && kind == source.Directory:
		return j.readDirectory(ctx, arg)
	case err == nil && kind != source.Reference:
		return nil, &cli.UsageError{Err: fmt.Errorf("%s is a file: want SOURCE@RANGE, SOURCE or a package directory", arg)}
	}
	d, err := source.ParseRoot(arg)
	if err != nil {
		return nil, err
	}
	return []meta.Dependency{d}, nil
}

// readDirectory gives the dependencies of a package that is not built yet. Faults of
// other documents than its metadata do not matter here.
func (j *job) readDirectory(ctx context.Context, dir string) ([]meta.Dependency, error) {
	p, needs, err := source.Needs(ctx, dir)
	if err != nil {
		return nil, err
	}
	if v := j.options.Crossplane; !v.IsZero() && !p.Crossplane.IsZero() {
		if verdict := p.Crossplane.Explain(v); !verdict.Allowed {
			fmt.Fprintf(j.env.Stderr, "warning: %s is not for this Crossplane: %s\n", cli.Printable(dir), verdict.Message)
		}
	}
	return needs, nil
}
