package xpkg_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/iotest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func TestLayersOfThirdParties(t *testing.T) {
	t.Parallel()
	i := imageOf(
		markedOf("docs", file{name: "a.md", content: "first"}),
		baseOf(file{name: "package.yaml", content: packageYAML}),
		layerOf(file{name: "bin/provider", content: "machine code"}),
		markedOf("docs", file{name: "b.md", content: "second"}, file{name: ".wh.gone"}),
	)
	everywhere(t, i, nil, func(t *testing.T, img *xpkg.Image, err error) {
		if err != nil {
			t.Fatal(err)
		}
		layers, err := img.Layers(t.Context())
		if err != nil || len(layers) != 4 {
			t.Fatalf("got %v (%v)", layers, err)
		}
		var found []string
		for n, l := range layers {
			if l.Index != n || l.Digest != digestOf(i.layers[n].blob).String() {
				t.Errorf("layer %d is %#v", n, l)
			}
			if l.Mark != "docs" {
				continue
			}
			fsys, err := img.LayerFS(t.Context(), l.Index)
			if err != nil {
				t.Fatal(err)
			}
			entries, err := fs.ReadDir(fsys, ".")
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range entries {
				b, err := fs.ReadFile(fsys, e.Name())
				if err != nil {
					t.Fatal(err)
				}
				found = append(found, e.Name()+"="+string(b))
			}
			rc, err := img.OpenLayer(t.Context(), l.Index)
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(rc)
			if err := errors.Join(err, rc.Close()); err != nil || !bytes.Equal(content, gunzipped(i.layers[n].blob)) {
				t.Errorf("the content of layer %d differs (%v)", n, err)
			}
		}
		if got := strings.Join(found, " "); got != "a.md=first b.md=second" {
			t.Errorf("got %q", got)
		}
	})
}

