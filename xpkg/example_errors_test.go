package xpkg_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// baseImage is an image of layers that are marked as the base layer.
func baseImage(blobs ...[]byte) v1.Image {
	img := empty.Image
	for _, blob := range blobs {
		var err error
		img, err = mutate.Append(img, mutate.Addendum{
			Layer:       static.NewLayer(blob, types.OCIUncompressedLayer),
			Annotations: map[string]string{xpkg.AnnotationKey: xpkg.BaseAnnotation},
		})
		if err != nil {
			log.Fatal(err)
		}
	}
	return img
}

// tempDir makes a directory that the caller removes.
func tempDir() (dir string, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	return dir, func() { os.RemoveAll(dir) }
}

// Offline is offline: what the cache does not have is told without asking anybody.
func ExampleCacheMissError() {
	dir, remove := tempDir()
	defer remove()
	c := &xpkg.Client{Cache: xpkg.OpenCache(dir, nil), Pull: xpkg.PullNever}
	_, err := c.Image(context.Background(), "xpkg.example.org/org/package:v1.0.0", nil)
	var miss *xpkg.CacheMissError
	if errors.As(err, &miss) {
		fmt.Println(miss.Ref, miss.Dir == dir)
	}
	fmt.Println(errors.Is(err, meta.ErrNotFound))
	// Output:
	// xpkg.example.org/org/package:v1.0.0 true
	// true
}

// Where a package goes is said by the same rules as where it comes from.
func ExampleClient_Destination() {
	c := &xpkg.Client{Registries: meta.Registries{Default: "xpkg.example.org"}}
	source, err := meta.ParseSource("org/package")
	if err != nil {
		log.Fatal(err)
	}
	r, err := c.Destination(source)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(r.Name())
	// Output: xpkg.example.org/org/package
}

// A manifest that an index lists and that is not there is told by its digest.
func ExampleChildError() {
	ctx := context.Background()
	dir, remove := tempDir()
	defer remove()
	entry := v1.Hash{Algorithm: "sha256", Hex: strings.Repeat("a", 64)}
	list := `{"schemaVersion":2,"manifests":[{"mediaType":"` + string(types.OCIManifestSchema1) + `","size":7,"digest":"` + entry.String() + `"}]}`
	for name, content := range map[string]string{"index.json": list, "oci-layout": `{"imageLayoutVersion":"1.0.0"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	_, err := xpkg.OpenFile(ctx, dir, nil)
	var child *xpkg.ChildError
	if errors.As(err, &child) {
		fmt.Println(child.Digest == entry.String())
	}
	fmt.Println(errors.Is(err, meta.ErrNotFound))
	// Output:
	// true
	// true
}

// A file of credentials that cannot be read is told by its name, never by what is in it.
func ExampleCredentialsError() {
	host, stop := startRegistry()
	defer stop()
	dir, remove := tempDir()
	defer remove()
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(`{"auths": {"`+host+`": {"auth": "secret"}}}`), 0o600); err != nil {
		log.Fatal(err)
	}
	before, had := os.LookupEnv("DOCKER_CONFIG")
	os.Setenv("DOCKER_CONFIG", dir)
	defer func() {
		os.Unsetenv("DOCKER_CONFIG")
		if had {
			os.Setenv("DOCKER_CONFIG", before)
		}
	}()

	_, err := new(xpkg.Client).Image(context.Background(), host+"/org/package:v1.0.0", nil)
	var refused *xpkg.CredentialsError
	if errors.As(err, &refused) {
		fmt.Println(refused.Host == host, filepath.Base(refused.File), strings.Contains(err.Error(), "secret"))
	}
	// Output: true config.json false
}

// A registry that answers with other bytes than the digest promises is not believed.
func ExampleDigestError() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	digest, err := new(xpkg.Client).Push(ctx, host+"/org/package:v1.0.0", sample())
	if err != nil {
		log.Fatal(err)
	}

	c := &xpkg.Client{Transport: spoil{}}
	_, err = c.Image(ctx, host+"/org/package@"+digest, nil)
	var wrong *xpkg.DigestError
	if errors.As(err, &wrong) {
		fmt.Println(wrong.What, wrong.Want == digest, wrong.Got != digest)
	}
	fmt.Println(errors.Is(err, meta.ErrDigest))
	// Output:
	// manifest true true
	// true
}

// spoil changes the last byte of every answer.
type spoil struct{}

func (spoil) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || resp.ContentLength <= 0 {
		return resp, err
	}
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	if len(b) > 0 {
		b[len(b)-1] ^= 1
	}
	resp.Body = io.NopCloser(strings.NewReader(string(b)))
	return resp, nil
}

// Whoever stops before the end is told that nothing of it was verified.
func ExampleImage_Stream_unverified() {
	s, err := xpkg.Open(sample(), nil).Stream(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := s.Read(make([]byte, 10)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(errors.Is(s.Close(), xpkg.ErrUnverified))
	// Output: true
}

func ExampleFileError() {
	dir, remove := tempDir()
	defer remove()
	_, err := xpkg.OpenFile(context.Background(), filepath.Join(dir, "none.xpkg"), nil)
	var file *xpkg.FileError
	if errors.As(err, &file) {
		fmt.Println(filepath.Base(file.Path), errors.Is(err, meta.ErrNotFound))
	}
	// Output: none.xpkg true
}

// A layer that is no archive is told by its place in the manifest.
func ExampleLayerError() {
	_, err := xpkg.Open(baseImage([]byte("no tar archive")), nil).Package(context.Background())
	var layer *xpkg.LayerError
	if errors.As(err, &layer) {
		fmt.Println("layer", layer.Index, errors.Is(err, meta.ErrInvalid))
	}
	// Output: layer 0 true
}

// A manifest that is no JSON is told with where it is.
func ExampleManifestError() {
	dir, remove := tempDir()
	defer remove()
	for name, content := range map[string]string{"index.json": "{]", "oci-layout": `{"imageLayoutVersion":"1.0.0"}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			log.Fatal(err)
		}
	}
	_, err := xpkg.OpenFile(context.Background(), dir, nil)
	var manifest *xpkg.ManifestError
	if errors.As(err, &manifest) {
		fmt.Println(manifest.Ref == dir, manifest.Reason)
	}
	// Output: true not the JSON of a manifest
}

