package dag

import (
	"cmp"
	"context"
	"errors"

	"github.com/xpkg-go/sdk/meta"
)

// known is a catalog, or in the place of none one that can answer nothing.
func known(c Catalog) Catalog {
	if c == nil {
		return noCatalog{}
	}
	return c
}

// A noCatalog stands for a catalog that was not given.
type noCatalog struct{}

var errNoCatalog = errors.New("no catalog was given")

// Tags knows nothing.
func (noCatalog) Tags(context.Context, meta.Source) ([]string, error) { return nil, errNoCatalog }

// Release knows nothing.
func (noCatalog) Release(context.Context, meta.Source, meta.Version) (*meta.Release, error) {
	return nil, errNoCatalog
}

// errNoRelease is the answer of a catalog that gave neither release nor error.
var errNoRelease = errors.New("the catalog has no release of this version")

// askRelease asks a catalog for a release, and looks whether the answer is about what
// was asked for. A release need not repeat the question: what it leaves out is not compared.
func askRelease(ctx context.Context, c Catalog, s meta.Source, v meta.Version) (*meta.Release, error) {
	r, err := c.Release(ctx, s, v)
	switch {
	case err != nil:
		return nil, err
	case r == nil:
		return nil, errNoRelease
	}
	digest := cmp.Or(r.Digest, r.Version.Digest())
	switch {
	case !r.Source.IsZero() && !r.Source.Equal(s),
		v.Digest() != "" && digest != "" && digest != v.Digest(),
		v.Digest() == "" && r.Version.Tag() != "" && r.Version.OCITag() != v.OCITag():
		return nil, &AnswerError{Source: s, Version: v, Answer: r}
	}
	return r, nil
}
