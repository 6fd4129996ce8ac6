package xpkg_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Oracle: go-containerregistry, which Crossplane parses references with.
func FuzzReference(f *testing.F) {
	for _, s := range []string{
		"", "a", "a/b", "a/b:v1", "docker.io/a", "index.docker.io/library/a:v1", "localhost/a", "localhost:5000/a/b:v1.0.0", "xpkg.upbound.io/a/b@sha256:" + strings.Repeat("ab", 32),
		"a:v1@sha256:" + strings.Repeat("0", 64), "a@sha512:" + strings.Repeat("0", 128), "a@sha256:x", "https://a/b", "A/b", "a.b/C", "a/b:", "a/b:" + strings.Repeat("x", 129), ":v1", "a//b", "[::1]:5000/a", "a b", "a/b@", "@", "a@b@c", "user@host/a", "é/a", "a.b:99999/x",
	} {
		f.Add(s)
	}
	f.Fuzz(executions.Many(func(t *testing.T, s string) {
		ours, err := meta.ParseReference(s)
		theirs, theirErr := name.ParseReference(s)
		if (err == nil) != (theirErr == nil) {
			t.Fatalf("%q: ours says %v, theirs %v", s, err, theirErr)
		}
		if err != nil {
			return
		}
		if got, want := ours.Source.Registry(), theirs.Context().RegistryStr(); got != want {
			t.Errorf("%q: got the registry %q, want %q", s, got, want)
		}
		if got, want := ours.Source.Repository(), theirs.Context().RepositoryStr(); got != want {
			t.Errorf("%q: got the repository %q, want %q", s, got, want)
		}
		if got, want := ours.Identifier(), theirs.Identifier(); got != want {
			t.Errorf("%q: got %q, want %q", s, got, want)
		}
	}))
}

// Oracle: the standard library's gzip and tar, and that a byte that was changed
// is always noticed.
func FuzzLayer(f *testing.F) {
	good := file{name: "package.yaml", content: packageYAML}
	f.Add(tarOf(good), uint16(600))
	f.Add(gzipped(tarOf(file{name: "./package.yaml", content: "a: b\n"}, file{name: "z", content: "y"})), uint16(20))
	f.Add(zstdCompressed(tarOf(good)), uint16(20))
	f.Add(gzipped(tarOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "a"}, file{name: "a", content: "x"})), uint16(0))
	f.Add(append(gzipped(tarOf(good)[:512]), gzipped(tarOf(good)[512:])...), uint16(1))
	f.Add([]byte("no tar"), uint16(2))
	f.Fuzz(executions.Many(func(t *testing.T, blob []byte, at uint16) {
		o := &xpkg.Options{MaxLayerBytes: 8 << 20, MaxPackageBytes: 4 << 20, MaxEntries: 10_000}
		i := imageOf(testLayer{blob: blob, annotations: base})
		got, err := read(t, xpkg.Open(i.image(t), o))
		if err != nil && meta.Code(err) == "internal" {
			t.Errorf("the error %v has no category", err)
		}
		if want, ok := plainly(blob); ok && err == nil && got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if len(blob) == 0 || len(blob) > int(o.MaxLayerBytes) {
			return
		}
		i.layers[0].served = flip(blob, int(at)%len(blob))
		if _, err := read(t, xpkg.Open(i.image(t), o)); !errors.Is(err, meta.ErrDigest) && !errors.Is(err, meta.ErrLimit) {
			t.Errorf("a changed byte gives %v", err)
		}
	}))
}

// plainly reads the root package.yaml of a layer that holds one as a regular
// file.
func plainly(blob []byte) (string, bool) {
	var in io.Reader = bytes.NewReader(blob)
	if z, err := gzip.NewReader(in); err == nil {
		in = z
	} else {
		in = bytes.NewReader(blob)
	}
	for r := tar.NewReader(in); ; {
		h, err := r.Next()
		if err != nil {
			return "", false
		}
		if path.Clean(strings.TrimLeft(h.Name, "/")) == "package.yaml" && h.Typeflag == tar.TypeReg {
			b, err := io.ReadAll(r)
			return string(b), err == nil
		}
	}
}

// Oracle: nothing is returned without an error that is not a package, and every
// error has a category.
func FuzzOpenFile(f *testing.F) {
	layer := gzipped(tarOf(file{name: "package.yaml", content: packageYAML}))
	f.Add(tarOf(dockerTar{layers: [][]byte{layer}, labels: baseLabel(layer)}.files()...))
	f.Add(gzipped(tarOf(dockerTar{layers: [][]byte{layer}}.files()...)))
	i := imageOf(testLayer{blob: layer, annotations: base})
	files := []file{{name: "index.json", content: string(indexJSON(entryOf(i.manifest(), i.mediaType(), "linux/amd64", nil)))}}
	for digest, b := range i.blobs() {
		files = append(files, file{name: "blobs/sha256/" + digest[7:], content: string(b)})
	}
	f.Add(tarOf(files...))
	f.Add([]byte("text"))
	f.Fuzz(executions.Many(func(t *testing.T, b []byte) {
		path := writeTemp(t, "image", b)
		o := &xpkg.Options{MaxLayerBytes: 8 << 20, MaxPackageBytes: 4 << 20, MaxEntries: 10_000}
		img, err := xpkg.OpenFile(t.Context(), path, o)
		var content string
		if err == nil {
			content, err = read(t, img)
		}
		switch {
		case err != nil && meta.Code(err) == "internal":
			t.Errorf("the error %v has no category", err)
		case err == nil && content == "":
			t.Error("got nothing and no error")
		}
	}))
}
