package xpkg_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

const providerYAML = `apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-test
spec:
  controller:
    image: crossplane/provider-gcp-controller:v0.14.0
`

const functionYAML = `apiVersion: meta.pkg.crossplane.io/v1beta1
kind: Function
metadata:
  name: function-test
spec:
  image: xpkg.example.org/org/function:v1
`

// named copies a file under another name.
func named(t *testing.T, name, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), name)
	if err := os.Rename(path, to); err != nil {
		t.Fatal(err)
	}
	return to
}

// packageFile is a docker tar, as Crossplane's builder writes it.
func packageFile(t *testing.T, name, content string) string {
	t.Helper()
	layer := gzipped(tarOf(file{name: "package.yaml", content: content}))
	return named(t, name, dockerTar{layers: [][]byte{layer}, labels: baseLabel(layer)}.write(t))
}

func TestAdd(t *testing.T) {
	cases := []struct {
		name, reason string
		path         func(t *testing.T) string
		content      string
		controller   string
	}{
		{"docker tar", "what the package builder writes", func(t *testing.T) string { return packageFile(t, "mycoolpkg.xpkg", packageYAML) }, packageYAML, ""},
		{"OCI tar", "also with a manifest", func(t *testing.T) string { return named(t, "mycoolpkg.xpkg", tarDir(t, pkg().layout(t))) }, packageYAML, ""},
		{"compressed", "a tar may be", func(t *testing.T) string {
			return writeTemp(t, "mycoolpkg.xpkg", gzipped(tarOf(dockerTar{layers: [][]byte{pkg().layers[0].blob}}.files()...)))
		}, packageYAML, ""},
		{"layout", "a directory is kept as a file", func(t *testing.T) string { return named(t, "mycoolpkg", pkg().layout(t)) }, packageYAML, ""},
		{"layout .xpkg", "whatever it is called", func(t *testing.T) string { return named(t, "mycoolpkg.xpkg", pkg().layout(t)) }, packageYAML, ""},
		{"provider", "its controller must be reachable", func(t *testing.T) string { return packageFile(t, "mycoolpkg.xpkg", providerYAML) }, providerYAML, "crossplane/provider-gcp-controller:v0.14.0"},
		{"function", "and the image of a function", func(t *testing.T) string { return packageFile(t, "mycoolpkg.xpkg", functionYAML) }, functionYAML, "xpkg.example.org/org/function:v1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "cache")
			path := c.path(t)
			source, err := xpkg.OpenFile(t.Context(), path, nil)
			if err != nil {
				t.Fatal(err)
			}
			digest, err := source.Digest(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			got, err := xpkg.OpenCache(dir, nil).Add(t.Context(), path, nil)
			want := xpkg.LocalPackage{Name: "mycoolpkg", Path: filepath.Join(dir, "mycoolpkg.xpkg"), Digest: digest, Controller: c.controller}
			if err != nil || *got != want {
				t.Fatalf("got %+v (%v), want %+v: %s", got, err, want, c.reason)
			}
			// It is a copy.
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			for _, policy := range []xpkg.PullPolicy{xpkg.PullNever, xpkg.PullIfNotPresent, xpkg.PullAlways} {
				client := &xpkg.Client{Transport: unreachable{t}, Cache: xpkg.OpenCache(dir, nil), Pull: policy}
				img, err := client.Image(t.Context(), "mycoolpkg", nil)
				if err != nil {
					t.Fatalf("%s: %v", policy, err)
				}
				if img.Reference() != "mycoolpkg" {
					t.Errorf("got the reference %q", img.Reference())
				}
				if content, err := read(t, img); err != nil || content != c.content {
					t.Errorf("%s: got %q (%v)", policy, content, err)
				}
			}
			if files := entries(t, dir); !slices.Equal(files, []string{want.Path}) {
				t.Errorf("the cache has %q", files)
			}
		})
	}
}

