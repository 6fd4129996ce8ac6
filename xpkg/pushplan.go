package xpkg

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// pushPlan is what a push writes: parts that name nothing but what stands before them,
// the last of which is what the reference will name.
type pushPlan struct {
	parts  []pushPart
	images []PushedImage
	same   []PushedImage
}

// pushPart is a manifest with the blobs that it names.
type pushPart struct {
	manifest *RawManifest
	blobs    []pushBlob
}

// pushBlob is a blob and where its content is.
type pushBlob struct {
	digest string
	size   int64
	source func(ctx context.Context) (*BlobReader, error)
}

// open opens the content of a blob, and tells how far its reader is.
func (b *pushBlob) open(ctx context.Context, c *Client) (io.ReadCloser, error) {
	rc, err := b.source(ctx)
	if err != nil {
		return nil, err
	}
	if c.Event != nil {
		p := &progress{event: c.Event, kind: Uploading, name: b.digest, total: b.size}
		rc.OnRead = p.read
	}
	return rc, nil
}

// pushImage is one image of the files.
type pushImage struct {
	PushedImage
	part   pushPart
	layers []v1.Hash
}

// planPush reads the files and decides what is written.
func planPush(ctx context.Context, paths []string, o *Options) (*pushPlan, error) {
	var all []pushImage
	for _, path := range paths {
		images, whole, err := readPushFile(ctx, path, o)
		if err != nil {
			return nil, err
		}
		if whole != nil && len(paths) == 1 {
			for _, i := range images {
				whole.images = append(whole.images, i.PushedImage)
			}
			return whole, nil
		}
		all = append(all, images...)
	}
	// The order of the files says nothing: an index is in that of its platforms.
	slices.SortStableFunc(all, func(a, b pushImage) int {
		return cmp.Or(strings.Compare(platformOf(a), platformOf(b)), strings.Compare(a.File, b.File), strings.Compare(a.Digest, b.Digest))
	})
	for i := 1; i < len(all); i++ {
		if p := platformOf(all[i]); p == platformOf(all[i-1]) {
			return nil, &PlatformClashError{Platform: p, First: all[i-1].PushedImage, Second: all[i].PushedImage}
		}
	}
	if samePushes(all) {
		n := max(0, slices.IndexFunc(all, func(i pushImage) bool { return platformOf(i) == "linux/amd64" }))
		p := &pushPlan{parts: []pushPart{all[n].part}, images: []PushedImage{all[n].PushedImage}}
		for i, other := range all {
			if i != n {
				p.same = append(p.same, other.PushedImage)
			}
		}
		return p, nil
	}
	return indexOf(all)
}

// platformOf is the platform of an image, or "".
func platformOf(i pushImage) string {
	if i.Platform == nil {
		return ""
	}
	return i.Platform.String()
}

// samePushes reports whether all images have the same layers.
func samePushes(all []pushImage) bool {
	for _, i := range all[1:] {
		if !slices.Equal(i.layers, all[0].layers) {
			return false
		}
	}
	return true
}

// indexOf makes an index of several images.
func indexOf(all []pushImage) (*pushPlan, error) {
	p := &pushPlan{}
	index := v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex}
	for _, i := range all {
		if i.Platform == nil {
			return nil, &NoPlatformError{Image: i.PushedImage}
		}
		h, err := v1.NewHash(i.Digest)
		if err != nil {
			return nil, err
		}
		m := i.part.manifest
		index.Manifests = append(index.Manifests, v1.Descriptor{
			MediaType: types.MediaType(m.MediaType), Size: int64(len(m.Raw)), Digest: h, Platform: i.Platform,
		})
		p.parts, p.images = append(p.parts, i.part), append(p.images, i.PushedImage)
	}
	raw, err := json.Marshal(index)
	if err != nil {
		return nil, err
	}
	m, err := NewRawManifest(raw, string(types.OCIImageIndex))
	if err != nil {
		return nil, err
	}
	p.parts = append(p.parts, pushPart{manifest: m})
	return p, nil
}

// readPushFile reads the images of one file, all of which have to be packages. whole
// is, for a layout that holds one index of several images alone, what pushes that index
// as it is.
func readPushFile(ctx context.Context, path string, o *Options) (images []pushImage, whole *pushPlan, err error) {
	entries, err := IndexFile(ctx, path, o)
	if err != nil {
		return nil, nil, err
	}
	real := slices.DeleteFunc(slices.Clone(entries), func(e Entry) bool { return e.Role != RoleImage })
	if len(real) <= 1 {
		img, err := OpenFile(ctx, path, o)
		if err != nil {
			return nil, nil, err
		}
		i, err := readPushImage(ctx, path, img)
		if err != nil {
			return nil, nil, err
		}
		images = []pushImage{i}
	}
	l, err := OpenLayout(ctx, path, o)
	if err != nil {
		if len(images) > 0 && meta.Code(err) == "not-a-package" {
			return images, nil, nil // a docker tar
		}
		return nil, nil, err
	}
	for _, e := range real {
		if len(real) == 1 {
			break
		}
		m, err := l.Manifest(ctx, e.Digest, e.MediaType)
		if err != nil {
			return nil, nil, err
		}
		h, err := v1.NewHash(e.Digest)
		if err != nil {
			return nil, nil, err
		}
		parsed, err := checkManifest(path, h, e.MediaType, m.Raw, o)
		if err != nil {
			return nil, nil, err
		}
		img, err := opened(ctx, &Image{ref: path, o: *o, src: l.src}, newContent(parsed))
		if err != nil {
			return nil, nil, err
		}
		i, err := readPushImage(ctx, path, img)
		if err != nil {
			return nil, nil, err
		}
		images = append(images, i)
	}
	if roots := l.entries; len(roots) == 1 && isIndexType(roots[0].MediaType) && len(images) > 1 {
		whole, err = wholeIndex(ctx, l, roots[0], path, o)
	}
	return images, whole, err
}

