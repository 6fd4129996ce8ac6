package xpkg_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// cacheModel is what a cache with a limit holds, the entry that was not used for
// longest first.
type cacheModel struct {
	max    int
	order  []string
	size   map[string]int
	pinned map[string]bool
}

// use returns whether the entry was there.
func (m *cacheModel) use(digest string, size int) bool {
	at := slices.Index(m.order, digest)
	if at >= 0 {
		m.order = append(slices.Delete(m.order, at, at+1), digest)
		return true
	}
	m.size[digest] = size
	m.order = append(m.order, digest)
	total := 0
	for _, d := range m.order {
		total += m.size[d]
	}
	for i := 0; i < len(m.order)-1 && total > m.max; {
		if d := m.order[i]; !m.pinned[d] {
			total -= m.size[d]
			m.order = slices.Delete(m.order, i, i+1)
		} else {
			i++
		}
	}
	return false
}

// blobNames are the digests that a cache holds, in lexical order.
func blobNames(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	for _, path := range entries(t, dir) {
		if strings.Contains(filepath.ToSlash(path), "/v1/blobs/") {
			names = append(names, "sha256:"+filepath.Base(path))
		}
	}
	slices.Sort(names)
	return names
}

// What is evicted, over many opened caches as over many processes, is what a
// simple list says.
func TestEvictionOrder(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			r := newRegistry(t)
			dir := t.TempDir()
			var images []*testImage
			var refs []string
			for i := range 8 {
				noise := make([]byte, random.IntN(3000))
				for j := range noise {
					noise[j] = byte(random.Uint32())
				}
				img := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: string(noise)}))
				images = append(images, img)
				refs = append(refs, r.put(t, fmt.Sprintf("org/package%d:v1", i), img))
			}
			m := &cacheModel{max: 6000, size: map[string]int{}, pinned: map[string]bool{}}
			told := &events{}
			began := time.Now().Add(-time.Hour)
			for step := range 60 {
				n := random.IntN(len(images))
				img := images[n]
				manifest, layer := img.digest().String(), digestOf(img.layers[0].blob).String()
				cache := xpkg.OpenCache(dir, &xpkg.CacheOptions{MaxBytes: int64(m.max)})
				switch random.IntN(8) {
				case 0:
					if len(m.pinned) < 4 {
						if err := cache.Pin(t.Context(), manifest); err != nil {
							t.Fatal(err)
						}
						m.pinned[manifest] = true
						// The layers are known by the manifest.
						m.pinned[layer] = slices.Contains(m.order, manifest)
					}
				case 1:
					if err := cache.Unpin(t.Context(), manifest); err != nil {
						t.Fatal(err)
					}
					delete(m.pinned, manifest)
					delete(m.pinned, layer)
				}
				c := &xpkg.Client{Transport: r.transport, Cache: cache, Event: told.add}
				if got, err := get(t, c, refs[n]); err != nil || got != packageYAML {
					t.Fatalf("step %d: got %q (%v)", step, got, err)
				}
				m.use(manifest, len(img.manifest()))
				if m.pinned[manifest] {
					m.pinned[layer] = true
				}
				m.use(layer, len(img.layers[0].blob))
				// The clock of a file system may be coarser than a step.
				for i, digest := range []string{manifest, layer} {
					at := began.Add(time.Duration(2*step+i) * time.Second)
					if err := os.Chtimes(filepath.Join(dir, "v1", "blobs", "sha256", strings.TrimPrefix(digest, "sha256:")), at, at); err != nil && !errors.Is(err, fs.ErrNotExist) {
						t.Fatal(err)
					}
				}
				want := slices.Sorted(slices.Values(m.order))
				if got := blobNames(t, dir); !slices.Equal(got, want) {
					t.Fatalf("step %d: got %q, want %q, by use %q", step, got, want, m.order)
				}
			}
			if told.kinds() != nil {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
}

func TestLimitSmallerThanAPackage(t *testing.T) {
	// The entry that was written just now stays, whatever its size.
	r := newRegistry(t)
	dir := t.TempDir()
	ref := r.put(t, "org/package:v1", pkg())
	c := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(dir, &xpkg.CacheOptions{MaxBytes: 1}), Event: noTrouble(t)}
	for range 2 {
		if got, err := get(t, c, ref); err != nil || got != packageYAML {
			t.Errorf("got %q (%v)", got, err)
		}
		if got := blobNames(t, dir); !slices.Equal(got, []string{digestOf(pkg().layers[0].blob).String()}) {
			t.Errorf("the cache has %q, want the layer", got)
		}
	}
}