func TestFileThatWasCopiedIntoTheCache(t *testing.T) {
	// The guide's user copies a file and does nothing else.
	dir := t.TempDir()
	b, err := os.ReadFile(packageFile(t, "x", packageYAML))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "mycoolpkg.xpkg")
	if err := os.WriteFile(path, b, 0o666); err != nil {
		t.Fatal(err)
	}
	never := &xpkg.Client{Transport: unreachable{t}, Cache: xpkg.OpenCache(dir, nil), Pull: xpkg.PullNever}
	if got, err := get(t, never, "mycoolpkg"); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	// One that is broken is told, and never replaced by what Docker Hub has.
	if err := os.WriteFile(path, b[:len(b)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	for _, policy := range []xpkg.PullPolicy{xpkg.PullNever, xpkg.PullIfNotPresent, xpkg.PullAlways} {
		c := &xpkg.Client{Transport: unreachable{t}, Cache: xpkg.OpenCache(dir, nil), Pull: policy}
		_, err := get(t, c, "mycoolpkg")
		checkError(t, err, meta.ErrNotPackage, "mycoolpkg.xpkg")
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("the user's file is gone: %v", err)
	}
}

// Which controller image must be reachable is told of a file that was copied, too.
func TestLocal(t *testing.T) {
	dir := t.TempDir()
	cache := xpkg.OpenCache(dir, nil)
	for name, content := range map[string]string{"provider": providerYAML, "function": functionYAML, "configuration": packageYAML} {
		b, err := os.ReadFile(packageFile(t, "x", content))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name+".xpkg")
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		img, err := xpkg.OpenFile(t.Context(), path, nil)
		if err != nil {
			t.Fatal(err)
		}
		digest, err := img.Digest(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := xpkg.LocalPackage{Name: name, Path: path, Digest: digest, Controller: map[string]string{
			"provider": "crossplane/provider-gcp-controller:v0.14.0", "function": "xpkg.example.org/org/function:v1",
		}[name]}
		if got, err := cache.Local(t.Context(), name, nil); err != nil || *got != want {
			t.Errorf("got %+v (%v), want %+v", got, err, want)
		}
	}
	broken := filepath.Join(dir, "broken.xpkg")
	if err := os.WriteFile(broken, []byte("text"), 0o666); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, reason string
		dir          string
		o            *xpkg.Options
		is           error
	}{
		{"none", "there is no such file", dir, nil, meta.ErrNotFound},
		{"Provider", "another one, also where the file system does not tell", dir, nil, meta.ErrNotFound},
		{"none", "nor a directory", filepath.Join(dir, "none"), nil, meta.ErrNotFound},
		{"broken", "no image", dir, nil, meta.ErrNotPackage},
		{"provider", "the limits are those of the options", dir, &xpkg.Options{MaxPackageBytes: 10}, meta.ErrLimit},
		{"../provider", "no name", dir, nil, meta.ErrInvalid},
		{"", "no name", dir, nil, meta.ErrInvalid},
		{"provider", "no cache", "", nil, meta.ErrInvalid},
	}
	for _, c := range cases {
		got, err := xpkg.OpenCache(c.dir, nil).Local(t.Context(), c.name, c.o)
		if !errors.Is(err, c.is) || got != nil {
			t.Errorf("%q: got %v (%v), want %v: %s", c.name, got, err, c.is, c.reason)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := cache.Local(ctx, "provider", nil)
	checkError(t, err, meta.ErrCanceled, "provider")
}

func TestNamesThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	cache := xpkg.OpenCache(dir, nil)
	for _, name := range []string{"mycoolpkg", "Upper"} {
		if _, err := cache.Add(t.Context(), packageFile(t, name+".xpkg", packageYAML), nil); err != nil {
			t.Fatal(err)
		}
	}
	c := &xpkg.Client{Transport: unreachable{t}, Cache: cache, Pull: xpkg.PullNever}
	for _, ref := range []string{"mycoolpkgs", "mycoolpk", "upper", "MyCoolPkg", "mycoolpkg.xpkg", "mycoolpkg:latest", "mycoolpkg@sha256:" + strings.Repeat("a", 64), "library/mycoolpkg", "index.docker.io/library/mycoolpkg"} {
		_, err := get(t, c, ref)
		if !errors.Is(err, meta.ErrNotFound) && !errors.Is(err, meta.ErrInvalid) {
			t.Errorf("%s: got %v", ref, err)
		}
	}
	_, err := get(t, c, "mycoolpkgs")
	var miss *xpkg.CacheMissError
	checkError(t, err, meta.ErrNotFound, "mycoolpkgs is not in the cache", "put there by hand: Upper, mycoolpkg")
	if !errors.As(err, &miss) || !slices.Equal(miss.Local, []string{"Upper", "mycoolpkg"}) {
		t.Errorf("got %#v", err)
	}
	if got, err := get(t, c, "Upper"); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
}

func TestAddRefuses(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "cache")
	for _, name := range []string{
		".xpkg", "..xpkg", "...xpkg", ".hidden.xpkg", "-rf.xpkg", "a b.xpkg", "a:b.xpkg", `a\b.xpkg`, "a\nb.xpkg", "a@b.xpkg",
		"ü.xpkg", "a%2fb.xpkg", strings.Repeat("a", 251) + ".xpkg",
	} {
		if runtime.GOOS == "windows" && strings.ContainsAny(name, ":\\\n") {
			continue
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, nil, 0o666); err != nil && len(name) < 255 {
			t.Fatal(err)
		}
		_, err := xpkg.OpenCache(dir, nil).Add(t.Context(), path, nil)
		var field *meta.FieldError
		if !errors.As(err, &field) {
			t.Errorf("%q: got %v", name, err)
		}
	}
	layer := gzipped(tarOf(file{name: "package.yaml", content: packageYAML}))
	swapped := dockerTar{layers: [][]byte{layer}}.files()
	swapped[0].content = string(gzipped(tarOf(file{name: "package.yaml", content: providerYAML})))
	cases := []struct {
		name, reason string
		path         string
		is           error
	}{
		{"missing", "there is nothing", filepath.Join(outside, "none.xpkg"), meta.ErrNotFound},
		{"parent", "a way out names no file", "../evil", meta.ErrNotFound},
		{"parent directory", "nor does the directory itself", "..", meta.ErrInvalid},
		{"no tar", "no image", writeTemp(t, "a.xpkg", []byte("text")), meta.ErrNotPackage},
		{"empty", "no image", writeTemp(t, "a.xpkg", nil), meta.ErrNotPackage},
		{"no package", "an image that holds none", dockerTar{layers: [][]byte{gzipped(tarOf(file{name: "a"}))}}.write(t), meta.ErrNotPackage},
		{"faulty", "a package with a fault", packageFile(t, "a.xpkg", "kind: [\n"), meta.ErrInvalid},
		{"swapped", "other bytes than the digests say", writeTemp(t, "a.xpkg", tarOf(swapped...)), meta.ErrDigest},
		{"directory", "no layout", t.TempDir(), meta.ErrNotPackage},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := xpkg.OpenCache(dir, nil).Add(t.Context(), c.path, nil)
			if !errors.Is(err, c.is) {
				t.Errorf("got %v, want %v: %s", err, c.is, c.reason)
			}
		})
	}
	left, err := os.ReadDir(outside)
	if err != nil || len(left) != 0 {
		t.Errorf("something was written: %v (%v)", left, err)
	}
	// A limit is that of the caller.
	_, err = xpkg.OpenCache(dir, nil).Add(t.Context(), packageFile(t, "a.xpkg", packageYAML), &xpkg.Options{MaxPackageBytes: 10})
	checkError(t, err, meta.ErrLimit)
	// Here the cache is what was asked for.
	at := writeTemp(t, "file", nil)
	_, err = xpkg.OpenCache(at, nil).Add(t.Context(), packageFile(t, "a.xpkg", packageYAML), nil)
	var failed *xpkg.FileError
	if !errors.As(err, &failed) || !strings.HasPrefix(failed.Path, at) {
		t.Errorf("got %v", err)
	}
	_, err = xpkg.OpenCache("", nil).Add(t.Context(), "a.xpkg", nil)
	checkError(t, err, meta.ErrInvalid, "Cache")
}

