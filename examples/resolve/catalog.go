package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
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
	doc, data, err := readFile(ctx, j.s.catalog)
	if err != nil {
		return nil, err
	}
	c, err := dag.DecodeCatalog(data)
	if broken := weigh(err); broken != nil {
		return nil, placed(doc, "catalog-invalid", broken)
	}
	if err != nil {
		for _, line := range strings.Split(placed(doc, "catalog-invalid", err).Error(), "\n") {
			fmt.Fprintf(j.env.Stderr, "warning: %s\n", line)
		}
	}
	j.catalog = c
	return dag.NewKindIndex(c.Releases()...), nil
}

// weigh keeps the faults of a catalog that make it useless. What the packages in it say
// of themselves and cannot be read matters to who needs them only: their releases
// cannot be chosen, and the explanation says so.
func weigh(err error) error {
	var faults, broken meta.FieldErrors
	errors.As(err, &faults)
	for _, f := range faults {
		switch f.Fault {
		case meta.FaultConstraint, meta.FaultSource, meta.FaultTagged, dag.FaultVersion:
		default:
			broken = append(broken, f)
		}
	}
	if len(broken) == 0 {
		return nil
	}
	return broken
}
