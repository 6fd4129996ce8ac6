package xpkg

import (
	"context"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// push writes an image and returns the error that a caller gets. It has a session
// of its own, so that a token does not grow old while nothing is pushed.
func (c *Client) push(ctx context.Context, ref string, r name.Reference, img v1.Image) error {
	repo := r.Context()
	auth, err := c.credentials(ctx, repo)
	if err != nil {
		return c.failed(ctx, ref, ref, repo, nil, err)
	}
	s, err := c.pushAs(ctx, r, img, auth)
	if isRefusal(err) {
		if auth := c.renewed(ctx, repo, auth); auth != nil {
			s, err = c.pushAs(ctx, r, img, auth)
		}
	}
	return c.failed(ctx, ref, ref, repo, s, err)
}

// pushAs writes an image with some credentials.
func (c *Client) pushAs(ctx context.Context, r name.Reference, img v1.Image, auth authn.Authenticator) (*session, error) {
	s, err := c.authenticate(ctx, r.Context(), auth, scope(r.Context(), transport.PushScope))
	if err != nil {
		return s, err
	}
	p, err := newPusher(s.rt)
	if err != nil {
		return s, err
	}
	return s, c.anew(ctx, "PATCH "+r.Name(), r.Context().RegistryStr(), func() error { return p.Push(ctx, r, img) })
}
