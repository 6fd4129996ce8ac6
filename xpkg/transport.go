package xpkg

import (
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/xpkg-go/sdk/meta"
)

// maxListBytes bounds one page of a list of tags.
const maxListBytes = 32 << 20

// puller returns what reads from a repository. The authentication with the
// registry is kept for as long as the client lives; a call whose context ends
// while it authenticates disturbs no other, which is why remote.Puller does not
// keep it.
func (c *Client) puller(ctx context.Context, repo name.Repository) (*remote.Puller, error) {
	rt, err := c.authenticated(ctx, repo)
	if err != nil {
		return nil, err
	}
	// A transport that is a *transport.Wrapper is used as it is.
	return remote.NewPuller(remote.WithTransport(rt))
}

func (c *Client) authenticated(ctx context.Context, repo name.Repository) (http.RoundTripper, error) {
	c.mu.Lock()
	rt := c.transports[repo]
	c.mu.Unlock()
	if rt != nil {
		return rt, nil
	}
	auth, err := authn.Resolve(ctx, c.keychain(), repo)
	if err != nil {
		return nil, err
	}
	rt, err = transport.NewWithContext(ctx, repo.Registry, auth, retrying{c.base()}, []string{repo.Scope(transport.PullScope)})
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.transports == nil {
		c.transports = map[name.Repository]http.RoundTripper{}
	}
	c.transports[repo] = rt
	return rt, nil
}

func (c *Client) keychain() authn.Keychain {
	if c.Keychain != nil {
		return c.Keychain
	}
	return DefaultKeychain()
}

func (c *Client) base() http.RoundTripper {
	rt := c.Transport
	if rt == nil {
		rt = remote.DefaultTransport
	}
	return bodies{rt}
}

// bodies marks the errors of reading a body as what they are, so that they can
// be told from what go-containerregistry says about a whole body, and bounds
// the bodies that it reads into memory and the redirects that it follows.
type bodies struct{ rt http.RoundTripper }

func (b bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	hops := redirects(r)
	if hops >= maxRedirects {
		return nil, errRedirects
	}
	resp, err := b.rt.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body := &body{rc: resp.Body, redirects: hops}
	if strings.HasSuffix(r.URL.Path, "/tags/list") {
		body.max = maxListBytes
		body.where = r.URL.Host
	}
	resp.Body = body
	return resp, nil
}

type body struct {
	rc     io.ReadCloser
	n, max int64 // no limit when max is 0
	where  string

	redirects int // that led to it
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.rc.Read(p)
	b.n += int64(n)
	switch {
	case b.max > 0 && b.n > b.max:
		return 0, &meta.LimitError{What: "a page of the list of tags", Limit: b.max, Where: b.where}
	case err != nil && err != io.EOF:
		return n, &bodyError{err}
	}
	return n, err
}

func (b *body) Close() error { return b.rc.Close() }

// bodyError is an error of the connection while a body is read.
type bodyError struct{ err error }

func (e *bodyError) Error() string { return e.err.Error() }
func (e *bodyError) Unwrap() error { return e.err }
