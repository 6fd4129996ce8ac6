package bench

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"net/http"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/klauspost/compress/gzip"

	"github.com/xpkg-go/sdk/meta/install"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkBaseLayer goes from the blob of a marked base layer to the end of its
// verified stream, and beside it the least that takes: the SHA-256 of the blob
// and its decompression, by the library that the sdk uses and into nowhere.
//
//	go test -run='^$' -bench=BaseLayer ./internal/bench
func BenchmarkBaseLayer(b *testing.B) { providers(b, benchmarkBaseLayer) }

func benchmarkBaseLayer(b *testing.B, stream []byte, _ int) {
	l := layer(b, "package.yaml", stream)
	img := marked(b, l)
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			drain(b, xpkg.Open(img, nil), len(stream))
		}
	})
	gunzipAndHash(b, l, len(stream))
}

// gunzipAndHash is what verifying a layer costs at least.
func gunzipAndHash(b *testing.B, l v1.Layer, size int) {
	blob := content(b, l)
	b.Run("gunzip+sha256", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			sha256.Sum256(blob)
			gunzip(b, blob, size)
		}
	})
}

// gunzip decompresses a blob into nowhere.
func gunzip(b *testing.B, blob []byte, size int) {
	z, err := gzip.NewReader(bytes.NewReader(blob))
	if err != nil {
		b.Fatal(err)
	}
	if n, err := io.Copy(io.Discard, z); err != nil || n < int64(size) {
		b.Fatalf("%d bytes, %v", n, err)
	}
}

func content(b *testing.B, l v1.Layer) []byte {
	b.Helper()
	rc, err := l.Compressed()
	if err != nil {
		b.Fatal(err)
	}
	defer rc.Close()
	blob, err := io.ReadAll(rc)
	if err != nil {
		b.Fatal(err)
	}
	return blob
}

// BenchmarkCacheHit reads a package by a tag that the cache knows, from the call
// with the reference to the end of the stream, without a request; beside it what
// verifying alone costs.
//
//	go test -run='^$' -bench=CacheHit ./internal/bench
func BenchmarkCacheHit(b *testing.B) { providers(b, benchmarkCacheHit) }

func benchmarkCacheHit(b *testing.B, stream []byte, _ int) {
	l := layer(b, "package.yaml", stream)
	cache := xpkg.OpenCache(b.TempDir(), nil)
	ref, _ := pushed(b, marked(b, l))
	read(b, &xpkg.Client{Cache: cache}, ref, len(stream))
	b.Run("sdk", func(b *testing.B) {
		c := &xpkg.Client{Cache: cache, Pull: install.PullIfNotPresent, Transport: refused{}}
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			read(b, c, ref, len(stream))
		}
	})
	gunzipAndHash(b, l, len(stream))
}

func read(b *testing.B, c *xpkg.Client, ref string, want int) {
	img, err := c.Image(context.Background(), ref, nil)
	if err != nil {
		b.Fatal(err)
	}
	drain(b, img, want)
}

// refused makes no request.
type refused struct{}

func (refused) RoundTrip(q *http.Request) (*http.Response, error) {
	return nil, errors.New("there was a request: " + q.Method + " " + q.URL.String())
}
