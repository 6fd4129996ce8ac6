package xpkg

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// PutBlob writes a blob of a size in bytes, unless the repository has it, and reports
// whether it had to. open opens its content, once for each attempt; what it returns is
// closed. Content that is not what the digest names is a *DigestError, and an error of
// open or of its reader is returned as it is: nothing is stored then. A *BlobReader of the
// same blob holds it against the digest itself, which is not done a second time.
//
// A blob is one request for whether it is there, one that begins an upload and one that
// sends all of it (OCI distribution specification, "POST then PUT").
func (r *Repository) PutBlob(ctx context.Context, digest string, size int64, open func() (io.ReadCloser, error)) (written bool, err error) {
	h, err := digestArgument(digest)
	if err != nil {
		return false, err
	}
	u := &upload{ctx: ctx, digest: h, size: size, ref: r.src.ref, source: open}
	place := r.place()
	err = r.writing(ctx, func(rt http.RoundTripper) error {
		return r.client.anew(ctx, "PUT "+place.Name()+"@"+digest, place.RegistryStr(), func() error {
			u.failed(nil)
			return u.send(rt, place)
		})
	})
	opened, fault := u.outcome()
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
				if s, err = c.authenticate(ctx, place, auth, scope(place, transport.PushScope)); err == nil {
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
	s, err = r.client.authenticate(ctx, r.place(), auth, scope(r.place(), transport.PushScope))
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

// newPusher makes what pushes images. A transport that is a *transport.Wrapper is used as it
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
		if !b.again(ctx, name, failure, told) {
			return err
		}
	}
}
