package xpkg

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"sync"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// PutBlob writes a blob of a size in bytes, unless the repository has it, and reports
// whether it had to. open opens its content, once for each attempt; what it returns is
// closed. Content that is not what the digest names is a *DigestError, and an error of
// open or of its reader is returned as it is: nothing is stored then.
func (r *Repository) PutBlob(ctx context.Context, digest string, size int64, open func() (io.ReadCloser, error)) (written bool, err error) {
	h, err := digestArgument(digest)
	if err != nil {
		return false, err
	}
	l := &uploaded{digest: h, size: size, ref: r.src.ref, source: open, ctx: ctx}
	place := r.place()
	err = r.writing(ctx, func(rt http.RoundTripper) error {
		return r.client.anew(ctx, place.Name()+"@"+digest, place.RegistryStr(), func() error {
			// A transport that is a *transport.Wrapper is used as it is. Each attempt has a
			// pusher of its own, since one remembers what failed.
			p, err := newPusher(rt)
			if err != nil {
				return err
			}
			l.failed(nil)
			return p.Upload(ctx, place, l)
		})
	})
	opened, fault := l.outcome()
	if fault != nil && ctx.Err() == nil {
		// What went wrong is the content; the registry only got less than it was told.
		return false, fault
	}
	return opened, err
}

// PutManifest writes a manifest under a tag or under its digest. What it names has to
// be there already: registries insist on that. Errors: *RegistryError, *CredentialsError,
// *DigestError for other bytes than the digest names, and *meta.FieldError for what is
// neither a tag nor a digest.
func (r *Repository) PutManifest(ctx context.Context, tagOrDigest string, m *RawManifest) error {
	place := r.place()
	ref, err := reference(place, tagOrDigest)
	if err != nil {
		return err
	}
	if h, err := v1.NewHash(tagOrDigest); err == nil {
		if err := verifyBytes(m.Raw, r.src.ref, "manifest", h); err != nil {
			return err
		}
	}
	return r.writing(ctx, func(rt http.RoundTripper) error {
		u := apiURL(place, "manifests/"+ref.Identifier())
		req, err := http.NewRequestWithContext(ctx, http.MethodPut, u, bytes.NewReader(m.Raw))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", m.MediaType)
		resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		return transport.CheckError(resp, http.StatusCreated, http.StatusOK, http.StatusAccepted)
	})
}

// writing runs f with the session for writing, which is kept, and returns the error
// that a caller gets. Credentials that are refused are looked up once more, as reading
// does.
func (r *Repository) writing(ctx context.Context, f func(http.RoundTripper) error) error {
	c, place := r.client, r.place()
	s, err := r.writer(ctx)
	if err == nil {
		if err = f(s.rt); isRefusal(err) {
			if auth := c.renewed(ctx, place, s.auth); auth != nil {
				if s, err = c.authenticate(ctx, place, auth, transport.PushScope); err == nil {
					r.keep(s)
					err = f(s.rt)
				}
			}
		}
	}
	return c.failed(ctx, r.src.ref, r.src.ref, place, s, err)
}

// writer returns the session for writing.
func (r *Repository) writer(ctx context.Context) (*session, error) {
	r.mu.Lock()
	s := r.session
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}
	auth, err := r.client.credentials(ctx, r.place())
	if err != nil {
		return nil, err
	}
	s, err = r.client.authenticate(ctx, r.place(), auth, transport.PushScope)
	if err == nil {
		r.keep(s)
	}
	return s, err
}

func (r *Repository) keep(s *session) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.session = s
}

// newPusher makes what uploads. A transport that is a *transport.Wrapper is used as it
// is, and what fails is not tried again by itself.
func newPusher(rt http.RoundTripper) (*remote.Pusher, error) {
	return remote.NewPusher(remote.WithTransport(rt), remote.WithRetryBackoff(remote.Backoff{Steps: 1}))
}

// anew begins an upload anew that could not be repeated from the middle. What has
// arrived is not sent again. It is not left to go-containerregistry, which sleeps in
// between without looking at the context.
func (c *Client) anew(ctx context.Context, name, host string, upload func() error) error {
	for b := (backoff{client: c}); ; {
		err := upload()
		var failure *passingError
		if !errors.As(err, &failure) || !failure.anew {
			return err
		}
		told := func() error { return registryError(host, name, failure) }
		if !b.again(ctx, "PATCH "+name, failure, told) {
			return err
		}
	}
}

// uploaded is a blob as go-containerregistry uploads it.
type uploaded struct {
	ctx    context.Context
	digest v1.Hash
	size   int64
	ref    string
	source func() (io.ReadCloser, error)

	mu     sync.Mutex // a registry may answer before the body is sent
	opened bool
	fault  error // of the content, and not of the registry
}

func (u *uploaded) failed(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.fault = err
}

func (u *uploaded) outcome() (opened bool, fault error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.opened, u.fault
}

// Digest implements v1.Layer.
func (u *uploaded) Digest() (v1.Hash, error) { return u.digest, nil }

// DiffID implements v1.Layer. Nobody asks for it.
func (u *uploaded) DiffID() (v1.Hash, error) { return u.digest, nil }

// Size implements v1.Layer.
func (u *uploaded) Size() (int64, error) { return u.size, nil }

// MediaType implements v1.Layer: one that is always sent.
func (u *uploaded) MediaType() (types.MediaType, error) { return types.OCILayer, nil }

// Uncompressed implements v1.Layer. Nobody asks for it.
func (u *uploaded) Uncompressed() (io.ReadCloser, error) { return u.Compressed() }

// Compressed opens the content, whose last byte comes only after all of it was held
// against the digest: no registry can take the wrong bytes for the whole.
func (u *uploaded) Compressed() (io.ReadCloser, error) {
	u.mu.Lock()
	u.opened = true
	u.mu.Unlock()
	rc, err := u.source()
	if err != nil {
		u.failed(err)
		return nil, err
	}
	v, err := newVerifyReader(newContextReader(u.ctx, rc, u.ref), u.ref, "blob", descriptor{Digest: u.digest, Size: u.size})
	if err != nil {
		_ = rc.Close()
		return nil, err
	}
	return &lastByte{u: u, rc: v, in: bufio.NewReaderSize(v, 32<<10)}, nil
}

// lastByte yields the last byte of a reader when it has ended well.
type lastByte struct {
	u  *uploaded
	rc io.Closer
	in *bufio.Reader
}

// Read implements io.Reader.
func (l *lastByte) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	ahead, err := l.in.Peek(l.in.Size())
	switch {
	case err == nil:
		ahead = ahead[:len(ahead)-1]
	case err != io.EOF:
		l.u.failed(err)
		return 0, err
	case len(ahead) == 0:
		return 0, io.EOF
	}
	n := copy(p, ahead)
	_, err = l.in.Discard(n)
	return n, err
}

// Close implements io.Closer.
func (l *lastByte) Close() error { return l.rc.Close() }
