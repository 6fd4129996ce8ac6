package bench

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/klauspost/compress/gzip"

	"github.com/xpkg-go/sdk/xpkg"
)

// onDisk writes an image as an OCI layout, as it lies when it came from a
// registry, and returns where that is and go-containerregistry's reader of it.
func onDisk(b *testing.B, img v1.Image) (dir string, stored v1.Image) {
	b.Helper()
	dir = b.TempDir()
	path, err := layout.Write(dir, empty.Index)
	if err != nil {
		b.Fatal(err)
	}
	if err := path.AppendImage(img); err != nil {
		b.Fatal(err)
	}
	digest, err := img.Digest()
	if err != nil {
		b.Fatal(err)
	}
	stored, err = path.Image(digest)
	if err != nil {
		b.Fatal(err)
	}
	return dir, stored
}

// layer is a layer of one file.
func layer(b *testing.B, name string, content []byte) v1.Layer {
	b.Helper()
	var t bytes.Buffer
	w := tar.NewWriter(&t)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: int64(len(content))}); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	return compressed(b, t.Bytes())
}

func compressed(b *testing.B, content []byte) v1.Layer {
	b.Helper()
	var blob bytes.Buffer
	z := gzip.NewWriter(&blob)
	if _, err := z.Write(content); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return layerOf(b, blob.Bytes())
}

// layerOf is a layer of a blob that is compressed already.
func layerOf(b *testing.B, blob []byte) v1.Layer {
	b.Helper()
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(blob)), nil })
	if err != nil {
		b.Fatal(err)
	}
	return l
}

// marked is an image whose one layer is marked as the base layer.
func marked(b *testing.B, l v1.Layer) v1.Image {
	b.Helper()
	img, err := mutate.Append(empty.Image, mutate.Addendum{
		Layer: l, Annotations: map[string]string{xpkg.AnnotationKey: xpkg.BaseAnnotation},
	})
	if err != nil {
		b.Fatal(err)
	}
	return img
}

// drain reads package.yaml of an image to the end.
func drain(b *testing.B, img *xpkg.Image, want int) {
	r, err := img.Stream(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	n, err := io.Copy(io.Discard, r)
	if err != nil || n != int64(want) {
		b.Fatalf("%d bytes, %v, want %d", n, err, want)
	}
	if err := r.Close(); err != nil {
		b.Fatal(err)
	}
}

// drainConventionally does the same the conventional way.
func drainConventionally(b *testing.B, img v1.Image, want int) {
	n, err := conventionalExtract(img)
	if err != nil || n != int64(want) {
		b.Fatalf("%d bytes, %v, want %d", n, err, want)
	}
}

// entries writes a compressed layer of n empty files and package.yaml behind
// them.
func entries(b *testing.B, n int, content []byte) []byte {
	b.Helper()
	var blob bytes.Buffer
	z, err := gzip.NewWriterLevel(&blob, gzip.BestSpeed)
	if err != nil {
		b.Fatal(err)
	}
	w := tar.NewWriter(z)
	for i := range n {
		h := &tar.Header{Name: fmt.Sprintf("usr/share/directory%04d/file%07d", i/1000, i), Typeflag: tar.TypeReg, Mode: 0o644}
		if err := w.WriteHeader(h); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.WriteHeader(&tar.Header{Name: "package.yaml", Mode: 0o644, Size: int64(len(content))}); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	if err := z.Close(); err != nil {
		b.Fatal(err)
	}
	return blob.Bytes()
}
