package xpkg_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestCloseBeforeTheEnd(t *testing.T) {
	t.Parallel()
	img := xpkg.Open(imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "more", content: "x"})).image(t), nil)
	for _, n := range []int{0, 1, len(packageYAML) - 1} {
		s, err := img.Stream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadFull(s, make([]byte, n)); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); !errors.Is(err, xpkg.ErrUnverified) || !errors.Is(err, meta.ErrDigest) {
			t.Errorf("Close after %d bytes: got %v, want ErrUnverified", n, err)
		}
		if _, err := s.Read(make([]byte, 1)); !errors.Is(err, xpkg.ErrUnverified) {
			t.Errorf("Read after Close: got %v", err)
		}
		if err := s.Close(); !errors.Is(err, xpkg.ErrUnverified) {
			t.Errorf("Close again: got %v", err)
		}
	}
}

func TestReadsOfAnySize(t *testing.T) {
	t.Parallel()
	img := xpkg.Open(imageOf(baseOf(file{name: "package.yaml", content: packageYAML})).image(t), nil)
	s, err := img.Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(iotest.OneByteReader(s))
	if err != nil || string(b) != packageYAML {
		t.Errorf("got %q (%v)", b, err)
	}
	for range 2 {
		if n, err := s.Read(make([]byte, 1)); n != 0 || err != io.EOF {
			t.Errorf("Read after the end: got %d, %v", n, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

func TestLastReadTellsTheWrongDigest(t *testing.T) {
	t.Parallel()
	blob := tarOf(file{name: "package.yaml", content: packageYAML})
	i := imageOf(testLayer{blob: blob, served: flip(blob, 600), annotations: base})
	s, err := xpkg.Open(i.image(t), nil).Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(s)
	var digest *xpkg.DigestError
	if !errors.As(err, &digest) || digest.Want != digestOf(blob).String() || digest.Got != digestOf(flip(blob, 600)).String() || digest.GotSize != int64(len(blob)) {
		t.Errorf("got %#v", err)
	}
	if len(b) != len(packageYAML) {
		t.Errorf("got %d bytes before it, want %d", len(b), len(packageYAML))
	}
	if _, again := s.Read(make([]byte, 1)); again != err {
		t.Errorf("the next Read returns %v", again)
	}
	if closed := s.Close(); closed != err {
		t.Errorf("Close returns %v", closed)
	}
}

func TestPackage(t *testing.T) {
	t.Parallel()
	img := xpkg.Open(imageOf(baseOf(file{name: "package.yaml", content: packageYAML + "---\nkind: [\n---\napiVersion: v1\nkind: Thing\nmetadata:\n  name: x\n"})).image(t), nil)
	pkg, err := img.Package(t.Context())
	checkError(t, err, meta.ErrInvalid, "package.yaml:")
	if pkg == nil || pkg.Meta == nil || pkg.Meta.Name != "configuration-test" || len(pkg.Objects) != 1 {
		t.Fatalf("got %+v, want what is readable", pkg)
	}
	if got := pkg.Objects[0].Range.String(); !strings.HasPrefix(got, "package.yaml:") {
		t.Errorf("got the place %s", got)
	}
}

func TestPackageIsNilWhenUnverified(t *testing.T) {
	t.Parallel()
	blob := tarOf(file{name: "package.yaml", content: packageYAML + "---\nkind: [\n"}, file{name: "last", content: "x"})
	for _, at := range []int{600, len(blob) - 1, 2100} {
		pkg, err := xpkg.Open(imageOf(testLayer{blob: blob, served: flip(blob, at), annotations: base}).image(t), nil).Package(t.Context())
		if pkg != nil {
			t.Errorf("byte %d: got a package", at)
		}
		checkError(t, err, meta.ErrDigest)
		if errors.Is(err, meta.ErrInvalid) {
			t.Errorf("byte %d: got faults of content that is not the content: %v", at, err)
		}
	}
}

func TestCanceledContext(t *testing.T) {
	t.Parallel()
	img := xpkg.Open(imageOf(baseOf(file{name: "package.yaml", content: documents(1 << 20)})).image(t), nil)
	ctx, cancel := context.WithCancel(t.Context())
	s, err := img.Stream(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	cancel()
	_, err = io.ReadAll(s)
	checkError(t, err, meta.ErrCanceled, "canceled")
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := s.Close(); !errors.Is(err, meta.ErrCanceled) {
		t.Errorf("Close: got %v", err)
	}
	for name, call := range map[string]func() error{
		"Package": func() error { _, err := img.Package(ctx); return err },
		"Stream":  func() error { _, err := img.Stream(ctx); return err },
		"FS":      func() error { _, err := img.FS(ctx); return err },
	} {
		if err := call(); !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

// An image of another library may wait for something that knows no context.
func TestReadThatWaitsIsReleased(t *testing.T) {
	t.Parallel()
	i := imageOf(testLayer{blob: tarOf(file{name: "package.yaml", content: packageYAML}), annotations: base})
	r, w := io.Pipe()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		// The write returns when the bytes have been read; nothing follows.
		_, _ = w.Write(i.layers[0].blob[:700])
		cancel()
	}()
	img, err := partial.CompressedToImage(waiting{core{i, i.manifest()}, r})
	if err != nil {
		t.Fatal(err)
	}
	_, err = xpkg.Open(img, nil).Package(ctx)
	checkError(t, err, meta.ErrCanceled)
}

// waiting serves its layer through a pipe.
type waiting struct {
	core
	r *io.PipeReader
}

func (w waiting) LayerByDigest(h v1.Hash) (partial.CompressedLayer, error) {
	return waitingLayer{coreLayer{w.layers[0], h}, w.r}, nil
}

type waitingLayer struct {
	coreLayer
	r *io.PipeReader
}

func (l waitingLayer) Compressed() (io.ReadCloser, error) { return l.r, nil }

func TestImageLayers(t *testing.T) {
	t.Parallel()
	i := imageOf(
		testLayer{blob: tarOf(), mediaType: ociPlainLayer},
		testLayer{blob: gzipped(tarOf()), annotations: map[string]string{xpkg.AnnotationKey: "upbound", "a": "b"}},
		baseOf(file{name: "package.yaml", content: packageYAML}),
	)
	layers, err := xpkg.Open(i.image(t), nil).Layers(t.Context())
	if err != nil || len(layers) != 3 {
		t.Fatalf("got %d layers (%v)", len(layers), err)
	}
	if l := layers[0]; l.MediaType != ociPlainLayer || l.Mark != "" || l.Annotations != nil || l.Digest != digestOf(tarOf()).String() || l.Size != int64(len(tarOf())) {
		t.Errorf("got %+v", l)
	}
	if l := layers[1]; l.Mark != "upbound" || l.Annotations["a"] != "b" {
		t.Errorf("got %+v", l)
	}
	if l := layers[2]; l.Mark != xpkg.BaseAnnotation {
		t.Errorf("got %+v", l)
	}
}

// The faults of a package come with it and name the image.
func TestFaultsNameTheImage(t *testing.T) {
	t.Parallel()
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML + "---\nkind: [\n"}))
	everywhere(t, i, nil, func(t *testing.T, img *xpkg.Image, err error) {
		if err != nil {
			t.Fatal(err)
		}
		p, err := img.Package(t.Context())
		checkError(t, err, meta.ErrInvalid, img.Reference()+": ", "package.yaml:")
		var faults parser.ErrorList
		if e := (*xpkg.PackageError)(nil); p == nil || p.Meta == nil || !errors.As(err, &faults) || !errors.As(err, &e) || e.Ref != img.Reference() {
			t.Errorf("got %v and %#v, want the package and its faults", p, err)
		}
	})
}
