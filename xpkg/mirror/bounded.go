package mirror

import (
	"context"

	"github.com/xpkg-go/sdk/xpkg"
)

// turn waits until a request may be made; done is called behind it.
func (c *copier) turn(ctx context.Context) error {
	if err := ended(ctx); err != nil {
		return err
	}
	select {
	case c.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return canceled(ctx.Err())
	}
}

func (c *copier) done() { <-c.slots }

// boundedReader makes its requests for manifests wait for their turns. A blob is part of
// what copies it, which waits for all of it.
type boundedReader struct {
	reader
	c *copier
}

func (r boundedReader) manifest(ctx context.Context, tagOrDigest, mediaType string) (*xpkg.RawManifest, error) {
	if err := r.c.turn(ctx); err != nil {
		return nil, err
	}
	defer r.c.done()
	return r.reader.manifest(ctx, tagOrDigest, mediaType)
}

func (r boundedReader) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	if err := r.c.turn(ctx); err != nil {
		return nil, err
	}
	defer r.c.done()
	return r.reader.referrers(ctx, digest)
}

// boundedWriter is the same of what is written.
type boundedWriter struct {
	writer
	c *copier
}

func (w boundedWriter) has(ctx context.Context, digest string) (bool, error) {
	if err := w.c.turn(ctx); err != nil {
		return false, err
	}
	defer w.c.done()
	return w.writer.has(ctx, digest)
}

func (w boundedWriter) named(ctx context.Context, tagOrDigest string) (string, error) {
	if err := w.c.turn(ctx); err != nil {
		return "", err
	}
	defer w.c.done()
	return w.writer.named(ctx, tagOrDigest)
}

func (w boundedWriter) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	if err := w.c.turn(ctx); err != nil {
		return nil, err
	}
	defer w.c.done()
	return w.writer.referrers(ctx, digest)
}

func (w boundedWriter) put(ctx context.Context, m *xpkg.RawManifest) error {
	if err := w.c.turn(ctx); err != nil {
		return err
	}
	defer w.c.done()
	return w.writer.put(ctx, m)
}

func (w boundedWriter) name(ctx context.Context, tagOrDigest string, m *xpkg.RawManifest) error {
	if err := w.c.turn(ctx); err != nil {
		return err
	}
	defer w.c.done()
	return w.writer.name(ctx, tagOrDigest, m)
}
