package xpkg_test

import (
	"archive/tar"
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

func flatten(t *testing.T, o *xpkg.Options, layers ...testLayer) (fs.FS, error) {
	t.Helper()
	return xpkg.Open(imageOf(layers...).image(t), o).FS(t.Context())
}

func TestFS(t *testing.T) {
	fsys, err := flatten(t, nil,
		layerOf(file{name: "package.yaml", content: "old"}, file{name: "d/a", content: "a"}, file{name: "d/b", content: "b"}, file{name: "e/x", content: "x"}, file{name: "gone/deep/y", content: "y"}, file{name: "was-file", content: "f"}),
		baseOf(file{name: "./package.yaml", content: packageYAML}, file{name: "d/.wh.a"}, file{name: "e/.wh..wh..opq"}, file{name: "e/new", content: "n"}, file{name: ".wh.gone"},
			file{name: "was-file/now", content: "dir"}, file{name: "../evil", content: "x"}, file{name: "fifo", kind: tar.TypeFifo}),
		layerOf(file{name: "link", kind: tar.TypeSymlink, link: "d/b"}, file{name: "dirlink", kind: tar.TypeSymlink, link: "/d"}, file{name: "out", kind: tar.TypeSymlink, link: "../../etc/passwd"},
			file{name: "loop", kind: tar.TypeSymlink, link: "loop"}, file{name: "hard", kind: tar.TypeLink, link: "/package.yaml"}, file{name: "dangling-hard", kind: tar.TypeLink, link: "none"}),
		layerOf(file{name: ".wh.package.yaml"}),
	)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"d/b": "b", "e/new": "n", "was-file/now": "dir", "link": "b", "dirlink/b": "b", "hard": packageYAML} {
		if got, err := fs.ReadFile(fsys, name); err != nil || string(got) != want {
			t.Errorf("%s: got %q (%v), want %q", name, got, err, want)
		}
	}
	for _, name := range []string{"package.yaml", "d/a", "e/x", "gone", "gone/deep/y", "was-file/x", "fifo", "evil", "out", "dangling-hard", "d/b/c"} {
		if _, err := fs.ReadFile(fsys, name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: got %v, want fs.ErrNotExist", name, err)
		}
	}
	if _, err := fs.ReadFile(fsys, "loop"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("loop: got %v", err)
	}
	if target, err := fs.ReadLink(fsys, "out"); err != nil || target != "../../etc/passwd" {
		t.Errorf("got %q (%v)", target, err)
	}
	if _, err := fs.ReadLink(fsys, "d"); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("got %v", err)
	}
}

func TestFSIsAFileSystem(t *testing.T) {
	fsys, err := flatten(t, nil, layerOf(
		file{name: "a/", kind: tar.TypeDir}, file{name: "a/b/c.yaml", content: "c"}, file{name: "a/d", content: ""}, file{name: "top", content: "t"},
		file{name: "link", kind: tar.TypeSymlink, link: "a/d"}))
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(fsys, "a/b/c.yaml", "a/d", "top", "link"); err != nil {
		t.Error(err)
	}
}

func TestFSIsBounded(t *testing.T) {
	_, err := flatten(t, &xpkg.Options{MaxPackageBytes: 100}, layerOf(file{name: "a", content: strings.Repeat("x", 60)}), layerOf(file{name: "b", content: strings.Repeat("x", 60)}))
	checkError(t, err, meta.ErrLimit, "file system")
	_, err = flatten(t, &xpkg.Options{MaxPackageBytes: 100}, layerOf(file{name: strings.Repeat("n", 101)}))
	checkError(t, err, meta.ErrLimit, "file system")
	_, err = flatten(t, &xpkg.Options{MaxPackageBytes: 100}, layerOf(file{name: "l", kind: tar.TypeSymlink, link: strings.Repeat("n", 100)}))
	checkError(t, err, meta.ErrLimit, "file system")
	_, err = flatten(t, &xpkg.Options{MaxEntries: 50}, layerOf(file{name: strings.Repeat("d/", 60) + "f"}))
	checkError(t, err, meta.ErrLimit, "directories")
	_, err = flatten(t, nil, testLayer{blob: gzipped(tarOf()), served: gzipped(tarOf(file{name: "x"}))})
	checkError(t, err, meta.ErrDigest)
}
