package bench

import (
	"bytes"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkExtract reads package.yaml from an OCI layout on disk, without an
// annotated layer: twelve layers of a runtime, the package above or below them.
// The library checks every byte that it reads against its digest and reads the
// layer to its end; the conventional way does neither, and stops at the file.
//
//	go test -run='^$' -bench=Extract ./internal/bench
func BenchmarkExtract(b *testing.B) {
	var runtime []v1.Layer
	for i := range 12 {
		runtime = append(runtime, layer(b, fmt.Sprintf("usr/lib/runtime%d.bin", i), bytes.Repeat([]byte{byte(i), 1, 2, 3}, 256<<10)))
	}
	stream := fixture.Provider(100)
	for _, at := range []string{"top", "bottom"} {
		b.Run("package="+at, func(b *testing.B) { benchmarkExtract(b, runtime, stream, at) })
	}
}

// BenchmarkPull does the same from a registry on the loopback, where both ways
// hold every blob against its digest: 30 layers of 10 MB, which compress to half
// of that or not at all, as binaries and archives do. The metric requests counts
// those for blobs; where the package is in the top layer, no other is asked for.
//
//	go test -run='^$' -bench=Pull ./internal/bench
func BenchmarkPull(b *testing.B) { largeLayers(b, benchmarkPull) }

// BenchmarkExtractLarge reads the same layers from an OCI layout on disk, where
// the conventional way checks no digest. Of layers that do not compress the
// SHA-256 alone takes as long as all that the conventional way does: there the
// library is the slower one.
//
//	go test -run='^$' -bench=ExtractLarge ./internal/bench
func BenchmarkExtractLarge(b *testing.B) { largeLayers(b, benchmarkExtract) }

func largeLayers(b *testing.B, benchmark func(b *testing.B, runtime []v1.Layer, stream []byte, at string)) {
	stream := fixture.Provider(200)
	for _, kind := range []struct {
		name string
		bits uint64
	}{{"binaries", 0x0f0f0f0f0f0f0f0f}, {"archives", 0xffffffffffffffff}} {
		b.Run("layers="+kind.name, func(b *testing.B) {
			rng := rand.NewPCG(1, 2)
			var runtime []v1.Layer
			for i := range 30 {
				content := make([]byte, 10<<20)
				for at := 0; at < len(content); at += 8 {
					word := rng.Uint64() & kind.bits
					for n := range 8 {
						content[at+n] = byte(word >> (8 * n))
					}
				}
				runtime = append(runtime, layer(b, fmt.Sprintf("usr/lib/runtime%d.bin", i), content))
			}
			for _, at := range []string{"top", "bottom"} {
				b.Run("package="+at, func(b *testing.B) { benchmark(b, runtime, stream, at) })
			}
		})
	}
}

func benchmarkPull(b *testing.B, runtime []v1.Layer, stream []byte, at string) {
	ref, blobs := pushed(b, stacked(b, runtime, stream, at))
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		c := &xpkg.Client{}
		blobs.Store(0)
		for b.Loop() {
			read(b, c, ref, len(stream))
		}
		b.ReportMetric(float64(blobs.Load())/float64(b.N), "requests/op")
	})
	b.Run("conventional", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		tag, err := name.ParseReference(ref)
		if err != nil {
			b.Fatal(err)
		}
		blobs.Store(0)
		for b.Loop() {
			img, err := remote.Image(tag)
			if err != nil {
				b.Fatal(err)
			}
			drainConventionally(b, img, len(stream))
		}
		b.ReportMetric(float64(blobs.Load())/float64(b.N), "requests/op")
	})
}

// pushed serves an image from a registry, which counts the requests for blobs.
func pushed(b *testing.B, img v1.Image) (ref string, blobs *atomic.Int64) {
	b.Helper()
	blobs = new(atomic.Int64)
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if q.Method == http.MethodGet && strings.Contains(q.URL.Path, "/blobs/") {
			blobs.Add(1)
		}
		inner.ServeHTTP(w, q)
	}))
	b.Cleanup(server.Close)
	ref = strings.TrimPrefix(server.URL, "http://") + "/org/provider:v1.0.0"
	if _, err := new(xpkg.Client).Push(b.Context(), ref, img); err != nil {
		b.Fatal(err)
	}
	return ref, blobs
}

// stacked is an image with package.yaml in the top or the bottom layer.
func stacked(b *testing.B, runtime []v1.Layer, stream []byte, at string) v1.Image {
	b.Helper()
	place := 0
	if at == "top" {
		place = len(runtime)
	}
	img, err := mutate.AppendLayers(empty.Image, slices.Insert(slices.Clone(runtime), place, layer(b, "package.yaml", stream))...)
	if err != nil {
		b.Fatal(err)
	}
	return img
}

func benchmarkExtract(b *testing.B, runtime []v1.Layer, stream []byte, at string) {
	_, img := onDisk(b, stacked(b, runtime, stream, at))
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			drain(b, xpkg.Open(img, nil), len(stream))
		}
	})
	b.Run("conventional", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			drainConventionally(b, img, len(stream))
		}
	})
}

// BenchmarkEntries looks for package.yaml behind four million tar entries. The
// metric MB-resident is the most memory that a program of its own
// has resident which does the same.
//
//	go test -run='^$' -bench=Entries -benchtime=1x ./internal/bench
func BenchmarkEntries(b *testing.B) {
	const many = 4_000_000
	stream := fixture.Provider(1)
	img, err := mutate.AppendLayers(empty.Image, layerOf(b, entries(b, many, stream)))
	if err != nil {
		b.Fatal(err)
	}
	dir, img := onDisk(b, img)
	b.Run("sdk", func(b *testing.B) {
		o := &xpkg.Options{MaxEntries: many + 1, MaxLayerBytes: 4 << 30}
		b.SetBytes(many * 512)
		for b.Loop() {
			drain(b, xpkg.Open(img, o), len(stream))
		}
	})
	b.Run("resident", func(b *testing.B) {
		for b.Loop() {
			n := resident(b, "-entries", fmt.Sprint(many+1), "-bytes", fmt.Sprint(4<<30), dir)
			b.ReportMetric(n/1e6, "MB-resident")
		}
	})
	b.Run("conventional", func(b *testing.B) {
		b.SetBytes(many * 512)
		for b.Loop() {
			drainConventionally(b, img, len(stream))
		}
	})
}
