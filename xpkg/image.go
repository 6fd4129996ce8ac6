package xpkg

import (
	"context"
	"errors"
	"io"
	"sync/atomic"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// The annotation of layer descriptors that marks the layers of a package
// (specification, "Manifests").
const (
	AnnotationKey  = "io.crossplane.xpkg"
	BaseAnnotation = "base" // the layer that holds package.yaml
)

// Method is how the place of package.yaml in an image was found.
type Method string

const (
	// MethodAnnotation: the manifest marks the base layer, and only that is read.
	MethodAnnotation Method = "annotation"
	// MethodLabel: the configuration in a docker tar marks the base layer.
	MethodLabel Method = "label"
	// MethodFlattened: no layer is marked, and package.yaml is looked up in the file
	// system that all layers make together.
	MethodFlattened Method = "flattened"
)

// Image is one image that may hold a package. It reads what is asked for, when
// it is asked for; two calls read twice. It may be used concurrently and needs
// no closing.
type Image struct {
	ref      string
	resolved string
	o        Options
	root     *manifest // the index that the reference names; nil when it names the image
	index    string    // its digest
	platform *v1.Platform
	src      source
	// load reads the manifest; content keeps the first that came.
	load    func(ctx context.Context) (*content, error)
	content atomic.Pointer[content]
}

// source opens the blobs of an image. What they yield is unverified, and it is
// the caller who closes them. What has to be decompressed to get to one counts.
type source interface {
	blob(ctx context.Context, l *layer, b *budget) (io.ReadCloser, error)
}

// content is what is known of an image before a layer is read.
type content struct {
	digest   string
	manifest *manifest // nil in a docker tar, which has none
	layers   []layer
	base     []int // of the layers that are marked as the base layer
	method   Method
}

// layer is one layer and what its bytes have to be.
type layer struct {
	descriptor
	index int
	// file is the name of the layer in a docker tar, where a descriptor may
	// lack the digest and the following two take its place.
	file string
	// diffID is the digest of the decompressed bytes.
	diffID v1.Hash
	// claim is a digest in the name of the file: that of its bytes or that of
	// the decompressed ones, as tools differ.
	claim v1.Hash
	// mark is the annotation or label io.crossplane.xpkg of the layer.
	mark string
}

// name is the layer as errors call it.
func (l *layer) name() string {
	if l.Digest == (v1.Hash{}) {
		return l.file
	}
	return l.Digest.String()
}

// newContent takes the layers of an image manifest.
func newContent(m *manifest) *content {
	c := &content{digest: m.digest.String(), manifest: m, method: MethodFlattened}
	for i, d := range m.layers {
		c.layers = append(c.layers, layer{descriptor: d, index: i, mark: d.Annotations[AnnotationKey]})
		if d.Annotations[AnnotationKey] == BaseAnnotation {
			c.base = append(c.base, i)
			c.method = MethodAnnotation
		}
	}
	return c
}

// Open takes an image that is at hand in memory, or that another library reads.
// It does no I/O. Everything that img gives is checked as if it came from a
// registry; the context of each call is looked at between reads and, when it
// ends, what is being read is closed. img is not changed. Without one, every call
// fails with an error that matches meta.ErrInvalid.
func Open(img v1.Image, o *Options) *Image {
	i := &Image{ref: "image", resolved: "image", o: o.withDefaults(), src: imageSource{img}}
	i.load = func(context.Context) (*content, error) {
		if img == nil {
			return nil, missing("img", "an image")
		}
		digest, err := img.Digest()
		if err != nil {
			return nil, remoteError(i.ref, "digest", err)
		}
		raw, err := img.RawManifest()
		if err != nil {
			return nil, remoteError(i.ref, "manifest", err)
		}
		mediaType, err := img.MediaType()
		if err != nil {
			return nil, remoteError(i.ref, "media type", err)
		}
		m, err := checkManifest(i.ref, digest, string(mediaType), raw, &i.o)
		if err != nil {
			return nil, err
		}
		if m.index {
			return nil, &ManifestError{Ref: i.ref, Digest: digest.String(), Reason: "it is an index, expected an image"}
		}
		return newContent(m), nil
	}
	return i
}

// check refuses an image of too many layers, and what Options.Verify refuses.
func (i *Image) check(ctx context.Context, c *content) error {
	if n := int64(len(c.layers)); n > i.o.MaxLayers {
		return &meta.LimitError{What: "the image", Unit: "layers", Limit: i.o.MaxLayers, Got: n, Where: i.ref}
	}
	return i.verify(ctx, c.digest)
}

// imageSource reads from an image of go-containerregistry.
type imageSource struct{ img v1.Image }

func (s imageSource) blob(ctx context.Context, l *layer, _ *budget) (io.ReadCloser, error) {
	from, err := s.img.LayerByDigest(l.Digest)
	if err != nil {
		return nil, err
	}
	rc, err := openRemote(from)
	if err != nil {
		return nil, err
	}
	// Reads of such a layer know no context. One that waits, for a registry
	// say, is released by closing what it waits for.
	stop := context.AfterFunc(ctx, func() { _ = rc.Close() })
	return readCloser{rc, func() error {
		if !stop() {
			return nil // closed by the end of ctx
		}
		return rc.Close()
	}}, nil
}

// opened makes an Image of a file whose manifest has been read.
func opened(ctx context.Context, i *Image, c *content) (*Image, error) {
	i.resolved = i.ref
	i.content.Store(c)
	if err := i.check(ctx, c); err != nil {
		return nil, err
	}
	return i, nil
}

func (i *Image) contents(ctx context.Context) (*content, error) {
	if c := i.content.Load(); c != nil {
		return c, nil
	}
	if ctx.Err() != nil {
		return nil, canceled(ctx, i.ref)
	}
	c, err := i.load(ctx)
	if err != nil {
		return nil, err
	}
	if err := i.check(ctx, c); err != nil {
		return nil, err
	}
	i.content.Store(c)
	return c, nil
}

// Reference returns the reference or the path by which the image was opened,
// as it was given; "image" for Open.
func (i *Image) Reference() string { return i.ref }

// Resolved returns the reference by which the image was read: complete, with its
// registry and tag or digest, after the default registry, rules and mirrors of
// Client.Registries. For an image from the cache it is where it would be asked
// for. It is the same as Reference for images that come from no registry.
func (i *Image) Resolved() string { return i.resolved }

// Digest returns the digest of the image's manifest, such as sha256:…. A docker
// tar holds no manifest: there it is the digest of the configuration, which
// docker calls the image ID. Errors are those of reading the manifest, and *VerifyError;
// for an image of Client.Image or OpenFile both have been asked.
func (i *Image) Digest(ctx context.Context) (string, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return "", err
	}
	return c.digest, nil
}

