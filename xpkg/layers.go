package xpkg

import (
	"context"
	"maps"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Layer is one layer of an image, as the manifest describes it. Nothing of it
// has been read.
type Layer struct {
	// Digest is that of the blob, such as sha256:…. It is empty for a layer of
	// a docker tar whose file name does not tell it.
	Digest string
	// MediaType is what the manifest calls the layer; reading does not depend
	// on it. It is empty in docker tars.
	MediaType string
	// Size is that of the blob in bytes.
	Size int64
	// Annotations are those of the layer's descriptor, nil when there are none.
	Annotations map[string]string
	// Mark is the annotation io.crossplane.xpkg: "base" for the layer with
	// package.yaml, another word for a layer of a third party, or "". In docker
	// tars it is what the label in the configuration says.
	Mark string
}

// Layers returns the layers of the image, bottom first, which is the order of
// the manifest. It reads the manifest only.
func (i *Image) Layers(ctx context.Context) ([]Layer, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return nil, err
	}
	var layers []Layer
	for _, l := range c.layers {
		digest := l.Digest
		if digest == (v1.Hash{}) {
			digest = l.claim
		}
		layers = append(layers, Layer{
			Digest: digestName(digest), MediaType: l.MediaType, Size: l.Size,
			Annotations: maps.Clone(map[string]string(l.Annotations)), Mark: l.mark,
		})
	}
	return layers, nil
}
