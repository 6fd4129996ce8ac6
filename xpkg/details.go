package xpkg

import (
	"context"

	"github.com/xpkg-go/sdk/meta"
)

// Details is a [Client] whose releases tell what the packages provide and which
// images they run, for whoever follows dependencies on kinds or lists images. It
// decodes every definition of a package for that, which a large provider has
// thousands of. Like a Client it is a dag.Catalog, and may be used concurrently.
type Details struct {
	*Client

	// Options choose the image from an index, and limit what is read; nil for the
	// defaults, which those of a Client are.
	Options *Options
}

// Release is that of [Client.Release], with Provides and the same errors.
func (d Details) Release(ctx context.Context, source meta.Source, version meta.Version) (*meta.Release, error) {
	r, pkg, err := d.read(ctx, source, version, d.Options)
	if err != nil {
		return nil, err
	}
	r.Provides = pkg.Provides()
	return r, nil
}
