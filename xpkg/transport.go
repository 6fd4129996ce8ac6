package xpkg

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/xpkg-go/sdk/meta"
)

// maxListBytes bounds a list of tags or repositories, and each page of it.
const maxListBytes = 32 << 20

// maxSessions bounds what a Client keeps: one session for each repository that
// it reads from.
const maxSessions = 1000

// session is what a repository is talked to with. It is made with one request
// for /v2/, which tells how the registry wants to be authenticated with, and one
// to the token service where it has one.
type session struct {
	rt   http.RoundTripper // a *transport.Wrapper
	auth authn.Authenticator
}

// session returns the session for reading a repository, which is kept. A call
// whose context ends while it authenticates disturbs no other, which is why
// remote.Puller does not keep it.
func (c *Client) session(ctx context.Context, repo name.Repository) (*session, error) {
	c.mu.Lock()
	s := c.sessions[repo]
	c.mu.Unlock()
	if s != nil {
		return s, nil
	}
	auth, err := c.credentials(ctx, repo)
	if err != nil {
		return nil, err
	}
	return c.keepSession(ctx, repo, auth)
}

// credentials asks the keychain.
func (c *Client) credentials(ctx context.Context, repo name.Repository) (authn.Authenticator, error) {
	auth, err := authn.Resolve(ctx, c.keychain(), resource(repo))
	var own *CredentialsError
	if err != nil && !errors.As(err, &own) {
		err = &CredentialsError{File: "Client.Keychain", Host: repo.RegistryStr(), Err: err}
	}
	return auth, err
}

func (c *Client) keepSession(ctx context.Context, repo name.Repository, auth authn.Authenticator) (*session, error) {
	s, err := c.authenticate(ctx, repo, auth, scope(repo, transport.PullScope))
	if err != nil {
		return s, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sessions == nil || len(c.sessions) >= maxSessions {
		// Whoever reads as many repositories rarely comes back to one, so that
		// which of them are dropped matters little.
		c.sessions = map[name.Repository]*session{}
	}
	c.sessions[repo] = s
	return s, nil
}

// authenticate makes a session. With an error it returns one that says who was
// refused and is of no other use.
func (c *Client) authenticate(ctx context.Context, repo name.Repository, auth authn.Authenticator, scopes ...string) (*session, error) {
	rt, err := c.roundTripper()
	if err != nil {
		return nil, err
	}
	// go-containerregistry's client for this request has a bound of its own for
	// redirects.
	rt, err = transport.NewWithContext(ctx, repo.Registry, auth, retrying{bodies{rt}, c}, scopes)
	return &session{rt: rt, auth: auth}, err
}

// reading runs f with the session for reading a repository and returns the error
// that a caller gets; where says what was being read, for the end of ctx.
//
// Credentials expire. When the registry refuses them, after go-containerregistry
// has renewed the token that it made of them, the keychain is asked once more,
// and f is run again when it has others now.
func (c *Client) reading(ctx context.Context, ref, where string, repo name.Repository, f func(http.RoundTripper) error) error {
	s, err := c.session(ctx, repo)
	if err == nil {
		if err = f(s.rt); isRefusal(err) {
			if auth := c.renewed(ctx, repo, s.auth); auth != nil {
				if s, err = c.keepSession(ctx, repo, auth); err == nil {
					err = f(s.rt)
				}
			}
		}
	}
	return c.failed(ctx, ref, where, repo, s, err)
}

// renewed returns the credentials for a repository when they are others than
// those that were refused.
func (c *Client) renewed(ctx context.Context, repo name.Repository, refused authn.Authenticator) authn.Authenticator {
	auth, err := c.credentials(ctx, repo)
	if err != nil {
		return nil // the refusal says more
	}
	was, err := authn.Authorization(ctx, refused)
	if err != nil {
		return nil
	}
	is, err := authn.Authorization(ctx, auth)
	if err != nil || *is == *was {
		return nil
	}
	return auth
}

// isRefusal reports whether an error is the answer that credentials do not do.
// Some registries say of those that have expired that they do not reach so far.
func isRefusal(err error) bool {
	var answer *transport.Error
	return errors.As(err, &answer) && (answer.StatusCode == http.StatusUnauthorized || answer.StatusCode == http.StatusForbidden)
}

// failed turns the error of a request into the one that a caller gets.
func (c *Client) failed(ctx context.Context, ref, where string, repo name.Repository, s *session, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return canceled(ctx, where)
	}
	err = registryError(repo.RegistryStr(), ref, err)
	if e, ok := err.(*RegistryError); ok {
		c.addHint(e, s)
	}
	return err
}

