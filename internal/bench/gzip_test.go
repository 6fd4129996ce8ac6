package bench

import (
	"archive/tar"
	"bytes"
	"testing"

	"github.com/klauspost/compress/gzip"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkGzip goes from the gzip blob of a base layer to the identity and place of
// every object, which is looked at while the next one is decompressed: with gzip
// alone, and verified, from an image. Beside it decompression into nowhere.
//
//	go test -run='^$' -bench=Gzip -cpu=2 ./internal/bench
func BenchmarkGzip(b *testing.B) { providers(b, benchmarkGzip) }

func benchmarkGzip(b *testing.B, stream []byte, want int) {
	l := layer(b, "package.yaml", stream)
	img, blob := marked(b, l), content(b, l)
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			z, err := gzip.NewReader(bytes.NewReader(blob))
			if err != nil {
				b.Fatal(err)
			}
			files := tar.NewReader(z)
			if _, err := files.Next(); err != nil {
				b.Fatal(err)
			}
			identify(b, parser.Stream(b.Context(), "package.yaml", files, nil), want)
		}
	})
	b.Run("sdk-verified", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			r, err := xpkg.Open(img, nil).Stream(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			identify(b, parser.Stream(b.Context(), "package.yaml", r, nil), want)
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("gunzip", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			gunzip(b, blob, len(stream))
		}
	})
}
