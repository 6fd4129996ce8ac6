package xpkg

import (
	"context"
	"errors"
	"net/http"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Repository is all that one repository of a registry holds, manifests and blobs of
// whatever kind, for those who copy it and do not ask whether it is a package. The
// cache of the Client is not used. It may be used concurrently and needs no closing.
//
// Errors are *RegistryError and *CredentialsError, *DigestError for what is not what
// was asked for, *meta.LimitError for a manifest that is larger than
// Options.MaxManifestBytes of the Client's Options, *meta.FieldError for a text that is no
// digest, and one that matches meta.ErrCanceled when ctx ends.
type Repository struct {
	client *Client
	src    *repository

	mu      sync.Mutex
	session *session                     // for writing
	mounts  map[name.Repository]*session // for taking blobs over, by where from
}

// Repository returns the repository that packages of a source are read from: after
// the default registry and the rules of Client.Registries, and its mirrors before it.
// It makes no request. The error is a *meta.ReferenceError, or one about a field of the Client.
func (c *Client) Repository(source meta.Source) (*Repository, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	o := c.Options.withDefaults()
	src, err := c.repository(source.String(), source, &o)
	if err != nil {
		return nil, err
	}
	return &Repository{client: c, src: src}, nil
}

// Destination returns the repository that Push writes to for a source: that of its
// name, with the default registry where it names none, without rules and mirrors. It
// makes no request. Errors are those of Repository.
func (c *Client) Destination(source meta.Source) (*Repository, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	where, err := meta.Registries{Default: c.Registries.Default}.Resolve(source)
	if err != nil {
		return nil, err
	}
	place, err := c.place(where.Defaulted)
	if err != nil {
		return nil, err
	}
	o := c.Options.withDefaults()
	src := &repository{client: c, ref: source.String(), o: &o, name: where.Defaulted.Identity(), approved: true, places: []name.Repository{place}}
	return &Repository{client: c, src: src}, nil
}

// place is where the repository is when no mirror has it, and where it is written.
func (r *Repository) place() name.Repository { return r.src.places[len(r.src.places)-1] }

// Name is the complete name of the repository, with its registry.
func (r *Repository) Name() string { return r.place().Name() }

// reference is a tag or a digest of the repository at a place.
func reference(place name.Repository, tagOrDigest string) (name.Reference, error) {
	if _, err := v1.NewHash(tagOrDigest); err == nil {
		return place.Digest(tagOrDigest), nil
	}
	if _, err := name.NewTag(place.Name() + ":" + tagOrDigest); err != nil {
		return nil, &meta.FieldError{Path: meta.Path{"tagOrDigest"}, Found: quote(tagOrDigest), Want: "a tag or a digest"}
	}
	return place.Tag(tagOrDigest), nil
}

// digestArgument reads the digest that a caller names.
func digestArgument(digest string) (v1.Hash, error) {
	h, err := v1.NewHash(digest)
	if err != nil {
		return h, &meta.FieldError{Path: meta.Path{"digest"}, Found: quote(digest), Want: "a digest such as sha256:…"}
	}
	return h, nil
}

// Manifest reads a manifest by tag or by digest, against which it is held. Errors:
// *RegistryError, *DigestError, *CredentialsError, *meta.LimitError, and *meta.FieldError for
// what is neither a tag nor a digest.
func (r *Repository) Manifest(ctx context.Context, tagOrDigest string) (m *RawManifest, err error) {
	err = r.src.ask(ctx, func(place name.Repository) error {
		ref, err := reference(place, tagOrDigest)
		if err != nil {
			return err
		}
		raw, mediaType, err := r.client.fetchManifest(ctx, r.src.ref, ref, r.src.o.MaxManifestBytes)
		if err != nil {
			return err
		}
		if h, err := v1.NewHash(tagOrDigest); err == nil {
			if err := verifyBytes(raw, r.src.ref, "manifest", h); err != nil {
				return err
			}
			m = &RawManifest{Digest: tagOrDigest, MediaType: mediaTypeOf(raw, mediaType), Raw: raw}
			return nil
		}
		m, err = NewRawManifest(raw, mediaType)
		return err
	})
	if err != nil {
		return nil, err
	}
	return m, nil
}

// Digest tells what a tag or a digest names, with a HEAD, or by reading the manifest
// where the registry does not answer that. What is not there matches meta.ErrNotFound;
// there are registries that say so of what a Manifest would find.
func (r *Repository) Digest(ctx context.Context, tagOrDigest string) (digest string, err error) {
	err = r.src.ask(ctx, func(place name.Repository) error {
		ref, err := reference(place, tagOrDigest)
		if err != nil {
			return err
		}
		h, unfit, err := r.client.headManifest(ctx, r.src.ref, ref)
		if err != nil {
			return err
		}
		if unfit == nil {
			digest = h.String()
			return nil
		}
		told := registryError(place.RegistryStr(), r.src.ref, unfit)
		if errors.Is(told, meta.ErrNotFound) {
			return told
		}
		r.client.event(HeadFailed, r.src.ref, told)
		raw, _, err := r.client.fetchManifest(ctx, r.src.ref, ref, r.src.o.MaxManifestBytes)
		if err != nil {
			return err
		}
		h, err = hashOf(raw)
		digest = h.String()
		return err
	})
	if err != nil {
		return "", err
	}
	return digest, nil
}

// Confirm tells what a tag or a digest names that was written just now: as Digest
// does, and by reading the manifest where the registry says that there is none. Errors
// are those of Manifest.
func (r *Repository) Confirm(ctx context.Context, tagOrDigest string) (string, error) {
	digest, err := r.Digest(ctx, tagOrDigest)
	if !errors.Is(err, meta.ErrNotFound) {
		return digest, err
	}
	m, err := r.Manifest(ctx, tagOrDigest)
	if err != nil {
		return "", err
	}
	return m.Digest, nil
}

// Blob opens a blob of a size in bytes, which is held against its digest. Where the
// connection breaks off the rest is asked for again. ctx governs the reads too. The caller
// closes it. Errors are *RegistryError, *CredentialsError, and *meta.FieldError for what is no digest.
func (r *Repository) Blob(ctx context.Context, digest string, size int64) (*BlobReader, error) {
	h, err := digestArgument(digest)
	if err != nil {
		return nil, err
	}
	rc, err := r.src.fetchBlob(ctx, h)
	if err != nil {
		return nil, err
	}
	return newBlobReader(ctx, rc, r.src.ref, &descriptor{Digest: h, Size: size})
}

// Referrers reads the index of what refers to a manifest: the answer of the
// registry's endpoint or, where it has none, what stands under the tag sha256-… (OCI
// distribution specification, "Listing Referrers" and "Referrers Tag Schema"). It is
// nil where there is neither. Who pushes to a repository writes it: it proves nothing.
// Errors are those of Manifest.
func (r *Repository) Referrers(ctx context.Context, digest string) (*RawManifest, error) {
	h, err := digestArgument(digest)
	if err != nil {
		return nil, err
	}
	var m *manifest
	none := false
	err = r.src.ask(ctx, func(place name.Repository) (err error) {
		m, none, err = r.src.referrersAt(ctx, place, h, h.Algorithm+"-"+h.Hex)
		return err
	})
	switch {
	case err != nil && none && ctx.Err() == nil:
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &RawManifest{Digest: m.digest.String(), MediaType: mediaTypeOf(m.raw, m.mediaType), Raw: m.raw}, nil
}

// HasBlob tells whether the repository has a blob. That it has none is no error; errors
// are *RegistryError, *CredentialsError, and *meta.FieldError for what is no digest.
func (r *Repository) HasBlob(ctx context.Context, digest string) (has bool, err error) {
	h, err := digestArgument(digest)
	if err != nil {
		return false, err
	}
	err = r.src.ask(ctx, func(place name.Repository) error {
		return r.client.reading(ctx, r.src.ref, r.src.ref, place, func(rt http.RoundTripper) (err error) {
			has, err = hasBlob(ctx, rt, place, h)
			return err
		})
	})
	return has, err
}
