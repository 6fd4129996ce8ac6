package xpkg

import (
	"context"
	"errors"
	"fmt"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// referenceType is the annotation by which buildkit marks the entries of an
// index that describe another entry: attestations.
const referenceType = "vnd.docker.reference.type"

// Select chooses an image from an index as the specification says ("Indexes"),
// and as follows where it says nothing:
//
//   - Attestations are never chosen and do not count: entries with the
//     annotation vnd.docker.reference.type, and manifests whose layers are all
//     in-toto statements. The platform unknown/unknown alone makes none; where it
//     matters such a manifest is read.
//   - Entries that say that they are no images do not count beside others: those
//     with another media type than that of an image or an index, or with an
//     artifactType that is not the type of an image's configuration. A manifest
//     that had to be read may say so as well, by its artifactType or by the media
//     type of its configuration, unless it marks a layer of a package.
//   - When one image is left, it is chosen, whatever its platform and whatever
//     platform was asked for.
//   - When several are left, the first whose platform satisfies p is chosen, as
//     the OCI image specification says for several that match. p nil is
//     linux/amd64; a field of p that is empty matches anything; features are
//     compared as sets (v1.Platform.Satisfies). Where no image names the variant
//     that was asked for, one of no variant has the first of its architecture:
//     arm64 is v8, arm v7, amd64 v1. An image without a platform does not match.
//   - An index within the index counts as the images that it lists. It is opened
//     only when the images beside it do not decide, at most
//     Options.MaxIndexDepth deep and Options.MaxIndexManifests in all.
//   - Entries of one digest are one image.
//   - When none matches and all have the same base layer, they are the same
//     package, whatever their platforms, and the first is chosen. Images without
//     a marked layer are the same package when all their layers are the same.
//
// Errors: *PlatformError lists what there is; *NotPackageError for an index
// without manifests or with attestations only; *DigestError, *ManifestError and
// *meta.LimitError for a manifest that cannot be used. A manifest that idx lists
// and does not have is an error that names its digest.
//
// The context is looked at between manifests; what idx does to read one is
// governed by idx.
func Select(ctx context.Context, idx v1.ImageIndex, p *v1.Platform) (v1.Image, error) {
	if idx == nil {
		return nil, missing("idx", "an index")
	}
	o := (&Options{Platform: p}).withDefaults()
	digest, err := idx.Digest()
	if err != nil {
		return nil, fmt.Errorf("index: digest: %w", err)
	}
	raw, err := idx.RawManifest()
	if err != nil {
		return nil, fmt.Errorf("index %s: manifest: %w", digest, err)
	}
	ref := "index " + digest.String()
	root, err := checkManifest(ref, digest, "", raw, &o)
	if err != nil {
		return nil, err
	}
	if !root.index {
		return nil, &ManifestError{Ref: ref, Digest: digest.String(), Reason: "it is an image, expected an index"}
	}
	src := &indexSource{parents: map[v1.Hash]v1.ImageIndex{}}
	src.adopt(idx, root)
	_, chosen, err := newSelection(ref, src, &o).image(ctx, root)
	if err != nil {
		return nil, err
	}
	return src.parents[chosen.Digest].Image(chosen.Digest)
}

// manifestSource reads manifests by digest. What it returns is unverified.
type manifestSource interface {
	manifest(ctx context.Context, d *descriptor) ([]byte, error)
}

// indexSource reads the manifests that an index of go-containerregistry lists.
type indexSource struct {
	parents map[v1.Hash]v1.ImageIndex // the index that lists a manifest
}

func (s *indexSource) adopt(parent v1.ImageIndex, m *manifest) {
	for _, d := range m.manifests {
		if s.parents[d.Digest] == nil {
			s.parents[d.Digest] = parent
		}
	}
}

func (s *indexSource) manifest(_ context.Context, d *descriptor) ([]byte, error) {
	parent := s.parents[d.Digest]
	if !isIndexType(d.MediaType) {
		img, err := parent.Image(d.Digest)
		if err != nil {
			return nil, err
		}
		return img.RawManifest()
	}
	idx, err := parent.ImageIndex(d.Digest)
	if err != nil {
		return nil, err
	}
	raw, err := idx.RawManifest()
	if err != nil {
		return nil, err
	}
	if m, err := parseManifest("", d.Digest, d.MediaType, raw); err == nil {
		s.adopt(idx, m)
	}
	return raw, nil
}

// selection is one choice from one index.
type selection struct {
	ref          string
	src          manifestSource
	o            *Options
	want         v1.Platform
	images       []descriptor // that were seen, in order
	seen         map[v1.Hash]bool
	several      bool // there are others to choose from
	attestations int
	requests     int64
	// manifests are those of images that had to be read to decide.
	manifests map[v1.Hash]*manifest
	// dropped are images that turned out to be none when they were read.
	dropped map[v1.Hash]Role
}

func newSelection(ref string, src manifestSource, o *Options) *selection {
	s := &selection{ref: ref, src: src, o: o, seen: map[v1.Hash]bool{}, manifests: map[v1.Hash]*manifest{}, dropped: map[v1.Hash]Role{}}
	s.want = v1.Platform{OS: "linux", Architecture: "amd64"}
	if o.Platform != nil {
		s.want = *o.Platform
	}
	return s
}

// image chooses an image and reads its manifest.
func (s *selection) image(ctx context.Context, root *manifest) (*manifest, *descriptor, error) {
	if len(root.manifests) == 0 {
		return nil, nil, noManifest(s.ref)
	}
	for {
		chosen, err := s.choose(ctx, root)
		if err != nil {
			return nil, nil, err
		}
		if chosen == nil {
			continue // something was dropped, each at most once
		}
		m, err := s.read(ctx, chosen)
		if err != nil {
			return nil, nil, err
		}
		if m.index {
			return nil, nil, &ManifestError{Ref: s.ref, Digest: chosen.Digest.String(), Reason: "it is an index, and the index that lists it calls it an image"}
		}
		if !s.drop(m) {
			return m, chosen, nil
		}
	}
}

// drop leaves out what was taken for an image and is an attestation or, beside
// others, an artifact.
func (s *selection) drop(m *manifest) bool {
	switch {
	case m.attestation():
		s.dropped[m.digest] = RoleAttestation
	case m.foreign() && (s.several || len(s.images) > 1):
		s.dropped[m.digest] = RoleArtifact
	default:
		return false
	}
	return true
}

// choose returns nothing, without an error, when it has dropped something and
// the choice is to be made again.
func (s *selection) choose(ctx context.Context, root *manifest) (*descriptor, error) {
	s.images, s.attestations, s.seen = nil, 0, map[v1.Hash]bool{}
	s.several = len(s.real(root.manifests)) > 1
	chosen, err := s.walk(ctx, root, 1)
	if chosen != nil || err != nil {
		return chosen, err
	}
	switch len(s.images) {
	case 0:
		if s.attestations == 0 {
			return nil, &NotPackageError{Ref: s.ref, Reason: ReasonNoManifest, Detail: "the indexes within the index hold no manifest"}
		}
		return nil, onlyAttestations(s.ref, s.attestations)
	case 1:
		return &s.images[0], nil
	}
	for i := range s.images {
		if impliesVariant(s.images[i].Platform, &s.want) {
			return &s.images[i], nil
		}
	}
	return s.unplaced(ctx)
}

// walk collects the images of an index and, where several are to be chosen
// from, returns the first that fits. Images come before the indexes beside
// them, so that no request is made for an index that does not matter.
func (s *selection) walk(ctx context.Context, m *manifest, depth int64) (*descriptor, error) {
	for i := range m.manifests {
		if s.dropped[m.manifests[i].Digest] == RoleAttestation || m.manifests[i].role() == RoleAttestation {
			s.attestations++
		}
	}
	entries := s.real(m.manifests)
	for _, d := range entries {
		if isIndexType(d.MediaType) || s.seen[d.Digest] {
			continue
		}
		s.seen[d.Digest] = true
		s.images = append(s.images, d)
		if s.several && satisfies(d.Platform, &s.want) {
			return &d, nil
		}
	}
	for _, d := range entries {
		// An index that is listed a hundred times, in each of a hundred, is gone
		// through once.
		if !isIndexType(d.MediaType) || s.seen[d.Digest] {
			continue
		}
		s.seen[d.Digest] = true
		child, err := s.nested(ctx, &d, depth)
		if err != nil {
			return nil, err
		}
		s.several = s.several || len(s.real(child.manifests)) > 1
		chosen, err := s.walk(ctx, child, depth+1)
		if chosen != nil || err != nil {
			return chosen, err
		}
	}
	return nil, nil
}

// nested reads an index that an index at a depth lists.
func (s *selection) nested(ctx context.Context, d *descriptor, depth int64) (*manifest, error) {
	if depth >= s.o.MaxIndexDepth {
		return nil, &meta.LimitError{What: "the nesting of the index", Unit: "levels", Limit: s.o.MaxIndexDepth, Where: s.ref}
	}
	child, err := s.read(ctx, d)
	if err != nil {
		return nil, err
	}
	if !child.index {
		return nil, &ManifestError{Ref: s.ref, Digest: d.Digest.String(), Reason: "it is an image, and the index calls it an index"}
	}
	return child, nil
}

// unplaced decides between several images of which none fits.
func (s *selection) unplaced(ctx context.Context) (*descriptor, error) {
	e := s.platformError()
	unplaced := len(e.Have) == 1 && e.Have[0] == ""
	// Those that may be attestations come first: without them one may be left.
	images := slices.Clone(s.images)
	slices.SortStableFunc(images, func(a, b descriptor) int { return boolToInt(b.suspect()) - boolToInt(a.suspect()) })
	var first *content
	for i := range images {
		m, err := s.read(ctx, &images[i])
		if !unplaced && meta.Code(err) == "not-found" {
			// What there is to choose from tells more than one that is missing.
			return nil, e
		}
		if limit := (*meta.LimitError)(nil); errors.As(err, &limit) {
			// Neither all are compared nor is it known that none fits.
			limit.What += ", of which no image is for " + e.Want + ","
		}
		if err != nil {
			return nil, err
		}
		if s.drop(m) {
			return nil, nil
		}
		c := newContent(m)
		if first == nil {
			first = c
		}
		if m.index || !samePackage(first, c) {
			e.Ambiguous = unplaced
			e.unmarked = len(first.base) != 1 || len(c.base) != 1
			return nil, e
		}
	}
	return &s.images[0], nil
}

// platformError lists the images that there are.
func (s *selection) platformError() *PlatformError {
	e := &PlatformError{Ref: s.ref, Want: platformName(&s.want), Attestations: s.attestations}
	have := map[string]bool{}
	for _, d := range s.images {
		e.Digests = append(e.Digests, d.Digest.String())
		if platform := platformName(d.Platform); !have[platform] {
			have[platform] = true
			e.Have = append(e.Have, platform)
		}
	}
	return e
}

func noManifest(ref string) error {
	return &NotPackageError{Ref: ref, Reason: ReasonNoManifest, Detail: "the index holds no manifest, at least one is required"}
}

func onlyAttestations(ref string, n int) error {
	what := "the only manifest is an attestation"
	if n > 1 {
		what = fmt.Sprintf("all %d manifests of the index are attestations", n)
	}
	return &NotPackageError{Ref: ref, Reason: ReasonOnlyAttestations, Detail: what}
}

func boolToInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// samePackage reports whether two images are known to hold the same package
// before a layer is read.
func samePackage(a, b *content) bool {
	if len(a.base) == 1 && len(b.base) == 1 {
		return a.layers[a.base[0]].Digest == b.layers[b.base[0]].Digest
	}
	return len(a.base) == len(b.base) && slices.EqualFunc(a.layers, b.layers, func(x, y layer) bool { return x.Digest == y.Digest })
}

// real returns the entries that are images or indexes, as far as can be told;
// when all say that they are something else, those that are no attestations.
func (s *selection) real(entries []descriptor) []descriptor {
	left := func(keep func(Role) bool) []descriptor {
		return slices.DeleteFunc(slices.Clone(entries), func(d descriptor) bool { return s.dropped[d.Digest] != "" || !keep(d.role()) })
	}
	if images := left(func(r Role) bool { return r == RoleImage }); len(images) > 0 {
		return images
	}
	return left(func(r Role) bool { return r != RoleAttestation })
}

// read reads a manifest of the index and checks it.
func (s *selection) read(ctx context.Context, d *descriptor) (*manifest, error) {
	if ctx.Err() != nil {
		return nil, canceled(ctx, s.ref)
	}
	if m := s.manifests[d.Digest]; m != nil {
		return m, nil
	}
	if s.requests++; s.requests > s.o.MaxIndexManifests {
		return nil, &meta.LimitError{What: "the index", Unit: "manifests to read", Limit: s.o.MaxIndexManifests, Where: s.ref}
	}
	raw, err := s.src.manifest(ctx, d)
	if err != nil {
		if ctx.Err() != nil {
			return nil, canceled(ctx, s.ref)
		}
		return nil, &ChildError{Ref: s.ref, Digest: d.Digest.String(), Err: err}
	}
	m, err := checkManifest(s.ref, d.Digest, d.MediaType, raw, s.o)
	if err != nil {
		return nil, err
	}
	s.manifests[d.Digest] = m
	return m, nil
}
