package mirror

import (
	"context"
	"io"
)

// from is what the layout has, and what it need not be given once more.
func (d *directory) from() layouts {
	if d.base == nil {
		return layouts{d.collected}
	}
	return layouts{d.collected, d.base}
}

// holds reports whether there is a blob. What was there before the run may have been
// changed or cut since, so it is held against its digest, once; what is not as it should be
// counts as not there. The error is that of the context.
func (d *directory) holds(ctx context.Context, b *descriptor) (bool, error) {
	d.mu.Lock()
	known := d.whole[b.Digest]
	d.mu.Unlock()
	if known {
		return true, nil
	}
	rc, err := d.from().blob(ctx, b)
	if err == nil {
		_, err = io.Copy(io.Discard, rc)
		_ = rc.Close()
	}
	if err != nil {
		return false, ended(ctx)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.whole[b.Digest] = true
	return true, nil
}

// holdsAll reports whether there is a manifest, with all that it leads to.
func (d *directory) holdsAll(ctx context.Context, digest string) (bool, error) {
	root, err := d.from().manifest(ctx, digest, "")
	if err != nil {
		return false, ended(ctx)
	}
	nodes, err := tree(ctx, d.from(), root)
	if err != nil {
		return false, ended(ctx)
	}
	for _, n := range nodes {
		for _, b := range n.parts.blobs {
			if there, err := d.holds(ctx, &b); !there || err != nil {
				return false, err
			}
		}
	}
	return true, nil
}

// came notes what was written, all of which was held against its digest.
func (d *directory) came(digest string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.whole[digest], d.wrote = true, true
}

// ended is the error of a context that has ended, or nil.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return canceled(err)
	}
	return nil
}
