package bench

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/klauspost/compress/gzip"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/xpkg"
)

// BenchmarkCacheHit reads package.yaml of a tag that is in the cache, without a
// network. The conventional way, which has the blob in memory, does what nobody
// can do without: it computes the digest of the blob once and decompresses it.
func BenchmarkCacheHit(b *testing.B) {
	stream := fixture.Provider(400)
	l := layer(b, "package.yaml", stream)
	img, err := mutate.Append(empty.Image, mutate.Addendum{Layer: l, Annotations: map[string]string{xpkg.AnnotationKey: xpkg.BaseAnnotation}})
	if err != nil {
		b.Fatal(err)
	}
	ref, client := cached(b, img)
	want := int64(len(stream))
	sub := func(name string, run func() (int64, error)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(want)
			for b.Loop() {
				if n, err := run(); err != nil || n != want {
					b.Fatalf("%d bytes, %v, want %d", n, err, want)
				}
			}
		})
	}
	sub("sdk", func() (int64, error) {
		img, err := client.Image(b.Context(), ref, nil)
		if err != nil {
			return 0, err
		}
		r, err := img.Stream(b.Context())
		if err != nil {
			return 0, err
		}
		n, err := io.Copy(io.Discard, r)
		return n, errors.Join(err, r.Close())
	})
	rc, err := l.Compressed()
	if err != nil {
		b.Fatal(err)
	}
	blob, err := io.ReadAll(rc)
	if err != nil {
		b.Fatal(err)
	}
	sub("verify", func() (int64, error) {
		sha256.Sum256(blob)
		return want, nil
	})
	sub("conventional", func() (int64, error) {
		sha256.Sum256(blob)
		z, err := gzip.NewReader(bytes.NewReader(blob))
		if err != nil {
			return 0, err
		}
		t := tar.NewReader(z)
		if _, err := t.Next(); err != nil {
			return 0, err
		}
		return io.Copy(io.Discard, t)
	})
}

// cached returns a reference that is in the cache of a client without network.
func cached(b *testing.B, img v1.Image) (string, *xpkg.Client) {
	b.Helper()
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	ref := strings.TrimPrefix(server.URL, "http://") + "/org/package:v1"
	c := &xpkg.Client{Cache: xpkg.OpenCache(b.TempDir(), nil), Transport: &http.Transport{}}
	if _, err := c.Push(b.Context(), ref, img); err != nil {
		b.Fatal(err)
	}
	warm, err := c.Image(b.Context(), ref, nil)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := warm.Package(b.Context()); err != nil {
		b.Fatal(err)
	}
	return ref, &xpkg.Client{Cache: c.Cache, Pull: xpkg.PullNever}
}
