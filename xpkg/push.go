package xpkg

import (
	"context"
	"errors"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
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

// pushAs begins anew what could not be repeated: the upload of a layer. What has
// arrived is not sent again. It is not left to go-containerregistry, which sleeps
// in between without looking at the context.
func (c *Client) pushAs(ctx context.Context, r name.Reference, img v1.Image, auth authn.Authenticator) (*session, error) {
	s, err := c.authenticate(ctx, r.Context(), auth, transport.PushScope)
	if err != nil {
		return s, err
	}
	// A transport that is a *transport.Wrapper is used as it is.
	p, err := remote.NewPusher(remote.WithTransport(s.rt), remote.WithRetryBackoff(remote.Backoff{Steps: 1}))
	if err != nil {
		return s, err
	}
	for b := (backoff{client: c}); ; {
		err := p.Push(ctx, r, img)
		var failure *passingError
		if !errors.As(err, &failure) || !failure.anew {
			return s, err
		}
		told := func() error { return registryError(r.Context().RegistryStr(), r.Name(), failure) }
		if !b.again(ctx, "PATCH "+r.Name(), failure, told) {
			return s, err
		}
	}
}
