package xpkg_test

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// documents repeats a document up to a size, so that every cut at its length is
// a border between documents.
func documents(size int) string {
	const document = "---\nkind: Composition\n"
	return packageYAML + strings.Repeat(document, (size-len(packageYAML))/len(document))
}

func TestLimits(t *testing.T) {
	content := documents(100 << 10)
	zeros := strings.Repeat("\x00", 4<<20)
	var many []file
	for n := range 2000 {
		many = append(many, file{name: fmt.Sprintf("d/f%d", n)})
	}
	many = append(many, file{name: "package.yaml", content: packageYAML})
	good := file{name: "package.yaml", content: packageYAML}

	cases := []struct {
		name, reason string
		image        *testImage
		options      xpkg.Options
		limit        int64
		says         string
	}{
		{"border between documents", "a limit on a border between documents", imageOf(baseOf(file{name: "package.yaml", content: content})),
			xpkg.Options{MaxPackageBytes: int64(strings.LastIndex(content, "---"))}, int64(strings.LastIndex(content, "---")), "package.yaml"},
		{"inside a document", "a limit inside a document", imageOf(baseOf(file{name: "package.yaml", content: content})),
			xpkg.Options{MaxPackageBytes: int64(len(content) - 1)}, int64(len(content) - 1), "package.yaml"},
		{"zeros before it", "zeros before a good package.yaml", imageOf(baseOf(file{name: "zeros", content: zeros}, good)), xpkg.Options{MaxLayerBytes: 1 << 20}, 1 << 20, "decompressed"},
		{"zeros before it, no mark", "the same in the flattened file system", imageOf(layerOf(file{name: "zeros", content: zeros}, good)), xpkg.Options{MaxLayerBytes: 1 << 20}, 1 << 20, "decompressed"},
		{"zeros behind it, no mark", "and behind it", imageOf(layerOf(good, file{name: "zeros", content: zeros})), xpkg.Options{MaxLayerBytes: 1 << 20}, 1 << 20, "decompressed"},
		{"zeros over all layers", "over all layers together", imageOf(layerOf(good), layerOf(file{name: "a", content: zeros[:700<<10]}), layerOf(file{name: "a", content: zeros[:700<<10]})),
			xpkg.Options{MaxLayerBytes: 1 << 20}, 1 << 20, "decompressed"},
		{"compressed", "a layer that is too large as it is, is not read", imageOf(testLayer{blob: tarOf(file{name: "a", content: zeros}, good), annotations: base}), xpkg.Options{MaxLayerBytes: 1 << 20}, 1 << 20, "layer sha256:"},
		{"entries", "many entries before it", imageOf(layerOf(many...)), xpkg.Options{MaxEntries: 1000}, 1000, "entries"},
		{"entries of a marked layer", "also in a marked layer", imageOf(baseOf(many...)), xpkg.Options{MaxEntries: 1000}, 1000, "entries"},
		{"links", "passes over the layers count together", imageOf(layerOf(append([]file{{name: "package.yaml", kind: tar.TypeSymlink, link: "d/f599"}}, many[:600]...)...)), xpkg.Options{MaxEntries: 1000}, 1000, "entries"},
		{"manifest", "a manifest that is too large", imageOf(baseOf(good)), xpkg.Options{MaxManifestBytes: 100}, 100, "manifest"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			everywhere(t, c.image, &c.options, func(t *testing.T, img *xpkg.Image, err error) {
				if err == nil {
					_, err = read(t, img)
				}
				var limit *meta.LimitError
				checkError(t, err, meta.ErrLimit, c.says)
				if !errors.As(err, &limit) || c.name != "manifest" && limit.Limit != c.limit {
					t.Errorf("got %#v, want the limit %d: %s", limit, c.limit, c.reason)
				}
			})
		})
	}
}

