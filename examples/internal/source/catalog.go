package source

import (
	"context"
	"errors"
	"strings"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/meta"
)

// OpenCatalog reads a catalog file. What some of the packages in it say and cannot be read is
// in the warnings, and matters to who needs these packages only.
func OpenCatalog(ctx context.Context, name string) (c *dag.StaticCatalog, warnings []string, err error) {
	doc, data, err := ReadDocument(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	c, err = dag.DecodeCatalog(data)
	if broken := weigh(err); broken != nil {
		return nil, nil, Placed(doc, "catalog-invalid", broken)
	}
	if err != nil {
		warnings = strings.Split(Placed(doc, "catalog-invalid", err).Error(), "\n")
	}
	return c, warnings, nil
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
