package xpkg_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// filled is a cache with a package by hand, an image with two tags, an index and
// its image, and an image that was asked for by its digest.
type filled struct {
	*testRegistry
	dir            string
	cache          *xpkg.Cache
	tagged, listed *testImage
	digested       *testImage
	index          []byte
}

func fillCache(t *testing.T) *filled {
	t.Helper()
	f := &filled{testRegistry: newRegistry(t), dir: t.TempDir(), tagged: variant("tagged"), listed: variant("listed"), digested: variant("digested")}
	c, told := f.cached(f.dir, "")
	f.cache = c.Cache
	if _, err := f.cache.Add(t.Context(), packageFile(t, "mycoolpkg.xpkg", packageYAML), nil); err != nil {
		t.Fatal(err)
	}
	f.put(t, "org/index:x", f.listed)
	f.index = indexJSON(entryOf(f.listed.manifest(), f.listed.mediaType(), "linux/amd64", nil))
	f.putManifest(t, "org/index", "v1", types.OCIImageIndex, f.index)
	f.put(t, "org/digested:x", f.digested)
	for _, ref := range []string{
		f.put(t, "org/tagged:v1", f.tagged), f.put(t, "org/tagged:V1", f.tagged), f.host + "/org/index:v1",
		f.host + "/org/digested@" + f.digested.digest().String(),
	} {
		if _, err := get(t, c, ref); err != nil {
			t.Fatal(err)
		}
	}
	if told.kinds() != nil {
		t.Fatal(told.all)
	}
	return f
}

func (f *filled) blob(digest string) string {
	return filepath.Join(f.dir, "v1", "blobs", "sha256", strings.TrimPrefix(digest, "sha256:"))
}

func TestCacheList(t *testing.T) {
	f := fillCache(t)
	if err := f.cache.Pin(t.Context(), digestOf(f.index).String()); err != nil {
		t.Fatal(err)
	}
	hour := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(f.blob(f.tagged.digest().String()), time.Time{}, hour); err != nil {
		t.Fatal(err)
	}
	got, err := f.cache.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if again, err := f.cache.List(t.Context()); err != nil || fmt.Sprint(again) != fmt.Sprint(got) {
		t.Errorf("got %v, then %v (%v)", got, again, err)
	}
	var lines []string
	for _, e := range got {
		line := fmt.Sprintf("%s %s %v %v %d", e.Kind, e.Digest, e.Names, e.Pinned, e.Size)
		lines = append(lines, line)
		if age := time.Since(e.Used); e.Digest == f.tagged.digest().String() && !e.Used.Equal(hour) || age < 0 || age > 2*time.Hour {
			t.Errorf("%s: last used %s", line, e.Used)
		}
	}
	line := func(kind xpkg.CacheEntryKind, b []byte, pinned bool, names ...string) string {
		for i := range names {
			names[i] = f.host + "/" + names[i]
		}
		return fmt.Sprintf("%s %s %v %v %d", kind, digestOf(b), names, pinned, len(b))
	}
	want := []string{
		line(xpkg.CachedIndex, f.index, true, "org/index:v1"),
		line(xpkg.CachedManifest, f.listed.manifest(), true),
		line(xpkg.CachedLayer, f.listed.layers[0].blob, true),
		line(xpkg.CachedManifest, f.tagged.manifest(), false, "org/tagged:V1", "org/tagged:v1"),
		line(xpkg.CachedLayer, f.tagged.layers[0].blob, false),
		line(xpkg.CachedManifest, f.digested.manifest(), false),
		line(xpkg.CachedLayer, f.digested.layers[0].blob, false),
	}
	slices.SortFunc(want, func(a, b string) int { return strings.Compare(strings.Fields(a)[1], strings.Fields(b)[1]) })
	if !slices.Equal(lines[1:], want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(lines[1:], "\n"), strings.Join(want, "\n"))
	}
	info, err := os.Stat(filepath.Join(f.dir, "mycoolpkg.xpkg"))
	img, err2 := xpkg.OpenFile(t.Context(), filepath.Join(f.dir, "mycoolpkg.xpkg"), nil)
	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	digest, _ := img.Digest(t.Context())
	if want := fmt.Sprintf("package %s [mycoolpkg] false %d", digest, info.Size()); lines[0] != want {
		t.Errorf("got %s, want %s", lines[0], want)
	}
}

