package xpkg

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Subject is what Options.Verify judges: an image whose manifest, and index when
// there is one, have been read and held against their digests, and of which no
// layer has been read. Signatures are about one of the two digests; what holds
// them is fetched from the same repository with the methods, which go by the
// cache and the pull policy as every other read does, so that an image that was
// approved once can be approved again offline.
//
// It is valid until the hook returns and not for concurrent use.
type Subject struct {
	// Ref is the reference or path, as it was given.
	Ref string
	// Resolved is Image.Resolved: with registry, after rules and mirrors.
	Resolved string
	// Digest is that of the image's manifest; of the configuration for a docker
	// tar.
	Digest string
	// IndexDigest is that of the index that the image was chosen from, or "".
	IndexDigest string

	img *Image
}

// related are the manifests and small blobs beside an image.
type related interface {
	manifestSource
	// byTag reads the manifest that a tag names.
	byTag(ctx context.Context, tag string) ([]byte, error)
	// smallBlob reads a blob of at most a number of bytes. It is unverified.
	smallBlob(ctx context.Context, h v1.Hash, limit int64) ([]byte, error)
	// referrers reads the index of what refers to a manifest.
	referrers(ctx context.Context, h v1.Hash) ([]byte, error)
}

// VerifyError says that Options.Verify refused an image. It matches what Err
// matches, meta.ErrInvalid when Err is of no category, and meta.ErrCanceled when it
// is the end of a context.
type VerifyError struct {
	Ref    string
	Digest string // of the image's manifest
	Err    error
}

// Error implements error.
func (e *VerifyError) Error() string {
	return fmt.Sprintf("%s: %s is refused: %s", e.Ref, e.Digest, causeOf(e.Ref, e.Err))
}

// Unwrap returns what the hook returned.
func (e *VerifyError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *VerifyError) Is(target error) bool {
	switch meta.Code(e.Err) {
	case "internal":
		return target == meta.ErrInvalid
	case "canceled":
		return target == meta.ErrCanceled
	}
	return false
}

// verify asks the hook.
func (i *Image) verify(ctx context.Context, digest string) error {
	if i.o.Verify == nil {
		return nil
	}
	err := i.o.Verify(ctx, &Subject{Ref: i.ref, Resolved: i.resolved, Digest: digest, IndexDigest: i.index, img: i})
	if err != nil {
		return &VerifyError{Ref: i.ref, Digest: digest, Err: err}
	}
	if ctx.Err() != nil {
		return canceled(ctx, i.ref)
	}
	return nil
}

// from returns where related content is, if anywhere.
func (s *Subject) from(what string) (related, error) {
	if r, ok := s.img.src.(related); ok {
		return r, nil
	}
	return nil, &FileError{Path: s.Ref, Name: what, Err: fs.ErrNotExist}
}

// Manifest reads a manifest of the repository by tag, such as the
// sha256-….sig of a signature, or by digest, against which it is held. Options
// bounds its size. Errors are those of Client.Image; what is not there matches
// meta.ErrNotFound.
func (s *Subject) Manifest(ctx context.Context, tagOrDigest string) ([]byte, error) {
	from, err := s.from(tagOrDigest)
	if err != nil {
		return nil, err
	}
	h, err := v1.NewHash(tagOrDigest)
	if err != nil {
		return from.byTag(ctx, tagOrDigest)
	}
	raw, err := from.manifest(ctx, &descriptor{Digest: h})
	if err != nil {
		return nil, err
	}
	if err := verifyBytes(raw, s.Ref, "manifest", h); err != nil {
		return nil, err
	}
	return raw, nil
}

// Blob reads a blob of the repository, such as a signature's payload, and holds
// it against its digest. It is for small ones: the limit is
// Options.MaxManifestBytes. Errors are as Manifest's.
func (s *Subject) Blob(ctx context.Context, digest string) ([]byte, error) {
	from, err := s.from(digest)
	if err != nil {
		return nil, err
	}
	h, err := v1.NewHash(digest)
	if err != nil {
		return nil, &meta.FieldError{Path: meta.Path{"digest"}, Found: quote(digest), Want: "a digest such as sha256:…"}
	}
	raw, err := from.smallBlob(ctx, h, s.img.o.MaxManifestBytes)
	if err != nil {
		return nil, fmt.Errorf("blob %s: %w", digest, err)
	}
	if err := verifyBytes(raw, s.Ref, "blob", h); err != nil {
		return nil, err
	}
	return raw, nil
}

// Referrers lists what the registry says to refer to a manifest: the answer of
// its referrers endpoint or, where it has none, the index under the tag
// sha256-… (OCI distribution specification, "Listing Referrers" and "Referrers
// Tag Schema"). A list of several pages is read to its end, up to 100 pages and
// Options.MaxManifestBytes; more is a *meta.LimitError. Nothing is an empty list
// and no error, and is asked for again next time; under Never, a list that the
// cache does not have is a *CacheMissError. A mirror that has neither is passed
// over. Who pushes to a repository writes this list: only a signature proves
// something.
func (s *Subject) Referrers(ctx context.Context, digest string) ([]Entry, error) {
	h, err := v1.NewHash(digest)
	if err != nil {
		return nil, &meta.FieldError{Path: meta.Path{"digest"}, Found: quote(digest), Want: "a digest such as sha256:…"}
	}
	from, ok := s.img.src.(related)
	if !ok {
		return nil, nil
	}
	raw, err := from.referrers(ctx, h)
	if err != nil || raw == nil {
		return nil, err
	}
	m, err := parseManifest(s.Ref, v1.Hash{}, "", raw)
	if err != nil {
		return nil, err
	}
	var all []Entry
	for i := range m.manifests {
		all = append(all, newEntry(&m.manifests[i], m.manifests[i].role()))
	}
	return all, nil
}