// IndexDigest returns the digest of the index that the reference names and that
// the image was chosen from, or "" when it names the image itself.
func (i *Image) IndexDigest() string { return i.index }

// Platform returns the platform that the index gives to the image, or nil when
// there was no index or it gives none. The configuration is not asked.
func (i *Image) Platform() *v1.Platform {
	if i.platform == nil {
		return nil
	}
	return i.platform.DeepCopy()
}

// Method returns how package.yaml is found in the image. It reads the manifest
// and no layer, so it does not say that there is a package.yaml. Errors are those of
// reading the manifest, and *VerifyError.
func (i *Image) Method(ctx context.Context) (Method, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return "", err
	}
	return c.method, nil
}

// search returns the layers that package.yaml is looked for in, bottom layer
// first.
func (i *Image) search(ctx context.Context) ([]layer, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return nil, err
	}
	switch {
	case len(c.layers) == 0:
		return nil, noLayers(i.ref)
	case len(c.base) > 1:
		return nil, multipleBaseLayers(i.ref, c)
	case len(c.base) == 1:
		return c.layers[c.base[0] : c.base[0]+1], nil
	}
	return c.layers, nil
}

func noLayers(ref string) error {
	return &NotPackageError{Ref: ref, Reason: ReasonNoLayers, Detail: "the image has no layers"}
}

func multipleBaseLayers(ref string, c *content) error {
	e := &MultipleBaseLayersError{Ref: ref}
	for _, b := range c.base {
		e.Digests = append(e.Digests, c.layers[b].name())
	}
	return e
}

// open opens a layer for reading its verified, decompressed content.
func (i *Image) open(ctx context.Context, l *layer, b *budget) (*layerReader, error) {
	if err := i.admit(ctx, l); err != nil {
		return nil, err
	}
	rc, err := i.blob(ctx, l, b)
	if err != nil {
		return nil, err
	}
	return newLayerReader(ctx, i.ref, l, rc, b)
}

// admit refuses a layer before it is asked for.
func (i *Image) admit(ctx context.Context, l *layer) error {
	if ctx.Err() != nil {
		return canceled(ctx, i.ref+": layer "+l.name())
	}
	if l.Size > i.o.MaxBlobBytes {
		return &meta.LimitError{What: "layer " + l.name(), Limit: i.o.MaxBlobBytes, Got: l.Size, Where: i.ref}
	}
	return nil
}

// blob opens a layer as it is sent. It is unverified.
func (i *Image) blob(ctx context.Context, l *layer, b *budget) (io.ReadCloser, error) {
	rc, err := i.src.blob(ctx, l, b)
	if err != nil {
		if ctx.Err() != nil {
			return nil, canceled(ctx, i.ref+": layer "+l.name())
		}
		if limit := (*meta.LimitError)(nil); errors.As(err, &limit) {
			return nil, err
		}
		return nil, &LayerError{Ref: i.ref, Digest: l.name(), Index: l.index, Err: err}
	}
	return rc, nil
}
