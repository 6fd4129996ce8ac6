package xpkg_test

import (
	"archive/tar"
	"errors"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/xpkg"
)

// An image of the v1 era is no package of today, and the error says what it is.
func TestLegacy(t *testing.T) {
	app := file{name: ".registry/app.yaml", content: "title: Sample\n"}
	cases := []struct {
		name, reason string
		layers       []testLayer
		want         xpkg.Reason
	}{
		{"v1", "a directory .registry makes a v1 package", []testLayer{layerOf(app)}, xpkg.ReasonLegacy},
		{"with a controller", "also beside a program", []testLayer{layerOf(file{name: "usr/bin/x"}), layerOf(file{name: "./.registry/", kind: tar.TypeDir}, app)}, xpkg.ReasonLegacy},
		{"only resources", "whatever is in it", []testLayer{layerOf(file{name: "/.registry/resources/crd.yaml"})}, xpkg.ReasonLegacy},
		{"removed", "a layer that removes the directory leaves no package", []testLayer{layerOf(app), layerOf(file{name: ".wh..registry"})}, xpkg.ReasonMissing},
		{"opaque", "an opaque root does so too", []testLayer{layerOf(app), layerOf(file{name: ".wh..wh..opq"})}, xpkg.ReasonMissing},
		{"removed and back", "a layer above may bring it back", []testLayer{layerOf(app), layerOf(file{name: ".wh..registry"}), layerOf(app)}, xpkg.ReasonLegacy},
		{"file", "a file of that name is none", []testLayer{layerOf(file{name: ".registry", content: "x"})}, xpkg.ReasonMissing},
		{"elsewhere", "nor is a directory elsewhere", []testLayer{layerOf(file{name: "a/.registry/app.yaml"})}, xpkg.ReasonMissing},
		{"whiteout of a file", "a whiteout is no file", []testLayer{layerOf(file{name: ".registry/.wh.app.yaml", kind: tar.TypeReg})}, xpkg.ReasonMissing},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := xpkg.Open(imageOf(c.layers...).image(t), nil).Package(t.Context())
			var e *xpkg.NotPackageError
			if !errors.As(err, &e) || !errors.Is(err, meta.ErrNotPackage) || e.Reason != c.want {
				t.Fatalf("%s: got %v, want %s", c.reason, err, c.want)
			}
			if c.want == xpkg.ReasonLegacy {
				checkError(t, err, meta.ErrNotPackage, "meta/legacy")
			}
		})
	}
}

// The tree of such an image is what meta/legacy reads.
func TestLegacyFromImage(t *testing.T) {
	fsys, err := flatten(t, nil,
		layerOf(file{name: ".registry/app.yaml", content: "title: Old\n"}, file{name: ".registry/rbac.yaml", content: "rules: []\n"}),
		layerOf(file{name: ".registry/app.yaml", content: "title: Sample\nversion: v1\n"}, file{name: ".registry/.wh.rbac.yaml"}, file{name: ".registry/icon.svg", kind: tar.TypeSymlink, link: "/etc/passwd"}))
	if err != nil {
		t.Fatal(err)
	}
	p, err := legacy.Read(t.Context(), fsys, &legacy.Options{Tag: "v1"})
	var link *legacy.FileError
	if !errors.As(err, &link) || link.Problem != legacy.FileLink || link.File != ".registry/icon.svg" {
		t.Errorf("got %v, want an error about the link", err)
	}
	if p.Root != ".registry" || p.App == nil || p.App.Title != "Sample" || len(p.UnknownFiles) != 0 {
		t.Errorf("got %+v", p)
	}
}
