package source

import (
	"context"
	"errors"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// Catalog reads a catalog file. What the packages in it say of themselves and cannot be
// read is in doubts, with its places; such a catalog can be used.
func Catalog(ctx context.Context, name string) (c *dag.StaticCatalog, doubts, err error) {
	doc, data, err := Document(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	const rule = "catalog-invalid"
	c, err = dag.DecodeCatalog(data)
	if broken := weigh(err); broken != nil {
		return nil, nil, Placed(doc, rule, broken)
	}
	if err != nil {
		doubts = Placed(doc, rule, err)
	}
	return c, doubts, nil
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
