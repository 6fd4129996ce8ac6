package xpkg_test

import (
	"archive/tar"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// dockerTar is a docker tar under construction.
type dockerTar struct {
	layers  [][]byte          // as they lie in the tar
	names   []string          // nil for <digest>.tar.gz
	diffIDs []string          // nil for the truth
	labels  map[string]string // of the configuration
	config  string            // name of the configuration, "" for sha256:<digest>
	more    []file
}

func (d dockerTar) files() []file {
	type config struct {
		Config struct{ Labels map[string]string } `json:"config"`
		RootFS struct {
			DiffIDs []string `json:"diff_ids"`
		} `json:"rootfs"`
	}
	var c config
	c.Config.Labels = d.labels
	var files []file
	names := d.names
	for i, l := range d.layers {
		if d.names == nil {
			names = append(names, digestOf(l).Hex+".tar.gz")
		}
		files = append(files, file{name: names[i], content: string(l)})
		c.RootFS.DiffIDs = append(c.RootFS.DiffIDs, digestOf(gunzipped(l)).String())
	}
	if d.diffIDs != nil {
		c.RootFS.DiffIDs = d.diffIDs
	}
	raw := mustJSON(c)
	configName := d.config
	if configName == "" {
		configName = digestOf(raw).String()
	}
	manifest := mustJSON([]map[string]any{{"Config": configName, "RepoTags": nil, "Layers": names}})
	files = append(files, file{name: configName, content: string(raw)}, file{name: "manifest.json", content: string(manifest)})
	return append(files, d.more...)
}

func (d dockerTar) write(t *testing.T) string {
	return writeTemp(t, "image.xpkg", tarOf(d.files()...))
}

func baseLabel(layer []byte) map[string]string {
	return map[string]string{xpkg.AnnotationKey + ":" + digestOf(layer).String(): xpkg.BaseAnnotation}
}

func TestDockerTar(t *testing.T) {
	good := gzipped(tarOf(file{name: "package.yaml", content: packageYAML}))
	plain := tarOf(file{name: "package.yaml", content: packageYAML})
	other := gzipped(tarOf(file{name: "package.yaml", content: "kind: Other\n"}))
	hidden := gzipped(tarOf(file{name: ".wh.package.yaml"}))
	both := baseLabel(good)
	for key, value := range baseLabel(other) {
		both[key] = value
	}
	swapped := dockerTar{layers: [][]byte{good}}.files()
	swapped[0].content = string(other)

	cases := []struct {
		name, reason string
		path         func(t *testing.T) string
		want         want
	}{
		{"label", "the label tells the base layer", dockerTar{layers: [][]byte{other, good, hidden}, labels: baseLabel(good)}.write, want{content: packageYAML, method: xpkg.MethodLabel}},
		{"label plain name", "also when the name of the file does not tell its digest",
			dockerTar{layers: [][]byte{good, hidden}, names: []string{"a/layer.tar", "b/layer.tar"}, labels: baseLabel(good)}.write, want{content: packageYAML, method: xpkg.MethodLabel}},
		{"label diff ID", "also by the digest of the decompressed layer", dockerTar{layers: [][]byte{good, hidden}, labels: baseLabel(plain)}.write, want{content: packageYAML, method: xpkg.MethodLabel}},
		{"stale label", "a label of a layer that docker has compressed anew says nothing",
			dockerTar{layers: [][]byte{plain}, names: []string{digestOf(plain).Hex + ".tar"}, labels: baseLabel(good)}.write, want{content: packageYAML, method: xpkg.MethodFlattened}},
		{"two labels", "two base layers", dockerTar{layers: [][]byte{good, other}, labels: both}.write, want{is: meta.ErrNotPackage, says: []string{"2 layers"}}},
		{"flattened", "without a label all layers count", dockerTar{layers: [][]byte{other, good}}.write, want{content: packageYAML, method: xpkg.MethodFlattened}},
		{"old docker", "the name of a directory is an ID and no digest",
			dockerTar{layers: [][]byte{plain}, names: []string{strings.Repeat("ab", 32) + "/layer.tar"}, config: strings.Repeat("x", 10) + ".json"}.write, want{content: packageYAML}},
		{"link", "layers may be links to others", func(t *testing.T) string {
			d := dockerTar{layers: [][]byte{plain}, names: []string{"id/layer.tar"}}
			files := d.files()
			files[0] = file{name: "id/layer.tar", kind: tar.TypeSymlink, link: "../real/layer.tar"}
			return writeTemp(t, "x", tarOf(append(files, file{name: "real/layer.tar", content: string(plain)})...))
		}, want{content: packageYAML}},
		{"compressed", "the tar may be compressed", func(t *testing.T) string {
			return writeTemp(t, "x.tgz", gzipped(tarOf(dockerTar{layers: [][]byte{good}, labels: baseLabel(good)}.files()...)))
		}, want{content: packageYAML, method: xpkg.MethodLabel}},
		{"compressed zstd", "with zstd as well", func(t *testing.T) string {
			return writeTemp(t, "x.tar.zst", zstdCompressed(tarOf(dockerTar{layers: [][]byte{good}}.files()...)))
		}, want{content: packageYAML}},
		{"swapped", "the name of a layer is its digest", func(t *testing.T) string { return writeTemp(t, "x", tarOf(swapped...)) }, want{is: meta.ErrDigest}},
		{"diff ID", "the content of a layer is held against its diff ID", dockerTar{layers: [][]byte{good}, names: []string{"a"}, diffIDs: []string{digestOf(other).String()}}.write,
			want{is: meta.ErrDigest, says: []string{"layer content", digestOf(other).String()}}},
		{"configuration", "the name of the configuration is its digest", dockerTar{layers: [][]byte{good}, config: digestOf(good).Hex + ".json"}.write, want{is: meta.ErrDigest, says: []string{"configuration"}}},
		{"diff IDs", "as many diff IDs as layers", dockerTar{layers: [][]byte{good}, diffIDs: []string{}}.write, want{is: meta.ErrInvalid, says: []string{"1 layers", "0 diff IDs"}}},
		{"twice", "two lists of images", dockerTar{layers: [][]byte{good}, more: []file{{name: "./manifest.json", content: "[]"}}}.write, want{is: meta.ErrInvalid, says: []string{"more than once"}}},
		{"no layers", "an image without layers", dockerTar{diffIDs: []string{}}.write, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNoLayers}},
		{"missing layer", "a layer that is not in the tar", func(t *testing.T) string {
			return writeTemp(t, "x", tarOf(dockerTar{layers: [][]byte{good}}.files()[1:]...))
		}, want{is: meta.ErrNotFound, says: []string{digestOf(good).Hex}}},
		{"two images", "which are named", func(t *testing.T) string {
			return writeTemp(t, "x", tarOf(file{name: "manifest.json", content: `[{"RepoTags":["a:1"]},{"RepoTags":["b:2"]}]`}))
		}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNoImage, says: []string{"2 images", "a:1", "b:2"}}},
		{"hybrid", "a tar that is a layout too, whose annotations docker dropped, by its label", func(t *testing.T) string {
			layer := testLayer{blob: good}
			i := imageOf(testLayer{blob: good}, testLayer{blob: hidden})
			files := dockerTar{layers: [][]byte{good, hidden}, labels: baseLabel(layer.blob)}.files()
			files = append(files, file{name: "index.json", content: string(indexJSON(entryOf(i.manifest(), i.mediaType(), "", nil)))})
			for digest, b := range i.blobs() {
				files = append(files, file{name: "blobs/sha256/" + digest[7:], content: string(b)})
			}
			return writeTemp(t, "x", tarOf(files...))
		}, want{content: packageYAML, method: xpkg.MethodLabel}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			img, err := xpkg.OpenFile(t.Context(), c.path(t), nil)
			c.want.check(t, img, err)
			if t.Failed() {
				t.Log("reason: " + c.reason)
			}
		})
	}
}

