package xpkg_test

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// rawHeader is one block of a tar header as nobody writes it: every field is
// what it is told to be, and only the checksum is right.
func rawHeader(name string, kind byte, size string, change func(block []byte)) []byte {
	b := make([]byte, 512)
	copy(b, name)
	copy(b[100:], "0000644\x00")
	copy(b[108:], "0000000\x00")
	copy(b[116:], "0000000\x00")
	copy(b[124:], size)
	copy(b[136:], "00000000000\x00")
	b[156] = kind
	copy(b[257:], "ustar\x0000")
	if change != nil {
		change(b)
	}
	copy(b[148:], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:], fmt.Sprintf("%06o\x00 ", sum))
	return b
}

// base256 is a size as GNU tar writes those that do not fit in octal digits.
func base256(n int64) string {
	b := make([]byte, 12)
	binary.BigEndian.PutUint64(b[4:], uint64(n))
	if n < 0 {
		copy(b, "\xff\xff\xff\xff")
	}
	b[0] |= 0x80
	return string(b)
}

func octal(n int) string { return fmt.Sprintf("%011o\x00", n) }

// padded fills the last block.
func padded(content string) []byte {
	return append([]byte(content), make([]byte, (512-len(content)%512)%512)...)
}

// gnuLong is an entry whose name or link is in a block of its own.
func gnuLong(kind byte, text string) []byte {
	return append(rawHeader("././@LongLink", kind, octal(len(text)+1), gnuMagic), padded(text+"\x00")...)
}

func gnuMagic(b []byte) { copy(b[257:], "ustar  \x00") }

// paxSized is a PAX header that says n bytes of its own and holds content.
func paxSized(size, content string) []byte {
	return append(rawHeader("PaxHeaders/x", tar.TypeXHeader, size, nil), padded(content)...)
}

func paxRecord(key, value string) string {
	n := len(key) + len(value) + 3
	for n != len(fmt.Sprint(n))+len(key)+len(value)+3 {
		n = len(fmt.Sprint(n)) + len(key) + len(value) + 3
	}
	return fmt.Sprintf("%d %s=%s\n", n, key, value)
}

// sparseFile says that it is size bytes long and holds none of them.
func sparseFile(name string, size int64) []byte {
	records := paxRecord("GNU.sparse.major", "1") + paxRecord("GNU.sparse.minor", "0") +
		paxRecord("GNU.sparse.name", name) + paxRecord("GNU.sparse.realsize", fmt.Sprint(size))
	table := padded(fmt.Sprintf("1\n%d\n0\n", size))
	return bytes.Join([][]byte{paxSized(octal(len(records)), records), rawHeader("GNUSparseFile.0/x", tar.TypeReg, octal(len(table)), nil), table}, nil)
}

func marked(parts ...[]byte) *testImage {
	return imageOf(testLayer{blob: gzipped(bytes.Join(parts, nil)), annotations: base})
}

