package bench

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// BenchmarkBuild goes from a package directory to a .xpkg file: of one file for each
// document, and of one file with all of them. The conventional way parses with the
// scheme loop, encodes every object anew, makes a tar, compresses it, computes digests
// and writes the docker tar.
//
//	go test -run='^$' -bench=Build -benchtime=1x ./internal/bench
func BenchmarkBuild(b *testing.B) {
	directories(b, func(b *testing.B, dir string, want int) {
		b.Run("sdk", func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "package.xpkg")
			for b.Loop() {
				buildHere(b, dir, file)
			}
			if got := documentsIn(b, file); got != want {
				b.Fatalf("%d documents, want %d", got, want)
			}
		})
		b.Run("conventional", func(b *testing.B) {
			file := filepath.Join(b.TempDir(), "package.xpkg")
			for b.Loop() {
				if got := buildConventionally(b, dir, file); got != want {
					b.Fatalf("%d documents, want %d", got, want)
				}
			}
			if got := documentsIn(b, file); got != want {
				b.Fatalf("%d documents in the file, want %d", got, want)
			}
		})
	})
}

// directories is providers as package directories.
func directories(b *testing.B, run func(b *testing.B, dir string, documents int)) {
	providers(b, func(b *testing.B, stream []byte, want int) {
		one := b.TempDir()
		write(b, filepath.Join(one, "crossplane.yaml"), stream)
		many := b.TempDir()
		for d, err := range parser.Bytes("package.yaml", stream, nil) {
			if err != nil {
				b.Fatal(err)
			}
			file := filepath.Join(many, "crds", d.Name+".yaml")
			if d.Kind == "Provider" {
				file = filepath.Join(many, "crossplane.yaml")
			}
			write(b, file, d.Raw())
		}
		b.Run("dir", func(b *testing.B) { run(b, many, want) })
		b.Run("file", func(b *testing.B) { run(b, one, want) })
	})
}

func write(b *testing.B, file string, content []byte) {
	b.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, content, 0o666); err != nil {
		b.Fatal(err)
	}
}

func documentsIn(b *testing.B, file string) int {
	b.Helper()
	img, err := xpkg.OpenFile(b.Context(), file, nil)
	if err != nil {
		b.Fatal(err)
	}
	p, err := img.Package(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	return len(p.Objects) + 1
}

func buildHere(b *testing.B, dir, file string) {
	b.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		b.Fatal(err)
	}
	defer root.Close()
	img, err := build.Dir(b.Context(), root, nil)
	if err != nil {
		b.Fatal(err)
	}
	if err := build.WriteFile(b.Context(), file, img, build.OCI); err != nil {
		b.Fatal(err)
	}
}

// buildConventionally reads all files as one stream, as the field's builder does.
func buildConventionally(b *testing.B, dir, file string) int {
	b.Helper()
	var stream bytes.Buffer
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, path))
		stream.Write(content)
		stream.WriteString("\n---\n")
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	c, err := decode.NewConventional()
	if err != nil {
		b.Fatal(err)
	}
	var content bytes.Buffer
	n, err := c.Encode(&stream, &content)
	if err != nil {
		b.Fatal(err)
	}
	var archive bytes.Buffer
	w := tar.NewWriter(&archive)
	if err := w.WriteHeader(&tar.Header{Name: "package.yaml", Mode: 0o644, Size: int64(content.Len())}); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Write(content.Bytes()); err != nil {
		b.Fatal(err)
	}
	if err := w.Close(); err != nil {
		b.Fatal(err)
	}
	l, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(archive.Bytes())), nil })
	if err != nil {
		b.Fatal(err)
	}
	digest, err := l.Digest()
	if err != nil {
		b.Fatal(err)
	}
	img, err := mutate.AppendLayers(empty.Image, l)
	if err != nil {
		b.Fatal(err)
	}
	img, err = mutate.Config(img, v1.Config{Labels: map[string]string{xpkg.AnnotationKey + ":" + digest.String(): xpkg.BaseAnnotation}})
	if err != nil {
		b.Fatal(err)
	}
	if err := tarball.WriteToFile(file, name.MustParseReference("package:v1"), img); err != nil {
		b.Fatal(err)
	}
	return n
}
