package source

import (
	"archive/tar"
	"bytes"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

const metadata = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata:\n  name: demo\n"

// layer returns a layer of files, each a package.yaml by its content; a name that ends in a
// slash is a directory.
func layer(t testing.TB, mark string, names ...string) mutate.Addendum {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, n := range names {
		h := &tar.Header{Name: n, Typeflag: tar.TypeReg, Mode: 0o644}
		if strings.HasSuffix(n, "/") {
			h.Typeflag = tar.TypeDir
		} else {
			h.Size = int64(len(metadata))
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, metadata[:h.Size]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	if err != nil {
		t.Fatal(err)
	}
	a := mutate.Addendum{Layer: l}
	if mark != "" {
		a.Annotations = map[string]string{"io.crossplane.xpkg": mark}
	}
	return a
}

// image returns a package with a program in it, and with layers above package.yaml.
func image(t testing.TB) v1.Image {
	t.Helper()
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(metadata), nil))
	if err != nil {
		t.Fatal(err)
	}
	img, err := build.Package(t.Context(), pkg, nil)
	if err != nil {
		t.Fatal(err)
	}
	img, err = mutate.Append(img,
		layer(t, "upbound", ".up/", ".up/a/", ".up/a/one", ".up/b/two", ".up/three", ".up/four"),
		layer(t, "", "./package.yaml", ".up/", ".up/a/.wh..wh..opq", ".up/.wh.b", "/.up/three", "other", ".up/.wh.gone"))
	if err != nil {
		t.Fatal(err)
	}
	file, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	file = file.DeepCopy()
	file.Config.Entrypoint, file.Config.User = []string{"/function"}, "2000"
	file.OS, file.Architecture, file.Variant = "linux", "arm", "v7"
	if img, err = mutate.ConfigFile(img, file); err != nil {
		t.Fatal(err)
	}
	return img
}

var wantLayers = []linter.ImageLayer{{Mark: "base", HasPackage: true}, {Mark: "upbound"}, {HasPackage: true}}

var wantOverwritten = []linter.OverwrittenPath{
	{Path: "package.yaml", Layer: 0, By: 2},
	{Path: ".up/a/one", Layer: 1, By: 2},
	{Path: ".up/b/two", Layer: 1, By: 2},
	{Path: ".up/three", Layer: 1, By: 2},
}

// The facts of an image that an index in a registry leads to.
func TestFactsOfReference(t *testing.T) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	text := strings.TrimPrefix(server.URL, "http://") + "/org/demo:v1.0.0"
	img := image(t)
	idx := mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "amd64"}}},
		mutate.IndexAddendum{Add: empty.Image, Descriptor: v1.Descriptor{
			Platform:    &v1.Platform{OS: "unknown", Architecture: "unknown"},
			Annotations: map[string]string{"vnd.docker.reference.type": "attestation-manifest"},
		}})
	ref, err := name.ParseReference(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := remote.WriteIndex(ref, idx); err != nil {
		t.Fatal(err)
	}
	p, err := Read(t.Context(), text, &xpkg.Client{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := p.Facts(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	digest, _ := img.Digest()
	want := &linter.Image{
		Tag: "v1.0.0", Digest: digest.String(), Platform: "linux/arm/v7", User: "2000", Runtime: true,
		Entries: []linter.ImageEntry{{Platform: "linux/amd64"}, {Platform: "unknown/unknown", Attestation: true}},
		Layers:  wantLayers, Overwritten: wantOverwritten,
	}
	if diff := cmp.Diff(want, got, unspoken...); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got.Entries[0].Digest != digest.String() || got.Layers[0].Digest == "" || got.Layers[0].MediaType == "" {
		t.Errorf("got %+v, want digests and media types", got)
	}
}

// unspoken are the facts that depend on how a layer is compressed.
var unspoken = []cmp.Option{
	cmpopts.IgnoreFields(linter.ImageEntry{}, "Digest", "MediaType"), cmpopts.IgnoreFields(linter.ImageLayer{}, "Digest", "MediaType"),
}

// A file has no tag, and a docker tar no manifest that leads to a configuration.
func TestFactsOfFile(t *testing.T) {
	for _, format := range []build.Format{build.OCI, build.Docker} {
		file := filepath.Join(t.TempDir(), "demo.xpkg")
		if err := build.WriteFile(t.Context(), file, image(t), format); err != nil {
			t.Fatal(err)
		}
		p, err := Read(t.Context(), file, &xpkg.Client{}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got, err := p.Facts(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := &linter.Image{Digest: p.Digest, Layers: wantLayers, Overwritten: wantOverwritten, Platform: "linux/arm/v7", User: "2000", Runtime: true}
		if format == build.Docker { // its labels mark the base layer alone
			want = &linter.Image{
				Digest: p.Digest, Overwritten: wantOverwritten[:1],
				Layers: []linter.ImageLayer{{Mark: "base", HasPackage: true}, {}, {HasPackage: true}},
			}
		}
		if diff := cmp.Diff(want, got, unspoken...); diff != "" {
			t.Errorf("%s: -want +got:\n%s", format, diff)
		}
	}
}

func TestFactsOfDirectory(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "crossplane.yaml"), []byte(metadata), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := Read(t.Context(), dir, &xpkg.Client{}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.Facts(t.Context()); got != nil || err != nil {
		t.Errorf("got %+v (%v), want none", got, err)
	}
}
