package xpkg_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// A link is followed where its text says alone where it leads. A way over a link
// and back up leads to another place than its text says.
func TestLinksThatAreNoPlainPaths(t *testing.T) {
	for _, c := range []struct {
		reason, link string
		ok           bool
	}{
		{"a plain path", "p.yaml", true},
		{"from where it stands", "./a/../p.yaml", false},
		{"over a directory that is a link, and back", "lnk/../p.yaml", false},
		{"over a file, and back", "p.yaml/../p.yaml", false},
		{"over nothing, and back", "none/../p.yaml", false},
		{"a file with a slash behind", "p.yaml/", false},
		{"a file with a slash and a dot behind", "p.yaml/.", false},
		{"from the root", "/p.yaml", true},
		{"from the root, over a name and back", "/lnk/../p.yaml", false},
		{"slashes and dots on the way", "././/p.yaml", true},
	} {
		i := imageOf(layerOf(file{name: "a/real/x"}, file{name: "a/p.yaml", content: packageYAML}, file{name: "p.yaml", content: packageYAML},
			file{name: "lnk", kind: tar.TypeSymlink, link: "a/real"}, file{name: "package.yaml", kind: tar.TypeSymlink, link: c.link}))
		img := xpkg.Open(i.image(t), nil)
		got, err := read(t, img)
		if c.ok {
			if err != nil || got != packageYAML {
				t.Errorf("%s, %s: got %q (%v)", c.reason, c.link, got, err)
			}
			continue
		}
		var not *xpkg.NotPackageError
		if !errors.As(err, &not) || not.Reason != xpkg.ReasonBadLink {
			t.Errorf("%s, %s: got %q (%v)", c.reason, c.link, got, err)
		}
		fsys, err := img.FS(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := fs.ReadFile(fsys, "package.yaml"); err == nil {
			t.Errorf("%s, %s: the file system reads it", c.reason, c.link)
		}
	}
}

func TestNamesThatAreNoText(t *testing.T) {
	img := xpkg.Open(imageOf(layerOf(file{name: "\xff"}, file{name: "d/\xfe/x"}, file{name: "good", content: "x"})).image(t), nil)
	fsys, err := img.FS(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = fs.WalkDir(fsys, ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_, err = fs.ReadFile(fsys, path)
		}
		return err
	})
	if err != nil {
		t.Errorf("not all that is listed can be read: %v", err)
	}
}

// Where no image fits and they have to be compared, one that cannot be read says
// why.
func TestComparingWhatIsBroken(t *testing.T) {
	a, b := pkg(), pkg()
	b.config = []byte(`{"x":1}`)
	x := index().add(a, "linux/s390x", nil).add(b, "linux/arm64", nil)
	child := "GET manifests/" + a.digest().String()
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		is     error
	}{
		{"swapped", serve(string(types.OCIManifestSchema1), variant("other").manifest()), meta.ErrDigest},
		{"denied", status(http.StatusForbidden), meta.ErrUnauthorized},
		{"failing", status(http.StatusTeapot), meta.ErrUnavailable},
		{"missing", status(http.StatusNotFound), meta.ErrNotFound},
		{"whole", nil, nil},
	} {
		r := newRegistry(t)
		ref := x.put(t, r, "v1")
		r.on(child, c.answer)
		_, err := r.client().Image(t.Context(), ref, nil)
		if !errors.Is(err, c.is) || c.is == nil && err != nil {
			t.Errorf("%s: got %v, want %v", c.name, err, c.is)
		}
	}
	r := newRegistry(t)
	_, err := r.client().Image(t.Context(), x.put(t, r, "v1"), &xpkg.Options{MaxIndexManifests: 1})
	checkError(t, err, meta.ErrLimit, "of which no image is for linux/amd64", "1 manifests")
}

// What is compressed as a whole is held against its checksum as well.
func TestArchiveWhoseChecksumIsWrong(t *testing.T) {
	archive, err := os.ReadFile(tarDir(t, pkg().layout(t)))
	if err != nil {
		t.Fatal(err)
	}
	z := storedGzip(archive)
	for name, b := range map[string][]byte{
		"checksum": flip(z, len(z)-8), "size": flip(z, len(z)-1), "rubbish behind": append(bytes.Clone(z), "rubbish"...), "cut": z[:len(z)-4],
	} {
		if _, err := xpkg.OpenFile(t.Context(), writeTemp(t, "image.tar.gz", b), nil); err == nil {
			t.Errorf("%s: OpenFile gives no error", name)
		}
		if _, err := xpkg.OpenReader(t.Context(), "upload", bytes.NewReader(b), nil); err == nil {
			t.Errorf("%s: OpenReader gives no error", name)
		}
	}
}

func TestVerifyThatReturnsTheEndOfAContext(t *testing.T) {
	for _, cause := range []error{context.Canceled, context.DeadlineExceeded, fmt.Errorf("asking: %w", context.Canceled)} {
		_, err := xpkg.Open(pkg().image(t), &xpkg.Options{Verify: func(context.Context, *xpkg.Subject) error { return cause }}).Stream(t.Context())
		if !errors.Is(err, meta.ErrCanceled) || errors.Is(err, meta.ErrInvalid) || !errors.Is(err, cause) {
			t.Errorf("got %v (%s)", err, meta.Code(err))
		}
	}
}

// oddReader breaks the contract of io.Reader.
type oddReader int

func (o oddReader) Read(p []byte) (int, error) {
	if o > 0 {
		return len(p) + int(o), nil
	}
	return int(o), nil
}

func TestReadersThatBreakTheirContract(t *testing.T) {
	for _, r := range []oddReader{0, -1, 1} {
		_, err := xpkg.OpenReader(t.Context(), "upload", r, nil)
		var file *xpkg.FileError
		if !errors.As(err, &file) {
			t.Errorf("%d: got %v", r, err)
		}
	}
}

func TestPlatformsWithOddFields(t *testing.T) {
	x := index().image("arm", "linux/arm64").image("amd", "linux/amd64")
	x.entries[1]["platform"] = map[string]any{"os": "linux", "architecture": "amd64", "variant": 8, "features": "none", "os.features": map[string]any{}}
	img, err := xpkg.OpenFile(t.Context(), writeLayout(t, x.blobs(), x.entries...), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := img.Platform().String(); got != "linux/amd64" {
		t.Errorf("got %s", got)
	}
}
