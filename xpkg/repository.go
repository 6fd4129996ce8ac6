package xpkg

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// repository reads the manifests and blobs of one package, from the cache and
// from where it is kept, as the pull policy says.
type repository struct {
	client *Client
	ref    string
	o      *Options

	tag    string // "" for a reference with a digest
	digest string
	// name is the repository as the cache knows it: mirrors change nothing there.
	name string
	// places are where the repository is asked for, in this order.
	places []name.Repository
	at     atomic.Int32 // the place that answered last

	// Until the image is approved, what was read for it waits here and is stored
	// then. Those that want the same tag wait for it with unlock.
	mu       sync.Mutex
	approved bool
	waiting  []func()
	unlock   func()

	noHead bool // a HEAD was answered with nothing of use, and is not made again
}

// find reads the manifest that a reference names. The caller calls done.
func (c *Client) find(ctx context.Context, ref string, o *Options) (*repository, *manifest, error) {
	r, err := meta.ParseReference(ref)
	if err != nil {
		return nil, nil, err
	}
	options := o.withDefaults()
	src, err := c.repository(ref, r.Source, &options)
	if err != nil {
		return nil, nil, err
	}
	src.tag, src.digest = r.Tag, r.Digest
	if src.digest != "" {
		src.tag = ""
	} else if src.tag == "" {
		src.tag = meta.DefaultTag
	}
	found := false
	defer func() { // also when code of the caller panics
		if !found {
			src.done()
		}
	}()
	m, err := src.root(ctx)
	if err != nil {
		return nil, nil, err
	}
	found = true
	return src, m, nil
}

// commit stores what was read, now that the image is approved.
func (s *repository) commit() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.approved = true
	for _, store := range s.waiting {
		store()
	}
	s.waiting = nil
}

// later stores something now or, when the image is not approved yet, with commit.
func (s *repository) later(store func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.approved {
		store()
		return
	}
	s.waiting = append(s.waiting, store)
}

// done lets others ask for the tag.
func (s *repository) done() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

// root returns the manifest that the reference names.
func (s *repository) root(ctx context.Context) (*manifest, error) {
	if s.digest == "" {
		return s.tagged(ctx, s.tag, true)
	}
	// What a digest names cannot change, so that no policy has to ask.
	h, err := v1.NewHash(s.digest)
	if err != nil {
		return nil, &ManifestError{Ref: s.ref, Digest: s.digest, Reason: "its digest cannot be checked", Err: err}
	}
	raw, err := s.manifest(ctx, &descriptor{Digest: h})
	if err != nil {
		return nil, err
	}
	return checkManifest(s.ref, h, "", raw, s.o)
}

// tagged returns the manifest that a tag names. With wait it asks for a tag that
// others are asking for only when they have done, and then finds their answer in
// the cache.
func (s *repository) tagged(ctx context.Context, tag string, wait bool) (*manifest, error) {
	c := s.client
	m, err := s.known(ctx, tag)
	if m != nil || err != nil {
		return m, err
	}
	if c.Pull == PullNever {
		return nil, s.miss("")
	}
	if c.Cache != nil && wait {
		unlock, err := c.Cache.lock(ctx, s.name+":"+tag)
		if err != nil {
			return nil, canceled(ctx, s.ref)
		}
		s.unlock = unlock
		if m, err := s.known(ctx, tag); m != nil || err != nil {
			s.done() // those behind need not wait for what comes next
			return m, err
		}
	}
	var was v1.Hash
	if c.Cache != nil {
		was, _ = c.Cache.digest(s.name, tag)
	}
	err = s.ask(ctx, func(repo name.Repository) error {
		raw, mediaType, err := c.fetchManifest(ctx, s.ref, repo.Tag(tag), s.o.MaxManifestBytes)
		if err != nil {
			return err
		}
		h, err := hashOf(raw)
		if err != nil {
			return err
		}
		// A manifest is decoded before the tag is remembered: a registry that
		// answered with the page of a captive portal will be asked again.
		if m, err = checkManifest(s.ref, h, mediaType, raw, s.o); err != nil {
			return err
		}
		s.keep(h, raw)
		s.moveTag(tag, was, h)
		return nil
	})
	return m, err
}

