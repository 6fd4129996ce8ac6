package xpkg

import (
	"context"
	"net/http"
	"net/url"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/xpkg-go/sdk/meta"
)

// MountBlob asks the registry to take a blob over from another repository of it, named
// by its path such as org/package, and reports whether it did. That it did not is no error: not
// every registry can, and the blob is to be written then (OCI distribution specification,
// "Mounting a blob from another repository"). Errors are those of PutManifest, and *meta.FieldError
// for what is no path.
func (r *Repository) MountBlob(ctx context.Context, digest, from string) (mounted bool, err error) {
	h, err := digestArgument(digest)
	if err != nil {
		return false, err
	}
	c, place := r.client, r.place()
	other, err := name.NewRepository(place.RegistryStr() + "/" + from)
	if err == nil {
		err = checkElements(from)
	}
	if err != nil {
		return false, &meta.FieldError{Path: meta.Path{"from"}, Found: quote(from), Want: "the path of a repository"}
	}
	s, err := r.mounting(ctx, other)
	if err == nil {
		var location string
		location, err = beginUpload(ctx, s.rt, place, url.Values{"mount": {h.String()}, "from": {other.RepositoryStr()}})
		if err == nil && location != "" {
			abandon(ctx, s.rt, location)
		}
		mounted = err == nil && location == ""
	}
	return mounted, c.failed(ctx, r.src.ref, r.src.ref, place, s, err)
}

// mounting returns the session for taking blobs over from another repository, which is
// kept: a token has to be good for both.
func (r *Repository) mounting(ctx context.Context, from name.Repository) (*session, error) {
	r.mu.Lock()
	s := r.mounts[from]
	r.mu.Unlock()
	if s != nil {
		return s, nil
	}
	place := r.place()
	auth, err := r.client.credentials(ctx, place)
	if err != nil {
		return nil, err
	}
	s, err = r.client.authenticate(ctx, place, auth, scope(place, transport.PushScope), scope(from, transport.PullScope))
	if err != nil {
		return s, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.mounts == nil {
		r.mounts = map[name.Repository]*session{}
	}
	r.mounts[from] = s
	return s, nil
}

// abandon ends an upload that is not wanted. A registry that keeps it will clear it away.
func abandon(ctx context.Context, rt http.RoundTripper, location string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodDelete, location, nil)
	if err != nil {
		return
	}
	if resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req); err == nil {
		_ = resp.Body.Close()
	}
}
