package xpkg

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// maxReferrersPages bounds the pages of a list of referrers, for a registry that
// never ends and lists nothing.
const maxReferrersPages = 100

// errNoReferrers says that a registry has no such endpoint.
var errNoReferrers = errors.New("the registry has no endpoint for referrers")

// fetchReferrers asks the registry for the index of what refers to a manifest (OCI
// distribution specification, "Listing Referrers"). All its pages are one index,
// of at most limit bytes. The error matches errNoReferrers when the registry has
// no such endpoint.
func (c *Client) fetchReferrers(ctx context.Context, ref string, r name.Digest, limit int64) ([]byte, error) {
	path := "referrers/" + r.DigestStr()
	where := ref + ": referrers of " + r.DigestStr()
	accept := http.Header{"Accept": {string(types.OCIImageIndex)}}
	over := &meta.LimitError{What: "the list of referrers", Limit: limit, Where: ref}
	var pages [][]byte
	left, at := limit, apiURL(r.Context(), path)
	for range maxReferrersPages {
		var raw []byte
		var next string
		none := false
		err := c.reading(ctx, ref, where, r.Context(), func(rt http.RoundTripper) error {
			resp, err := askURL(ctx, rt, http.MethodGet, at, accept, http.StatusOK)
			if none = len(pages) == 0 && hasNoReferrers(err); none {
				return nil
			}
			if err != nil {
				return err
			}
			defer resp.Body.Close()
			if raw, err = readAtMost(resp.Body, left, over); err != nil {
				return err
			}
			// What is no list, such as the page of a portal, would be kept for one.
			if m, err := parseManifest(ref, v1.Hash{}, "", raw); err != nil || !m.index {
				return badAnswer("it answers with no list of referrers")
			}
			next, err = nextPage(resp, r.Context(), path)
			return err
		})
		if err != nil {
			return nil, err
		}
		if none {
			return nil, errNoReferrers
		}
		pages = append(pages, raw)
		left -= int64(len(raw))
		if at = next; at == "" {
			return joined(pages, limit, over)
		}
	}
	return nil, &meta.LimitError{What: "the list of referrers", Unit: "pages", Limit: maxReferrersPages, Where: ref}
}

// joined makes one index of the pages of one.
func joined(pages [][]byte, limit int64, over error) ([]byte, error) {
	if len(pages) == 1 {
		return pages[0], nil
	}
	type index struct {
		SchemaVersion int               `json:"schemaVersion"`
		MediaType     types.MediaType   `json:"mediaType"`
		Manifests     []json.RawMessage `json:"manifests"`
	}
	whole := index{2, types.OCIImageIndex, []json.RawMessage{}}
	for _, raw := range pages {
		// The other fields may be anything.
		var page struct {
			Manifests []json.RawMessage `json:"manifests"`
		}
		if err := json.Unmarshal(raw, &page); err != nil {
			return nil, err
		}
		whole.Manifests = append(whole.Manifests, page.Manifests...)
	}
	var b bytes.Buffer
	w := json.NewEncoder(&b)
	w.SetEscapeHTML(false) // which makes it longer
	if err := w.Encode(whole); err != nil {
		return nil, err
	}
	if int64(b.Len()) > limit { // or the cache would not give it back
		return nil, over
	}
	return b.Bytes(), nil
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

// referrersAt asks one place: its endpoint, or for the index under the tag where
// it has none. none says that it has neither, which is the error then.
func (s *repository) referrersAt(ctx context.Context, repo name.Repository, h v1.Hash, tag string) (m *manifest, none bool, err error) {
	raw, err := s.client.fetchReferrers(ctx, s.ref, repo.Digest(h.String()), s.o.MaxManifestBytes)
	mediaType := string(types.OCIImageIndex)
	if errors.Is(err, errNoReferrers) {
		raw, mediaType, err = s.client.fetchManifest(ctx, s.ref, repo.Tag(tag), s.o.MaxManifestBytes)
		none = meta.Code(err) == "not-found"
	}
	if err != nil {
		return nil, none, err
	}
	digest, err := hashOf(raw)
	if err != nil {
		return nil, false, err
	}
	m, err = checkManifest(s.ref, digest, mediaType, raw, s.o)
	return m, false, err
}