// Of a tar that is compressed as a whole, what stands before a file is
// decompressed again for each: many layers behind a bomb are many bombs.
func TestWhatIsPassedInACompressedTarCounts(t *testing.T) {
	layer := tarOf(file{name: "a", content: "b"})
	var layers []testLayer
	for range 20 {
		layers = append(layers, testLayer{blob: layer})
	}
	i := imageOf(layers...)
	entries := []file{{name: "zeros", content: strings.Repeat("\x00", 256<<10)}}
	blobs := i.blobs()
	for _, digest := range slices.Sorted(maps.Keys(blobs)) {
		entries = append(entries, file{name: "blobs/sha256/" + digest[len("sha256:"):], content: string(blobs[digest])})
	}
	entries = append(entries, file{name: "index.json", content: string(indexJSON(entryOf(i.manifest(), i.mediaType(), "", nil)))})
	open := func(b []byte) error {
		img, err := xpkg.OpenFile(t.Context(), writeTemp(t, "image.tar", b), &xpkg.Options{MaxLayerBytes: 2 << 20})
		if err == nil {
			_, err = img.Package(t.Context())
		}
		return err
	}
	checkError(t, open(tarOf(entries...)), meta.ErrNotPackage, "package.yaml")
	checkError(t, open(gzipped(tarOf(entries...))), meta.ErrLimit, "image.tar", "decompressed")
}

func TestLimitIsTheLargestAllowed(t *testing.T) {
	content := documents(10 << 10)
	blob := tarOf(file{name: "package.yaml", content: content})
	i := imageOf(testLayer{blob: blob, annotations: base})
	o := &xpkg.Options{MaxPackageBytes: int64(len(content)), MaxLayerBytes: int64(len(blob)), MaxEntries: 1, MaxManifestBytes: int64(len(i.manifest()))}
	everywhere(t, i, o, func(t *testing.T, img *xpkg.Image, err error) {
		want{content: content}.check(t, img, err)
	})
}

// A tar of many entries is gone through in memory that does not grow with them.
func TestManyEntriesTakeNoMemory(t *testing.T) {
	const entries, block = 300_000, 1000
	var headers bytes.Buffer
	w := tar.NewWriter(&headers)
	h := &tar.Header{Name: "some/directory/with/a/file", Typeflag: tar.TypeReg}
	for range block {
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
	}
	// A gzip stream may have several members, so that a block is compressed once.
	blob := bytes.Repeat(gzipped(headers.Bytes()), entries/block)
	blob = append(blob, gzipped(tarOf(file{name: "package.yaml", content: packageYAML}))...)

	img := xpkg.Open(imageOf(testLayer{blob: blob}).image(t), nil)
	var before, during runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, err := img.Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runtime.GC()
	runtime.ReadMemStats(&during)
	if grown := int64(during.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes are held behind %d entries", grown, entries)
	}
	if b, err := io.ReadAll(s); err != nil || string(b) != packageYAML {
		t.Errorf("got %q (%v)", b, err)
	}
}

// What the file system holds is more than names and content: many small files
// are refused before they fill the memory.
func TestFileSystemOfManyFiles(t *testing.T) {
	many := func(name string) *testImage {
		files := make([]file, 2000)
		for i := range files {
			files[i].name = fmt.Sprintf(name, i)
		}
		return imageOf(layerOf(files...))
	}
	cases := []struct {
		name, reason string
		image        *testImage
		max          int64
		limited      bool
	}{
		{"enough", "2,000 files and their names", many("f%04d"), 2000 * (512 + 5), false},
		{"files", "each takes as much as a small file", many("f%04d"), 2000*(512+5) - 1, true},
		{"directories", "also those that are only implied", many("d%04d/f"), 2000 * (512 + 7), true},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := xpkg.Open(c.image.image(t), &xpkg.Options{MaxPackageBytes: c.max}).FS(t.Context())
			var limit *meta.LimitError
			if errors.As(err, &limit) != c.limited || !c.limited && err != nil || limit != nil && limit.Limit != c.max {
				t.Errorf("got %v: %s", err, c.reason)
			}
		})
	}
}
