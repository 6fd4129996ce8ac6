package build_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"log"
	"os"
	"path/filepath"
	"testing/fstest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// exampleImage builds a small package.
func exampleImage() v1.Image {
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(crossplaneYAML), nil))
	if err != nil {
		log.Fatal(err)
	}
	img, err := build.Package(context.Background(), pkg, nil)
	if err != nil {
		log.Fatal(err)
	}
	return img
}

// marks prints the marks of the layers.
func marks(img v1.Image) {
	layers, err := xpkg.Open(img, nil).Layers(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, l := range layers {
		fmt.Printf("layer %d: %q\n", l.Index, l.Mark)
	}
}

// A third party adds a layer of its own to a package.
func ExampleAppend() {
	ctx := context.Background()
	before := exampleImage()
	layer, err := build.Files(ctx, fstest.MapFS{"docs/README.md": {Data: []byte("# How to use it\n")}}, build.Gzip)
	if err != nil {
		log.Fatal(err)
	}
	after, err := build.Append(ctx, before, "docs.example.org", layer)
	if err != nil {
		log.Fatal(err)
	}
	marks(after)
	changes, err := build.VerifyAdditive(ctx, before, after)
	fmt.Println(len(changes), err)
	// Output:
	// layer 0: "base"
	// layer 1: "docs.example.org"
	// 2 <nil>
}

// A layer that would change the package is refused.
func ExampleLayerError() {
	ctx := context.Background()
	layer, err := build.Files(ctx, fstest.MapFS{".wh.package.yaml": {}}, build.Gzip)
	if err != nil {
		log.Fatal(err)
	}
	_, err = build.Append(ctx, exampleImage(), "docs", layer)
	var refused *build.LayerError
	if errors.As(err, &refused) {
		fmt.Println(refused.Entry, refused.Reason)
	}
	// Output: .wh.package.yaml deletes /package.yaml
}

// A tool has put another package.yaml on top of one.
func ExampleVerifyAdditive() {
	ctx := context.Background()
	before := exampleImage()
	layer, err := build.Files(ctx, fstest.MapFS{"package.yaml": {Data: []byte("another")}}, build.Gzip)
	if err != nil {
		log.Fatal(err)
	}
	after, err := mutate.AppendLayers(before, layer)
	if err != nil {
		log.Fatal(err)
	}
	_, err = build.VerifyAdditive(ctx, before, after)
	var harm *build.AdditiveError
	if errors.As(err, &harm) {
		for _, c := range harm.Harm {
			fmt.Println(c.Kind, c.Path)
		}
	}
	// Output: file-taken package.yaml
}

func ExampleAnnotate() {
	img, err := build.Annotate(exampleImage(), map[string]string{"org.opencontainers.image.revision": "0123abc"})
	if err != nil {
		log.Fatal(err)
	}
	m, err := img.Manifest()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(m.Annotations["org.opencontainers.image.revision"], m.Annotations["org.opencontainers.image.title"])
	// Output: 0123abc configuration-test
}

func ExampleRelabel() {
	img, err := build.Relabel(exampleImage(), map[string]string{"org.example.team": "clouds"})
	if err != nil {
		log.Fatal(err)
	}
	c, err := img.ConfigFile()
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c.Config.Labels["org.example.team"])
	// Output: clouds
}

// docker save keeps no annotations; the labels bring them back.
func ExampleRepair() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "saved.tar")
	if err := build.WriteFile(ctx, file, exampleImage(), build.Docker); err != nil {
		log.Fatal(err)
	}
	saved, err := tarball.ImageFromPath(file, nil)
	if err != nil {
		log.Fatal(err)
	}
	marks(saved)
	repaired, err := build.Repair(ctx, saved)
	if err != nil {
		log.Fatal(err)
	}
	marks(repaired)
	// Output:
	// layer 0: ""
	// layer 0: "base"
}

// An image that was never a package cannot become one.
func ExampleRepairError() {
	_, err := build.Repair(context.Background(), exampleRuntime())
	var repair *build.RepairError
	fmt.Println(errors.As(err, &repair), errors.Is(err, meta.ErrInvalid))
	// Output: true true
}

// exampleRuntime is the image of a program.
func exampleRuntime() v1.Image {
	layer, err := build.Files(context.Background(), fstest.MapFS{"provider": {Data: []byte("machine code"), Mode: 0o755}}, build.Gzip)
	if err != nil {
		log.Fatal(err)
	}
	img, err := mutate.AppendLayers(mutate.MediaType(empty.Image, types.OCIManifestSchema1), layer)
	if err != nil {
		log.Fatal(err)
	}
	return img
}

// A package with its program and an example of its use.
func ExamplePackage() {
	ctx := context.Background()
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(crossplaneYAML), nil))
	if err != nil {
		log.Fatal(err)
	}
	examples := parser.Bytes("examples.yaml", []byte("apiVersion: example.org/v1\nkind: Website\nmetadata:\n  name: mine\n"), nil)
	img, err := build.Package(ctx, pkg, &build.Options{
		Runtime:     exampleRuntime(),
		Examples:    iter.Seq2[*parser.Document, error](examples),
		Annotations: map[string]string{"org.opencontainers.image.version": "v1.0.0"},
		Event: func(e build.Event) {
			if e.Kind == build.RunsAsRoot {
				fmt.Println(e.Kind)
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	marks(img)
	// Output:
	// runs-as-root
	// layer 0: ""
	// layer 1: "base"
	// layer 2: "upbound"
}

// What is wrong with a package can be overruled.
func ExampleJudgeError() {
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(crossplaneYAML), nil))
	if err != nil {
		log.Fatal(err)
	}
	o := &build.Options{
		Judge: func(context.Context, *parser.Package) error { return errors.New("it has no composition") },
		Event: func(e build.Event) {
			if e.Kind == build.Overruled {
				fmt.Println("built all the same:", e.Err)
			}
		},
	}
	_, err = build.Package(context.Background(), pkg, o)
	var refused *build.JudgeError
	fmt.Println(errors.As(err, &refused), err)
	o.Force = true
	_, err = build.Package(context.Background(), pkg, o)
	fmt.Println(err)
	// Output:
	// true the package is refused: it has no composition
	// built all the same: the package is refused: it has no composition
	// <nil>
}

// A runtime image that docker has saved.
func ExampleRuntimeFile() {
	_, err := build.RuntimeFile(context.Background(), "no-such-file.tar", nil)
	fmt.Println(errors.Is(err, meta.ErrNotFound))
	// Output: true
}
