package xpkg_test

import (
	"archive/tar"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/xpkg-go/sdk/xpkg"
)

// packageYAML is a package as short as they come.
const packageYAML = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: configuration-test
spec:
  crossplane:
    version: ">=v1.14.0"
  dependsOn:
  - provider: xpkg.crossplane.io/crossplane-contrib/provider-nop
    version: ">=v0.2.0"
`

const (
	ociLayer      = "application/vnd.oci.image.layer.v1.tar+gzip"
	ociPlainLayer = "application/vnd.oci.image.layer.v1.tar"
	ociZstdLayer  = "application/vnd.oci.image.layer.v1.tar+zstd"
	dockerLayer   = "application/vnd.docker.image.rootfs.diff.tar.gzip"
)

// file is a tar entry; the zero type is a regular file.
type file struct {
	name    string
	content string
	kind    byte
	link    string
	pax     map[string]string
	format  tar.Format // 0 for the plainest that does
}

func tarOf(files ...file) []byte {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Typeflag: f.kind, Linkname: f.link, Mode: 0o644, PAXRecords: f.pax, Format: f.format}
		if f.kind == 0 {
			h.Typeflag = tar.TypeReg
		}
		if h.Typeflag == tar.TypeReg {
			h.Size = int64(len(f.content))
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			h = &tar.Header{Typeflag: f.kind, Name: f.name, PAXRecords: f.pax}
		}
		if err := w.WriteHeader(h); err != nil {
			panic(err)
		}
		if h.Size > 0 {
			if _, err := w.Write([]byte(f.content)); err != nil {
				panic(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

func gzipped(b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

func zstdCompressed(b []byte) []byte {
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

func digestOf(b []byte) v1.Hash {
	h, _, err := v1.SHA256(bytes.NewReader(b))
	if err != nil {
		panic(err)
	}
	return h
}

// testLayer is a layer as a manifest names it and as it is served.
type testLayer struct {
	blob        []byte // what the digest is of
	served      []byte // what is served in its place, nil for blob
	size        int64  // what the manifest says, 0 for the truth
	mediaType   string // "" for an OCI gzip layer
	annotations map[string]string
}

func (l testLayer) bytes() []byte {
	if l.served != nil {
		return l.served
	}
	return l.blob
}

var base = map[string]string{xpkg.AnnotationKey: xpkg.BaseAnnotation}

// layerOf is a gzipped layer without annotation.
func layerOf(files ...file) testLayer { return testLayer{blob: gzipped(tarOf(files...))} }

// baseOf is the same, marked as the base layer.
func baseOf(files ...file) testLayer {
	return testLayer{blob: gzipped(tarOf(files...)), annotations: base}
}

// markedOf is a layer that is annotated for another consumer.
func markedOf(value string, files ...file) testLayer {
	return testLayer{blob: gzipped(tarOf(files...)), annotations: map[string]string{xpkg.AnnotationKey: value}}
}

// testImage is an image whose parts may be wrong.
type testImage struct {
	layers   []testLayer
	config   []byte         // nil for {}
	noConfig bool           // the configuration is not there
	extra    map[string]any // further fields of the manifest
	docker   bool           // docker media types
}

func imageOf(layers ...testLayer) *testImage { return &testImage{layers: layers} }

func (i *testImage) mediaType() types.MediaType {
	if i.docker {
		return types.DockerManifestSchema2
	}
	return types.OCIManifestSchema1
}

func (i *testImage) rawConfig() []byte {
	if i.config != nil {
		return i.config
	}
	return []byte("{}")
}

func (i *testImage) manifest() []byte {
	config := i.rawConfig()
	layers := []map[string]any{}
	for _, l := range i.layers {
		d := map[string]any{"mediaType": ociLayer, "digest": digestOf(l.blob), "size": len(l.blob)}
		if l.mediaType != "" {
			d["mediaType"] = l.mediaType
		}
		if l.size != 0 {
			d["size"] = l.size
		}
		if l.annotations != nil {
			d["annotations"] = l.annotations
		}
		layers = append(layers, d)
	}
	m := map[string]any{
		"schemaVersion": 2, "mediaType": i.mediaType(), "layers": layers,
		"config": map[string]any{"mediaType": types.OCIConfigJSON, "digest": digestOf(config), "size": len(config)},
	}
	for key, value := range i.extra {
		m[key] = value
	}
	return mustJSON(m)
}

func (i *testImage) digest() v1.Hash { return digestOf(i.manifest()) }

func mustJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// image makes go-containerregistry's image of it.
func (i *testImage) image(t testing.TB) v1.Image {
	t.Helper()
	img, err := partial.CompressedToImage(core{i, i.manifest()})
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// core serves a testImage as it is, wrong or right.
type core struct {
	*testImage
	raw []byte // the manifest
}

func (c core) RawManifest() ([]byte, error)        { return c.raw, nil }
func (c core) RawConfigFile() ([]byte, error)      { return c.rawConfig(), nil }
func (c core) MediaType() (types.MediaType, error) { return c.mediaType(), nil }
func (c core) LayerByDigest(h v1.Hash) (partial.CompressedLayer, error) {
	for _, l := range c.layers {
		if digestOf(l.blob) == h {
			return coreLayer{l, h}, nil
		}
	}
	return nil, fmt.Errorf("no layer %s", h)
}

type coreLayer struct {
	testLayer
	digest v1.Hash
}

func (l coreLayer) Digest() (v1.Hash, error)            { return l.digest, nil }
func (l coreLayer) Size() (int64, error)                { return int64(len(l.blob)), nil }
func (l coreLayer) MediaType() (types.MediaType, error) { return types.OCILayer, nil }
func (l coreLayer) Compressed() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(l.bytes())), nil
}

// entryOf describes a manifest in an index.
func entryOf(raw []byte, mediaType types.MediaType, platform string, annotations map[string]string) map[string]any {
	d := map[string]any{"mediaType": mediaType, "digest": digestOf(raw), "size": len(raw)}
	if platform != "" {
		p, err := v1.ParsePlatform(platform)
		if err != nil {
			panic(err)
		}
		d["platform"] = p
	}
	if annotations != nil {
		d["annotations"] = annotations
	}
	return d
}

// indexJSON is an index of entries.
func indexJSON(entries ...map[string]any) []byte {
	if entries == nil {
		entries = []map[string]any{}
	}
	return mustJSON(map[string]any{"schemaVersion": 2, "mediaType": types.OCIImageIndex, "manifests": entries})
}

// writeLayout writes an OCI layout directory with an index.json of entries.
func writeLayout(t testing.TB, blobs map[string][]byte, entries ...map[string]any) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string][]byte{
		"oci-layout": []byte(`{"imageLayoutVersion":"1.0.0"}`),
		"index.json": indexJSON(entries...),
	}
	for digest, b := range blobs {
		files["blobs/sha256/"+digest[len("sha256:"):]] = b
	}
	for name, b := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// blobs are the parts of an image by digest, as they are served.
func (i *testImage) blobs() map[string][]byte {
	b := map[string][]byte{i.digest().String(): i.manifest()}
	for _, l := range i.layers {
		b[digestOf(l.blob).String()] = l.bytes()
	}
	if !i.noConfig {
		b[digestOf(i.rawConfig()).String()] = i.rawConfig()
	}
	return b
}

// layout writes the image as an OCI layout directory.
func (i *testImage) layout(t testing.TB) string {
	t.Helper()
	return writeLayout(t, i.blobs(), entryOf(i.manifest(), i.mediaType(), "", nil))
}

// tarDir writes a directory as a tar.
func tarDir(t testing.TB, dir string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	if err := w.AddFS(os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return writeTemp(t, "image.tar", b.Bytes())
}

func writeTemp(t testing.TB, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// read reads package.yaml to its end.
func read(t testing.TB, img *xpkg.Image) (string, error) {
	t.Helper()
	s, err := img.Stream(t.Context())
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(s)
	closed := s.Close()
	if err != nil {
		if !errors.Is(closed, err) {
			t.Errorf("Close after a failed Read: got %v, want %v", closed, err)
		}
		return "", err
	}
	return string(b), closed
}

// everywhere opens an image in memory, from a registry, as a layout and as a
// tar, and runs a test on each.
func everywhere(t *testing.T, i *testImage, o *xpkg.Options, test func(t *testing.T, img *xpkg.Image, err error)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { test(t, xpkg.Open(i.image(t), o), nil) })
	t.Run("registry", func(t *testing.T) {
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", i)
		img, err := r.client().Image(t.Context(), ref, o)
		test(t, img, err)
	})
	t.Run("layout", func(t *testing.T) {
		img, err := xpkg.OpenFile(t.Context(), i.layout(t), o)
		test(t, img, err)
	})
	t.Run("tar", func(t *testing.T) {
		img, err := xpkg.OpenFile(t.Context(), tarDir(t, i.layout(t)), o)
		test(t, img, err)
	})
}

// storedGzip compresses without compressing, so that content can be found and
// changed in the result.
func storedGzip(b []byte) []byte {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.NoCompression)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

// gunzipped returns the content of b, which is b itself when it is no gzip.
func gunzipped(b []byte) []byte {
	z, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		return b
	}
	content, err := io.ReadAll(z)
	if err != nil {
		panic(err)
	}
	return content
}
