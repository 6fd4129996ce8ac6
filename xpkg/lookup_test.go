package xpkg_test

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// However the archive writes a name, a link or a size, it is the same one.
func TestWaysToWriteAnEntry(t *testing.T) {
	t.Parallel()
	const long = "././././././././././././././././././././././././././././././././././././././././././././././././././././"
	good := tarOf(file{name: "package.yaml", content: packageYAML})
	v7 := func(b []byte) { clear(b[257:]) }
	body := padded(packageYAML)
	size := octal(len(packageYAML))
	pax := func(key, value string) []byte {
		r := paxRecord(key, value)
		return paxSized(octal(len(r)), r)
	}
	link := func(kind byte, name, target string, format tar.Format) []byte {
		b := tarOf(file{name: name, kind: kind, link: target, format: format}, file{name: "target", content: packageYAML})
		return b
	}
	end := make([]byte, 1024)

	cases := []struct {
		name, reason string
		parts        [][]byte
		want         want
	}{
		{"no format", "as tar wrote it before there was ustar", [][]byte{rawHeader("package.yaml", 0, size, v7), body, end}, want{content: packageYAML}},
		{"contiguous", "a contiguous file is a file", [][]byte{rawHeader("package.yaml", tar.TypeCont, size, nil), body, end}, want{content: packageYAML}},
		{"no format directory", "a slash makes a directory there", [][]byte{rawHeader("package.yaml/", 0, octal(0), v7), end}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile}},
		{"unknown type", "a type that POSIX does not know is no file that can be trusted to be one", [][]byte{rawHeader("package.yaml", 'Z', size, nil), body, end}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile, says: []string{`'Z'`}}},
		{"prefix", "a name in two fields", [][]byte{rawHeader("package.yaml", tar.TypeReg, size, func(b []byte) { copy(b[345:], "./.") }), body, end}, want{content: packageYAML}},
		{"prefix directory", "and one that is in a directory that way", [][]byte{rawHeader("package.yaml", tar.TypeReg, size, func(b []byte) { copy(b[345:], "dir") }), body, end},
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"dir/package.yaml"}}},
		{"PAX path", "the path of a PAX record counts", [][]byte{pax("path", "package.yaml"), rawHeader("other", tar.TypeReg, size, nil), body, end}, want{content: packageYAML}},
		{"PAX path elsewhere", "and not the name beside it", [][]byte{pax("path", "other"), rawHeader("package.yaml", tar.TypeReg, size, nil), body, end}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"PAX size", "and the size", [][]byte{pax("size", fmt.Sprint(len(packageYAML))), rawHeader("package.yaml", tar.TypeReg, octal(0), nil), body, end}, want{content: packageYAML}},
		{"PAX of a directory", "records of one entry are not those of the next", [][]byte{pax("path", "dir/"), rawHeader("x", tar.TypeDir, octal(0), nil), good}, want{content: packageYAML}},
		{"PAX broken", "records that are none", [][]byte{paxSized(octal(9), "nonsense\n"), good}, want{is: meta.ErrInvalid, says: []string{"tar"}}},
		{"GNU name", "a long name", [][]byte{gnuLong(tar.TypeGNULongName, long+"package.yaml"), rawHeader(long[:99], tar.TypeReg, size, gnuMagic), body, end}, want{content: packageYAML}},
		{"GNU name elsewhere", "that leads into a directory", [][]byte{gnuLong(tar.TypeGNULongName, "dir/package.yaml"), rawHeader("package.yaml", tar.TypeReg, size, gnuMagic), body, end},
			want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"dir/package.yaml"}}},
		{"GNU link", "a long link", [][]byte{link(tar.TypeSymlink, "package.yaml", long+"target", tar.FormatGNU)}, want{content: packageYAML}},
		{"PAX link", "in a PAX record", [][]byte{link(tar.TypeSymlink, "package.yaml", long+"target", tar.FormatPAX)}, want{content: packageYAML}},
		{"PAX hard link", "for a hard link too", [][]byte{link(tar.TypeLink, long+"package.yaml", long+"target", tar.FormatPAX)}, want{content: packageYAML}},
		{"hard link with a slash", "an absolute one is one from the root", [][]byte{link(tar.TypeLink, "package.yaml", "/target", 0)}, want{content: packageYAML}},
		{"hard link out of the image", "and leads nowhere else", [][]byte{link(tar.TypeLink, "package.yaml", "../target", 0)}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink, says: []string{"outside"}}},
		{"hard link to a symbolic link", "leads on from where it stands", [][]byte{tarOf(file{name: "package.yaml", kind: tar.TypeLink, link: "dir/link"}, file{name: "dir/link", kind: tar.TypeSymlink, link: "target"}, file{name: "target", content: packageYAML})}, want{content: packageYAML}},
		{"sparse", "a file with holes is read with them",
			[][]byte{sparseFile("zeros", 1<<40), good}, want{content: packageYAML}},
		{"global", "a record for the whole archive is no package.yaml", [][]byte{tarOf(file{kind: tar.TypeXGlobalHeader, name: "package.yaml", pax: map[string]string{"comment": "x"}})[:1024], good}, want{content: packageYAML}},
		{"three spellings", "package.yaml, ./package.yaml and /package.yaml are one path", [][]byte{tarOf(file{name: "/package.yaml", content: packageYAML})[:1024], good}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"two the same", "also when they hold the same", [][]byte{good[:1024], good}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"behind an empty one", "also when the first is nothing", [][]byte{rawHeader("package.yaml", tar.TypeReg, octal(0), nil), good}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonEmpty}},
		{"before a directory", "a directory of the name behind it", [][]byte{good[:1024], tarOf(file{name: "package.yaml/", kind: tar.TypeDir})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"before what is in it", "or what would be in one", [][]byte{good[:1024], tarOf(file{name: "package.yaml/x", content: "y"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"before a link", "or a link", [][]byte{good[:1024], link(tar.TypeSymlink, "./package.yaml", "target", 0)}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"two targets", "or two files where a link leads", [][]byte{link(tar.TypeSymlink, "package.yaml", "target", 0)[:1536], tarOf(file{name: "./target", content: packageYAML})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonDuplicate}},
		{"no end", "an archive without the blocks at its end", [][]byte{good[:len(good)-1024]}, want{content: packageYAML}},
		{"behind the end", "what stands behind the end is not in the archive", [][]byte{tarOf(), good}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing}},
		{"checksum", "a header that was damaged", [][]byte{flip(good, 3)}, want{is: meta.ErrInvalid, says: []string{"tar"}}},
		{"next checksum", "or one behind package.yaml", [][]byte{good[:1024], flip(tarOf(file{name: "x"}), 3)}, want{is: meta.ErrInvalid, says: []string{"behind entry 1"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			blob := bytes.Join(c.parts, nil)
			for _, l := range []testLayer{{blob: blob, annotations: base}, {blob: gzipped(blob)}} {
				c.want.check(t, xpkg.Open(imageOf(l).image(t), nil), nil)
			}
			if t.Failed() {
				t.Log("reason: " + c.reason)
			}
		})
	}
}

// Nothing below the layer that decides is asked for, whatever it decides.
func TestLayersBelowAreNotRead(t *testing.T) {
	t.Parallel()
	broken := testLayer{blob: []byte("no tar")}
	symlink := func(name, target string) file { return file{name: name, kind: tar.TypeSymlink, link: target} }
	cases := []struct {
		name, reason string
		layers       []testLayer // above the broken one
		want         want
	}{
		{"file", "it is there", []testLayer{layerOf(file{name: "package.yaml", content: packageYAML})}, want{content: packageYAML}},
		{"whiteout", "it is deleted", []testLayer{layerOf(file{name: ".wh.package.yaml"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"removes"}}},
		{"opaque", "with everything", []testLayer{layerOf(file{name: "/.wh..wh..opq"}, file{name: "x"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonMissing, says: []string{"removes"}}},
		{"directory", "a directory is in its place", []testLayer{layerOf(file{name: "package.yaml/x"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile}},
		{"fifo", "something else is", []testLayer{layerOf(file{name: "package.yaml", kind: tar.TypeFifo})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonNotAFile}},
		{"empty", "it is empty", []testLayer{layerOf(file{name: "package.yaml"})}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonEmpty}},
		{"out", "it is a link out of the image", []testLayer{layerOf(symlink("package.yaml", "../x"))}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
		{"link", "it is a link to what is there", []testLayer{layerOf(file{name: "a", content: packageYAML}), layerOf(symlink("package.yaml", "a"))}, want{content: packageYAML}},
		{"link below a file", "it leads below a file", []testLayer{layerOf(file{name: "a", content: "x"}, symlink("package.yaml", "a/b"))}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
		{"link into an opaque directory", "it leads to what is deleted", []testLayer{layerOf(file{name: "./a/.wh..wh..opq"}, symlink("package.yaml", "a/b"))}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
		{"link to what is deleted above", "a directory above it is", []testLayer{layerOf(file{name: "/.wh.a"}), layerOf(symlink("package.yaml", "a/b/c"))}, want{is: meta.ErrNotPackage, reason: xpkg.ReasonBadLink}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1", imageOf(append([]testLayer{broken}, c.layers...)...))
			img, err := r.client().Image(t.Context(), ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			r.took()
			c.want.check(t, img, nil)
			if requests := r.took(); slices.Contains(requests, "GET blobs/"+digestOf(broken.blob).String()) {
				t.Errorf("the layer below was asked for: %q: %s", requests, c.reason)
			}
		})
	}
}

// What is nearly right is named, a few of it and each once, and at a length that
// can be read.
func TestNearMisses(t *testing.T) {
	t.Parallel()
	var many []file
	for n := range 20 {
		many = append(many, file{name: fmt.Sprintf("d%d/package.yaml", n), content: "x"})
	}
	near := []string{"d0/package.yaml", "d1/package.yaml", "d2/package.yaml", "d3/package.yaml", "d4/package.yaml", "d5/package.yaml", "d6/package.yaml", "d7/package.yaml"}
	long := strings.Repeat("d/", 1000) + "package.yaml"
	cases := []struct {
		name, reason string
		layers       []testLayer
		near         []string
		hint         string
	}{
		{"nothing", "there is nothing to name", []testLayer{layerOf(file{name: "x"})}, nil, ""},
		{"misspelt", "in every way in which it happens", []testLayer{layerOf(file{name: "package.yml"}, file{name: "PACKAGE.YAML"}, file{name: "Package.yml"}, file{name: "package.yaml.gz"}, file{name: "packages.yaml"})}, []string{"package.yml", "PACKAGE.YAML", "Package.yml"}, ""},
		{"source", "a directory that was put into an image as it is", []testLayer{layerOf(file{name: "crossplane.yaml"}, file{name: "crds/x.yaml"})}, []string{"crossplane.yaml"}, ""},
		{"nested", "in a directory", []testLayer{layerOf(file{name: "pkg/package.yaml"}, file{name: "a/b/crossplane.yml"})}, []string{"pkg/package.yaml", "a/b/crossplane.yml"}, ""},
		{"many", "no more than eight", []testLayer{layerOf(many...)}, near, ""},
		{"again", "what several layers hold is named once", []testLayer{layerOf(file{name: "package.yml"}, file{name: "a/package.yaml"}), layerOf(file{name: "./package.yml"})}, []string{"package.yml", "a/package.yaml"}, ""},
		{"long", "the end of a long name", []testLayer{layerOf(file{name: long}), layerOf(file{name: long})}, []string{"…" + long[len(long)-200:]}, ""},
		{"outside", "what is out of the image is not nearly in it", []testLayer{layerOf(file{name: "../package.yaml"})}, nil, ""},
		{"runtime", "a runtime image", []testLayer{layerOf(file{name: "etc/", kind: tar.TypeDir}, file{name: "usr/local/bin/provider"})}, nil, "a runtime image that was not built as a package"},
		{"ko", "built with ko", []testLayer{layerOf(file{name: "ko-app/provider"})}, nil, "a runtime image that was not built as a package"},
		{"v1", "a package of the format before this one", []testLayer{layerOf(file{name: "./.registry/app.yaml"}, file{name: "bin/x"})}, nil, "a v1 package (it has a .registry directory): package meta/legacy reads those, from Image.FS"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(t, xpkg.Open(imageOf(c.layers...).image(t), nil))
			checkError(t, err, meta.ErrNotPackage)
			var not *xpkg.NotPackageError
			if !errors.As(err, &not) || !slices.Equal(not.NearMisses, c.near) || not.Hint != c.hint {
				t.Errorf("got %#v, want %q and %q: %s", not, c.near, c.hint, c.reason)
			}
		})
	}
}

// asked is a context that counts how often somebody looks whether it is done.
type asked struct {
	context.Context
	times atomic.Int64
	end   func() error // nil, or what it says from then on
}

func (a *asked) Err() error {
	a.times.Add(1)
	if a.end != nil {
		if err := a.end(); err != nil {
			return err
		}
	}
	return a.Context.Err()
}

// The context is looked at for each MiB and each entry, however little of the
// blob they are.
func TestContextIsLookedAt(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	var entries []file
	for n := range 3000 {
		entries = append(entries, file{name: fmt.Sprint("f", n)})
	}
	good := file{name: "package.yaml", content: packageYAML}
	cases := []struct {
		name, reason string
		layer        []byte
		least        int64
	}{
		{"zeros before", "what is skipped", tarOf(file{name: "zeros", content: strings.Repeat("\x00", 8*mib)}, good), 8},
		{"zeros behind", "what is only verified", tarOf(good, file{name: "zeros", content: strings.Repeat("\x00", 8*mib)}), 8},
		{"end", "what stands behind the archive", append(tarOf(good), make([]byte, 8*mib)...), 8},
		{"entries", "entries of nothing", tarOf(append(entries, good)...), 3000},
		{"holes", "what is not even in the archive", sparseFile("package.yaml", 8*mib), 8},
		{"content", "package.yaml itself", tarOf(file{name: "package.yaml", content: strings.Repeat("#", 8*mib)}), 8},
	}
	for _, c := range cases {
		for way, blob := range map[string][]byte{"gzip": gzipped(c.layer), "zstd": zstdCompressed(c.layer), "plain": c.layer} {
			t.Run(c.name+"/"+way, func(t *testing.T) {
				ctx := &asked{Context: t.Context()}
				img := xpkg.Open(imageOf(testLayer{blob: blob}).image(t), nil)
				s, err := img.Stream(ctx)
				if err != nil {
					t.Fatal(err)
				}
				// Reads of any size are no way around it.
				b := make([]byte, 16*mib)
				for err == nil {
					_, err = s.Read(b)
				}
				if err != io.EOF || s.Close() != nil {
					t.Fatalf("got %v", err)
				}
				if n := ctx.times.Load(); n < c.least {
					t.Errorf("looked %d times, want %d at least: %s", n, c.least, c.reason)
				}
				ctx = &asked{Context: t.Context()}
				if _, err := img.FS(ctx); err != nil || ctx.times.Load() < c.least {
					t.Errorf("FS: looked %d times (%v), want %d at least", ctx.times.Load(), err, c.least)
				}
				// And what is seen there ends the call.
				ctx = &asked{Context: t.Context()}
				ctx.end = func() error {
					if ctx.times.Load() > c.least/2 {
						return context.Canceled
					}
					return nil
				}
				_, err = img.FS(ctx)
				checkError(t, err, meta.ErrCanceled)
				if got := ctx.times.Load(); got > c.least+10 {
					t.Errorf("looked %d times more after it was done", got-c.least/2)
				}
			})
		}
	}
}

// Also while a tar that is compressed as a whole is gone through for its parts.
func TestContextIsLookedAtInACompressedTar(t *testing.T) {
	t.Parallel()
	const mib = 1 << 20
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}))
	entries := []file{{name: "zeros", content: strings.Repeat("\x00", 8*mib)}}
	for digest, b := range i.blobs() {
		entries = append(entries, file{name: "blobs/sha256/" + digest[len("sha256:"):], content: string(b)})
	}
	entries = append(entries, file{name: "index.json", content: string(indexJSON(entryOf(i.manifest(), i.mediaType(), "", nil)))})
	path := writeTemp(t, "image.tar.gz", gzipped(tarOf(entries...)))
	ctx := &asked{Context: t.Context()}
	img, err := xpkg.OpenFile(ctx, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	// Once for the table, once for index.json and once for the manifest.
	if n := ctx.times.Load(); n < 3*8 {
		t.Errorf("looked %d times", n)
	}
	ctx = &asked{Context: t.Context()}
	if _, err := img.Package(ctx); err != nil || ctx.times.Load() < 8 {
		t.Errorf("looked %d times (%v)", ctx.times.Load(), err)
	}
}

// Image.FS and the lookup agree on what is in the way of package.yaml.
func TestFSAgreesWithTheLookup(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, reason string
		layers       []testLayer
		want         string // "" for none
	}{
		{"hard link to a hard link", "over two names", []testLayer{layerOf(file{name: "a", content: packageYAML}), layerOf(file{name: "package.yaml", kind: tar.TypeLink, link: "b"}, file{name: "b", kind: tar.TypeLink, link: "a"})}, packageYAML},
		{"hard links in a circle", "lead nowhere", []testLayer{layerOf(file{name: "package.yaml", kind: tar.TypeLink, link: "b"}, file{name: "b", kind: tar.TypeLink, link: "package.yaml"})}, ""},
		{"absolute whiteouts", "and one that adds it again", []testLayer{layerOf(file{name: "package.yaml", content: "old"}), layerOf(file{name: "/.wh..wh..opq"}, file{name: "/package.yaml", content: packageYAML}, file{name: "/.wh.package.yaml"})}, packageYAML},
		{"sparse", "holes are zeros", []testLayer{{blob: sparseFile("package.yaml", 3)}}, "\x00\x00\x00"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			img := xpkg.Open(imageOf(c.layers...).image(t), nil)
			fsys, err := img.FS(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			b, err := fs.ReadFile(fsys, "package.yaml")
			if string(b) != c.want || (err == nil) != (c.want != "") {
				t.Errorf("FS: got %q (%v): %s", b, err, c.reason)
			}
			got, err := read(t, img)
			if got != c.want || (err == nil) != (c.want != "") {
				t.Errorf("Stream: got %q (%v): %s", got, err, c.reason)
			}
		})
	}
}
