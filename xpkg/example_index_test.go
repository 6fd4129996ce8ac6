package xpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/static"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// An indexer lists what there is and reads each by its digest.
func ExampleClient_Index() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	idx := mutate.AppendManifests(empty.Index,
		mutate.IndexAddendum{Add: sample(), Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}}},
		mutate.IndexAddendum{Add: empty.Image, Descriptor: v1.Descriptor{Annotations: map[string]string{"vnd.docker.reference.type": "attestation-manifest"}}},
	)
	c := &xpkg.Client{}
	source, err := meta.ParseSource(host + "/org/package")
	if err != nil {
		log.Fatal(err)
	}
	if err := pushIndex(source.WithTag("v1.0.0").String(), idx); err != nil {
		log.Fatal(err)
	}

	entries, err := c.Index(ctx, source.WithTag("v1.0.0").String(), nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range entries {
		if e.Role != xpkg.RoleImage {
			fmt.Println(e.Role)
			continue
		}
		img, err := c.Image(ctx, source.String()+"@"+e.Digest, nil)
		if err != nil {
			log.Fatal(err)
		}
		pkg, err := img.Package(ctx)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(e.Role, e.Platform, pkg.Meta.Name)
	}
	// Output:
	// image linux/arm64 configuration-test
	// attestation
}

// Packages of other registries come through the mirror of a company; those that
// name no registry come from its own.
func ExampleClient_Image_mirrors() {
	ctx := context.Background()
	mirror, stop := startRegistry()
	defer stop()
	if _, err := (&xpkg.Client{}).Push(ctx, mirror+"/upstream/org/configuration-test:v1.0.0", sample()); err != nil {
		log.Fatal(err)
	}

	c := &xpkg.Client{Registries: meta.Registries{
		Default: "xpkg.example.org",
		Mirrors: []meta.Rewrite{{From: "xpkg.example.org/", To: mirror + "/upstream/"}},
	}}
	img, err := c.Image(ctx, "org/configuration-test:v1.0.0", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(img.Reference(), img.Resolved() == mirror+"/upstream/org/configuration-test:v1.0.0")
	// Output: org/configuration-test:v1.0.0 true
}

// Only what a list names is read, whether it comes from a registry or a cache.
func ExampleOptions_verify() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	c := &xpkg.Client{}
	digest, err := c.Push(ctx, host+"/org/configuration-test:v1.0.0", sample())
	if err != nil {
		log.Fatal(err)
	}

	approved := map[string]bool{digest: true}
	o := &xpkg.Options{Verify: func(_ context.Context, s *xpkg.Subject) error {
		if !approved[s.Digest] {
			return errors.New("nobody has approved it")
		}
		return nil
	}}
	_, err = c.Image(ctx, host+"/org/configuration-test:v1.0.0", o)
	fmt.Println(err)
	delete(approved, digest)
	_, err = c.Image(ctx, host+"/org/configuration-test:v1.0.0", o)
	var refused *xpkg.VerifyError
	fmt.Println(errors.As(err, &refused), refused.Err)
	// Output:
	// <nil>
	// true nobody has approved it
}

func ExampleDetect() {
	raw, err := sample().RawManifest()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(xpkg.Detect(raw).Answer)
	fmt.Println(xpkg.Detect([]byte(`{"schemaVersion":2,"layers":[]}`)).Err)
	// Output:
	// yes
	// image: not a package: the image has no layers
}

// What an upload holds is known before it is kept.
func ExampleOpenReader() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "configuration-test.xpkg")
	if err := build.WriteFile(ctx, path, sample(), build.OCI); err != nil {
		log.Fatal(err)
	}
	upload, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}

	img, err := xpkg.OpenReader(ctx, "upload", bytes.NewReader(upload), nil)
	if err != nil {
		log.Fatal(err)
	}
	pkg, err := img.Package(ctx)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pkg.Meta.Name)

	_, err = xpkg.OpenReader(ctx, "upload", bytes.NewReader(upload), &xpkg.Options{MaxBlobBytes: 1000})
	var limit *meta.LimitError
	fmt.Println(errors.As(err, &limit), limit.Limit)
	// Output:
	// configuration-test
	// true 1000
}

// Layers that others marked are listed in the order of the manifest and read one
// by one.
func ExampleImage_LayerFS() {
	ctx := context.Background()
	docs := static.NewLayer(tarOf(file{name: "index.md", content: "# How to use it"}), types.OCIUncompressedLayer)
	img, err := mutate.Append(sample(), mutate.Addendum{Layer: docs, Annotations: map[string]string{xpkg.AnnotationKey: "docs"}})
	if err != nil {
		log.Fatal(err)
	}

	opened := xpkg.Open(img, nil)
	layers, err := opened.Layers(ctx)
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range layers {
		if l.Mark != "docs" {
			continue
		}
		fsys, err := opened.LayerFS(ctx, l.Index)
		if err != nil {
			log.Fatal(err)
		}
		b, err := fs.ReadFile(fsys, "index.md")
		fmt.Println(string(b), err)
	}
	// Output: # How to use it <nil>
}

// The content of a layer may be used when it was read to its end.
func ExampleImage_OpenLayer() {
	r, err := xpkg.Open(sample(), nil).OpenLayer(context.Background(), 0)
	if err != nil {
		log.Fatal(err)
	}
	_, err = io.Copy(io.Discard, r)
	fmt.Println(err, r.Close())
	// Output: <nil> <nil>
}

// A whole image is copied with the same digest.
func ExampleImage_V1() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	c := &xpkg.Client{}
	before, err := c.Push(ctx, host+"/org/configuration-test:v1.0.0", sample())
	if err != nil {
		log.Fatal(err)
	}

	img, err := c.Image(ctx, host+"/org/configuration-test:v1.0.0", nil)
	if err != nil {
		log.Fatal(err)
	}
	whole, err := img.V1(ctx)
	if err != nil {
		log.Fatal(err)
	}
	after, err := c.Push(ctx, host+"/copy/configuration-test:v1.0.0", whole)
	fmt.Println(after == before, err)
	// Output: true <nil>
}

// pushIndex writes an index with go-containerregistry.
func pushIndex(ref string, idx v1.ImageIndex) error {
	r, err := name.ParseReference(ref)
	if err != nil {
		return err
	}
	return remote.WriteIndex(r, idx)
}

// Who reads all that a registry has asks it for its repositories and their tags.
func ExampleClient_Repositories() {
	ctx := context.Background()
	host, stop := startRegistry()
	defer stop()
	c := &xpkg.Client{}
	if _, err := c.Push(ctx, host+"/org/configuration-test:v1.0.0", sample()); err != nil {
		log.Fatal(err)
	}

	repositories, err := c.Repositories(ctx, host)
	if err != nil {
		log.Fatal(err)
	}
	for _, r := range repositories {
		tags, err := c.Tags(ctx, r)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(r.Repository(), tags)
	}
	// Output:
	// org/configuration-test [v1.0.0]
}
