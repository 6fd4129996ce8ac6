package source

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// ParseRoot reads SOURCE@RANGE, or SOURCE for any version.
func ParseRoot(arg string) (meta.Dependency, error) {
	name, text, ranged := strings.Cut(arg, "@")
	d := meta.Dependency{}
	var err error
	if d.Package, err = meta.ParseSource(name); err != nil {
		var ref *meta.ReferenceError
		if errors.As(err, &ref) && ref.Tagged {
			err = fmt.Errorf("%w; write SOURCE@VERSION", err)
		}
		return d, &cli.UsageError{Err: err}
	}
	if !ranged {
		return d, nil
	}
	if strings.TrimSpace(text) == "" {
		return d, &cli.UsageError{Err: fmt.Errorf("%s: there is no range behind the @", arg)}
	}
	if d.Constraint, err = meta.ParseConstraint(text); err != nil {
		return d, &cli.UsageError{Err: fmt.Errorf("%s: %w", name, err)}
	}
	return d, nil
}

// Needs reads a package directory and returns its metadata and what it depends on, but
// for Crossplane itself. Faults of other documents than its metadata do not matter here.
func Needs(ctx context.Context, dir string) (*meta.Package, []meta.Dependency, error) {
	p, err := Read(ctx, dir, nil, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	faults := p.Faults
	if p.Meta != nil {
		faults = slices.DeleteFunc(slices.Clone(faults), func(f *parser.Error) bool { return f.Index != p.Header.Index })
	}
	if len(faults) > 0 {
		return nil, nil, faults
	}
	return p.Meta, slices.DeleteFunc(slices.Clone(p.Meta.DependsOn), func(d meta.Dependency) bool {
		return d.Package.IsZero() && d.CRD.IsZero()
	}), nil
}
