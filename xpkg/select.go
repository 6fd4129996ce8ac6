package xpkg

import (
	"context"
	"fmt"
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Bounds of a selection. Real indexes are one level deep, two at most.
const (
	maxIndexDepth    = 8  // indexes within each other
	maxIndexRequests = 32 // manifests that one selection reads
)

// referenceType is the annotation by which buildkit marks the entries of an
// index that describe another entry: attestations.
const referenceType = "vnd.docker.reference.type"

// Select chooses an image from an index as the specification says ("Indexes"),
// and as follows where it says nothing:
//
//   - Attestations are never chosen and do not count: entries with the
//     annotation vnd.docker.reference.type and, where there are other entries,
//     those of the platform unknown/unknown.
//   - Entries that say that they are no images do not count beside others: those
//     with another media type than that of an image or an index, or with an
//     artifactType that is not the type of an image's configuration.
//   - When one image is left, it is chosen, whatever its platform and whatever
//     platform was asked for.
//   - When several are left, the first whose platform satisfies p is chosen, as
//     the OCI image specification says for several that match. p nil is
//     linux/amd64; a field of p that is empty matches anything; features are
//     compared as sets (v1.Platform.Satisfies). An image without a platform does
//     not match.
//   - An index within the index counts as the images that it lists. It is opened
//     only when the images beside it do not decide, at most 8 deep and 32 in
//     all.
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
	attestations int
	requests     int
	// manifests are those of images that had to be read to decide.
	manifests map[v1.Hash]*manifest
}

func newSelection(ref string, src manifestSource, o *Options) *selection {
	s := &selection{ref: ref, src: src, o: o, seen: map[v1.Hash]bool{}, manifests: map[v1.Hash]*manifest{}}
	s.want = v1.Platform{OS: "linux", Architecture: "amd64"}
	if o.Platform != nil {
		s.want = *o.Platform
	}
	return s
}

func (s *selection) choose(ctx context.Context, root *manifest) (*descriptor, error) {
	if len(root.manifests) == 0 {
		return nil, &NotPackageError{Ref: s.ref, Reason: ReasonNoManifest, Detail: "the index holds no manifest, at least one is required"}
	}
	several := len(s.real(root.manifests)) > 1
	chosen, err := s.walk(ctx, root, 1, several)
	if chosen != nil || err != nil {
		return chosen, err
	}
	switch len(s.images) {
	case 0:
		what := "the only manifest of the index is an attestation"
		switch {
		case s.attestations == 0:
			return nil, &NotPackageError{Ref: s.ref, Reason: ReasonNoManifest, Detail: "the indexes within the index hold no manifest"}
		case s.attestations > 1:
			what = fmt.Sprintf("all %d manifests of the index are attestations", s.attestations)
		}
		return nil, &NotPackageError{Ref: s.ref, Reason: ReasonOnlyAttestations, Detail: what}
	case 1:
		return &s.images[0], nil
	}
	return s.unplaced(ctx)
}

// walk collects the images of an index and, where several are to be chosen
// from, returns the first that fits. Images come before the indexes beside
// them, so that no request is made for an index that does not matter.
func (s *selection) walk(ctx context.Context, m *manifest, depth int, several bool) (*descriptor, error) {
	entries := s.real(m.manifests)
	for _, d := range m.manifests {
		if !d.foreign() {
			s.attestations++
		}
	}
	for _, d := range entries {
		if !d.foreign() {
			s.attestations--
		}
	}
	for _, d := range entries {
		if isIndexType(d.MediaType) || s.seen[d.Digest] {
			continue
		}
		s.seen[d.Digest] = true
		s.images = append(s.images, d)
		if several && d.Platform != nil && d.Platform.Satisfies(s.want) {
			return &d, nil
		}
	}
	for _, d := range entries {
		if !isIndexType(d.MediaType) {
			continue
		}
		if depth == maxIndexDepth {
			return nil, &meta.LimitError{What: "the nesting of the index", Unit: "levels", Limit: maxIndexDepth, Where: s.ref}
		}
		child, err := s.read(ctx, &d)
		if err != nil {
			return nil, err
		}
		if !child.index {
			return nil, &ManifestError{Ref: s.ref, Digest: d.Digest.String(), Reason: "it is an image, and the index calls it an index"}
		}
		chosen, err := s.walk(ctx, child, depth+1, several || len(s.real(child.manifests)) > 1)
		if chosen != nil || err != nil {
			return chosen, err
		}
	}
	return nil, nil
}

// unplaced decides between several images of which none fits.
func (s *selection) unplaced(ctx context.Context) (*descriptor, error) {
	e := &PlatformError{Ref: s.ref, Want: platformName(&s.want), Attestations: s.attestations}
	have := map[string]bool{}
	for _, d := range s.images {
		e.Digests = append(e.Digests, d.Digest.String())
		if platform := platformName(d.Platform); !have[platform] {
			have[platform] = true
			e.Have = append(e.Have, platform)
		}
	}
	unplaced := len(e.Have) == 1 && e.Have[0] == ""
	if len(s.images) > maxIndexRequests-s.requests {
		// Too many to be compared.
		e.Ambiguous = unplaced
		return nil, e
	}
	var first *content
	for i := range s.images {
		m, err := s.read(ctx, &s.images[i])
		if err != nil && !unplaced && ctx.Err() == nil {
			// What there is to choose from tells more than one that is broken.
			return nil, e
		}
		if err != nil {
			return nil, err
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

// samePackage reports whether two images are known to hold the same package
// before a layer is read.
func samePackage(a, b *content) bool {
	if len(a.base) == 1 && len(b.base) == 1 {
		return a.layers[a.base[0]].Digest == b.layers[b.base[0]].Digest
	}
	return len(a.base) == len(b.base) && slices.EqualFunc(a.layers, b.layers, func(x, y layer) bool { return x.Digest == y.Digest })
}

// real returns the entries that are images or indexes and no attestations.
func (s *selection) real(entries []descriptor) []descriptor {
	if images := slices.DeleteFunc(slices.Clone(entries), func(d descriptor) bool { return d.foreign() }); len(images) > 0 {
		entries = images
	}
	marked := slices.DeleteFunc(slices.Clone(entries), func(d descriptor) bool {
		return d.Annotations[referenceType] != ""
	})
	placed := slices.DeleteFunc(slices.Clone(marked), func(d descriptor) bool {
		return d.Platform != nil && d.Platform.OS == "unknown" && d.Platform.Architecture == "unknown"
	})
	if len(placed) == 0 {
		// Unknown is also what tools write that know no platforms.
		return marked
	}
	return placed
}

// image chooses an image and reads its manifest.
func (s *selection) image(ctx context.Context, root *manifest) (*manifest, *descriptor, error) {
	chosen, err := s.choose(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	m, err := s.read(ctx, chosen)
	if err != nil {
		return nil, nil, err
	}
	if m.index {
		return nil, nil, &ManifestError{Ref: s.ref, Digest: chosen.Digest.String(), Reason: "it is an index, and the index that lists it calls it an image"}
	}
	return m, chosen, nil
}

// read reads a manifest of the index and checks it.
func (s *selection) read(ctx context.Context, d *descriptor) (*manifest, error) {
	if ctx.Err() != nil {
		return nil, canceled(ctx, s.ref)
	}
	if m := s.manifests[d.Digest]; m != nil {
		return m, nil
	}
	if s.requests++; s.requests > maxIndexRequests {
		return nil, &meta.LimitError{What: "the index", Unit: "manifests to read", Limit: maxIndexRequests, Where: s.ref}
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
