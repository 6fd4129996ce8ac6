package main

import (
	"context"
	"fmt"
	"io"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/meta"
)

// A catalog answers which packages bring a kind.
type catalog struct {
	index *dag.KindIndex
	kinds map[string]meta.Kind // of packages, by their identity
}

func openCatalog(ctx context.Context, name string, stderr io.Writer) (*catalog, error) {
	known, warnings, err := source.OpenCatalog(ctx, name)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		fmt.Fprintf(stderr, "warning: %s\n", w)
	}
	c := &catalog{index: dag.NewKindIndex(known.Releases()...), kinds: map[string]meta.Kind{}}
	for _, r := range known.Releases() {
		c.kinds[r.Source.Identity()] = r.Kind
	}
	return c, nil
}

// packages are the packages that bring a kind, as dependencies.
func (c *catalog) packages(_ context.Context, ref meta.CRDRef) ([]meta.Dependency, error) {
	var all []meta.Dependency
	for _, p := range c.index.Find(ref) {
		kind := c.kinds[p.Source.Identity()]
		if kind == "" {
			kind = meta.Provider
		}
		all = append(all, meta.Dependency{Kind: string(kind), Package: p.Source, Constraint: p.Constraint})
	}
	return all, nil
}