// What go-containerregistry writes is what Crossplane's tools write.
func TestDockerTarOfGGCR(t *testing.T) {
	l := static.NewLayer(tarOf(file{name: "package.yaml", content: packageYAML}), types.DockerLayer)
	digest, err := l.Digest()
	if err != nil {
		t.Fatal(err)
	}
	img, err := mutate.AppendLayers(empty.Image, static.NewLayer(tarOf(file{name: "x", content: "y"}), types.DockerLayer), l)
	if err != nil {
		t.Fatal(err)
	}
	img, err = mutate.Config(img, v1.Config{Labels: map[string]string{xpkg.AnnotationKey + ":" + digest.String(): xpkg.BaseAnnotation}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "x.xpkg")
	if err := tarball.WriteToFile(path, name.MustParseReference("x:v1"), img); err != nil {
		t.Fatal(err)
	}
	opened, err := xpkg.OpenFile(t.Context(), path, nil)
	want{content: packageYAML, method: xpkg.MethodLabel}.check(t, opened, err)
	id, err := img.ConfigName()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := opened.Digest(t.Context()); err != nil || got != id.String() {
		t.Errorf("got the digest %s (%v), want the image ID %s", got, err, id)
	}
	layers, err := opened.Layers(t.Context())
	if err != nil || len(layers) != 2 || layers[1].Mark != xpkg.BaseAnnotation || layers[1].Digest != digest.String() {
		t.Errorf("got %+v (%v)", layers, err)
	}
}

func TestOpenFileErrors(t *testing.T) {
	dir := t.TempDir()
	cases := []struct {
		name   string
		path   func(t *testing.T) string
		is     error
		reason xpkg.Reason
		says   string
	}{
		{"missing", func(*testing.T) string { return filepath.Join(dir, "none.xpkg") }, meta.ErrNotFound, "", "none.xpkg"},
		{"directory", func(*testing.T) string { return dir }, meta.ErrNotPackage, xpkg.ReasonNoImage, "index.json"},
		{"text", func(t *testing.T) string { return writeTemp(t, "x", []byte(packageYAML)) }, meta.ErrNotPackage, xpkg.ReasonNoImage, "not a tar"},
		{"empty", func(t *testing.T) string { return writeTemp(t, "x", nil) }, meta.ErrNotPackage, xpkg.ReasonNoImage, "index.json"},
		{"gzip", func(t *testing.T) string { return writeTemp(t, "x", gzipped([]byte(packageYAML))) }, meta.ErrNotPackage, xpkg.ReasonNoImage, "not a tar"},
		{"layer", func(t *testing.T) string {
			return writeTemp(t, "x", tarOf(file{name: "package.yaml", content: packageYAML}))
		}, meta.ErrNotPackage, xpkg.ReasonNoImage, "without its image"},
		{"index", func(t *testing.T) string {
			return writeTemp(t, "x", tarOf(file{name: "index.json", content: "{"}))
		}, meta.ErrInvalid, "", "JSON"},
		{"cut", func(t *testing.T) string {
			b := tarOf(file{name: "a", content: "b"}, file{name: "index.json", content: strings.Repeat("x", 3000)})
			return writeTemp(t, "x", b[:2000])
		}, meta.ErrNotPackage, xpkg.ReasonNoImage, "broken"},
		{"config", func(t *testing.T) string {
			return writeTemp(t, "x", tarOf(file{name: "manifest.json", content: `[{"Config":"c.json"}]`}))
		}, meta.ErrNotFound, "", "c.json"},
		{"large", func(t *testing.T) string {
			return writeTemp(t, "x", tarOf(file{name: "index.json", content: strings.Repeat(" ", 5<<20)}))
		}, meta.ErrLimit, "", "index.json"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := c.path(t)
			_, err := xpkg.OpenFile(t.Context(), path, nil)
			checkError(t, err, c.is, path, c.says)
			var not *xpkg.NotPackageError
			if errors.As(err, &not); c.reason != "" && (not == nil || not.Reason != c.reason) {
				t.Errorf("got %#v, want the reason %s", err, c.reason)
			}
		})
	}
	if _, err := xpkg.OpenFile(t.Context(), filepath.Join(dir, "none"), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v, want it to match fs.ErrNotExist", err)
	}
}