func TestEvictionKeepsWhatIsKept(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	x, err := xpkg.OpenCache(dir, nil).Add(t.Context(), writeTemp(t, "mycoolpkg.xpkg", tarOf(dockerTar{layers: [][]byte{pkg().layers[0].blob}}.files()...)), nil)
	if err != nil {
		t.Fatal(err)
	}
	// Two images of an index, one of them read: all that is cached of it stays.
	kept, other := variant("kept"), variant("other")
	r.put(t, "org/index:kept", kept)
	r.put(t, "org/index:other", other)
	index := r.putManifest(t, "org/index", "v1", "application/vnd.oci.image.index.v1+json", indexJSON(
		entryOf(kept.manifest(), kept.mediaType(), "linux/amd64", nil), entryOf(other.manifest(), other.mediaType(), "linux/arm64", nil)))
	warm, _ := r.cached(dir, "")
	if _, err := get(t, warm, r.host+"/org/index:v1"); err != nil {
		t.Fatal(err)
	}
	if err := warm.Cache.Pin(t.Context(), index.String()); err != nil {
		t.Fatal(err)
	}
	c := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(dir, &xpkg.CacheOptions{MaxBytes: 1})}
	for i := range 3 {
		if _, err := get(t, c, r.put(t, "org/package:v1", variant(fmt.Sprint(i)))); err != nil {
			t.Fatal(err)
		}
	}
	never, _ := r.cached(dir, xpkg.PullNever)
	never.Transport = unreachable{t}
	for ref, want := range map[string]string{x.Name: packageYAML, r.host + "/org/index:v1": "# kept\n" + packageYAML} {
		if got, err := get(t, never, ref); err != nil || got != want {
			t.Errorf("%s: got %q (%v)", ref, got, err)
		}
	}
	// Until it is not pinned any more.
	if err := warm.Cache.Unpin(t.Context(), index.String()); err != nil {
		t.Fatal(err)
	}
	if _, err := get(t, c, r.put(t, "org/package:last", variant("last"))); err != nil {
		t.Fatal(err)
	}
	if got := blobNames(t, dir); !slices.Equal(got, []string{digestOf(variant("last").layers[0].blob).String()}) {
		t.Errorf("the cache has %q, want one layer", got)
	}
}

func TestPinRefuses(t *testing.T) {
	dir := t.TempDir()
	c := xpkg.OpenCache(dir, nil)
	for _, digest := range []string{"", "v1", "sha256:", "sha256:../../../../evil", "md5:d41d8cd98f00b204e9800998ecf8427e", "sha256:" + strings.Repeat("A", 64)} {
		checkError(t, c.Pin(t.Context(), digest), meta.ErrInvalid, "digest")
		checkError(t, c.Unpin(t.Context(), digest), meta.ErrInvalid, "digest")
	}
	if err := c.Unpin(t.Context(), "sha256:"+strings.Repeat("a", 64)); err != nil {
		t.Errorf("no pin: got %v", err)
	}
	if files := entries(t, dir); files != nil {
		t.Errorf("the cache has %q", files)
	}
	// Without a place to write a pin is an error: nobody would keep it.
	err := xpkg.OpenCache(writeTemp(t, "file", nil), nil).Pin(t.Context(), "sha256:"+strings.Repeat("a", 64))
	if err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("got %v", err)
	}
}

// An entry that is in the way and cannot be removed is told beside the result.
func TestEvictionThatFails(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	c := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(dir, &xpkg.CacheOptions{MaxBytes: 1})}
	told := &events{}
	c.Event = told.add
	// What the pins are cannot be known.
	pins := filepath.Join(dir, "v1", "pins")
	if err := os.MkdirAll(filepath.Dir(pins), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("pins", pins); err != nil {
		t.Skipf("needs a file system with symbolic links: %v", err)
	}
	if got, err := get(t, c, r.put(t, "org/package:v1", pkg())); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	if got := told.kinds(); !slices.Contains(got, xpkg.CacheFailed) {
		t.Errorf("got the events %v", told.all)
	}
	if got := blobNames(t, dir); len(got) != 2 {
		t.Errorf("the cache has %q, want all: a pin could be among them", got)
	}
}