// known answers from the cache what a tag names, or returns nothing.
func (s *repository) known(ctx context.Context, tag string) (*manifest, error) {
	c := s.client
	if c.Cache == nil {
		return nil, nil
	}
	h, ok := c.Cache.digest(s.name, tag)
	if !ok {
		return nil, nil
	}
	if c.Pull == PullAlways {
		if s.noHead {
			return nil, nil
		}
		var now v1.Hash
		err := s.ask(ctx, func(repo name.Repository) error {
			var err error
			now, ok, err = c.fetchDigest(ctx, s.ref, repo.Tag(tag))
			return err
		})
		if err != nil || !ok {
			s.noHead = err == nil
			return nil, err
		}
		raw, err := s.manifest(ctx, &descriptor{Digest: now})
		if err != nil {
			return nil, err
		}
		m, err := checkManifest(s.ref, now, "", raw, s.o)
		if err == nil && now != h {
			s.moveTag(tag, h, now)
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
		unlock, err := c.Cache.lock(ctx, s.name+"@"+d.Digest.String())
		if err != nil {
			return nil, canceled(ctx, s.ref)
		}
		defer unlock()
		if raw, ok := s.cached(ctx, d.Digest); ok {
			return raw, nil
		}
	}
	var raw []byte
	err := s.ask(ctx, func(repo name.Repository) (err error) {
		if raw, _, err = c.fetchManifest(ctx, s.ref, repo.Digest(d.Digest.String()), s.o.MaxManifestBytes); err != nil {
			return err
		}
		return verifyBytes(raw, s.ref, "manifest", d.Digest)
	})
	if err != nil {
		return nil, err
	}
	s.keep(d.Digest, raw)
	return raw, nil
}

// fetchBlob opens a blob where it is.
func (s *repository) fetchBlob(ctx context.Context, h v1.Hash) (rc io.ReadCloser, err error) {
	err = s.ask(ctx, func(repo name.Repository) (err error) {
		rc, err = s.client.fetchBlob(ctx, s.ref, repo, h)
		return err
	})
	return rc, err
}

// download opens a layer where it is, and tells how far its reader is.
func (s *repository) download(ctx context.Context, l *layer) (io.ReadCloser, error) {
	rc, err := s.fetchBlob(ctx, l.Digest)
	if err != nil || s.client.Event == nil {
		return rc, err
	}
	return &progress{rc: rc, event: s.client.Event, kind: Downloading, name: l.Digest.String(), total: l.Size}, nil
}

// blob opens a layer. With a cache, it is downloaded into it, verified, and
// read from there, so that nobody who reads slowly keeps others from it.
func (s *repository) blob(ctx context.Context, l *layer, _ *budget) (io.ReadCloser, error) {
	c := s.client
	if c.Cache == nil {
		if c.Pull == PullNever {
			return nil, s.miss(l.Digest.String())
		}
		return s.download(ctx, l)
	}
	for {
		seen := c.Cache.look(l.Digest)
		if rc, err := s.cachedBlob(ctx, l); rc != nil || err != nil {
			return rc, err
		}
		if c.Pull == PullNever {
			return nil, s.miss(l.Digest.String())
		}
		unlock, err := c.Cache.lock(ctx, s.name+"@"+l.Digest.String())
		if err != nil {
			return nil, canceled(ctx, s.ref)
		}
		// Who waits for a layer verifies what has come for himself and does not keep
		// the next one meanwhile. What was seen to be broken, and could not be
		// removed, is replaced.
		if now := c.Cache.look(l.Digest); now != nil && (seen == nil || !unchanged(seen, now)) {
			unlock()
			continue
		}
		defer unlock()
		return s.store(ctx, l)
	}
}

// store downloads a layer into the cache and opens it there. Where one place has
// other bytes the next may have the right ones.
func (s *repository) store(ctx context.Context, l *layer) (rc io.ReadCloser, err error) {
	c := s.client
	for n := range s.places {
		rc, err = c.Cache.store(l.Digest, func() (io.ReadCloser, error) {
			rc, err := s.download(ctx, l)
			if err != nil {
				return nil, err
			}
			return newVerifyReader(newContextReader(ctx, rc, s.ref), s.ref, "layer", l.descriptor)
		})
		if digest := (*DigestError)(nil); n == len(s.places)-1 || !errors.As(err, &digest) {
			break
		}
		at := int(s.at.Load())
		c.event(MirrorFailed, s.places[at].Name(), err)
		s.at.Store(int32((at + 1) % len(s.places)))
	}
	failed := (*cacheError)(nil)
	if !errors.As(err, &failed) {
		return rc, err
	}
	told := false
	defer func() { // also when the caller's hook panics
		if !told && rc != nil {
			_ = rc.Close()
		}
	}()
	c.event(CacheFailed, l.Digest.String(), failed.err)
	told = true
	if rc != nil {
		return rc, nil
	}
	return s.download(ctx, l)
}

// cachedBlob opens a layer in the cache, or returns nothing.
func (s *repository) cachedBlob(ctx context.Context, l *layer) (io.ReadCloser, error) {
	f, err := s.client.Cache.open(ctx, l.Digest)
	if ctx.Err() != nil {
		if f != nil {
			_ = f.Close()
		}
		return nil, canceled(ctx, s.ref)
	}
	if err != nil {
		s.client.event(trouble(err), l.Digest.String(), err)
	}
	if f == nil {
		return nil, nil
	}
	if f.size != l.Size {
		// The layer is right and the manifest wrong, wherever the layer is from.
		_ = f.Close()
		return nil, &DigestError{Ref: s.ref, What: "layer", Want: l.Digest.String(), Got: l.Digest.String(), WantSize: l.Size, GotSize: f.size}
	}
	return f, nil
}

// cached returns a manifest of the cache.
func (s *repository) cached(ctx context.Context, h v1.Hash) ([]byte, bool) {
	if s.client.Cache == nil {
		return nil, false
	}
	raw, err := s.client.Cache.read(ctx, h, s.o.MaxManifestBytes)
	if err != nil && ctx.Err() == nil {
		s.client.event(trouble(err), h.String(), err)
	}
	return raw, raw != nil
}

// keep stores a manifest that was verified.
func (s *repository) keep(h v1.Hash, raw []byte) {
	if s.client.Cache == nil {
		return
	}
	s.later(func() {
		if err := s.client.Cache.write(h, raw); err != nil {
			s.client.event(CacheFailed, h.String(), err)
		}
	})
}

func (s *repository) keepTag(tag string, h v1.Hash) {
	if s.client.Cache == nil {
		return
	}
	s.later(func() { s.setTag(tag, h) })
}

// moveTag is keepTag for a tag that named something else, or nothing, when it was
// asked for. Who learnt another answer since then, by pushing it, knows better.
func (s *repository) moveTag(tag string, was, h v1.Hash) {
	if s.client.Cache == nil {
		return
	}
	s.later(func() {
		if now, ok := s.client.Cache.digest(s.name, tag); !ok || now == was {
			s.setTag(tag, h)
		}
	})
}

func (s *repository) setTag(tag string, h v1.Hash) {
	if err := s.client.Cache.setDigest(s.name, tag, h); err != nil {
		s.client.event(CacheFailed, s.name+":"+tag, err)
	}
}

// miss is the error of Never.
func (s *repository) miss(digest string) error {
	e := &CacheMissError{Ref: s.ref, Digest: digest}
	if cache := s.client.Cache; cache != nil {
		e.Dir = cache.dir
		e.Cached = cache.tags(s.name)
		if isLocalName(s.ref) {
			e.Local, _ = cache.locals()
		}
	}
	return e
}
