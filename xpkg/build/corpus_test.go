package build_test

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// Every real package that can be read is built from its directory, in both formats and
// with both compressions, and read again: the same documents, byte for byte. The ones
// that inspect finds nothing wrong with are among those that can be read.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("XPKG_CORPUS")
	if corpus == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	crossplane, err := filepath.Glob(filepath.Join(corpus, "packages", "*", "crossplane.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	for _, path := range crossplane {
		root, err := os.OpenRoot(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		want, err := parser.Collect(parser.Dir(t.Context(), root, nil))
		if err != nil {
			// Faults are told, not built.
			var list parser.ErrorList
			if _, err := build.Dir(t.Context(), root, nil); !errors.As(err, &list) {
				t.Errorf("%s: got %v, want the faults of reading it", path, err)
			}
			continue
		}
		built++
		t.Run(filepath.Base(root.Name()), func(t *testing.T) {
			for _, o := range compressions() {
				img := dir(t, root, &o)
				for _, format := range []build.Format{build.OCI, build.Docker} {
					file := filepath.Join(t.TempDir(), "package.xpkg")
					if err := build.WriteFile(t.Context(), file, img, format); err != nil {
						t.Fatal(err)
					}
					opened, err := xpkg.OpenFile(t.Context(), file, nil)
					if err != nil {
						t.Fatal(err)
					}
					got, err := opened.Package(t.Context())
					if err != nil {
						t.Fatal(err)
					}
					equal(t, texts(got), texts(want))
				}
			}
		})
	}
	if built < 20 {
		t.Errorf("%d of %d packages could be read", built, len(crossplane))
	}
	t.Logf("built %d of %d packages", built, len(crossplane))
}

// texts are the author's bytes of all documents, the metadata object first.
func texts(p *parser.Package) []string {
	all := []string{string(p.Header.Raw())}
	for _, d := range p.Objects {
		all = append(all, string(d.Raw()))
	}
	// A file may end without a line break, and the stream does not.
	for i, text := range all {
		if text != "" && text[len(text)-1] != '\n' && text[len(text)-1] != '\r' {
			all[i] += "\n"
		}
	}
	return all
}

// What the specification says of a package, read with go-containerregistry alone.
func TestReadByTheSpecification(t *testing.T) {
	files := sample()
	img := dir(t, directory(t, files), &build.Options{Runtime: runtimeImage(t, layerOf(t, reg("provider"), reg("package.yaml")))})
	path, err := layout.Write(t.TempDir(), empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	if err := path.AppendImage(img); err != nil {
		t.Fatal(err)
	}
	read, err := path.Image(must(img.Digest()))
	if err != nil {
		t.Fatal(err)
	}
	// One descriptor has the annotation io.crossplane.xpkg: base, and its layer has a
	// single file package.yaml in its root.
	var base v1.Layer
	for _, d := range manifest(t, read).Layers {
		if d.Annotations["io.crossplane.xpkg"] == "base" {
			if base != nil {
				t.Fatal("two base layers")
			}
			if base, err = read.LayerByDigest(d.Digest); err != nil {
				t.Fatal(err)
			}
		}
	}
	if base == nil {
		t.Fatal("no base layer")
	}
	text := fileOf(t, base, "package.yaml")
	want := documents(t, collect(t, directory(t, files)))
	p, err := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil))
	if err != nil {
		t.Fatal(err)
	}
	equal(t, documents(t, p), want)
	// Where annotations are not looked at, the flattened file system has the same.
	rc := mutate.Extract(read)
	defer rc.Close()
	for r := tar.NewReader(rc); ; {
		h, err := r.Next()
		if err != nil {
			t.Fatalf("no package.yaml in the flattened file system: %v", err)
		}
		if h.Name != "package.yaml" {
			continue
		}
		flattened, err := io.ReadAll(r)
		if err != nil || string(flattened) != text {
			t.Errorf("flattened: got (%v)\n%s", err, flattened)
		}
		break
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
