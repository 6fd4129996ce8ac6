package xpkg

import (
	"context"
	"fmt"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
)

// V1 returns the whole image for those who copy it, as build.WriteFile and
// Client.Push do: its manifest, byte for byte, its configuration and all layers,
// not only the one with package.yaml. It reads the configuration; layers are read,
// from the cache or where the image is, when they are asked for, and end with a
// *DigestError instead of io.EOF when they are not what the manifest names. ctx
// governs those reads too, for as long as the result is used.
//
// A docker tar has no manifest: there the error matches meta.ErrInvalid. Other
// errors are those of Stream.
func (i *Image) V1(ctx context.Context) (v1.Image, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return nil, err
	}
	if c.manifest == nil {
		return nil, &ManifestError{Ref: i.ref, Reason: "a docker tar holds none, expected an image of a registry or of an OCI layout"}
	}
	config := c.manifest.config
	if config.Digest == (v1.Hash{}) {
		return nil, &ManifestError{Ref: i.ref, Digest: c.digest, Reason: "it names no configuration"}
	}
	raw, err := i.config(ctx, config.Digest)
	if err != nil {
		return nil, fmt.Errorf("configuration %s: %w", config.Digest, err)
	}
	if err := verifyBytes(raw, i.ref, "configuration", config.Digest); err != nil {
		return nil, err
	}
	return partial.CompressedToImage(&wholeImage{ctx: ctx, image: i, content: c, raw: raw})
}

// config reads the configuration.
func (i *Image) config(ctx context.Context, h v1.Hash) ([]byte, error) {
	switch src := i.src.(type) {
	case related:
		return src.smallBlob(ctx, h, i.o.MaxManifestBytes)
	case imageSource:
		raw, err := src.img.RawConfigFile()
		if size := int64(len(raw)); err == nil && size > i.o.MaxManifestBytes {
			err = &meta.LimitError{What: "the configuration", Limit: i.o.MaxManifestBytes, Got: size, Where: i.ref}
		}
		return raw, err
	}
	return nil, missing("img", "an image with a configuration")
}

// wholeImage gives what go-containerregistry makes an image of.
type wholeImage struct {
	ctx     context.Context
	image   *Image
	content *content
	raw     []byte // the configuration
}

// RawManifest implements partial.CompressedImageCore.
func (w *wholeImage) RawManifest() ([]byte, error) { return w.content.manifest.raw, nil }

// RawConfigFile implements partial.CompressedImageCore.
func (w *wholeImage) RawConfigFile() ([]byte, error) { return w.raw, nil }

// MediaType implements partial.CompressedImageCore.
func (w *wholeImage) MediaType() (types.MediaType, error) {
	if t := w.content.manifest.mediaType; t != "" {
		return types.MediaType(t), nil
	}
	return types.OCIManifestSchema1, nil
}

// LayerByDigest implements partial.CompressedImageCore.
func (w *wholeImage) LayerByDigest(h v1.Hash) (partial.CompressedLayer, error) {
	for i := range w.content.layers {
		if w.content.layers[i].Digest == h {
			return &wholeLayer{w, &w.content.layers[i]}, nil
		}
	}
	return nil, &ManifestError{Ref: w.image.ref, Digest: w.content.digest, Reason: "it lists no layer " + h.String()}
}

// wholeLayer is one layer, as it is sent.
type wholeLayer struct {
	*wholeImage
	layer *layer
}

// Digest implements partial.CompressedLayer.
func (l *wholeLayer) Digest() (v1.Hash, error) { return l.layer.Digest, nil }

// Size implements partial.CompressedLayer.
func (l *wholeLayer) Size() (int64, error) { return l.layer.Size, nil }

// MediaType implements partial.CompressedLayer.
func (l *wholeLayer) MediaType() (types.MediaType, error) {
	return types.MediaType(l.layer.MediaType), nil
}

// Compressed opens the blob, which is verified while it is read.
func (l *wholeLayer) Compressed() (io.ReadCloser, error) {
	i := l.image
	if err := i.admit(l.ctx, l.layer); err != nil {
		return nil, err
	}
	rc, err := i.blob(l.ctx, l.layer, newBudget(&i.o))
	if err != nil {
		return nil, err
	}
	v, err := newLayerVerifier(l.ctx, rc, i.ref, l.layer)
	if err != nil {
		_ = rc.Close()
		return nil, err
	}
	return v, nil
}
