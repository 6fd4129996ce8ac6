package xpkg_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// samplePackageFile writes a package into a directory of its own.
func samplePackageFile() (path string, remove func()) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	path = filepath.Join(dir, "configuration-test.xpkg")
	if err := build.WriteFile(context.Background(), path, sample(), build.OCI); err != nil {
		log.Fatal(err)
	}
	return path, func() { os.RemoveAll(dir) }
}

func ExampleClient_PushFiles() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	path, remove := samplePackageFile()
	defer remove()

	c := &xpkg.Client{}
	pushed, err := c.PushFiles(ctx, host+"/org/configuration-test:v1.0.0", []string{path}, nil)
	if err != nil {
		log.Fatal(err)
	}
	img, err := c.Image(ctx, pushed.Reference, nil)
	if err != nil {
		log.Fatal(err)
	}
	digest, err := img.Digest(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("what was pushed is what is there:", digest == pushed.Digest)
	fmt.Println("images:", len(pushed.Images), "for", pushed.Images[0].Platform)
	// Output:
	// what was pushed is what is there: true
	// images: 1 for linux/amd64
}

// A tag that is no version is refused, and so are two files of one platform.
func ExampleClient_PushFiles_failure() {
	ctx := context.Background()
	path, remove := samplePackageFile()
	defer remove()

	c := &xpkg.Client{}
	_, err := c.PushFiles(ctx, "org/configuration-test:v1", []string{path}, nil)
	var tag *xpkg.TagError
	if errors.As(err, &tag) {
		fmt.Println(tag.Tag, "is", tag.Class)
	}
	fmt.Println(err)

	_, err = c.PushFiles(ctx, "org/configuration-test:v1.0.0", []string{path, path}, nil)
	var clash *xpkg.PlatformClashError
	if errors.As(err, &clash) {
		fmt.Println("two for", clash.Platform)
	}
	// Output:
	// v1 is partial
	// org/configuration-test:v1: the tag "v1" is only the beginning of a version, such as v1.2.3; ranges of versions never find it
	// two for linux/amd64
}

func ExampleFindPackage() {
	path, remove := samplePackageFile()
	defer remove()
	found, err := xpkg.FindPackage(filepath.Dir(path))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(found))

	if err := os.Remove(path); err != nil {
		log.Fatal(err)
	}
	_, err = xpkg.FindPackage(filepath.Dir(path))
	var files *xpkg.PackageFilesError
	fmt.Println(errors.As(err, &files) && len(files.Packages) == 0, errors.Is(err, meta.ErrNotFound))
	// Output:
	// configuration-test.xpkg
	// true true
}

// What a repository holds is copied as it is: here one image to another repository.
func ExampleRepository() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	c := &xpkg.Client{}
	if _, err := c.Push(ctx, host+"/org/configuration-test:v1.0.0", sample()); err != nil {
		log.Fatal(err)
	}
	source, err := meta.ParseSource(host + "/org/configuration-test")
	if err != nil {
		log.Fatal(err)
	}
	r, err := c.Repository(source)
	if err != nil {
		log.Fatal(err)
	}
	m, err := r.Manifest(ctx, "v1.0.0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.MediaType, strings.HasPrefix(m.Digest, "sha256:"))
	_, err = r.Manifest(ctx, "v9.0.0")
	fmt.Println(errors.Is(err, meta.ErrNotFound))
	// Output:
	// application/vnd.oci.image.manifest.v1+json true
	// true
}
