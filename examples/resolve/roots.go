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
	if v := j.options.Crossplane; !v.IsZero() {
		ranges := []meta.Constraint{p.Crossplane}
		for _, d := range p.DependsOn {
			if d.Spelling == meta.SpellingCrossplane {
				ranges = append(ranges, d.Constraint)
			}
		}
		for _, r := range ranges {
			if verdict := r.Explain(v); !verdict.Allowed {
				j.unfit = append(j.unfit, &unfitError{dir: dir, why: verdict.Message})
			}
		}
	}
	return needs, nil
}

// An unfitError says that the package of a directory is not for the Crossplane that is
// given. What it depends on is planned all the same.
type unfitError struct{ dir, why string }

// Error names the directory and both versions.
func (e *unfitError) Error() string {
	return cli.Printable(e.dir) + " is not for this Crossplane: " + e.why
}

// Is reports whether target is meta.ErrInvalid.
func (e *unfitError) Is(target error) bool { return target == meta.ErrInvalid }
