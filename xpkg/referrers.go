package xpkg

import (
	"context"
	"errors"
	"io"
	"net/http"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// fetchReferrers asks the registry for the index of what refers to a manifest (OCI
// distribution specification, "Listing Referrers"). It returns nothing when the
// registry has no such endpoint.
func (c *Client) fetchReferrers(ctx context.Context, ref string, r name.Digest, limit int64) (raw []byte, err error) {
	err = c.reading(ctx, ref, ref+": referrers of "+r.DigestStr(), r.Context(), func(rt http.RoundTripper) error {
		accept := http.Header{"Accept": {string(types.OCIImageIndex)}}
		resp, err := ask(ctx, rt, http.MethodGet, r.Context(), "referrers/"+r.DigestStr(), accept, http.StatusOK)
		if hasNoReferrers(err) {
			return nil
		}
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		raw, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
		if err == nil && int64(len(raw)) > limit {
			err = &meta.LimitError{What: "the list of referrers", Limit: limit, Got: max(resp.ContentLength, 0), Where: ref}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return raw, nil
}

// hasNoReferrers reports whether a registry does not know the endpoint.
func hasNoReferrers(err error) bool {
	var answer *transport.Error
	if !errors.As(err, &answer) {
		return false
	}
	switch answer.StatusCode {
	case http.StatusNotFound, http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return false
}
