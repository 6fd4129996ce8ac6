package xpkg

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// manifestTypes are asked for. Those of schema 1 are, so that the error can say
// what there is.
var manifestTypes = []string{
	string(types.OCIManifestSchema1), string(types.DockerManifestSchema2),
	string(types.OCIImageIndex), string(types.DockerManifestList),
	string(types.DockerManifestSchema1), string(types.DockerManifestSchema1Signed),
}

// ask makes a request of a repository's API, for a path such as manifests/v1. An
// answer of another status than want is an error. The caller closes the body.
func ask(ctx context.Context, rt http.RoundTripper, method string, repo name.Repository, path string, header http.Header, want int) (*http.Response, error) {
	return askURL(ctx, rt, method, apiURL(repo, path), header, want)
}

func apiPath(repo name.Repository, path string) string {
	if isRegistry(repo) {
		return "/v2/" + path
	}
	return "/v2/" + repo.RepositoryStr() + "/" + path
}

func apiURL(repo name.Repository, path string) string {
	return (&url.URL{Scheme: repo.Scheme(), Host: repo.RegistryStr(), Path: apiPath(repo, path)}).String()
}

// readAtMost reads all of r, or returns over when that is more than n bytes.
func readAtMost(r io.Reader, n int64, over error) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(r, n+1))
	if err == nil && int64(len(raw)) > n {
		return nil, over
	}
	return raw, err
}

func askURL(ctx context.Context, rt http.RoundTripper, method, u string, header http.Header, want int) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, u, nil)
	if err != nil {
		return nil, err
	}
	for key, values := range header {
		req.Header[key] = values
	}
	resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req)
	if err != nil {
		return nil, err
	}
	if err := transport.CheckError(resp, want); err != nil {
		_ = resp.Body.Close()
		return nil, err
	}
	return resp, nil
}

func acceptManifests() http.Header {
	return http.Header{"Accept": {strings.Join(manifestTypes, ",")}}
}

// fetchManifest asks the registry for a manifest by tag or digest. It is not
// done by remote.Puller, which checks the digest with an error that cannot be
// told from others and reads far larger manifests than there are.
func (c *Client) fetchManifest(ctx context.Context, ref string, r name.Reference, limit int64) (raw []byte, mediaType string, err error) {
	var named string
	err = c.reading(ctx, ref, ref+": manifest "+r.Identifier(), r.Context(), func(rt http.RoundTripper) error {
		resp, err := ask(ctx, rt, http.MethodGet, r.Context(), "manifests/"+r.Identifier(), acceptManifests(), http.StatusOK)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		over := &meta.LimitError{What: "the manifest", Limit: limit, Got: max(resp.ContentLength, 0), Where: ref}
		if raw, err = readAtMost(resp.Body, limit, over); err != nil {
			return err
		}
		mediaType, named = resp.Header.Get("Content-Type"), resp.Header.Get("Docker-Content-Digest")
		return nil
	})
	if _, tagged := r.(name.Tag); err == nil && tagged { // a digest is checked by who asks for it
		err = checkNamed(raw, ref, mediaType, named)
	}
	if err != nil {
		return nil, "", err
	}
	return raw, mediaType, nil
}

// checkNamed holds a manifest against the digest that the registry says it has, which it
// must match if it is there (distribution-spec, "Pulling manifests"): of what a tag names
// nothing else is known. Manifests of docker's first schema have a digest of a part.
func checkNamed(raw []byte, ref, mediaType, named string) error {
	h, err := v1.NewHash(named)
	if err != nil || strings.HasPrefix(mediaType, "application/vnd.docker.distribution.manifest.v1+") {
		return nil
	}
	return verifyBytes(raw, ref, "manifest", h)
}

// fetchDigest asks the registry what a tag names, with a HEAD. ok is false when
// the registry has no proper answer to that, as Harbor's proxy caches, and is to
// be asked for the manifest instead. That is so for every answer but a digest, a
// refusal of access and one that asks for patience: there are registries that
// know no HEAD (405, 501), that do not know with a HEAD what they know with a
// GET (404), that leave out the digest, and portals that answer in their place.
func (c *Client) fetchDigest(ctx context.Context, ref string, r name.Reference) (h v1.Hash, ok bool, err error) {
	h, unfit, err := c.headManifest(ctx, ref, r)
	if err != nil {
		return v1.Hash{}, false, err
	}
	if unfit != nil {
		c.event(HeadFailed, ref, registryError(r.Context().RegistryStr(), ref, unfit))
		return v1.Hash{}, false, nil
	}
	return h, true, nil
}

// headManifest makes the HEAD of fetchDigest. unfit is an answer that says nothing
// about a GET.
func (c *Client) headManifest(ctx context.Context, ref string, r name.Reference) (h v1.Hash, unfit, err error) {
	err = c.reading(ctx, ref, ref, r.Context(), func(rt http.RoundTripper) error {
		resp, err := ask(ctx, rt, http.MethodHead, r.Context(), "manifests/"+r.Identifier(), acceptManifests(), http.StatusOK)
		if err != nil {
			if isUnfit(err) {
				unfit = err
				return nil
			}
			return err
		}
		defer resp.Body.Close()
		h, unfit = headDigest(resp.Header)
		return nil
	})
	return h, unfit, err
}

// headDigest takes the digest out of the answer to a HEAD.
func headDigest(header http.Header) (v1.Hash, error) {
	contentType := header.Get("Content-Type")
	mediaType, _, _ := mime.ParseMediaType(contentType)
	if !slices.Contains(manifestTypes, mediaType) {
		return v1.Hash{}, badAnswer("it answers a HEAD with the content type " + quote(contentType) + ", expected that of a manifest")
	}
	text := header.Get("Docker-Content-Digest")
	if text == "" {
		return v1.Hash{}, badAnswer("it answers a HEAD without the header Docker-Content-Digest")
	}
	h, err := v1.NewHash(text)
	if err != nil {
		return v1.Hash{}, badAnswer("it answers a HEAD with the header Docker-Content-Digest: " + quote(text) + ", expected a digest")
	}
	return h, nil
}

// isUnfit reports whether the answer to a HEAD says nothing about a GET.
func isUnfit(err error) bool {
	var answer *transport.Error
	if !errors.As(err, &answer) {
		return errors.Is(err, errRedirects)
	}
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		return false
	}
	return !slices.Contains(passing, answer.StatusCode)
}

// fetchBlob opens a blob of a repository. Its bytes are yielded as the registry
// sends them, whatever encoding it names: what counts is the digest.
func (c *Client) fetchBlob(ctx context.Context, ref string, repo name.Repository, h v1.Hash) (io.ReadCloser, error) {
	b := &blobBody{ctx: ctx, client: c, ref: ref, repo: repo, digest: h, backoff: backoff{client: c}}
	rc, err := b.open(http.StatusOK)
	if err != nil {
		return nil, err
	}
	b.rc = rc
	return b, nil
}

// badAnswer is a cause that lies in what a registry said.
type badAnswer string

// Error implements error.
func (e badAnswer) Error() string { return string(e) }