// readPushImage reads and verifies one image to its end.
func readPushImage(ctx context.Context, path string, img *Image) (pushImage, error) {
	i := pushImage{PushedImage: PushedImage{File: path}}
	stream, err := img.Stream(ctx)
	if err != nil {
		return i, err
	}
	_, err = io.Copy(io.Discard, stream)
	if err = errors.Join(err, stream.Close()); err != nil {
		return i, firstOf(err)
	}
	c, err := img.contents(ctx)
	if err != nil {
		return i, err
	}
	var config []byte
	if docker, ok := img.src.(dockerSource); ok {
		i.part, config, err = dockerPart(ctx, path, docker, c, img)
	} else {
		i.part, config, err = imagePart(ctx, img, c.manifest)
	}
	if err != nil {
		return i, err
	}
	i.Digest = i.part.manifest.Digest
	i.Platform = configPlatform(config)
	m, err := parseManifest(path, v1.Hash{}, i.part.manifest.MediaType, i.part.manifest.Raw)
	if err != nil {
		return i, err
	}
	for _, l := range m.layers {
		i.layers = append(i.layers, l.Digest)
	}
	return i, nil
}

// firstOf is the first of joined errors: that of reading says more than that of closing.
func firstOf(err error) error {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()[0]
	}
	return err
}

// imagePart is an image of a layout as it is.
func imagePart(ctx context.Context, img *Image, m *manifest) (pushPart, []byte, error) {
	raw, err := img.config(ctx, m.config.Digest)
	if err != nil {
		return pushPart{}, nil, err
	}
	if err := verifyBytes(raw, img.ref, "configuration", m.config.Digest); err != nil {
		return pushPart{}, nil, err
	}
	l, ok := img.src.(*layoutSource)
	if !ok {
		return pushPart{}, nil, missing("img", "an image of a file")
	}
	return layoutPart(l, m), raw, nil
}

// layoutPart is a manifest of a layout that is no index, as it is.
func layoutPart(l *layoutSource, m *manifest) pushPart {
	p := pushPart{manifest: &RawManifest{Digest: m.digest.String(), MediaType: mediaTypeOf(m.raw, m.mediaType), Raw: m.raw}}
	for _, d := range append([]descriptor{m.config}, m.layers...) {
		if d.Digest == (v1.Hash{}) {
			continue
		}
		p.blobs = append(p.blobs, pushBlob{digest: d.Digest.String(), size: d.Size, source: func(ctx context.Context) (*BlobReader, error) {
			return l.verified(ctx, &d)
		}})
	}
	return p
}

// configPlatform is the platform that a configuration names, or nil.
func configPlatform(raw []byte) *v1.Platform {
	p := optionalPlatform(raw)
	if p == nil || p.OS == "" || p.Architecture == "" {
		return nil
	}
	return p
}

// wholeIndex pushes an index of a layout as it is, with all that it lists.
func wholeIndex(ctx context.Context, l *Layout, root Entry, path string, o *Options) (*pushPlan, error) {
	p := &pushPlan{}
	done := map[string]bool{}
	left := o.MaxIndexManifests
	var visit func(digest, mediaType string, depth int64) error
	visit = func(digest, mediaType string, depth int64) error {
		if done[digest] {
			return nil
		}
		done[digest] = true
		if depth > o.MaxIndexDepth {
			return &meta.LimitError{What: "the nesting of the index", Unit: "levels", Limit: o.MaxIndexDepth, Where: path}
		}
		if left--; left < -1 { // the root is none of those beside it
			return &meta.LimitError{What: "the index", Unit: "manifests to read", Limit: o.MaxIndexManifests, Where: path}
		}
		raw, err := l.Manifest(ctx, digest, mediaType)
		if err != nil {
			return err
		}
		h, err := v1.NewHash(digest)
		if err != nil {
			return err
		}
		m, err := checkManifest(path, h, mediaType, raw.Raw, o)
		if err != nil {
			return err
		}
		if !m.index {
			p.parts = append(p.parts, layoutPart(l.src, m))
			return nil
		}
		for _, d := range m.manifests {
			if err := visit(d.Digest.String(), d.MediaType, depth+1); err != nil {
				return err
			}
		}
		p.parts = append(p.parts, pushPart{manifest: raw})
		return nil
	}
	return p, visit(root.Digest, root.MediaType, 1)
}
