package xpkg

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Pin keeps an image from being evicted or pruned: the manifest with this
// digest, such as sha256:…, and those of its layers that are cached, now or
// later. The pin of an index covers the index and all images that it lists, which
// may be more than those that are used; that of a layer covers the layer. What
// is pinned need not be cached yet, and a pin fetches nothing.
//
// Image.Digest is what to pin, and Image.IndexDigest for an image that a tag
// leads to through an index: without the index the tag has to be looked up
// again. A pin does not keep the tag from moving.
//
// A pin that exists stays. The error is a *meta.FieldError for what is no
// digest, and as the type says.
func (c *Cache) Pin(ctx context.Context, digest string) error {
	return c.changePin(ctx, digest, func(path string) error { return c.putBytes(path, nil) })
}

// Unpin takes a pin back. It is no error when there is none.
func (c *Cache) Unpin(ctx context.Context, digest string) error {
	return c.changePin(ctx, digest, func(path string) error { return ignoreMissing(os.Remove(path)) })
}

func (c *Cache) changePin(ctx context.Context, digest string, change func(path string) error) error {
	if err := c.check(); err != nil {
		return err
	}
	h, err := v1.NewHash(digest)
	if err != nil {
		return &meta.FieldError{Path: meta.Path{"digest"}, Found: quote(digest), Want: "a digest such as sha256:…"}
	}
	// Who is evicting knew of the pins there were.
	unlock, err := c.lockFile(ctx, pinsLock)
	if err == nil {
		defer unlock()
	}
	path := filepath.Join(c.dir, "v1", "pins", h.Algorithm, h.Hex)
	if ctx.Err() != nil {
		return c.failed(ctx, path, ctx.Err())
	}
	return c.failed(ctx, path, change(path))
}

// pinned returns everything that a pin covers.
func (c *Cache) pinned(ctx context.Context) (map[v1.Hash]bool, error) {
	set := map[v1.Hash]bool{}
	err := c.walk(ctx, "pins", func(path string, _ fs.FileInfo) {
		h, err := v1.NewHash(filepath.Base(filepath.Dir(path)) + ":" + filepath.Base(path))
		if err == nil {
			c.need(set, h)
		}
	})
	return set, err
}