// The header of one entry is all that stands before its content: its block, the
// PAX records, the long name and link, and the table of a sparse file.
func TestHeaderLimit(t *testing.T) {
	good := tarOf(file{name: "package.yaml", content: packageYAML})
	goodPAX := tarOf(file{name: "package.yaml", content: packageYAML, pax: map[string]string{"VENDOR.note": strings.Repeat("x", 2000)}})
	longName := tarOf(file{name: strings.Repeat("n", 200_000), content: "x"}, file{name: "package.yaml", content: packageYAML})
	sparse := append(rawHeader("sparse", tar.TypeGNUSparse, octal(0), func(b []byte) {
		gnuMagic(b)
		copy(b[483:], octal(0))
		b[482] = 1 // more of the table follows
	}), bytes.Repeat(append(make([]byte, 504), 1, 0, 0, 0, 0, 0, 0, 0), 4000)...)

	cases := []struct {
		name, reason string
		image        *testImage
		max          int64
		limit        int64 // that is told, 0 for none
	}{
		{"plain", "a block is enough for a plain entry", marked(good), 1024, 0},
		{"as large as allowed", "a block for the PAX header, four for its records, one for the file", marked(goodPAX), 6 * 512, 0},
		{"one byte more", "one byte below that is refused", marked(goodPAX), 6*512 - 1, 6*512 - 1},
		{"content", "content is no header, however long", marked(tarOf(file{name: "a", content: strings.Repeat("a", 100_000)}, file{name: "b", content: strings.Repeat("b", 99_999)}), good), 1024, 0},
		{"long name", "PAX names count", marked(longName), 100_000, 100_000},
		{"long name allowed", "within the limit they may be long", marked(longName), 0, 0},
		{"name and link", "all that belongs to one entry counts together",
			marked(gnuLong(tar.TypeGNULongName, strings.Repeat("n", 700_000)), gnuLong(tar.TypeGNULongLink, strings.Repeat("l", 700_000)), rawHeader("x", tar.TypeSymlink, octal(0), gnuMagic), good), 0, xpkg.DefaultMaxHeaderBytes},
		{"names without end", "a name that another takes the place of, again and again",
			marked(bytes.Repeat(gnuLong(tar.TypeGNULongName, strings.Repeat("n", 2000)), 1000), good), 0, xpkg.DefaultMaxHeaderBytes},
		{"PAX claim", "records that are said to be 8 GiB long, and are 2 MiB", marked(paxSized("77777777777\x00", strings.Repeat("\x00", 2<<20))), 0, xpkg.DefaultMaxHeaderBytes},
		{"PAX above what archive/tar reads", "a larger limit does not help there, and the limit that is told is the one that holds",
			marked(paxSized(octal(2<<20), strings.Repeat("\x00", 2<<20)), good), 8 << 20, 1 << 20},
		{"global", "the records of a whole archive too", marked(tarOf(file{kind: tar.TypeXGlobalHeader, name: "g", pax: map[string]string{"comment": strings.Repeat("c", 5000)}}), good), 4096, 4096},
		{"old sparse table", "a table of a sparse file that goes on and on", marked(sparse, good), 0, xpkg.DefaultMaxHeaderBytes},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := read(t, xpkg.Open(c.image.image(t), &xpkg.Options{MaxHeaderBytes: c.max}))
			if c.limit == 0 {
				// The tars are joined, so the second may stand behind the end of the first.
				if err != nil && !errors.Is(err, meta.ErrNotPackage) {
					t.Errorf("got %v: %s", err, c.reason)
				}
				return
			}
			checkError(t, err, meta.ErrLimit, "header", "layer sha256:")
			var limit *meta.LimitError
			if !errors.As(err, &limit) || limit.Limit != c.limit {
				t.Errorf("got %#v, want the limit %d: %s", err, c.limit, c.reason)
			}
		})
	}
}

// Sizes that no file has are refused or never believed.
func TestClaimedSizes(t *testing.T) {
	good := tarOf(file{name: "package.yaml", content: packageYAML})
	cases := []struct {
		name, reason string
		parts        [][]byte
		is           error
	}{
		{"negative", "a negative size in base 256", [][]byte{rawHeader("x", tar.TypeReg, base256(-1), gnuMagic), good}, meta.ErrInvalid},
		{"negative octal", "a minus sign among octal digits", [][]byte{rawHeader("x", tar.TypeReg, "-0000000001\x00", nil), good}, meta.ErrInvalid},
		{"negative package.yaml", "also of the file that is looked for", [][]byte{rawHeader("package.yaml", tar.TypeReg, base256(-5), gnuMagic), good}, meta.ErrInvalid},
		{"negative PAX", "or in a PAX record", [][]byte{paxSized(octal(len(paxRecord("size", "-7"))), paxRecord("size", "-7")), rawHeader("x", tar.TypeReg, octal(0), nil), good}, meta.ErrInvalid},
		{"largest", "8 EiB less one byte that never come", [][]byte{rawHeader("x", tar.TypeReg, base256(math.MaxInt64), gnuMagic), good}, meta.ErrInvalid},
		{"larger", "more than an integer holds", [][]byte{rawHeader("x", tar.TypeReg, "\x80\x01"+strings.Repeat("\xff", 10), gnuMagic), good}, meta.ErrInvalid},
		{"package.yaml", "package.yaml of 8 EiB is above its limit", [][]byte{rawHeader("package.yaml", tar.TypeReg, base256(math.MaxInt64), gnuMagic), good}, meta.ErrLimit},
		{"PAX", "8 EiB in a PAX record", [][]byte{paxSized(octal(len(paxRecord("size", "9223372036854775807"))), paxRecord("size", "9223372036854775807")), rawHeader("package.yaml", tar.TypeReg, octal(5), nil), good}, meta.ErrLimit},
		{"sparse", "8 EiB that are not even in the archive", [][]byte{sparseFile("package.yaml", math.MaxInt64), good}, meta.ErrLimit},
		{"digits", "a size that is no number", [][]byte{rawHeader("x", tar.TypeReg, "12z45678901\x00", nil), good}, meta.ErrInvalid},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			img := xpkg.Open(marked(c.parts...).image(t), nil)
			_, err := read(t, img)
			checkError(t, err, c.is)
			allocates(t, 8<<20, func() {
				_, err := img.FS(t.Context())
				if err == nil {
					t.Error("FS: got no error")
				}
			})
			if t.Failed() {
				t.Log("reason: " + c.reason)
			}
		})
	}
}

