package xpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/registry"
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

// sample builds a small package.
func sample() v1.Image {
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(packageYAML), nil))
	if err != nil {
		log.Fatal(err)
	}
	img, err := build.Package(context.Background(), pkg, nil)
	if err != nil {
		log.Fatal(err)
	}
	return img
}

// startRegistry starts a registry on the loopback and returns its host.
func startRegistry() (host string, stop func()) {
	server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
	return strings.TrimPrefix(server.URL, "http://"), server.Close
}

func ExampleClient_Image() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	c := &xpkg.Client{}
	if _, err := c.Push(ctx, host+"/org/configuration-test:v1.0.0", sample()); err != nil {
		log.Fatal(err)
	}

	img, err := c.Image(ctx, host+"/org/configuration-test:v1.0.0", nil)
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := img.Package(ctx)
	if err != nil {
		log.Fatal(err)
	}
	method, err := img.Method(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkg.Meta.Kind, pkg.Meta.Name, "found by", method)
	for _, d := range pkg.Meta.DependsOn {
		fmt.Println("needs", d.Package, d.Constraint)
	}
	// Output:
	// Configuration configuration-test found by annotation
	// needs xpkg.crossplane.io/crossplane-contrib/provider-nop >=v0.2.0
}

// What was pulled once is there without a registry.
func ExampleOpenCache() {
	ctx := context.Background()
	host, stop := startRegistry()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	c := &xpkg.Client{Cache: xpkg.OpenCache(dir, nil)}
	if _, err := c.Push(ctx, host+"/org/configuration-test:v1.0.0", sample()); err != nil {
		log.Fatal(err)
	}
	img, err := c.Image(ctx, host+"/org/configuration-test:v1.0.0", nil)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := img.Package(ctx); err != nil {
		log.Fatal(err)
	}
	stop() // the registry is gone

	offline := &xpkg.Client{Cache: xpkg.OpenCache(dir, nil), Pull: xpkg.PullNever}
	if img, err = offline.Image(ctx, host+"/org/configuration-test:v1.0.0", nil); err != nil {
		log.Fatal(err)
	}
	pkg, err := img.Package(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkg.Meta.Name)
	// Output: configuration-test
}

// What went wrong is told by category and by type.
func ExampleClient_Image_failure() {
	host, stop := startRegistry()
	defer stop()

	_, err := new(xpkg.Client).Image(context.Background(), host+"/org/absent:v1.0.0", nil)
	fmt.Println(meta.Code(err), errors.Is(err, meta.ErrNotFound))
	var answer *xpkg.RegistryError
	if errors.As(err, &answer) {
		fmt.Println(answer.Status, answer.Host == host)
	}
	// Output:
	// not-found true
	// 404 true
}

func ExampleOpenFile() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "configuration-test.xpkg")
	if err := build.WriteFile(ctx, path, sample(), build.Docker); err != nil {
		log.Fatal(err)
	}

	img, err := xpkg.OpenFile(ctx, path, nil)
	if err != nil {
		log.Fatal(err)
	}
	layers, err := img.Layers(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range layers {
		fmt.Println(l.Mark)
	}
	// Output: base
}

// An image that is no package says what there is instead.
func ExampleNotPackageError() {
	var layer bytes.Buffer
	layer.Write(tarOf(file{name: "config/package.yaml", content: packageYAML}))
	img, err := mutate.AppendLayers(empty.Image, static.NewLayer(layer.Bytes(), types.OCIUncompressedLayer))
	if err != nil {
		log.Fatal(err)
	}

	_, err = xpkg.Open(img, nil).Package(context.Background())
	var not *xpkg.NotPackageError
	if errors.As(err, &not) {
		fmt.Println(not.Reason, not.NearMisses)
	}
	// Output: package-yaml-missing [config/package.yaml]
}

// A stream tells at its end whether what was read may be used.
func ExampleImage_Stream() {
	s, err := xpkg.Open(sample(), nil).Stream(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	n, err := io.Copy(io.Discard, s)
	fmt.Println(n == int64(len(packageYAML)), err, s.Close())

	s, err = xpkg.Open(sample(), nil).Stream(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	if _, err := s.Read(make([]byte, 10)); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.Close())
	// Output:
	// true <nil> <nil>
	// stream closed before all of it was verified
}