// readSmall reads a blob that may be larger than it should be.
func readSmall(rc io.ReadCloser, limit int64, where string) ([]byte, error) {
	defer rc.Close()
	return readAtMost(rc, limit, &meta.LimitError{What: "the blob", Limit: limit, Where: where})
}

// The content beside an image in a repository.

func (s *repository) byTag(ctx context.Context, tag string) ([]byte, error) {
	if _, err := name.NewTag(s.name + ":" + tag); err != nil {
		return nil, &meta.FieldError{Path: meta.Path{"tag"}, Found: quote(tag), Want: "a tag"}
	}
	m, err := s.tagged(ctx, tag, false)
	if err != nil {
		return nil, fmt.Errorf("manifest %s: %w", tag, err)
	}
	return m.raw, nil
}

func (s *repository) smallBlob(ctx context.Context, h v1.Hash, limit int64) ([]byte, error) {
	if raw, ok := s.cached(ctx, h); ok {
		return raw, nil
	}
	if s.client.Pull == PullNever {
		return nil, s.miss(h.String())
	}
	rc, err := s.fetchBlob(ctx, h)
	if err != nil {
		return nil, err
	}
	raw, err := readSmall(newContextReader(ctx, rc, s.ref), limit, s.ref)
	if err == nil && verifyBytes(raw, s.ref, "blob", h) == nil {
		s.keep(h, raw)
	}
	return raw, err
}

// referrers asks one place after the other. What they say is kept in the cache as
// what the tag would name, so that it is there offline; but not that there is
// nothing, or what is signed later would be unsigned for good.
func (s *repository) referrers(ctx context.Context, h v1.Hash) ([]byte, error) {
	tag := h.Algorithm + "-" + h.Hex
	if s.client.Pull != PullAlways {
		m, err := s.known(ctx, tag)
		if err != nil {
			return nil, err
		}
		if m != nil && len(m.manifests) > 0 {
			return m.raw, nil
		}
	}
	if s.client.Pull == PullNever {
		return nil, fmt.Errorf("referrers of %s: %w", h, s.miss(""))
	}
	// Where these are says nothing about where the layers are.
	at := s.at.Load()
	defer s.at.Store(at)
	origin := s.places[len(s.places)-1]
	var (
		m    *manifest
		said error // by the origin
		none bool  // it says that there are none
	)
	err := s.ask(ctx, func(repo name.Repository) error {
		found, without, err := s.referrersAt(ctx, repo, h, tag)
		if repo == origin {
			said, none = err, without
		}
		m = found
		return err
	})
	switch {
	case err != nil && none && ctx.Err() == nil:
		m = nil
	case err != nil && said != nil:
		return nil, said // not that of a mirror which was asked after it
	case err != nil:
		return nil, err
	}
	if m == nil || len(m.manifests) == 0 {
		s.forgetTag(tag)
		return rawOf(m), nil
	}
	s.keep(m.digest, m.raw)
	s.keepTag(tag, m.digest)
	return m.raw, nil
}

// forgetTag removes what the cache knows of a tag.
func (s *repository) forgetTag(tag string) {
	c := s.client.Cache
	if c == nil {
		return
	}
	s.later(func() {
		if err := ignoreMissing(os.Remove(c.tagFile(s.name, tag))); err != nil {
			s.client.event(CacheFailed, s.name+":"+tag, err)
		}
	})
}

func rawOf(m *manifest) []byte {
	if m == nil {
		return nil
	}
	return m.raw
}

// The content beside an image in an OCI layout.

// refName is the annotation of index.json that names an entry (OCI image
// specification, "Pre-Defined Annotation Keys").
const refName = "org.opencontainers.image.ref.name"

func (s *layoutSource) byTag(ctx context.Context, tag string) ([]byte, error) {
	for i := range s.root.manifests {
		d := &s.root.manifests[i]
		if d.Annotations[refName] != tag {
			continue
		}
		raw, err := s.manifest(ctx, d)
		if err != nil {
			return nil, err
		}
		return raw, verifyBytes(raw, s.path, "manifest", d.Digest)
	}
	return nil, &FileError{Path: s.path, Name: tag, Err: fs.ErrNotExist}
}

func (s *layoutSource) smallBlob(ctx context.Context, h v1.Hash, limit int64) ([]byte, error) {
	rc, size, err := s.files.open(ctx, blobName(h), s.counting())
	if err != nil {
		return nil, err
	}
	if size > limit {
		_ = rc.Close()
		return nil, &meta.LimitError{What: "the blob", Limit: limit, Got: size, Where: s.path}
	}
	return readSmall(rc, limit, s.path)
}

func (s *layoutSource) referrers(ctx context.Context, h v1.Hash) ([]byte, error) {
	raw, err := s.byTag(ctx, h.Algorithm+"-"+h.Hex)
	if meta.Code(err) == "not-found" {
		return nil, nil
	}
	return raw, err
}