func TestLayoutOnDiskIsNotTrusted(t *testing.T) {
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}))
	blob := func(dir string, b []byte) string { return filepath.Join(dir, "blobs", "sha256", digestOf(b).Hex) }

	t.Run("layer changed on disk", func(t *testing.T) {
		dir := i.layout(t)
		img, err := xpkg.OpenFile(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(blob(dir, i.layers[0].blob), flip(i.layers[0].blob, 30), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err = read(t, img)
		checkError(t, err, meta.ErrDigest)
	})
	t.Run("manifest changed on disk", func(t *testing.T) {
		dir := i.layout(t)
		if err := os.WriteFile(blob(dir, i.manifest()), append(i.manifest(), ' '), 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := xpkg.OpenFile(t.Context(), dir, nil)
		checkError(t, err, meta.ErrDigest, "manifest")
	})
	t.Run("missing layer", func(t *testing.T) {
		dir := i.layout(t)
		if err := os.Remove(blob(dir, i.layers[0].blob)); err != nil {
			t.Fatal(err)
		}
		img, err := xpkg.OpenFile(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = read(t, img)
		checkError(t, err, meta.ErrNotFound, digestOf(i.layers[0].blob).Hex)
	})
	t.Run("link out of it", func(t *testing.T) {
		dir := i.layout(t)
		outside := writeTemp(t, "outside", i.layers[0].blob)
		if err := os.Remove(blob(dir, i.layers[0].blob)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, blob(dir, i.layers[0].blob)); err != nil {
			t.Skip("this system makes no symbolic links: " + err.Error())
		}
		img, err := xpkg.OpenFile(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = read(t, img); err == nil {
			t.Error("a link out of the layout was followed")
		}
	})
	t.Run("directory in the place of a layer", func(t *testing.T) {
		dir := i.layout(t)
		if err := os.Remove(blob(dir, i.layers[0].blob)); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(blob(dir, i.layers[0].blob), 0o777); err != nil {
			t.Fatal(err)
		}
		img, err := xpkg.OpenFile(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = read(t, img)
		checkError(t, err, meta.ErrInvalid, "not a regular file")
	})
}

func TestIndexInALayout(t *testing.T) {
	// What crane and oras write for an image of several platforms.
	x := index().image("arm", "linux/arm64").image("amd", "linux/amd64")
	dir := writeLayout(t, x.blobs(), entryOf(x.raw(), types.OCIImageIndex, "", nil))
	img, err := xpkg.OpenFile(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if want := digestOf(x.raw()).String(); img.IndexDigest() != want {
		t.Errorf("got the index %q, want %s", img.IndexDigest(), want)
	}
	if got := fmt.Sprint(img.Platform()); got != "linux/amd64" {
		t.Errorf("got the platform %s", got)
	}
}
