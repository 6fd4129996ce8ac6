package main

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"oras.land/oras-go/v2"
	"oras.land/oras-go/v2/content/oci"
	"oras.land/oras-go/v2/registry/remote"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// TestPeersPush has the libraries of crane and oras push what build writes. Nothing of it
// may change: it has the digest that it was built with, and its marked layer tells what
// the package is. (That skopeo does so too is shown beside xpkg, where its program runs.)
func TestPeersPush(t *testing.T) {
	root, err := os.OpenRoot(filepath.Join("..", "inspect", "sample"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	examples := parser.Bytes("examples/example.yaml", []byte("apiVersion: example.org/v1\nkind: Example\nmetadata:\n  name: example\n"), nil)
	img, err := build.Dir(t.Context(), root, &build.Options{Examples: examples})
	if err != nil {
		t.Fatal(err)
	}
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "package.xpkg")
	if err := build.WriteFile(t.Context(), file, img, build.OCI); err != nil {
		t.Fatal(err)
	}
	registry := clitest.Registry(t)
	for _, c := range []struct {
		tool string
		push func(t *testing.T, file, digest, ref string) error
	}{
		{"crane", pushWithCrane},
		{"oras", pushWithOras},
	} {
		t.Run(c.tool, func(t *testing.T) {
			ref := registry + "/" + c.tool + "/sample:v1.0.0"
			if err := c.push(t, file, digest.String(), ref); err != nil {
				t.Fatal(err)
			}
			pushed, err := new(xpkg.Client).Image(t.Context(), ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := pushed.Digest(t.Context()); err != nil || got != digest.String() {
				t.Errorf("got the digest %s (%v), want %s", got, err, digest)
			}
			layers, err := pushed.Layers(t.Context())
			if err != nil || len(layers) != 2 {
				t.Fatalf("got %d layers (%v), want that of the package and that of the examples", len(layers), err)
			}
			for n, l := range layers {
				if l.Mark == "" {
					t.Errorf("layer %d has lost its mark", n)
				}
			}
		})
	}
}

// pushWithCrane pushes a layout, as crane push does with a directory.
func pushWithCrane(t *testing.T, file, _, ref string) error {
	dir := t.TempDir()
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for r := tar.NewReader(f); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			return err
		}
		content, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(name, content, 0o600); err != nil {
			return err
		}
	}
	index, err := layout.ImageIndexFromPath(dir)
	if err != nil {
		return err
	}
	manifest, err := index.IndexManifest()
	if err != nil {
		return err
	}
	img, err := index.Image(manifest.Manifests[0].Digest)
	if err != nil {
		return err
	}
	return crane.Push(img, ref)
}

// pushWithOras copies an image from the tar, as oras cp --from-oci-layout does.
func pushWithOras(t *testing.T, file, digest, ref string) error {
	store, err := oci.NewFromTar(t.Context(), file)
	if err != nil {
		return err
	}
	to, err := remote.NewRepository(ref)
	if err != nil {
		return err
	}
	to.PlainHTTP = true
	_, err = oras.Copy(t.Context(), store, digest, to, to.Reference.Reference, oras.DefaultCopyOptions)
	return err
}
