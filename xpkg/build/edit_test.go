package build_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// rewritten is an image with another manifest or configuration.
type rewritten struct {
	v1.Image
	manifest, config []byte
}

func (r rewritten) RawManifest() ([]byte, error)              { return r.manifest, nil }
func (r rewritten) RawConfigFile() ([]byte, error)            { return r.config, nil }
func (r rewritten) Manifest() (*v1.Manifest, error)           { return partial.Manifest(r) }
func (r rewritten) Digest() (v1.Hash, error)                  { return partial.Digest(r) }
func (r rewritten) ConfigName() (v1.Hash, error)              { return partial.ConfigName(r) }
func (r rewritten) ConfigFile() (*v1.ConfigFile, error)       { return partial.ConfigFile(r) }
func (r rewritten) MediaType() (types.MediaType, error)       { return types.OCIManifestSchema1, nil }
func (r rewritten) LayerByDigest(h v1.Hash) (v1.Layer, error) { return r.Image.LayerByDigest(h) }

// strange is a package whose manifest and configuration say more than anybody knows.
func strange(t testing.TB) v1.Image {
	t.Helper()
	img := dir(t, directory(t, sample()), nil)
	add := func(raw []byte, path ...string) []byte {
		var v map[string]any
		if err := json.Unmarshal(raw, &v); err != nil {
			t.Fatal(err)
		}
		o := v
		for _, p := range path {
			o = o[p].(map[string]any)
		}
		o["x-unknown"] = json.RawMessage(`{"n": 12345678901234567890123, "list": [1.10]}`)
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	config, err := img.RawConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	config = add(add(config), "config")
	raw, err := img.RawManifest()
	if err != nil {
		t.Fatal(err)
	}
	raw = add(add(raw), "config")
	h, size, err := v1.SHA256(strings.NewReader(string(config)))
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	v["config"].(map[string]any)["digest"], v["config"].(map[string]any)["size"] = h.String(), size
	v["x-unknown"] = json.RawMessage(`{"n": 12345678901234567890123, "list": [1.10]}`)
	if raw, err = json.MarshalIndent(v, "", "   "); err != nil {
		t.Fatal(err)
	}
	return rewritten{img, raw, config}
}

// fields is JSON whose numbers keep their digits.
func fields(t testing.TB, raw []byte, err error) map[string]any {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	var v map[string]any
	d := json.NewDecoder(strings.NewReader(string(raw)))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// An edit changes what it says and nothing else, by the JSON of both.
func TestEditsChangeNothingElse(t *testing.T) {
	img := strange(t)
	annotated, err := build.Annotate(img, map[string]string{"org.example.a": "b"})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(annotated); err != nil {
		t.Error(err)
	}
	raw, err := img.RawManifest()
	want := fields(t, raw, err)
	want["annotations"].(map[string]any)["org.example.a"] = "b"
	raw, err = annotated.RawManifest()
	if diff := cmp.Diff(want, fields(t, raw, err)); diff != "" {
		t.Errorf("annotate (-want +got):\n%s", diff)
	}
	before, _ := img.RawConfigFile()
	if after, err := annotated.RawConfigFile(); err != nil || string(after) != string(before) {
		t.Errorf("annotate changes the configuration to %s (%v)", after, err)
	}

	relabelled, err := build.Relabel(img, map[string]string{"org.example.c": "d"})
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Image(relabelled); err != nil {
		t.Error(err)
	}
	want = fields(t, before, nil)
	want["config"].(map[string]any)["Labels"].(map[string]any)["org.example.c"] = "d"
	raw, err = relabelled.RawConfigFile()
	if diff := cmp.Diff(want, fields(t, raw, err)); diff != "" {
		t.Errorf("relabel (-want +got):\n%s", diff)
	}
	raw, err = img.RawManifest()
	want = fields(t, raw, err)
	raw, err = relabelled.RawManifest()
	got := fields(t, raw, err)
	for _, v := range []map[string]any{want, got} {
		delete(v["config"].(map[string]any), "digest")
		delete(v["config"].(map[string]any), "size")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("relabel, manifest (-want +got):\n%s", diff)
	}

	// What is there already changes nothing at all.
	for name, edit := range map[string]func() (v1.Image, error){
		"annotate": func() (v1.Image, error) {
			return build.Annotate(img, map[string]string{"org.opencontainers.image.title": "configuration-test"})
		},
		"annotate nothing": func() (v1.Image, error) { return build.Annotate(img, nil) },
		"relabel nothing":  func() (v1.Image, error) { return build.Relabel(img, nil) },
		"repair":           func() (v1.Image, error) { return build.Repair(t.Context(), img) },
	} {
		same, err := edit()
		if err != nil || digest(t, same) != digest(t, img) {
			t.Errorf("%s: the digest was %s and is %v (%v)", name, digest(t, img), same, err)
		}
	}
}

func TestEditErrors(t *testing.T) {
	img := dir(t, directory(t, plain()), nil)
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	raw, _ := img.RawConfigFile()
	for _, c := range []struct {
		name string
		err  error
		is   error
	}{
		{"no image", second(build.Annotate(nil, nil)), meta.ErrInvalid},
		{"no image to relabel", second(build.Relabel(nil, nil)), meta.ErrInvalid},
		{"no image to repair", second(build.Repair(t.Context(), nil)), meta.ErrInvalid},
		{"a mark", second(build.Relabel(img, map[string]string{"io.crossplane.xpkg:sha256:0": "base"})), meta.ErrInvalid},
		{"another configuration", second(build.Annotate(altered{Image: img, config: flip}, nil)), meta.ErrDigest},
		{"a manifest that is none", second(build.Annotate(rewritten{img, []byte("[]"), raw}, nil)), meta.ErrInvalid},
		{"annotations that are none", second(build.Annotate(rewritten{img, []byte(`{"annotations":{"a":1}}`), raw}, map[string]string{"a": "b"})), nil},
	} {
		if c.err == nil || c.is != nil && !errors.Is(c.err, c.is) {
			t.Errorf("%s: got %v (%s), want it to match %v", c.name, c.err, meta.Code(c.err), c.is)
		}
	}
}

func second(_ v1.Image, err error) error { return err }

// recompressed is an image as docker pushes it: other blobs, and no annotations.
func recompressed(t testing.TB, img v1.Image) v1.Image {
	t.Helper()
	layers, err := img.Layers()
	if err != nil {
		t.Fatal(err)
	}
	var anew []v1.Layer
	for _, l := range layers {
		anewLayer, err := tarball.LayerFromOpener(l.Uncompressed, tarball.WithCompressionLevel(1))
		if err != nil {
			t.Fatal(err)
		}
		anew = append(anew, anewLayer)
	}
	out, err := mutate.AppendLayers(empty.Image, anew...)
	if err != nil {
		t.Fatal(err)
	}
	c, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	if out, err = mutate.Config(out, c.Config); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRepair(t *testing.T) {
	img := dir(t, directory(t, sample()), &build.Options{Runtime: runtimeImage(t, layerOf(t, reg("provider")))})
	docs, err := build.Files(t.Context(), fstest.MapFS{"docs/a.md": {Data: []byte("# a")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	if img, err = build.Append(t.Context(), img, "docs", docs); err != nil {
		t.Fatal(err)
	}
	onlyDigests := func(img v1.Image) v1.Image { // as other builders label
		c, err := img.ConfigFile()
		if err != nil {
			t.Fatal(err)
		}
		c = c.DeepCopy()
		for _, h := range c.RootFS.DiffIDs {
			delete(c.Config.Labels, xpkg.AnnotationKey+":"+h.String())
		}
		out, err := mutate.ConfigFile(img, c)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	one := onlyDigests(dir(t, directory(t, plain()), &build.Options{Runtime: runtimeImage(t, layerOf(t, reg("provider")))}))
	for _, c := range []struct {
		name  string
		img   v1.Image
		marks string
	}{
		{"docker load and push of the same blobs", withoutAnnotations(t, img), " base upbound docs"},
		{"layers compressed anew", recompressed(t, img), " base upbound docs"},
		{"another builder's, the same blobs", withoutAnnotations(t, one), " base"},
		{"another builder's, compressed anew", recompressed(t, one), " base"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := xpkg.Open(c.img, nil).Method(t.Context()); err != nil || got != xpkg.MethodFlattened {
				t.Fatalf("before: got %s (%v)", got, err)
			}
			got, err := build.Repair(t.Context(), c.img)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate.Image(got); err != nil {
				t.Error(err)
			}
			m := manifest(t, got)
			var marks []string
			for i, d := range m.Layers {
				if old := manifest(t, c.img).Layers[i]; d.Digest != old.Digest || d.MediaType != types.OCILayer {
					t.Errorf("layer %d was %v and is %v", i, old, d)
				}
				marks = append(marks, d.Annotations[xpkg.AnnotationKey])
			}
			if strings.Join(marks, " ") != c.marks || m.MediaType != types.OCIManifestSchema1 || m.Config.MediaType != types.OCIConfigJSON {
				t.Errorf("got %v in %+v, want %s", marks, m, c.marks)
			}
			was, _ := c.img.RawConfigFile()
			if is, err := got.RawConfigFile(); err != nil || string(is) != string(was) {
				t.Errorf("the configuration was %s and is %s (%v)", was, is, err)
			}
			if method, err := xpkg.Open(got, nil).Method(t.Context()); err != nil || method != xpkg.MethodAnnotation {
				t.Errorf("after: got %s (%v)", method, err)
			}
			if p, err := xpkg.Open(got, nil).Package(t.Context()); err != nil || p.Meta.Name != "configuration-test" {
				t.Errorf("got %v (%v)", p, err)
			}
		})
	}
	none := runtimeImage(t, layerOf(t, reg("package.yaml")))
	lost, err := mutate.Config(none, v1.Config{Labels: map[string]string{xpkg.AnnotationKey + ":sha256:" + strings.Repeat("0", 64): "docs"}})
	if err != nil {
		t.Fatal(err)
	}
	for reason, img := range map[string]v1.Image{"nothing is marked": none, "the layer of a label is not there": lost} {
		_, err := build.Repair(t.Context(), img)
		var repair *build.RepairError
		if !errors.As(err, &repair) || !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: got %v, want a *build.RepairError", reason, err)
		}
	}
}

func TestFiles(t *testing.T) {
	fsys := fstest.MapFS{"docs/a.md": {Data: []byte("# a"), Mode: 0o600}, "bin/run": {Data: []byte("#!"), Mode: 0o711}}
	zipped, err := build.Files(t.Context(), fsys, build.Gzip)
	if err != nil {
		t.Fatal(err)
	}
	if err := validate.Layer(zipped); err != nil {
		t.Error(err)
	}
	l, err := build.Files(t.Context(), fsys, build.Zstd)
	if err != nil {
		t.Fatal(err)
	}
	rc, err := l.Uncompressed()
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(rc)
	if err != nil {
		t.Fatal(err)
	}
	if got := entries(t, content); got != "bin/ 755, bin/run 755, docs/ 755, docs/a.md 644" {
		t.Errorf("got %s", got)
	}
	fsys["docs/a.md"].Mode, fsys["bin/run"].Mode = 0o644, 0o755
	again, err := build.Files(t.Context(), fsys, build.Zstd)
	if err != nil {
		t.Fatal(err)
	}
	first, _ := l.Digest()
	if other, _ := again.Digest(); other != first {
		t.Error("the umask changes the layer")
	}
	fsys["link"] = &fstest.MapFile{Data: []byte("docs"), Mode: 0o777 | 1<<27}
	if _, err := build.Files(t.Context(), fsys, ""); err == nil || !strings.Contains(err.Error(), "link") {
		t.Errorf("a link: got %v", err)
	}
	if _, err := build.Files(t.Context(), fsys, "lzma"); !errors.Is(err, meta.ErrInvalid) {
		t.Errorf("another compression: got %v", err)
	}
}
