package xpkg

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// fetchReferrers asks the registry for the index of what refers to a manifest. It
// returns nothing when the registry has no such endpoint.
func (c *Client) fetchReferrers(ctx context.Context, ref string, r name.Digest, limit int64) ([]byte, error) {
	fail := func(err error) ([]byte, error) {
		return nil, c.failed(ctx, r.Context().Registry, ref, err)
	}
	rt, err := c.authenticated(ctx, r.Context())
	if err != nil {
		return fail(err)
	}
	u := url.URL{
		Scheme: r.Context().Scheme(), Host: r.Context().RegistryStr(),
		Path: fmt.Sprintf("/v2/%s/referrers/%s", r.Context().RepositoryStr(), r.DigestStr()),
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fail(err)
	}
	req.Header.Set("Accept", string(types.OCIImageIndex))
	resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req)
	if err != nil {
		return fail(err)
	}
	defer resp.Body.Close()
	switch resp.StatusCode {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return nil, nil
	}
	if err := transport.CheckError(resp, http.StatusOK); err != nil {
		return fail(err)
	}
	raw, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return fail(err)
	}
	if int64(len(raw)) > limit {
		return nil, &meta.LimitError{What: "the list of referrers", Limit: limit, Got: max(resp.ContentLength, 0), Where: ref}
	}
	return raw, nil
}
