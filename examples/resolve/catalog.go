package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/xpkg"
)

// openCatalog opens the catalog file, or makes a client of registries, and gives an
// index of what is known of the kinds that packages bring. No registry can be asked
// which of its packages bring a kind, so without a file nothing is.
func (j *job) openCatalog(ctx context.Context) (*dag.KindIndex, error) {
	if j.s.catalog == "" {
		client, o, err := j.env.Client()
		if err != nil {
			return nil, err
		}
		j.done = j.env.Watch(client)
		j.catalog = client
		if j.s.need || o.Platform != nil {
			j.catalog = xpkg.Details{Client: client, Options: o}
		}
		return dag.NewKindIndex(), nil
	}
	c, doubts, err := source.Catalog(ctx, j.s.catalog)
	if err != nil {
		return nil, err
	}
	if doubts != nil {
		for line := range strings.SplitSeq(doubts.Error(), "\n") {
			fmt.Fprintf(j.env.Stderr, "warning: %s\n", line)
		}
	}
	j.catalog = c
	return dag.NewKindIndex(c.Releases()...), nil
}