func TestCacheVerify(t *testing.T) {
	f := fillCache(t)
	if got, err := f.cache.Verify(t.Context()); err != nil || got != nil {
		t.Fatalf("got %v (%v)", got, err)
	}
	before, err := f.cache.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	broken := map[string]func(b []byte) []byte{
		f.tagged.digest().String():                        func(b []byte) []byte { return flip(b, 9) },
		digestOf(f.listed.layers[0].blob).String():        func(b []byte) []byte { return b[:9] },
		digestOf(f.digested.layers[0].blob).String():      func(b []byte) []byte { return append(b, 0) },
		"sha256:" + strings.Repeat("0123456789abcdef", 4): func([]byte) []byte { return nil },
	}
	for digest, change := range broken {
		b, _ := os.ReadFile(f.blob(digest))
		if err := os.WriteFile(f.blob(digest), change(b), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	local := filepath.Join(f.dir, "mycoolpkg.xpkg")
	b, err := os.ReadFile(local)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(local, flip(b, 700), 0o666); err != nil {
		t.Fatal(err)
	}
	odd := []string{filepath.Join(f.dir, "v1", "blobs", "sha256", "README"), f.blob(strings.Repeat("f", 64)), filepath.Join(f.dir, "v1", "refs", "a", "b")}
	for i, path := range odd {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if i == 1 {
			err = os.Mkdir(path, 0o777)
		} else {
			err = os.WriteFile(path, []byte("text"), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.cache.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names, paths []string
	for _, e := range got {
		if e.Removed != (e.Name != "mycoolpkg") {
			t.Errorf("%+v: removed", e)
		}
		if e.Err == nil || meta.Code(e.Err) == "" || !strings.Contains(e.Err.Error(), filepath.Base(e.Path)) {
			t.Errorf("%s: got the error %v", e.Path, e.Err)
		}
		if digest := (*xpkg.DigestError)(nil); strings.HasPrefix(e.Name, "sha256:") && !errors.As(e.Err, &digest) {
			t.Errorf("%s: got the error %v", e.Path, e.Err)
		}
		if e.Name != "" {
			names = append(names, e.Name)
		} else {
			paths = append(paths, e.Path)
		}
	}
	want := []string{"mycoolpkg"}
	for digest := range broken {
		want = append(want, digest)
	}
	slices.Sort(want[1:])
	if !slices.Equal(names, want) || !slices.Equal(slices.Sorted(slices.Values(paths)), slices.Sorted(slices.Values(odd))) {
		t.Errorf("got %q and %q, want %q and %q", names, paths, want, odd)
	}
	if got, err := f.cache.Verify(t.Context()); err != nil || len(got) != 1 {
		t.Errorf("again: got %v (%v)", got, err)
	}
	after, err := f.cache.List(t.Context())
	if err != nil || len(after) != len(before)-3 {
		t.Errorf("%d entries, then %d (%v)", len(before), len(after), err)
	}
	for _, e := range after[1:] {
		if !slices.ContainsFunc(before, func(b xpkg.CacheEntry) bool { return b.Digest == e.Digest && b.Used.Equal(e.Used) }) {
			t.Errorf("%s: verifying is no use", e.Digest)
		}
	}
}

func TestPrune(t *testing.T) {
	f := fillCache(t)
	// The tag moves, and what it named is not needed any more.
	moved := variant("moved")
	always, _ := f.cached(f.dir, xpkg.PullAlways)
	if _, err := get(t, always, f.put(t, "org/index:v1", moved)); err != nil {
		t.Fatal(err)
	}
	if err := f.cache.Pin(t.Context(), f.listed.digest().String()); err != nil {
		t.Fatal(err)
	}
	// A tag whose manifest is gone.
	lost := f.put(t, "org/lost:v1", variant("lost"))
	if _, err := get(t, always, lost); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(f.blob(variant("lost").digest().String())); err != nil {
		t.Fatal(err)
	}
	tag, size := 0, 0
	for _, path := range entries(t, f.dir) {
		if b, err := os.ReadFile(path); err == nil && strings.Contains(string(b), `"tag"`) && strings.Contains(string(b), "org/lost") {
			tag = len(b)
		}
	}
	want := []string{digestOf(f.index).String()}
	size += len(f.index) + tag
	for _, img := range []*testImage{f.digested, variant("lost")} {
		size += len(img.layers[0].blob)
		want = append(want, digestOf(img.layers[0].blob).String())
	}
	want = append(want, f.digested.digest().String())
	size += len(f.digested.manifest())
	slices.Sort(want)
	got, err := f.cache.Prune(t.Context())
	if err != nil || !slices.Equal(got.Digests, want) || !slices.Equal(got.Tags, []string{lost}) || got.Leftovers != 0 || got.Bytes != int64(size) {
		t.Errorf("got %+v (%v), want %q and %d bytes", got, err, want, size)
	}
	if got, err := f.cache.Prune(t.Context()); err != nil || got.Digests != nil || got.Tags != nil || got.Bytes != 0 {
		t.Errorf("again: got %+v (%v)", got, err)
	}
	never, _ := f.cached(f.dir, xpkg.PullNever)
	never.Transport = unreachable{t}
	for ref, want := range map[string]string{
		"mycoolpkg":               packageYAML,
		f.host + "/org/tagged:v1": "# tagged\n" + packageYAML,
		f.host + "/org/tagged:V1": "# tagged\n" + packageYAML,
		f.host + "/org/index:v1":  "# moved\n" + packageYAML,
		f.host + "/org/index@" + f.listed.digest().String(): "# listed\n" + packageYAML,
	} {
		if got, err := get(t, never, ref); err != nil || got != want {
			t.Errorf("%s: got %q (%v), want %q", ref, got, err, want)
		}
	}
	// Not even an empty cache is made, and a broken one is told.
	none := filepath.Join(t.TempDir(), "none")
	if got, err := xpkg.OpenCache(none, nil).Prune(t.Context()); err != nil || got.Bytes != 0 {
		t.Errorf("got %+v (%v)", got, err)
	}
	if _, err := os.Stat(none); err == nil {
		t.Errorf("%s was made", none)
	}
}

func TestPruneRemovesLeftovers(t *testing.T) {
	dir := t.TempDir()
	for name, size := range map[string]int{"tmp/entry-1": 7, "tmp/whatever": 5, "tmp/dir/file": 3, "locks/" + strings.Repeat("a", 64): 0} {
		path := filepath.Join(dir, "v1", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, make([]byte, size), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := xpkg.OpenCache(dir, nil).Prune(t.Context())
	if err != nil || got.Leftovers != 4 || got.Bytes != 12 {
		t.Errorf("got %+v (%v)", got, err)
	}
	checkNoLeftovers(t, dir)
}

func TestCacheMethodsRefuse(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := fillCache(t)
	at := writeTemp(t, "file", nil)
	for name, call := range map[string]func(ctx context.Context, c *xpkg.Cache) error{
		"List":   func(ctx context.Context, c *xpkg.Cache) error { _, err := c.List(ctx); return err },
		"Verify": func(ctx context.Context, c *xpkg.Cache) error { _, err := c.Verify(ctx); return err },
		"Prune":  func(ctx context.Context, c *xpkg.Cache) error { _, err := c.Prune(ctx); return err },
		"Pin":    func(ctx context.Context, c *xpkg.Cache) error { return c.Pin(ctx, f.tagged.digest().String()) },
		"Unpin":  func(ctx context.Context, c *xpkg.Cache) error { return c.Unpin(ctx, f.tagged.digest().String()) },
		"Add": func(ctx context.Context, c *xpkg.Cache) error {
			_, err := c.Add(ctx, packageFile(t, "a.xpkg", packageYAML), nil)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			checkError(t, call(t.Context(), xpkg.OpenCache("", nil)), meta.ErrInvalid, "Cache")
			checkError(t, call(ctx, f.cache), meta.ErrCanceled)
			switch err := call(t.Context(), xpkg.OpenCache(at, nil)); name {
			case "Pin", "Add":
				checkError(t, err, err, at)
			default: // nothing is in it
				if err != nil {
					t.Errorf("got %v", err)
				}
			}
		})
	}
}
