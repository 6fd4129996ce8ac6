package xpkg

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// dockerPart makes an OCI manifest for the image of a docker tar, which has none: with
// its configuration and its layers as they are, compressed if they are not yet, and
// with the annotations that the labels stand for.
func dockerPart(ctx context.Context, path string, from dockerSource, c *content, img *Image) (p pushPart, config []byte, err error) {
	fail := func(err error) (pushPart, []byte, error) {
		if ctx.Err() != nil {
			return p, nil, canceled(ctx, path)
		}
		return p, nil, &FileError{Path: path, Err: err}
	}
	open := func() (io.ReadCloser, error) {
		f, err := from.from()
		if err != nil {
			return nil, err
		}
		if !from.compressed {
			return newContextReader(ctx, f, path), nil
		}
		in, free, err := decompress(newContextReader(ctx, f, path), 0, newBudget(&img.o), path)
		if err != nil {
			_ = f.Close()
			return nil, err
		}
		return readCloser{in, func() error { free(); return f.Close() }}, nil
	}
	tar, err := tarball.Image(open, nil)
	if err != nil {
		return fail(err)
	}
	if config, err = tar.RawConfigFile(); err != nil {
		return fail(err)
	}
	if h, err := hashOf(config); err != nil || h.String() != c.digest {
		return fail(fmt.Errorf("its configuration changed while it was read"))
	}
	layers, err := tar.Layers()
	if err != nil {
		return fail(err)
	}
	name, size, err := v1.SHA256(bytes.NewReader(config))
	if err != nil {
		return fail(err)
	}
	m := v1.Manifest{SchemaVersion: 2, MediaType: types.OCIManifestSchema1, Config: v1.Descriptor{MediaType: types.OCIConfigJSON, Size: size, Digest: name}}
	blob := func(h v1.Hash, size int64, open func() (io.ReadCloser, error)) pushBlob {
		return pushBlob{digest: h.String(), size: size, source: func(ctx context.Context) (*BlobReader, error) {
			rc, err := open()
			if err != nil {
				return nil, err
			}
			return newBlobReader(ctx, rc, path, &descriptor{Digest: h, Size: size})
		}}
	}
	p.blobs = []pushBlob{blob(name, size, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(config)), nil })}
	for i, l := range layers {
		d := v1.Descriptor{MediaType: types.OCILayer}
		if d.Digest, err = l.Digest(); err != nil {
			return fail(err)
		}
		if d.Size, err = l.Size(); err != nil {
			return fail(err)
		}
		if i < len(c.layers) && c.layers[i].mark != "" {
			d.Annotations = map[string]string{AnnotationKey: c.layers[i].mark}
		}
		m.Layers = append(m.Layers, d)
		p.blobs = append(p.blobs, blob(d.Digest, d.Size, l.Compressed))
	}
	raw, err := json.Marshal(m)
	if err != nil {
		return fail(err)
	}
	p.manifest, err = NewRawManifest(raw, string(types.OCIManifestSchema1))
	return p, config, err
}