// A file that is longer than all memory, and takes no room in the archive, next
// to what makes the sum of sizes pass the largest integer.
func TestFileSystemOfSparseFiles(t *testing.T) {
	for _, size := range []int64{1 << 40, math.MaxInt64 - 600, math.MaxInt64} {
		allocates(t, 8<<20, func() {
			_, err := xpkg.Open(marked(tarOf(file{name: "a", content: "b"})[:1024], sparseFile("s", size)).image(t), nil).FS(t.Context())
			checkError(t, err, meta.ErrLimit, "file system")
		})
	}
}

// allocates fails when f allocates more than max bytes.
func allocates(t *testing.T, max uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > max {
		t.Errorf("%d bytes were allocated, at most %d should be", n, max)
	}
}

// What a header says is long costs nothing before it has come.
func TestClaimsTakeNoMemory(t *testing.T) {
	good := tarOf(file{name: "package.yaml", content: packageYAML})
	name := append([]byte{0x1f, 0x8b, 8, 0x08, 0, 0, 0, 0, 0, 0xff}, bytes.Repeat([]byte("n"), 3<<20)...)
	comment := append([]byte{0x1f, 0x8b, 8, 0x10, 0, 0, 0, 0, 0, 0xff}, bytes.Repeat([]byte("c"), 3<<20)...)
	cases := []struct {
		name, reason string
		blob         []byte
		is           error
	}{
		{"PAX", "records of 8 GiB that end at once", paxSized("77777777777\x00", "10 a=b"), meta.ErrInvalid},
		{"GNU name", "a name of 8 EiB that ends at once", rawHeader("././@LongLink", tar.TypeGNULongName, base256(math.MaxInt64), gnuMagic), meta.ErrInvalid},
		{"GNU link", "and a link", rawHeader("././@LongLink", tar.TypeGNULongLink, base256(1<<40), gnuMagic), meta.ErrInvalid},
		{"PAX record", "a record that says that it is long", append(paxSized(octal(20), "999999999999 path=a\n"), good...), meta.ErrInvalid},
		{"PAX sparse map", "a table of a hundred million places", append(bytes.Join([][]byte{
			paxSized(octal(48), paxRecord("GNU.sparse.major", "1")+paxRecord("GNU.sparse.minor", "0")),
			rawHeader("s", tar.TypeReg, octal(512), nil), padded("100000000\n")}, nil), good...), meta.ErrInvalid},
		{"gzip name", "a file name that does not end", name, meta.ErrInvalid},
		{"gzip comment", "or a comment", comment, meta.ErrInvalid},
		{"gzip extra", "an extra field that is not there", []byte{0x1f, 0x8b, 8, 0x04, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff}, meta.ErrInvalid},
		{"zstd skippable", "a frame to skip of 4 GiB", []byte{0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff, 1, 2, 3}, meta.ErrInvalid},
		{"zstd content", "a frame that says it holds 2 GiB", []byte{0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0x80, 1, 0, 0}, meta.ErrLimit},
		{"zstd window", "a frame that wants a window of 256 MiB", zstdWindow(28, 0), meta.ErrLimit},
		{"zstd largest window", "and of 3.75 TiB", zstdWindow(41, 7), meta.ErrLimit},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			allocates(t, 8<<20, func() {
				_, err := read(t, xpkg.Open(imageOf(testLayer{blob: c.blob, annotations: base}).image(t), nil))
				checkError(t, err, c.is)
			})
			if t.Failed() {
				t.Log("reason: " + c.reason)
			}
		})
	}
}

// zstdWindow is a frame with one empty block, which says how large a window it
// wants.
func zstdWindow(log, eighths byte) []byte {
	return []byte{0x28, 0xb5, 0x2f, 0xfd, 0, (log-10)<<3 | eighths, 1, 0, 0}
}

