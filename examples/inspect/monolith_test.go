package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// The largest real package, 102 MB and 2,066 documents, goes through as a
// stream and as an image, and is the same both ways.
func TestMonolith(t *testing.T) {
	if clitest.Race {
		t.Skip("102 MB are too slow under the race detector; the test runs without it")
	}
	f, err := os.Open(filepath.Join(corpus(t), "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	stream, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	const documents = 2066
	code, fromStream := inspect(t, bytes.NewReader(stream), "-")
	if code != 0 || len(fromStream.Objects) != documents {
		t.Errorf("stream: exit code %d and %d documents, want 0 and %d; %d findings", code, len(fromStream.Objects), documents, len(fromStream.Diagnostics))
	}
	code, fromImage := inspect(t, nil, imageOf(t, stream))
	if code != 0 || len(fromImage.Objects) != documents {
		t.Errorf("image: exit code %d and %d documents, want 0 and %d; %d findings", code, len(fromImage.Objects), documents, len(fromImage.Diagnostics))
	}
	if fromImage.Method != "annotation" || fromStream.Method != "stream" {
		t.Errorf("methods are %s and %s, want annotation and stream", fromImage.Method, fromStream.Method)
	}
	for i, o := range fromStream.Objects {
		if got := fromImage.Objects[i]; got.Kind != o.Kind || got.Name != o.Name || got.Line != o.Line {
			t.Fatalf("document %d is %+v in the image and %+v in the stream", i, got, o)
		}
	}
}

// imageOf writes an OCI layout with one annotated layer that holds package.yaml.
func imageOf(t *testing.T, stream []byte) string {
	t.Helper()
	var b bytes.Buffer
	files := tar.NewWriter(&b)
	if err := files.WriteHeader(&tar.Header{Name: "package.yaml", Mode: 0o644, Size: int64(len(stream))}); err != nil {
		t.Fatal(err)
	}
	if _, err := files.Write(stream); err != nil {
		t.Fatal(err)
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
	if err != nil {
		t.Fatal(err)
	}
	img, err := mutate.Append(empty.Image, mutate.Addendum{Layer: layer, Annotations: map[string]string{"io.crossplane.xpkg": "base"}})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, err := layout.Write(dir, mutate.AppendManifests(empty.Index, mutate.IndexAddendum{Add: img, Descriptor: v1.Descriptor{}}))
	if err != nil {
		t.Fatal(err)
	}
	return string(path)
}
