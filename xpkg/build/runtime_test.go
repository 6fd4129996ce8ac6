package build_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/google/go-containerregistry/pkg/v1/validate"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// runtimeImage is an image of a program as docker makes it.
func runtimeImage(t testing.TB, layers ...v1.Layer) v1.Image {
	t.Helper()
	img, err := mutate.AppendLayers(empty.Image, layers...)
	if err != nil {
		t.Fatal(err)
	}
	file, err := img.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	file = file.DeepCopy()
	file.Architecture, file.OS = "arm64", "linux"
	file.Config = v1.Config{
		Labels: map[string]string{"org.example.team": "clouds"}, Env: []string{"A=b"}, Entrypoint: []string{"/provider"},
		User: "65532", WorkingDir: "/work", ExposedPorts: map[string]struct{}{"8080/tcp": {}},
	}
	if img, err = mutate.ConfigFile(img, file); err != nil {
		t.Fatal(err)
	}
	return img
}

// I41: labels, environment, entrypoint and platform of the runtime stay, and the
// package is the built one, also for a reader of the flattened file system.
func TestRuntime(t *testing.T) {
	runtime := runtimeImage(t, layerOf(t, reg("app/package.yaml"), reg("package.yaml"), reg("provider")))
	server := registryServer(t)
	ref := server + "/org/runtime:v1"
	if _, err := (&xpkg.Client{}).Push(t.Context(), ref, runtime); err != nil {
		t.Fatal(err)
	}
	pulled, err := (&xpkg.Client{}).Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	remote, err := pulled.V1(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	dockerTar := filepath.Join(folder, "docker.tar")
	if err := tarball.WriteToFile(dockerTar, name.MustParseReference("runtime:v1"), runtime); err != nil {
		t.Fatal(err)
	}
	path, err := layout.Write(filepath.Join(folder, "layout"), empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := path.AppendImage(runtime); err != nil {
		t.Fatal(err)
	}
	ociTar := filepath.Join(folder, "oci.tar")
	if err := build.WriteFile(t.Context(), ociTar, runtime, build.OCI); err != nil {
		t.Fatal(err)
	}
	images := map[string]v1.Image{"v1.Image": runtime, "registry": remote}
	for what, file := range map[string]string{"docker tar": dockerTar, "layout": string(path), "OCI tar": ociTar} {
		if images[what], err = build.RuntimeFile(t.Context(), file, nil); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
	}
	want, err := runtime.ConfigFile()
	if err != nil {
		t.Fatal(err)
	}
	for what, runtime := range images {
		t.Run(what, func(t *testing.T) {
			img := dir(t, directory(t, sample()), &build.Options{Runtime: runtime})
			if err := validate.Image(img); err != nil {
				t.Error(err)
			}
			m := manifest(t, img)
			if len(m.Layers) != 3 || m.MediaType != types.OCIManifestSchema1 || m.Config.MediaType != types.OCIConfigJSON {
				t.Fatalf("got %+v", m)
			}
			for i, mark := range []string{"", xpkg.BaseAnnotation, build.ExamplesAnnotation} {
				if d := m.Layers[i]; d.MediaType != types.OCILayer || d.Annotations[xpkg.AnnotationKey] != mark {
					t.Errorf("layer %d is %+v, want one of OCI marked %q", i, d, mark)
				}
			}
			got, err := img.ConfigFile()
			if err != nil {
				t.Fatal(err)
			}
			for key := range got.Config.Labels {
				if strings.HasPrefix(key, xpkg.AnnotationKey) {
					delete(got.Config.Labels, key)
				}
			}
			if !reflect.DeepEqual(got.Config, want.Config) || got.Architecture != "arm64" || got.OS != "linux" {
				t.Errorf("got the configuration %+v, want %+v", got, want)
			}
			for _, o := range []v1.Image{img, withoutAnnotations(t, img)} {
				if p, err := xpkg.Open(o, nil).Package(t.Context()); err != nil || p.Meta.Name != "configuration-test" {
					t.Errorf("got %v (%v)", p, err)
				}
			}
			file := filepath.Join(t.TempDir(), "x.xpkg")
			if err := build.WriteFile(t.Context(), file, img, build.OCI); err != nil {
				t.Error(err)
			}
		})
	}
}

// withoutAnnotations is the image after docker has had it.
func withoutAnnotations(t testing.TB, img v1.Image) v1.Image {
	t.Helper()
	file := filepath.Join(t.TempDir(), "docker.tar")
	if err := build.WriteFile(t.Context(), file, img, build.Docker); err != nil {
		t.Fatal(err)
	}
	back, err := tarball.ImageFromPath(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	return back
}

func TestRuntimeUser(t *testing.T) {
	for user, root := range map[string]bool{"": true, "0": true, "root": true, "0:1000": true, "root:root": true, ":0": true, "00": true, "+0": true, "000:1": true, " 0": false, "65532": false, "nonroot:nonroot": false, "1000:0": false} {
		runtime, err := mutate.Config(runtimeImage(t, layerOf(t, reg("provider"))), v1.Config{User: user})
		if err != nil {
			t.Fatal(err)
		}
		told := false
		dir(t, directory(t, plain()), &build.Options{Runtime: runtime, Event: func(e build.Event) {
			if e.Kind == build.RunsAsRoot {
				told = true
				if e.Name != user {
					t.Errorf("%q is told as %q", user, e.Name)
				}
			}
		}})
		if told != root {
			t.Errorf("user %q: told %v, want %v", user, told, root)
		}
	}
}

func TestRuntimeErrors(t *testing.T) {
	packaged := dir(t, directory(t, plain()), nil)
	for reason, img := range map[string]v1.Image{
		"a package is no program: it would have two base layers":    packaged,
		"nor one whose annotations docker has lost: it has a label": withoutAnnotations(t, packaged),
	} {
		_, err := build.Dir(t.Context(), directory(t, plain()), &build.Options{Runtime: img})
		var field *meta.FieldError
		if !errors.As(err, &field) || !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: got %v", reason, err)
		}
	}
	_, err := build.Dir(t.Context(), directory(t, plain()), &build.Options{Runtime: altered{Image: packaged, config: func(b []byte) []byte { return bytes.ToUpper(b) }}})
	if !errors.Is(err, meta.ErrDigest) {
		t.Errorf("a configuration that is another one: got %v", err)
	}
	// No tool could unpack it, and only those that unpack would notice.
	short, err := mutate.ConfigFile(runtimeImage(t, layerOf(t, reg("provider"))), &v1.ConfigFile{RootFS: v1.RootFS{Type: "layers"}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = build.Dir(t.Context(), directory(t, plain()), &build.Options{Runtime: short})
	var manifest *xpkg.ManifestError
	if !errors.As(err, &manifest) || !strings.Contains(err.Error(), "it lists 1 layers, and its configuration 0 diff IDs") {
		t.Errorf("a configuration without the layer: got %v", err)
	}
	if _, err := build.RuntimeFile(t.Context(), filepath.Join(t.TempDir(), "none.tar"), nil); !errors.Is(err, meta.ErrNotFound) {
		t.Errorf("no file: got %v", err)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no image"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := build.RuntimeFile(t.Context(), text, nil); !errors.Is(err, meta.ErrNotPackage) {
		t.Errorf("no image: got %v", err)
	}
	// A layer of the runtime that is not what its digest says is not written.
	runtime := runtimeImage(t, layerOf(t, tar.Header{Name: "provider"}))
	img := dir(t, directory(t, plain()), &build.Options{Runtime: altered{Image: runtime, layer: func(b []byte) []byte { return b[:len(b)-1] }}})
	if err := build.WriteFile(t.Context(), filepath.Join(t.TempDir(), "x.xpkg"), img, build.OCI); !errors.Is(err, meta.ErrDigest) {
		t.Errorf("a broken layer: got %v", err)
	}
	// One that is not there is named by its own place, not by that of the output.
	from := filepath.Join(t.TempDir(), "layout")
	if _, err := layout.Write(from, mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: runtime})); err != nil {
		t.Fatal(err)
	}
	layers, err := runtime.Layers()
	if err != nil {
		t.Fatal(err)
	}
	digest, err := layers[0].Digest()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(from, "blobs", "sha256", digest.Hex)); err != nil {
		t.Fatal(err)
	}
	opened, err := build.RuntimeFile(t.Context(), from, nil)
	if err != nil {
		t.Fatal(err)
	}
	err = build.WriteFile(t.Context(), filepath.Join(t.TempDir(), "x.xpkg"), dir(t, directory(t, plain()), &build.Options{Runtime: opened}), build.OCI)
	if !errors.Is(err, meta.ErrNotFound) || !strings.Contains(err.Error(), from) || !strings.Contains(err.Error(), digest.Hex) {
		t.Errorf("a layer that is gone: got %v", err)
	}
}
