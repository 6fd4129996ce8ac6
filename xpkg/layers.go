package xpkg

import (
	"context"
	"io"
	"io/fs"
	"maps"
	"strconv"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Layer is one layer of an image, as the manifest describes it. Nothing of it
// has been read.
type Layer struct {
	// Index is the place of the layer in the manifest, from 0, the bottom one.
	Index int
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

// OpenLayer opens the content of one layer, by its place in Layers, for reading:
// the decompressed blob, which is a tar archive unless its maker decided otherwise.
// It is for the layers of third parties (specification, "Layers"), of which several
// may have one Mark.
//
// As with Stream, what is read counts only once Read has returned io.EOF: then the
// blob had its digest and size. Instead of io.EOF the last Read returns a
// *DigestError, *LayerError, *meta.LimitError (of Options.MaxLayerBytes) or, when
// ctx ends, an error that matches meta.ErrCanceled. The caller closes the reader;
// Close before the end returns ErrUnverified. An index that is none is an error
// that matches meta.ErrInvalid.
func (i *Image) OpenLayer(ctx context.Context, index int) (io.ReadCloser, error) {
	l, err := i.layer(ctx, index)
	if err != nil {
		return nil, err
	}
	r, err := i.open(ctx, l, newBudget(&i.o))
	if err != nil {
		return nil, err
	}
	return &openedLayer{r}, nil
}

// LayerFS returns the files of one layer, by its place in Layers, as FS returns
// those of all together: read to the end, verified and held in memory within the
// same limits. Whiteouts of the layer delete nothing and are left out. Errors are those
// of FS.
func (i *Image) LayerFS(ctx context.Context, index int) (fs.FS, error) {
	l, err := i.layer(ctx, index)
	if err != nil {
		return nil, err
	}
	return i.flatten(ctx, []layer{*l})
}

func (i *Image) layer(ctx context.Context, index int) (*layer, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return nil, err
	}
	if index < 0 || index >= len(c.layers) {
		return nil, &meta.FieldError{Path: meta.Path{"index"}, Found: strconv.Itoa(index), Want: "the index of one of " + count(int64(len(c.layers)), "layer", "layers")}
	}
	return &c.layers[index], nil
}

// openedLayer is a layer as its caller reads it.
type openedLayer struct{ r *layerReader }

// Read implements io.Reader.
func (o *openedLayer) Read(p []byte) (int, error) { return o.r.Read(p) }

// Close implements io.Closer.
func (o *openedLayer) Close() error {
	err := o.r.Close()
	switch o.r.err {
	case io.EOF:
		return err
	case nil:
		o.r.err = ErrUnverified
	}
	return o.r.err
}

// Layers returns the layers of the image, bottom first, which is the order of
// the manifest. It reads the manifest only, and its errors are those of that.
// See the specification, "Manifests".
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
			Index: l.index, Digest: digestName(digest), MediaType: l.MediaType, Size: l.Size,
			Annotations: maps.Clone(map[string]string(l.Annotations)), Mark: l.mark,
		})
	}
	return layers, nil
}
