package build_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// altered is an image whose layers, or configuration, are not what its manifest
// says.
type altered struct {
	v1.Image
	layer, config func([]byte) []byte
	other         bool // the layers are those of another image
}

func (a altered) RawConfigFile() ([]byte, error) {
	b, err := a.Image.RawConfigFile()
	if err == nil && a.config != nil {
		b = a.config(bytes.Clone(b))
	}
	return b, err
}

func (a altered) Layers() ([]v1.Layer, error) {
	layers, err := a.Image.Layers()
	for i, l := range layers {
		layers[i] = alteredLayer{l, a}
	}
	return layers, err
}

type alteredLayer struct {
	v1.Layer
	a altered
}

func (l alteredLayer) Digest() (v1.Hash, error) {
	h, err := l.Layer.Digest()
	if l.a.other {
		h, _, err = v1.SHA256(bytes.NewReader(nil))
	}
	return h, err
}

func (l alteredLayer) Compressed() (io.ReadCloser, error) {
	rc, err := l.Layer.Compressed()
	if err != nil || l.a.layer == nil {
		return rc, err
	}
	b, err := io.ReadAll(rc)
	return io.NopCloser(bytes.NewReader(l.a.layer(b))), err
}

// What is not what its digest says is not written, and what was there stays.
func TestWriteFileVerifies(t *testing.T) {
	img := dir(t, directory(t, sample()), nil)
	flip := func(b []byte) []byte { b[len(b)/2] ^= 1; return b }
	cases := []struct {
		name, reason string
		img          v1.Image
		what         string
	}{
		{"flipped", "one bit", altered{Image: img, layer: flip}, "layer"},
		{"cut", "less than there should be", altered{Image: img, layer: func(b []byte) []byte { return b[:len(b)-1] }}, "layer"},
		{"longer", "more than there should be", altered{Image: img, layer: func(b []byte) []byte { return append(b, 0) }}, "layer"},
		{"another", "a layer that the manifest does not list", altered{Image: img, other: true}, "layer"},
		{"configuration", "it is a blob like others", altered{Image: img, config: flip}, "configuration"},
	}
	for _, c := range cases {
		for _, format := range []build.Format{build.OCI, build.Docker} {
			t.Run(c.name+" "+string(format), func(t *testing.T) {
				folder := t.TempDir()
				path := filepath.Join(folder, "x.xpkg")
				if err := os.WriteFile(path, []byte("before"), 0o666); err != nil {
					t.Fatal(err)
				}
				err := build.WriteFile(t.Context(), path, c.img, format)
				var digest *xpkg.DigestError
				if !errors.As(err, &digest) || digest.What != c.what || digest.Ref != path {
					t.Errorf("got %v, want a *xpkg.DigestError of the %s: %s", err, c.what, c.reason)
				}
				if b, err := os.ReadFile(path); err != nil || string(b) != "before" {
					t.Errorf("the file has become %q (%v)", b, err)
				}
				if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
					t.Errorf("got the files %v (%v), want one", list, err)
				}
			})
		}
	}
}

func TestWriteFileErrors(t *testing.T) {
	img := dir(t, directory(t, sample()), nil)
	folder := t.TempDir()
	cases := []struct {
		name, reason string
		path         string
		img          v1.Image
		format       build.Format
		is           error
	}{
		{"directory", "it is not made", filepath.Join(folder, "none", "x.xpkg"), img, build.OCI, meta.ErrNotFound},
		{"format", "there are two", filepath.Join(folder, "x.xpkg"), img, "zip", meta.ErrInvalid},
		{"nil", "no image is no panic", filepath.Join(folder, "x.xpkg"), nil, build.OCI, meta.ErrInvalid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := build.WriteFile(t.Context(), c.path, c.img, c.format)
			var file *xpkg.FileError
			if !errors.Is(err, c.is) || !errors.As(err, &file) || file.Path != c.path {
				t.Errorf("got %v (%s), want a *xpkg.FileError that matches %v: %s", err, meta.Code(err), c.is, c.reason)
			}
		})
	}
}