func TestOpenLayerTrust(t *testing.T) {
	t.Parallel()
	good := storedGzip(tarOf(file{name: "x", content: "good content"}))
	i := imageOf(testLayer{blob: good, served: bytes.Replace(good, []byte("good"), []byte("evil"), 1)}, layerOf(file{name: "y"}))
	everywhere(t, i, nil, func(t *testing.T, img *xpkg.Image, err error) {
		if err != nil {
			t.Fatal(err)
		}
		rc, err := img.OpenLayer(t.Context(), 0)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(rc)
		checkError(t, err, meta.ErrDigest, digestOf(good).String())
		checkError(t, rc.Close(), meta.ErrDigest)
		_, err = img.LayerFS(t.Context(), 0)
		checkError(t, err, meta.ErrDigest, digestOf(good).String())
		rc, err = img.OpenLayer(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := rc.Read(make([]byte, 10)); err != nil {
			t.Error(err)
		}
		if err := rc.Close(); !errors.Is(err, xpkg.ErrUnverified) {
			t.Errorf("closed before the end: got %v", err)
		}
		for _, index := range []int{-1, 2} {
			_, err = img.OpenLayer(t.Context(), index)
			checkError(t, err, meta.ErrInvalid, "2 layers")
			_, err = img.LayerFS(t.Context(), index)
			checkError(t, err, meta.ErrInvalid, "2 layers")
		}
	})
}

func TestMoreLimits(t *testing.T) {
	t.Parallel()
	i := imageOf(layerOf(file{name: "a"}), layerOf(file{name: "package.yaml", content: packageYAML}), layerOf(file{name: "c"}))
	for _, c := range []struct {
		reason string
		o      *xpkg.Options
		is     error
		says   string
	}{
		{"three layers are too many for two", &xpkg.Options{MaxLayers: 2}, meta.ErrLimit, "more than 2 layers (it has 3)"},
		{"and not for three", &xpkg.Options{MaxLayers: 3}, nil, ""},
		{"a layer above the limit is refused unread", &xpkg.Options{MaxBlobBytes: 10}, meta.ErrLimit, "larger than 10 bytes"},
	} {
		everywhere(t, i, c.o, func(t *testing.T, img *xpkg.Image, err error) {
			if err == nil {
				_, err = img.Package(t.Context())
			}
			if c.is == nil {
				if err != nil {
					t.Errorf("%s: %v", c.reason, err)
				}
				return
			}
			checkError(t, err, c.is, c.says)
		})
	}
}

func TestOpenReader(t *testing.T) {
	t.Parallel()
	layout, err := os.ReadFile(tarDir(t, pkg().layout(t)))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, reason string
		r            io.Reader
		o            *xpkg.Options
		is           error
		says         string
	}{
		{"tar", "an OCI layout as a tar", bytes.NewReader(layout), nil, nil, ""},
		{"gzip", "compressed", bytes.NewReader(gzipped(layout)), nil, nil, ""},
		{"slow", "however it comes", iotest.OneByteReader(bytes.NewReader(layout)), nil, nil, ""},
		{"end with data", "also when the last bytes come with the end", iotest.DataErrReader(bytes.NewReader(layout)), nil, nil, ""},
		{"at the limit", "as large as it may be", bytes.NewReader(layout), &xpkg.Options{MaxBlobBytes: int64(len(layout))}, nil, ""},
		{"above the limit", "one byte more", bytes.NewReader(layout), &xpkg.Options{MaxBlobBytes: int64(len(layout) - 1)}, meta.ErrLimit, "the archive is larger than"},
		{"endless", "a stream without end", endless{}, &xpkg.Options{MaxBlobBytes: 1 << 20}, meta.ErrLimit, "1048576"},
		{"cut", "what breaks off is not whole", io.MultiReader(bytes.NewReader(layout), iotest.ErrReader(io.ErrUnexpectedEOF)), nil, io.ErrUnexpectedEOF, "upload: unexpected EOF"},
		{"short", "what ends early is not whole", bytes.NewReader(layout[:len(layout)/2]), nil, meta.ErrNotPackage, ""},
		{"empty", "nothing is no image", strings.NewReader(""), nil, meta.ErrNotPackage, ""},
		{"text", "nor is text", strings.NewReader("hello"), nil, meta.ErrNotPackage, "not a tar archive"},
		{"nil", "nor is no reader", nil, nil, meta.ErrInvalid, "not a reader"},
	} {
		t.Run(c.name, func(t *testing.T) {
			img, err := xpkg.OpenReader(t.Context(), "upload", c.r, c.o)
			if c.is != nil {
				checkError(t, err, c.is, c.says)
				return
			}
			want{content: packageYAML}.check(t, img, err)
			want{content: packageYAML}.check(t, img, err) // and again
		})
	}
	t.Run("docker", func(t *testing.T) {
		path := t.TempDir() + "/p.xpkg"
		if err := build.WriteFile(t.Context(), path, sample(), build.Docker); err != nil {
			t.Fatal(err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		img, err := xpkg.OpenReader(t.Context(), "upload", f, nil)
		if err != nil {
			t.Fatal(err)
		}
		if pkg, err := img.Package(t.Context()); err != nil || pkg.Meta.Name != "configuration-test" {
			t.Errorf("got %v (%v)", pkg, err)
		}
		if method, err := img.Method(t.Context()); err != nil || method != xpkg.MethodLabel {
			t.Errorf("got the method %s (%v)", method, err)
		}
		_, err = img.V1(t.Context())
		checkError(t, err, meta.ErrInvalid, "docker tar")
	})
}

// endless is a stream that never ends.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

func TestV1(t *testing.T) {
	t.Parallel()
	i := imageOf(layerOf(file{name: "runtime", content: "x"}), baseOf(file{name: "package.yaml", content: packageYAML}))
	i.config = mustJSON(map[string]any{"architecture": "amd64", "os": "linux", "rootfs": map[string]any{"type": "layers", "diff_ids": []v1.Hash{
		digestOf(gunzipped(i.layers[0].blob)), digestOf(gunzipped(i.layers[1].blob))}}})
	everywhere(t, i, nil, func(t *testing.T, img *xpkg.Image, err error) {
		if err != nil {
			t.Fatal(err)
		}
		whole, err := img.V1(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if digest, err := whole.Digest(); err != nil || digest != i.digest() {
			t.Errorf("got the digest %s (%v), want %s", digest, err, i.digest())
		}
		if err := validate.Image(whole); err != nil {
			t.Error(err)
		}
		// It can be pushed and is the same there.
		r := newRegistry(t)
		pushed, err := r.client().Push(t.Context(), r.host+"/copy:v1", whole)
		if err != nil || pushed != i.digest().String() {
			t.Errorf("got %s (%v), want %s", pushed, err, i.digest())
		}
	})
}

func TestV1Trust(t *testing.T) {
	t.Parallel()
	good := storedGzip(tarOf(file{name: "x", content: "good content"}))
	i := imageOf(testLayer{blob: good, served: bytes.Replace(good, []byte("good"), []byte("evil"), 1)}, pkg().layers[0])
	everywhere(t, i, nil, func(t *testing.T, img *xpkg.Image, err error) {
		if err != nil {
			t.Fatal(err)
		}
		whole, err := img.V1(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		r := newRegistry(t)
		_, err = r.client().Push(t.Context(), r.host+"/copy:v1", whole)
		checkError(t, err, meta.ErrDigest, digestOf(good).String())
		_, err = r.client().Image(t.Context(), r.host+"/copy:v1", nil)
		checkError(t, err, meta.ErrNotFound)
	})
	noConfig := pkg()
	noConfig.noConfig = true
	r := newRegistry(t)
	img, err := r.client().Image(t.Context(), r.put(t, "org/package:v1", noConfig), nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = img.V1(t.Context())
	checkError(t, err, meta.ErrNotFound)
}
