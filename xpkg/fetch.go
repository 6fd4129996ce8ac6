package xpkg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// fetchManifest asks the registry for a manifest by tag or digest. It is not
// done by remote.Puller, which checks the digest with an error that cannot be
// told from others and reads far larger manifests than there are.
func (c *Client) fetchManifest(ctx context.Context, ref string, r name.Reference, limit int64) (raw []byte, mediaType string, err error) {
	fail := func(err error) ([]byte, string, error) {
		if ctx.Err() != nil {
			return nil, "", canceled(ctx, ref+": manifest "+r.Identifier())
		}
		return nil, "", c.failed(ctx, r.Context().Registry, ref, err)
	}
	rt, err := c.authenticated(ctx, r.Context())
	if err != nil {
		return fail(err)
	}
	u := url.URL{
		Scheme: r.Context().Scheme(), Host: r.Context().RegistryStr(),
		Path: fmt.Sprintf("/v2/%s/manifests/%s", r.Context().RepositoryStr(), r.Identifier()),
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return fail(err)
	}
	req.Header.Set("Accept", strings.Join([]string{
		string(types.OCIManifestSchema1), string(types.DockerManifestSchema2),
		string(types.OCIImageIndex), string(types.DockerManifestList),
		// Asked for so that the error can say what there is.
		string(types.DockerManifestSchema1), string(types.DockerManifestSchema1Signed),
	}, ","))
	resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req)
	if err != nil {
		return fail(err)
	}
	defer resp.Body.Close()
	if err := transport.CheckError(resp, http.StatusOK); err != nil {
		return fail(err)
	}
	raw, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return fail(err)
	}
	if int64(len(raw)) > limit {
		return nil, "", &meta.LimitError{What: "the manifest", Limit: limit, Got: max(resp.ContentLength, 0), Where: ref}
	}
	return raw, resp.Header.Get("Content-Type"), nil
}

// fetchDigest asks the registry what a tag names, with a HEAD. ok is false when
// the registry has no proper answer to that, as Harbor's proxy caches, and is to
// be asked for the manifest instead.
func (c *Client) fetchDigest(ctx context.Context, ref string, r name.Reference) (h v1.Hash, ok bool, err error) {
	p, err := c.puller(ctx, r.Context())
	if err != nil {
		return v1.Hash{}, false, c.failed(ctx, r.Context().Registry, ref, err)
	}
	d, err := p.Head(ctx, r)
	if err == nil {
		return d.Digest, true, nil
	}
	var answer *transport.Error
	if ctx.Err() != nil || errors.As(err, &answer) && answer.StatusCode != http.StatusMethodNotAllowed {
		return v1.Hash{}, false, c.failed(ctx, r.Context().Registry, ref, err)
	}
	c.event(HeadFailed, ref, err)
	return v1.Hash{}, false, nil
}

// fetchBlob opens a blob of a repository.
func (c *Client) fetchBlob(ctx context.Context, ref string, repo name.Repository, h v1.Hash) (io.ReadCloser, error) {
	p, err := c.puller(ctx, repo)
	if err != nil {
		return nil, c.failed(ctx, repo.Registry, ref, err)
	}
	l, err := p.Layer(ctx, repo.Digest(h.String()))
	if err != nil {
		return nil, c.failed(ctx, repo.Registry, ref, err)
	}
	rc, err := l.Compressed()
	if err != nil {
		return nil, c.failed(ctx, repo.Registry, ref, err)
	}
	return &blobBody{rc: rc, fail: func(err error) error { return c.failed(ctx, repo.Registry, ref, err) }}, nil
}

// blobBody yields a blob as the registry sent it. go-containerregistry ends a
// blob of another digest with an error of its own; here it ends, and our check
// says what is wrong with it.
type blobBody struct {
	rc   io.ReadCloser
	fail func(error) error
}

func (b *blobBody) Read(p []byte) (int, error) {
	n, err := b.rc.Read(p)
	if err == nil || err == io.EOF {
		return n, err
	}
	var broken *bodyError
	if errors.As(err, &broken) {
		return n, b.fail(broken.err)
	}
	return n, io.EOF
}

func (b *blobBody) Close() error { return b.rc.Close() }