// Of two layers that are marked as the base layer neither is taken.
func ExampleMultipleBaseLayersError() {
	one := tarOf(file{name: "package.yaml", content: packageYAML})
	other := tarOf(file{name: "package.yaml", content: packageYAML + "# another one\n"})
	_, err := xpkg.Open(baseImage(one, other), nil).Package(context.Background())
	var several *xpkg.MultipleBaseLayersError
	if errors.As(err, &several) {
		fmt.Println(len(several.Digests), errors.Is(err, meta.ErrNotPackage))
	}
	// Output: 2 true
}

// Images of an index have to say which platform each is for.
func ExampleNoPlatformError() {
	ctx := context.Background()
	dir, remove := tempDir()
	defer remove()
	unnamed, err := mutate.AppendLayers(sample(), static.NewLayer(tarOf(file{name: "program"}), types.OCIUncompressedLayer))
	if err != nil {
		log.Fatal(err)
	}
	if unnamed, err = mutate.ConfigFile(unnamed, &v1.ConfigFile{RootFS: v1.RootFS{Type: "layers"}}); err != nil {
		log.Fatal(err)
	}
	var paths []string
	for name, img := range map[string]v1.Image{"named.xpkg": sample(), "unnamed.xpkg": unnamed} {
		paths = append(paths, filepath.Join(dir, name))
		if err := build.WriteFile(ctx, paths[len(paths)-1], img, build.OCI); err != nil {
			log.Fatal(err)
		}
	}
	_, err = new(xpkg.Client).PushFiles(ctx, "xpkg.example.org/org/package:v1.0.0", paths, nil)
	var platform *xpkg.NoPlatformError
	if errors.As(err, &platform) {
		fmt.Println(filepath.Base(platform.Image.File))
	}
	// Output: unnamed.xpkg
}

// A package with faults comes back beside them: what could be read can be shown.
func ExamplePackageError() {
	text := strings.Replace(packageYAML, ">=v0.2.0", "banana", 1)
	img := baseImage(tarOf(file{name: "package.yaml", content: text}))
	pkg, err := xpkg.Open(img, nil).Package(context.Background())
	var faulty *xpkg.PackageError
	if errors.As(err, &faulty) {
		fmt.Println(pkg.Meta.Name)
	}
	var faults parser.ErrorList
	if errors.As(err, &faults) {
		fmt.Println(faults[0].Range, faults[0].Path)
	}
	// Output:
	// configuration-test
	// package.yaml:10:14 spec.dependsOn[0].version
}

// An index that has nothing for the platform says what it has.
func ExamplePlatformError() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	other := baseImage(tarOf(file{name: "package.yaml", content: packageYAML + "# another one\n"}))
	idx := mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: sample(), Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}}},
		mutate.IndexAddendum{Add: other, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "s390x"}}},
	)
	if err := pushIndex(host+"/org/package:v1.0.0", idx); err != nil {
		log.Fatal(err)
	}
	_, err := new(xpkg.Client).Image(ctx, host+"/org/package:v1.0.0", nil)
	var platform *xpkg.PlatformError
	if errors.As(err, &platform) {
		fmt.Println("want", platform.Want, "have", platform.Have)
	}
	// Output: want linux/amd64 have [linux/arm64 linux/s390x]
}

// A release whose dependencies cannot be read is no release that depends on nothing.
func ExampleReleaseError() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	c := &xpkg.Client{}
	text := strings.Replace(packageYAML, ">=v0.2.0", "banana", 1)
	if _, err := c.Push(ctx, host+"/org/package:v1.0.0", baseImage(tarOf(file{name: "package.yaml", content: text}))); err != nil {
		log.Fatal(err)
	}
	source, err := meta.ParseSource(host + "/org/package")
	if err != nil {
		log.Fatal(err)
	}
	_, err = c.Release(ctx, source, source.WithTag("v1.0.0").Version())
	var release *xpkg.ReleaseError
	fmt.Println(errors.As(err, &release), errors.Is(err, meta.ErrInvalid))
	// Output: true true
}
