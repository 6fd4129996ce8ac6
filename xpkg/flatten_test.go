package xpkg_test

import (
	"archive/tar"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestFlattened(t *testing.T) {
	t.Parallel()
	yaml := func(content string) file { return file{name: "package.yaml", content: content} }
	good := yaml(packageYAML)
	const old = "kind: Old\n"
	upper := tarOf(file{name: "x", content: "y"})
	bottom := layerOf(good)
	deep := []testLayer{bottom}
	for n := range 499 {
		deep = append(deep, layerOf(file{name: fmt.Sprintf("f%d", n), content: "x"}))
	}

	cases := []struct {
		name, reason string
		layers       []testLayer // bottom first
		want         want
	}{
		{"upper one", "the upper one is used", []testLayer{layerOf(yaml(old)), layerOf(good)}, want{content: packageYAML, method: xpkg.MethodFlattened}},
		{"whiteout", "a whiteout deletes it", []testLayer{layerOf(good), layerOf(file{name: ".wh.package.yaml"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"whiteout with a slash", "however it is written", []testLayer{layerOf(good), layerOf(file{name: "/.wh.package.yaml"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"opaque root", "the root may be opaque", []testLayer{layerOf(good), layerOf(file{name: "./.wh..wh..opq"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"whiteout of something else", "a whiteout of another file deletes nothing", []testLayer{layerOf(good), layerOf(file{name: ".wh.package.yml"}, file{name: "a/.wh..wh..opq"}, file{name: "a/.wh.package.yaml"})}, want{content: packageYAML}},
		{"aufs metadata", "nor does aufs metadata", []testLayer{layerOf(good), layerOf(file{name: ".wh..wh.aufs"}, file{name: ".wh.."}, file{name: ".wh..."}, file{name: "a/.wh..."}, file{name: ".wh."})}, want{content: packageYAML}},
		{"opaque root and a new one", "an opaque whiteout is about lower layers", []testLayer{layerOf(yaml(old)), layerOf(file{name: ".wh..wh..opq"}, good)}, want{content: packageYAML}},
		{"a new one and an opaque root", "wherever it stands", []testLayer{layerOf(yaml(old)), layerOf(good, file{name: ".wh..wh..opq"})}, want{content: packageYAML}},
		{"added, deleted, added", "added, deleted, added", []testLayer{layerOf(yaml(old)), layerOf(file{name: ".wh.package.yaml"}), layerOf(good)}, want{content: packageYAML}},
		{"a new one and a whiteout", "a whiteout after the file in one layer is about lower layers", []testLayer{layerOf(yaml(old)), layerOf(good, file{name: ".wh.package.yaml"})}, want{content: packageYAML}},
		{"a whiteout in the only layer", "also when there is no lower layer", []testLayer{layerOf(good, file{name: ".wh.package.yaml"})}, want{content: packageYAML}},
		{"another in a directory", "one in a directory is another file", []testLayer{layerOf(good), layerOf(file{name: "testdata/package.yaml", content: old})}, want{content: packageYAML}},
		{"symbolic link to a lower layer", "a symbolic link to a lower layer is followed", []testLayer{layerOf(file{name: "data/package.yaml", content: packageYAML}), layerOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "data/package.yaml"})}, want{content: packageYAML}},
		{"symbolic link to an upper layer", "and to an upper one: it is read in the finished file system", []testLayer{layerOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "data/p"}, file{name: "data/p", content: old}), layerOf(file{name: "data/p", content: packageYAML})}, want{content: packageYAML}},
		{"symbolic link over one to a directory", "over a link to a directory", []testLayer{layerOf(file{name: "real/p", content: packageYAML}, file{name: "data", kind: tar.TypeSymlink, link: "./real"}), layerOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "/data/p"})}, want{content: packageYAML}},
		{"symbolic link to a deleted file", "to a file that was deleted", []testLayer{layerOf(file{name: "data/p", content: old}), layerOf(file{name: ".wh.data"}, file{name: "package.yaml", kind: tar.TypeSymlink, link: "data/p"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink, says: []string{"data/p"}}},
		{"symbolic links in a circle", "in a circle over two names", []testLayer{layerOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "a"}, file{name: "a", kind: tar.TypeSymlink, link: "package.yaml"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink, says: []string{"in a circle"}}},
		{"symbolic link to a directory", "to a directory", []testLayer{layerOf(file{name: "d/", kind: tar.TypeDir}, file{name: "package.yaml", kind: tar.TypeSymlink, link: "d"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{"directory"}}},
		{"symbolic link to the root", "to the root", []testLayer{layerOf(file{name: "package.yaml", kind: tar.TypeSymlink, link: "/"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile}},
		{"hard link to a lower layer", "names the file that was there", []testLayer{layerOf(file{name: "p", content: packageYAML}), layerOf(file{name: "package.yaml", kind: tar.TypeLink, link: "p"})}, want{content: packageYAML}},
		{"hard link to a hard link", "leads on", []testLayer{layerOf(file{name: "package.yaml", kind: tar.TypeLink, link: "a"}, file{name: "a", kind: tar.TypeLink, link: "b"}, file{name: "b", content: packageYAML})}, want{content: packageYAML}},
		{"hard link to itself", "leads nowhere", []testLayer{layerOf(good), layerOf(file{name: "package.yaml", kind: tar.TypeLink, link: "package.yaml"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
		{"hard link overwritten", "what is put in the place of the other name later does not matter",
			[]testLayer{layerOf(file{name: "p", content: packageYAML}, file{name: "package.yaml", kind: tar.TypeLink, link: "p"}), layerOf(file{name: "p", content: old})}, want{content: packageYAML}},
		{"hard link deleted", "nor that it is deleted",
			[]testLayer{layerOf(file{name: "p", content: packageYAML}, file{name: "package.yaml", kind: tar.TypeLink, link: "p"}), layerOf(file{name: ".wh.p"})}, want{content: packageYAML}},
		{"below a link out of the image", "an entry below a link that leaves the root is not at the root", []testLayer{layerOf(file{name: "esc", kind: tar.TypeSymlink, link: "/etc"}, file{name: "esc/package.yaml", content: old})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"below a link to the root", "nor below a link to the root: names are taken literally", []testLayer{layerOf(file{name: "esc", kind: tar.TypeSymlink, link: "/"}, file{name: "esc/package.yaml", content: old})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"spellings", "spellings of one path", []testLayer{layerOf(file{name: "./package.yaml", content: old}), layerOf(file{name: "/package.yaml", content: packageYAML})}, want{content: packageYAML}},
		{"directory above it", "a directory in its place", []testLayer{layerOf(good), layerOf(file{name: "package.yaml/", kind: tar.TypeDir}, file{name: "package.yaml/x", content: old})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{"directory"}}},
		{"implied directory above it", "also when only what is in it is there", []testLayer{layerOf(good), layerOf(file{name: "package.yaml/x", content: old}, file{name: "package.yaml/", kind: tar.TypeDir})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{"directory"}}},
		{"hostile names", "unrelated hostile entries are ignored", []testLayer{layerOf(good), layerOf(file{name: "../x", content: old}, file{name: "/../../y", content: old}, file{name: `..\z`, content: old})}, want{content: packageYAML}},
		{"broken layer above it", "a broken layer above it", []testLayer{bottom, {blob: gzipped(upper)[:40]}}, want{is: meta.ErrInvalid, says: []string{digestOf(gzipped(upper)[:40]).String()}}},
		{"broken layer below it", "a broken layer below it is not read", []testLayer{{blob: gzipped(upper)[:40]}, layerOf(good)}, want{content: packageYAML}},
		{"no tar above it", "an upper layer that is no tar", []testLayer{bottom, {blob: []byte(`{"_type":"https://in-toto.io/Statement/v1"}`), mediaType: "application/vnd.in-toto+json"}},
			want{is: meta.ErrInvalid, says: []string{digestOf([]byte(`{"_type":"https://in-toto.io/Statement/v1"}`)).String(), "tar"}}},
		{"500 layers", "500 layers", deep, want{content: packageYAML}},
		{"swapped", "the layer with it is served with other bytes", []testLayer{{blob: upper}, {blob: tarOf(good), served: tarOf(yaml(strings.ToUpper(packageYAML)))}}, want{is: meta.ErrDigest}},
		{"swapped layer above it", "a layer above it is served with other bytes", []testLayer{bottom, {blob: upper, served: tarOf(file{name: "x", content: "z"})}}, want{is: meta.ErrDigest, says: []string{digestOf(upper).String()}}},
		{"swapped whiteout", "what swapped bytes say does not count", []testLayer{bottom, {blob: tarOf(file{name: ".wh.package.yamx"}), served: tarOf(file{name: ".wh.package.yaml"})}}, want{is: meta.ErrDigest}},
		{"swapped refusal", "not even to refuse", []testLayer{{blob: tarOf(file{name: "package.yaml", kind: tar.TypeBlock}), served: tarOf(file{name: "package.yaml", kind: tar.TypeFifo})}}, want{is: meta.ErrDigest}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			test := func(t *testing.T, img *xpkg.Image, err error) {
				c.want.check(t, img, err)
				if t.Failed() {
					t.Log("reason: " + c.reason)
				}
			}
			if len(c.layers) > 100 {
				test(t, xpkg.Open(imageOf(c.layers...).image(t), nil), nil)
				return
			}
			everywhere(t, imageOf(c.layers...), nil, test)
		})
	}
}

func TestFlattenedReadsFromTheTop(t *testing.T) {
	t.Parallel()
	// With package.yaml in the top layer nothing below is asked for, and
	// no layer is asked for twice.
	r := newRegistry(t)
	var layers []testLayer
	for n := range 30 {
		layers = append(layers, layerOf(file{name: fmt.Sprintf("f%d", n), content: strings.Repeat("x", 10_000)}))
	}
	top := layerOf(file{name: "package.yaml", content: packageYAML})
	ref := r.put(t, "org/package:v1", imageOf(append(layers, top)...))
	img, err := r.client().Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.took()
	if _, err := read(t, img); err != nil {
		t.Fatal(err)
	}
	if got, want := r.took(), []string{"GET blobs/" + digestOf(top.blob).String()}; !slices.Equal(got, want) {
		t.Errorf("got the requests %q, want %q", got, want)
	}
}

func TestLayerIsReadToItsEnd(t *testing.T) {
	t.Parallel()
	// What comes after package.yaml in its layer is verified too.
	blob := tarOf(file{name: "package.yaml", content: packageYAML}, file{name: "z", content: strings.Repeat("z", 5<<20)})
	i := imageOf(testLayer{blob: blob, served: flip(blob, len(blob)-2000)})
	_, err := read(t, xpkg.Open(i.image(t), nil))
	checkError(t, err, meta.ErrDigest)
}