func TestAddAgain(t *testing.T) {
	dir := t.TempDir()
	cache := xpkg.OpenCache(dir, nil)
	c := &xpkg.Client{Transport: unreachable{t}, Cache: cache, Pull: xpkg.PullNever}
	for _, content := range []string{packageYAML, providerYAML, functionYAML} {
		if _, err := cache.Add(t.Context(), packageFile(t, "a.xpkg", content), nil); err != nil {
			t.Fatal(err)
		}
		if got, err := get(t, c, "a"); err != nil || got != content {
			t.Errorf("got %q (%v), want %q", got, err, content)
		}
	}
	// Who fails leaves what was there.
	if _, err := cache.Add(t.Context(), writeTemp(t, "a.xpkg", nil), nil); err == nil {
		t.Error("got no error")
	}
	if got, err := get(t, c, "a"); err != nil || got != functionYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	// Who reads meanwhile sees one or the other.
	paths := []string{packageFile(t, "a.xpkg", packageYAML), packageFile(t, "a.xpkg", functionYAML)}
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if _, err := xpkg.OpenCache(dir, nil).Add(t.Context(), paths[n%2], nil); err != nil {
				t.Error(err)
			}
		})
		wg.Go(func() {
			img, err := c.Image(t.Context(), "a", nil)
			if err != nil {
				t.Error(err)
				return
			}
			// The file may be another one by now, with the digests of the first:
			// then it is an error, and never a mixture.
			if p, err := img.Package(t.Context()); err == nil && p.Meta.Name != "configuration-test" && p.Meta.Name != "function-test" {
				t.Errorf("got %v", p.Meta.Name)
			}
		})
	}
	wg.Wait()
	checkNoLeftovers(t, dir)
}

// checkNoLeftovers checks that nothing is being written.
func checkNoLeftovers(t *testing.T, dir string) {
	t.Helper()
	for _, part := range []string{"tmp", "locks"} {
		files, err := os.ReadDir(filepath.Join(dir, "v1", part))
		if err != nil && !errors.Is(err, fs.ErrNotExist) || len(files) > 0 {
			t.Errorf("%s has %v (%v)", part, files, err)
		}
	}
}
