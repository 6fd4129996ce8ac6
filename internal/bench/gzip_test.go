package bench

import (
	"archive/tar"
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/klauspost/compress/gzip"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkGzip goes from the gzip blob of a base layer to the identity and place of
// every object, which is looked at while the next one is decompressed: with gzip
// alone, and verified, from an image. Beside it decompression into nowhere. They take turns,
// so that what else happens on the machine happens to all; the figures are the medians in
// milliseconds.
//
//	go test -run='^$' -bench=Gzip -benchtime=15x -cpu=2 ./internal/bench
func BenchmarkGzip(b *testing.B) { providers(b, benchmarkGzip) }

func benchmarkGzip(b *testing.B, stream []byte, want int) {
	l := layer(b, "package.yaml", stream)
	img, blob := marked(b, l), content(b, l)
	ways := []struct {
		name string
		run  func()
	}{
		{"sdk", func() {
			z, err := gzip.NewReader(bytes.NewReader(blob))
			if err != nil {
				b.Fatal(err)
			}
			files := tar.NewReader(z)
			if _, err := files.Next(); err != nil {
				b.Fatal(err)
			}
			identify(b, parser.Stream(b.Context(), "package.yaml", files, nil), want)
		}},
		{"sdk-verified", func() {
			r, err := xpkg.Open(img, nil).Stream(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			identify(b, parser.Stream(b.Context(), "package.yaml", r, nil), want)
			if err := r.Close(); err != nil {
				b.Fatal(err)
			}
		}},
		{"gunzip", func() { gunzip(b, blob, len(stream)) }},
	}
	took := make([][]time.Duration, len(ways))
	for b.Loop() {
		for i, w := range ways {
			start := time.Now()
			w.run()
			took[i] = append(took[i], time.Since(start))
		}
	}
	for i, w := range ways {
		slices.Sort(took[i])
		b.ReportMetric(float64(took[i][len(took[i])/2].Microseconds())/1e3, w.name+"-ms")
	}
}
