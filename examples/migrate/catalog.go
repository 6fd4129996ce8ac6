package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// A catalog answers which packages bring a kind.
type catalog struct {
	index *dag.KindIndex
	kinds map[string]meta.Kind // of packages, by their identity
}

func openCatalog(name string) (*catalog, error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var data []byte
	for doc, err := range parser.Bytes(name, text, nil) {
		if e := (*parser.Error)(nil); errors.As(err, &e) && e.Rule != parser.RuleMissingKind && e.Rule != parser.RuleMissingAPIVersion {
			return nil, fmt.Errorf("-catalog: %w", e)
		}
		if doc == nil {
			continue
		}
		if data != nil {
			return nil, fmt.Errorf("-catalog: %s: a second document, want one: %w", doc.Range, meta.ErrInvalid)
		}
		if data, err = doc.JSON(); err != nil {
			return nil, fmt.Errorf("-catalog: %w", err)
		}
	}
	known, err := dag.DecodeCatalog(data)
	if err != nil {
		return nil, fmt.Errorf("-catalog %s: %w", name, err)
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
