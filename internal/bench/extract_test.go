package bench

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"slices"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkExtract reads package.yaml from an OCI layout on disk, without an
// annotated layer: twelve layers of a runtime, the package above or below them.
// The library checks every byte that it reads against its digest and reads the
// layer to its end; the conventional way does neither, and stops at the file.
func BenchmarkExtract(b *testing.B) {
	for _, at := range []string{"top", "bottom"} {
		b.Run("package="+at, func(b *testing.B) { benchmarkExtract(b, at) })
	}
}

func benchmarkExtract(b *testing.B, at string) {
	stream := fixture.Provider(100)
	img := flattened(b, stream, at)
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			r, err := xpkg.Open(img, nil).Stream(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			n, err := io.Copy(io.Discard, r)
			if err != nil || n != int64(len(stream)) {
				b.Fatalf("%d bytes, %v, want %d", n, err, len(stream))
			}
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("conventional", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			n, err := conventionalExtract(img)
			if err != nil || n != int64(len(stream)) {
				b.Fatalf("%d bytes, %v, want %d", n, err, len(stream))
			}
		}
	})
}

// flattened returns an image whose layers lie compressed on disk, as they came
// from a registry.
func flattened(b *testing.B, stream []byte, at string) v1.Image {
	b.Helper()
	var layers []v1.Layer
	for i := range 12 {
		layers = append(layers, layer(b, fmt.Sprintf("usr/lib/runtime%d.bin", i), bytes.Repeat([]byte{byte(i), 1, 2, 3}, 256<<10)))
	}
	place := 0
	if at == "top" {
		place = len(layers)
	}
	layers = slices.Insert(layers, place, layer(b, "package.yaml", stream))
	img, err := mutate.AppendLayers(empty.Image, layers...)
	if err != nil {
		b.Fatal(err)
	}
	path, err := layout.Write(b.TempDir(), empty.Index)
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
	onDisk, err := path.Image(digest)
	if err != nil {
		b.Fatal(err)
	}
	return onDisk
}

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
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(t.Bytes())), nil })
	if err != nil {
		b.Fatal(err)
	}
	return l
}