func (c *Client) keychain() authn.Keychain {
	if c.Keychain != nil {
		return c.Keychain
	}
	return DefaultKeychain()
}

// bodies marks the errors of reading a body as what they are, and bounds the
// bodies that are read into memory and the redirects that are followed.
type bodies struct{ rt http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (b bodies) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := checkRedirect(r); err != nil {
		if r.Body != nil {
			_ = r.Body.Close()
		}
		return nil, err
	}
	ctx, cancel := context.WithCancel(r.Context())
	resp, err := b.rt.RoundTrip(r.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	if resp == nil {
		cancel()
		return nil, badAnswer("the transport gave neither an answer nor an error")
	}
	if resp.Body == nil {
		resp.Body = http.NoBody
	}
	resp.Request = r
	body := &body{rc: resp.Body, cancel: cancel, redirects: redirects(r), where: r.URL.Host}
	switch {
	case resp.StatusCode >= http.StatusBadRequest:
		// What is said beyond is of no use, and go-containerregistry loses the
		// status with it.
		body.cut = maxErrorBytes
	case strings.HasSuffix(r.URL.Path, "/tags/list"):
		body.max, body.what = maxListBytes, "a page of the list of tags"
	case r.URL.Path == "/v2/_catalog":
		body.max, body.what = maxListBytes, "a page of the list of repositories"
	case r.Response == nil && !isContent(r.URL.Path):
		body.max, body.what = maxErrorBytes, "an answer about credentials or uploads"
	}
	resp.Body = body
	return resp, nil
}

// maxErrorBytes bounds answers that hold no content: errors, tokens, the API's
// root.
const maxErrorBytes = 60 << 10

// isContent reports whether a path is that of content, which is bounded by what
// reads it.
func isContent(path string) bool {
	for _, part := range []string{"/blobs/", "/manifests/", "/referrers/"} {
		if strings.Contains(path, part) {
			return true
		}
	}
	return false
}

// idleLimit is how long a registry may take for the next byte of an answer that
// it has begun: others wait, in this process and in those that share the cache,
// for what is being read.
const idleLimit = time.Minute

var errIdle = errors.New("no byte came for " + idleLimit.String())

type body struct {
	rc     io.ReadCloser
	n, max int64 // no limit when max is 0
	cut    int64 // where it ends, 0 for its own end
	what   string
	where  string

	cancel func()      // ends the request
	idle   *time.Timer // runs while a Read does, not while the caller takes its time

	redirects int // that led to it
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.cut > 0 {
		if b.n >= b.cut {
			return 0, io.EOF
		}
		p = p[:min(int64(len(p)), b.cut-b.n)]
	}
	if b.idle == nil {
		b.idle = time.AfterFunc(idleLimit, b.cancel)
	} else {
		b.idle.Reset(idleLimit)
	}
	n, err := b.rc.Read(p)
	if !b.idle.Stop() && err != nil && err != io.EOF {
		err = errIdle
	}
	b.n += int64(n)
	switch {
	case b.max > 0 && b.n > b.max:
		return 0, &meta.LimitError{What: b.what, Limit: b.max, Where: b.where}
	case err != nil && err != io.EOF:
		return n, &bodyError{err}
	}
	return n, err
}

// Close implements io.Closer.
func (b *body) Close() error {
	if b.idle != nil {
		b.idle.Stop()
	}
	err := b.rc.Close()
	b.cancel()
	return err
}

// bodyError is an error of the connection while a body is read.
type bodyError struct{ err error }

// Error implements error.
func (e *bodyError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *bodyError) Unwrap() error { return e.err }
