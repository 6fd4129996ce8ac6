package mirror

import (
	"context"
	"io"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// registryReader reads a repository of a registry.
type registryReader struct{ r *xpkg.Repository }

func (r registryReader) manifest(ctx context.Context, tagOrDigest, mediaType string) (*xpkg.RawManifest, error) {
	return r.r.Manifest(ctx, tagOrDigest)
}

func (r registryReader) blob(ctx context.Context, d *descriptor) (*xpkg.BlobReader, error) {
	return r.r.Blob(ctx, d.Digest, d.Size)
}

func (r registryReader) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	return r.r.Referrers(ctx, digest)
}

// registryWriter writes a repository of a registry.
type registryWriter struct {
	r      *xpkg.Repository
	mounts *mounts
}

func (w registryWriter) has(ctx context.Context, digest string) (bool, error) {
	got, err := w.named(ctx, digest)
	return got == digest, err
}

// named takes a refusal for an absence: registries deny whoever asks for a repository
// that is not there yet. Who may not write learns it when writing.
func (w registryWriter) named(ctx context.Context, tagOrDigest string) (string, error) {
	digest, err := w.r.Digest(ctx, tagOrDigest)
	if code := meta.Code(err); code == "not-found" || code == "unauthorized" {
		return "", nil
	}
	return digest, err
}

func (w registryWriter) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	return w.r.Referrers(ctx, digest)
}

func (w registryWriter) putBlob(ctx context.Context, d *descriptor, open func() (io.ReadCloser, error)) (bool, error) {
	if from := w.mounts.from(w.r.Name(), d.Digest); from != "" {
		mounted, err := w.r.MountBlob(ctx, d.Digest, from)
		if mounted {
			return false, nil
		}
		if ctx.Err() != nil {
			return false, err
		}
		w.mounts.refused(w.r.Name()) // for whatever reason: writing it will tell
	}
	written, err := w.r.PutBlob(ctx, d.Digest, d.Size, open)
	if err == nil {
		w.mounts.has(w.r.Name(), d.Digest)
	}
	return written, err
}

func (w registryWriter) put(ctx context.Context, m *xpkg.RawManifest) error {
	return w.r.PutManifest(ctx, m.Digest, m)
}

func (w registryWriter) name(ctx context.Context, tagOrDigest string, m *xpkg.RawManifest) error {
	if tagOrDigest != m.Digest { // under its digest it is already
		if err := w.r.PutManifest(ctx, tagOrDigest, m); err != nil {
			return err
		}
	}
	got, err := w.r.Confirm(ctx, tagOrDigest)
	if err != nil {
		return err
	}
	if got != m.Digest {
		return &WrittenError{Name: full(w.r.Name(), tagOrDigest), Want: m.Digest, Got: got}
	}
	return nil
}

// full is the complete name of a tag or a digest of a repository.
func full(repository, tagOrDigest string) string {
	if meta.IsDigest(tagOrDigest) {
		return repository + "@" + tagOrDigest
	}
	return repository + ":" + tagOrDigest
}
