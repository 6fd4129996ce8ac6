package xpkg

import (
	"context"
	"errors"
	"io"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// repository reads the manifests and blobs of one repository, from the cache
// and from the registry as the pull policy says.
type repository struct {
	client *Client
	ref    string
	repo   name.Repository
	o      *Options
}

// root returns the manifest that a reference names.
func (s *repository) root(ctx context.Context, r name.Reference) (*manifest, error) {
	digest, ok := r.(name.Digest)
	if !ok {
		return s.tagged(ctx, r, false)
	}
	// What a digest names cannot change, so that no policy has to ask.
	h, err := v1.NewHash(digest.DigestStr())
	if err != nil {
		return nil, &ManifestError{Ref: s.ref, Digest: digest.DigestStr(), Reason: "its digest cannot be checked", Err: err}
	}
	raw, err := s.manifest(ctx, &descriptor{Digest: h})
	if err != nil {
		return nil, err
	}
	return checkManifest(s.ref, h, "", raw, s.o)
}

// tagged returns the manifest that a tag names. It asks for a tag that others
// are asking for only when they have done, and then finds their answer in the
// cache.
func (s *repository) tagged(ctx context.Context, r name.Reference, locked bool) (*manifest, error) {
	c := s.client
	m, err := s.known(ctx, r)
	if m != nil || err != nil {
		return m, err
	}
	if c.Pull == PullNever {
		return nil, s.miss("")
	}
	if c.Cache != nil && !locked {
		unlock, err := c.Cache.lock(ctx, r.Name())
		if err != nil {
			return nil, canceled(ctx, s.ref)
		}
		defer unlock()
		return s.tagged(ctx, r, true)
	}
	raw, mediaType, err := c.fetchManifest(ctx, s.ref, r, s.o.MaxManifestBytes)
	if err != nil {
		return nil, err
	}
	h, err := hashOf(raw)
	if err != nil {
		return nil, err
	}
	// A manifest is decoded before the tag is remembered: a registry that
	// answered with the page of a captive portal will be asked again.
	if m, err = checkManifest(s.ref, h, mediaType, raw, s.o); err != nil {
		return nil, err
	}
	s.keep(h, raw)
	s.keepTag(r, h)
	return m, nil
}

// known answers from the cache what a tag names, or returns nothing.
func (s *repository) known(ctx context.Context, r name.Reference) (*manifest, error) {
	c := s.client
	if c.Cache == nil {
		return nil, nil
	}
	h, ok := c.Cache.digest(r.Context().Name(), r.Identifier())
	if !ok {
		return nil, nil
	}
	if c.Pull == PullAlways {
		now, ok, err := c.fetchDigest(ctx, s.ref, r)
		if err != nil || !ok {
			return nil, err
		}
		raw, err := s.manifest(ctx, &descriptor{Digest: now})
		if err != nil {
			return nil, err
		}
		m, err := checkManifest(s.ref, now, "", raw, s.o)
		if err == nil && now != h {
			s.keepTag(r, now)
		}
		return m, err
	}
	raw, ok := s.cached(ctx, h)
	if !ok {
		return nil, nil
	}
	return checkManifest(s.ref, h, "", raw, s.o)
}

// manifest returns a manifest by digest, from the cache or the registry. It is
// verified when it comes from there.
func (s *repository) manifest(ctx context.Context, d *descriptor) ([]byte, error) {
	c := s.client
	if raw, ok := s.cached(ctx, d.Digest); ok {
		return raw, nil
	}
	if c.Pull == PullNever {
		return nil, s.miss(d.Digest.String())
	}
	if c.Cache != nil {
		unlock, err := c.Cache.lock(ctx, d.Digest.String())
		if err != nil {
			return nil, canceled(ctx, s.ref)
		}
		defer unlock()
		if raw, ok := s.cached(ctx, d.Digest); ok {
			return raw, nil
		}
	}
	raw, _, err := c.fetchManifest(ctx, s.ref, s.repo.Digest(d.Digest.String()), s.o.MaxManifestBytes)
	if err != nil {
		return nil, err
	}
	if err := verifyBytes(raw, s.ref, "manifest", d.Digest); err != nil {
		return nil, err
	}
	s.keep(d.Digest, raw)
	return raw, nil
}

// blob opens a layer. With a cache, it is downloaded into it, verified, and
// read from there, so that nobody who reads slowly keeps others from it.
func (s *repository) blob(ctx context.Context, l *layer, _ *budget) (io.ReadCloser, error) {
	c := s.client
	if c.Cache == nil {
		if c.Pull == PullNever {
			return nil, s.miss(l.Digest.String())
		}
		return c.fetchBlob(ctx, s.ref, s.repo, l.Digest)
	}
	if rc, err := s.cachedBlob(ctx, l); rc != nil || err != nil {
		return rc, err
	}
	if c.Pull == PullNever {
		return nil, s.miss(l.Digest.String())
	}
	unlock, err := c.Cache.lock(ctx, l.Digest.String())
	if err != nil {
		return nil, canceled(ctx, s.ref)
	}
	defer unlock()
	if rc, err := s.cachedBlob(ctx, l); rc != nil || err != nil {
		return rc, err
	}
	rc, err := c.Cache.store(l.Digest, func() (io.ReadCloser, error) {
		rc, err := c.fetchBlob(ctx, s.ref, s.repo, l.Digest)
		if err != nil {
			return nil, err
		}
		return newVerifyReader(newContextReader(ctx, rc, s.ref), s.ref, "layer", l.descriptor)
	})
	if failed := (*cacheError)(nil); errors.As(err, &failed) {
		c.event(CacheFailed, l.Digest.String(), failed.err)
		if rc != nil {
			return rc, nil
		}
		return c.fetchBlob(ctx, s.ref, s.repo, l.Digest)
	}
	return rc, err
}

// cachedBlob opens a layer in the cache, or returns nothing.
func (s *repository) cachedBlob(ctx context.Context, l *layer) (io.ReadCloser, error) {
	rc, err := s.client.Cache.open(ctx, l.descriptor)
	if ctx.Err() != nil {
		return nil, canceled(ctx, s.ref)
	}
	if err != nil {
		s.client.event(CacheBroken, l.Digest.String(), err)
	}
	return rc, nil
}

// cached returns a manifest of the cache.
func (s *repository) cached(ctx context.Context, h v1.Hash) ([]byte, bool) {
	if s.client.Cache == nil {
		return nil, false
	}
	raw, err := s.client.Cache.read(ctx, h, s.o.MaxManifestBytes)
	if err != nil && ctx.Err() == nil {
		s.client.event(CacheBroken, h.String(), err)
	}
	return raw, raw != nil
}

// keep stores a manifest that was verified.
func (s *repository) keep(h v1.Hash, raw []byte) {
	if s.client.Cache == nil {
		return
	}
	if err := s.client.Cache.write(h, raw); err != nil {
		s.client.event(CacheFailed, h.String(), err)
	}
}

func (s *repository) keepTag(r name.Reference, h v1.Hash) {
	if s.client.Cache == nil {
		return
	}
	if err := s.client.Cache.setDigest(r.Context().Name(), r.Identifier(), h); err != nil {
		s.client.event(CacheFailed, r.Name(), err)
	}
}

// miss is the error of Never.
func (s *repository) miss(digest string) error {
	e := &CacheMissError{Ref: s.ref, Digest: digest}
	if cache := s.client.Cache; cache != nil {
		e.Dir = cache.dir
		e.Cached = cache.tags(s.repo.Name())
		if isLocalName(s.ref) {
			e.Local, _ = cache.locals()
		}
	}
	return e
}