func TestZstdWindow(t *testing.T) {
	var blob bytes.Buffer
	w, err := zstd.NewWriter(&blob, zstd.WithWindowSize(4<<20))
	if err != nil {
		t.Fatal(err)
	}
	// Not all at once, or the frame needs no window.
	content := tarOf(file{name: "a", content: strings.Repeat("0123456789", 1<<20)}, file{name: "package.yaml", content: packageYAML})
	for chunk := range bytes.Lines(content) {
		if _, err := w.Write(chunk); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	i := imageOf(testLayer{blob: blob.Bytes(), annotations: base})
	second := imageOf(testLayer{blob: append(zstdCompressed(content[:512]), blob.Bytes()...), annotations: base})
	everywhere(t, i, &xpkg.Options{MaxZstdWindow: 4 << 20}, func(t *testing.T, img *xpkg.Image, err error) {
		want{content: packageYAML}.check(t, img, err)
	})
	for _, i := range []*testImage{i, second} {
		everywhere(t, i, &xpkg.Options{MaxZstdWindow: 4<<20 - 1}, func(t *testing.T, img *xpkg.Image, err error) {
			if err != nil {
				t.Fatal(err)
			}
			_, err = read(t, img)
			checkError(t, err, meta.ErrLimit, "zstd window", "layer sha256:")
			var limit *meta.LimitError
			if !errors.As(err, &limit) || limit.Limit != 4<<20-1 {
				t.Errorf("got %#v", err)
			}
		})
	}
	// A limit below what the format can say is the least that it can say.
	_, err = read(t, xpkg.Open(i.image(t), &xpkg.Options{MaxZstdWindow: 1}))
	checkError(t, err, meta.ErrLimit, "zstd window")
	// What was tampered with is told first.
	i.layers[0].served = flip(i.layers[0].blob, len(i.layers[0].blob)-1)
	_, err = read(t, xpkg.Open(i.image(t), &xpkg.Options{MaxZstdWindow: 1 << 20}))
	checkError(t, err, meta.ErrDigest)
}

// zstdStored is content in a frame that wants a window of 1<<log bytes.
func zstdStored(log byte, content []byte) []byte {
	b := []byte{0x28, 0xb5, 0x2f, 0xfd, 0, (log - 10) << 3}
	for {
		n := min(len(content), 64<<10)
		block := n << 3
		if n == len(content) {
			block |= 1
		}
		b = append(b, byte(block), byte(block>>8), byte(block>>16))
		b = append(b, content[:n]...)
		if content = content[n:]; len(content) == 0 {
			return b
		}
	}
}

// A window is taken once for all layers, however many ask for one.
func TestManyZstdWindows(t *testing.T) {
	layers := []testLayer{{blob: zstdStored(24, tarOf(file{name: "package.yaml", content: packageYAML}))}}
	for n := range 40 {
		layers = append(layers, testLayer{blob: zstdStored(27, tarOf(file{name: fmt.Sprint("f", n), content: strings.Repeat("x", 300_000)}))})
	}
	img := xpkg.Open(imageOf(layers...).image(t), nil)
	allocates(t, 192<<20, func() {
		want{content: packageYAML}.check(t, img, nil)
	})
	allocates(t, 224<<20, func() {
		fsys, err := img.FS(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for n := range 40 {
			if b, err := fs.ReadFile(fsys, fmt.Sprint("f", n)); err != nil || string(b) != strings.Repeat("x", 300_000) {
				t.Errorf("f%d: got %d bytes, %v", n, len(b), err)
			}
		}
	})
}

func TestContentOfFilesIsHeldOnce(t *testing.T) {
	const size = 32 << 20
	blob := gzipped(tarOf(file{name: "large", content: strings.Repeat("x", size)}))
	img := xpkg.Open(imageOf(testLayer{blob: blob}).image(t), nil)
	allocates(t, size*3/2+8<<20, func() {
		fsys, err := img.FS(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		f, err := fsys.Open("large")
		if err != nil {
			t.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, f); n != size || err != nil {
			t.Errorf("got %d bytes, %v", n, err)
		}
	})
	// One that says it is large and is not takes what has come.
	claim := append(rawHeader("large", tar.TypeReg, octal(100<<20), nil), make([]byte, 1<<20)...)
	allocates(t, 8<<20, func() {
		_, err := xpkg.Open(imageOf(testLayer{blob: gzipped(claim)}).image(t), nil).FS(t.Context())
		checkError(t, err, meta.ErrInvalid, "ends in the middle")
	})
}

// The table of a tar that holds an image does not keep what no image has.
func TestLongNamesInAnArchive(t *testing.T) {
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}))
	var entries []file
	for n := range 300 {
		entries = append(entries, file{name: fmt.Sprint(n) + strings.Repeat("n", 200_000)})
	}
	for digest, b := range i.blobs() {
		entries = append(entries, file{name: "blobs/sha256/" + digest[len("sha256:"):], content: string(b)})
	}
	entries = append(entries, file{name: "index.json", content: string(indexJSON(entryOf(i.manifest(), i.mediaType(), "", nil)))})
	path := writeTemp(t, "image.tar.gz", storedGzip(tarOf(entries...)))
	entries = nil
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	img, err := xpkg.OpenFile(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 8<<20 {
		t.Errorf("%d bytes are held", grown)
	}
	want{content: packageYAML}.check(t, img, nil)
}
