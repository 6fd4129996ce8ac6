package xpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// large is an image whose layer does not compress, of some 100 KB.
func large(seed byte) *testImage {
	noise := make([]byte, 100_000)
	x := uint32(seed) + 1
	for i := range noise {
		x = x*1664525 + 1013904223
		noise[i] = byte(x >> 24)
	}
	return imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: string(noise)}))
}

// partly answers with the first bytes of a blob and drops the connection.
func partly(blob []byte, n int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", strconv.Itoa(len(blob)))
		_, _ = w.Write(blob[:n])
		panic(http.ErrAbortHandler)
	}
}

// Whatever part of a layer comes, it is no entry and no package.
func TestDroppedDownloads(t *testing.T) {
	r := newRegistry(t)
	var wg sync.WaitGroup
	for n := range 64 {
		img := large(byte(n))
		ref := r.put(t, fmt.Sprintf("org/package%d:v1", n), img)
		blob := img.layers[0].blob
		key := "GET blobs/" + digestOf(blob).String()
		r.on(key, partly(blob, len(blob)*n/64))
		dir := t.TempDir()
		wg.Go(func() { // each waits before it asks for the rest
			c, _ := r.cached(dir, "")
			opened, err := c.Image(t.Context(), ref, nil)
			if err == nil {
				_, err = opened.Package(t.Context())
			}
			if !errors.Is(err, meta.ErrUnavailable) {
				t.Errorf("cut at %d of 64: got %v", n, err)
			}
			if got := blobNames(t, dir); !slices.Equal(got, []string{img.digest().String()}) {
				t.Errorf("cut at %d of 64: the cache has %q, want the manifest", n, got)
			}
			checkNoLeftovers(t, dir)
			r.on(key, nil)
			opened, err = c.Image(t.Context(), ref, nil)
			if err == nil {
				_, err = opened.Package(t.Context())
			}
			if err != nil {
				t.Errorf("cut at %d of 64, and then whole: %v", n, err)
			}
		})
	}
	wg.Wait()
}

// A download that fails takes nothing away.
func TestFailedLookupKeepsWhatIsCached(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	ref := r.put(t, "org/package:v1", pkg())
	c, _ := r.cached(dir, xpkg.PullAlways)
	if _, err := get(t, c, ref); err != nil {
		t.Fatal(err)
	}
	before := entries(t, dir)
	r.put(t, "org/package:v1", variant("new"))
	// In the order in which they are asked for.
	for _, fails := range []struct {
		key    string
		answer http.HandlerFunc
	}{
		{"HEAD manifests/v1", status(http.StatusForbidden)},
		{"GET manifests/" + variant("new").digest().String(), status(http.StatusNotFound)},
		{"GET blobs/" + digestOf(variant("new").layers[0].blob).String(), status(http.StatusNotFound)},
	} {
		key := fails.key
		r.on(key, fails.answer)
		if _, err := get(t, c, ref); err == nil {
			t.Errorf("%s fails: got no error", key)
		}
		r.on(key, nil)
		for _, path := range before {
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s fails: %v", key, err)
			}
		}
	}
}

// No reference leads out of the directory, and no two share a place.
func TestHostileNames(t *testing.T) {
	outside := t.TempDir()
	dir := filepath.Join(outside, "cache")
	r := newRegistry(t)
	c, _ := r.cached(dir, "")
	for _, ref := range []string{
		"../evil", "../../evil", "..", ".", "/etc/passwd", "a/../../evil", `..\evil`, "evil/..", "con", "a:../b", "a@sha256:../../evil",
		"", " ", "a\x00b", "a@sha256:" + strings.Repeat("0", 63) + "/",
	} {
		for _, policy := range []xpkg.PullPolicy{xpkg.PullNever, xpkg.PullIfNotPresent} {
			refuse := &xpkg.Client{Cache: c.Cache, Pull: policy, Transport: noNetwork{}}
			if _, err := get(t, refuse, ref); err == nil {
				t.Errorf("%q: got no error", ref)
			}
		}
	}
	if left, err := os.ReadDir(outside); err != nil || slices.ContainsFunc(left, func(e fs.DirEntry) bool { return e.Name() != "cache" }) {
		t.Errorf("outside of the cache: %v (%v)", left, err)
	}
	names := []string{"org/provider:v1", "org/provider:V1", "org-provider:v1", "org/provider/v1:v1", "org.provider:v1", "org/provider:v1.", "org/provider:CON", "org/provider:" + strings.Repeat("x", 128)}
	for i, name := range names {
		r.put(t, name, variant(fmt.Sprint(i)))
		if got, err := get(t, c, r.host+"/"+name); err != nil || got != fmt.Sprintf("# %d\n%s", i, packageYAML) {
			t.Errorf("%s: got %q (%v)", name, got, err)
		}
	}
	never, _ := r.cached(dir, xpkg.PullNever)
	for i, name := range names {
		if got, err := get(t, never, r.host+"/"+name); err != nil || got != fmt.Sprintf("# %d\n%s", i, packageYAML) {
			t.Errorf("%s: got %q (%v)", name, got, err)
		}
	}
}

// noNetwork fails every request.
type noNetwork struct{}

func (noNetwork) RoundTrip(*http.Request) (*http.Response, error) {
	return nil, errors.New("no network")
}

// Who reads while others write gets all of it, and by Never nothing
// before it is whole.
func TestReadersAmongWriters(t *testing.T) {
	r := newRegistry(t)
	img := large(1)
	ref := r.put(t, "org/package:v1", img)
	blob := img.layers[0].blob
	dir := t.TempDir()
	half, rest := make(chan struct{}), make(chan struct{})
	var once sync.Once
	r.on("GET blobs/"+digestOf(blob).String(), func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write(blob[:len(blob)/2])
		w.(http.Flusher).Flush()
		once.Do(func() { close(half) })
		<-rest
		_, _ = w.Write(blob[len(blob)/2:])
	})
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() { // each with a Cache of its own, as a process has
			c := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(dir, nil)}
			if got, err := get(t, c, ref); err != nil || got != packageYAML {
				t.Errorf("got %q (%v)", got, err)
			}
		})
	}
	<-half
	never := &xpkg.Client{Transport: unreachable{t}, Cache: xpkg.OpenCache(dir, nil), Pull: xpkg.PullNever}
	_, err := get(t, never, ref)
	checkError(t, err, meta.ErrNotFound, digestOf(blob).String())
	close(rest)
	for range 8 {
		wg.Go(func() {
			if got, err := get(t, never, ref); !errors.Is(err, meta.ErrNotFound) && (err != nil || got != packageYAML) {
				t.Errorf("got %q (%v)", got, err)
			}
		})
	}
	wg.Wait()
	if got := r.took(); len(got) != 2 {
		t.Errorf("got the requests %q, want two", got)
	}
	checkOnlyEntries(t, dir)
}

// Over and over, entries break while others read.
func TestReadersOfEntriesThatBreak(t *testing.T) {
	r := newRegistry(t)
	img := large(2)
	ref := r.put(t, "org/package:v1", img)
	dir := t.TempDir()
	c, _ := r.cached(dir, "")
	if _, err := get(t, c, ref); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "v1", "blobs", "sha256", digestOf(img.layers[0].blob).Hex)
	for n := range 10 {
		broken := flip(img.layers[0].blob, 1000*n+500)
		if err := os.WriteFile(path+".new", broken, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(path+".new", path); err != nil {
			t.Fatal(err)
		}
		r.took()
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				if got, err := get(t, c, ref); err != nil || got != packageYAML {
					t.Errorf("got %q (%v)", got, err)
				}
			})
		}
		wg.Wait()
		if got := r.took(); len(got) == 0 || len(got) > 2 {
			t.Errorf("got the requests %q, want one", got)
		}
	}
}

// Two digests that begin alike are two entries.
func TestDigestsThatBeginAlike(t *testing.T) {
	const same = 4 // hexadecimal digits; with 5 it takes thousands of images
	seen := map[string]int{}
	content := func(n int) string { return fmt.Sprintf("# %d\n%s", n, packageYAML) }
	image := func(n int) *testImage {
		return imageOf(testLayer{blob: tarOf(file{name: "package.yaml", content: content(n)}), annotations: base})
	}
	for n := 0; ; n++ {
		prefix := image(n).digest().Hex[:same]
		other, ok := seen[prefix]
		if !ok {
			seen[prefix] = n
			continue
		}
		r := newRegistry(t)
		dir := t.TempDir()
		c, _ := r.cached(dir, "")
		for _, n := range []int{other, n, other} {
			r.put(t, "org/package:"+fmt.Sprint(n), image(n))
			if got, err := get(t, c, r.host+"/org/package@"+image(n).digest().String()); err != nil || got != content(n) {
				t.Errorf("got %q (%v), want %q", got, err, content(n))
			}
		}
		return
	}
}

// Without a cache everything works but Never.
func TestWithoutACache(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	for _, policy := range []xpkg.PullPolicy{"", xpkg.PullAlways, xpkg.PullIfNotPresent} {
		if got, err := get(t, &xpkg.Client{Transport: r.transport, Pull: policy}, ref); err != nil || got != packageYAML {
			t.Errorf("%q: got %q (%v)", policy, got, err)
		}
	}
}

// Who waits for another's download may give up, and the other goes on.
func TestWaitingEndsWithTheContext(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	ref := r.put(t, "org/package:v1", pkg())
	arrived, release := make(chan struct{}), make(chan struct{})
	r.on("GET manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-release
		serve(string(types.OCIManifestSchema1), pkg().manifest())(w, nil)
	})
	done := make(chan error)
	go func() {
		c := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(dir, nil)}
		_, err := get(t, c, ref)
		done <- err
	}()
	<-arrived
	same, _ := r.cached(dir, "")
	ctx, cancel := context.WithCancel(t.Context())
	waiting := make(chan error)
	for range 3 { // one of them waits for the other Cache, two for it
		go func() {
			_, err := same.Image(ctx, ref, nil)
			waiting <- err
		}()
	}
	cancel()
	for range 3 {
		checkError(t, <-waiting, meta.ErrCanceled, ref)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got, err := get(t, same, ref); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	if got := r.took(); len(got) != 2 {
		t.Errorf("got the requests %q, want two", got)
	}
	checkOnlyEntries(t, dir)
}

// What stands in the place of a lock, or of the directories, keeps nobody.
func TestPlacesOfLocks(t *testing.T) {
	for _, part := range []string{"locks", "tmp", "blobs", "refs", "pins"} {
		for name, occupy := range occupants {
			t.Run(part+" "+name, func(t *testing.T) {
				r := newRegistry(t)
				dir := t.TempDir()
				ref := r.put(t, "org/package:v1", pkg())
				outside := writeTemp(t, "outside", []byte("stays"))
				if err := os.Mkdir(filepath.Join(dir, "v1"), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := occupy(filepath.Join(dir, "v1", part), outside); err != nil {
					t.Skipf("needs a file system with links and pipes, such as Linux has: %v", err)
				}
				c := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(dir, &xpkg.CacheOptions{MaxBytes: 1})}
				for range 2 {
					if got, err := get(t, c, ref); err != nil || got != packageYAML {
						t.Errorf("got %q (%v)", got, err)
					}
				}
				_, _ = c.Cache.List(t.Context())
				_, _ = c.Cache.Verify(t.Context())
				_, _ = c.Cache.Prune(t.Context())
				if b, err := os.ReadFile(outside); err != nil || !bytes.Equal(b, []byte("stays")) {
					t.Errorf("outside of the cache: got %q (%v)", b, err)
				}
			})
		}
	}
}

// Nor what stands in the place of the one lock.
func TestPlacesOfOneLock(t *testing.T) {
	for name, occupy := range occupants {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			ref := r.put(t, "org/package:v1", pkg())
			outside := writeTemp(t, "outside", []byte("stays"))
			locks := filepath.Join(dir, "v1", "locks")
			if err := os.MkdirAll(locks, 0o777); err != nil {
				t.Fatal(err)
			}
			for _, key := range []string{digestOf(pkg().layers[0].blob).String(), ref} {
				if err := occupy(filepath.Join(locks, digestOf([]byte(key)).Hex), outside); err != nil {
					t.Skipf("needs a file system with links and pipes, such as Linux has: %v", err)
				}
			}
			c, told := r.cached(dir, "")
			if got, err := get(t, c, ref); err != nil || got != packageYAML || told.kinds() != nil {
				t.Errorf("got %q (%v), %v", got, err, told.all)
			}
			if _, err := c.Cache.Prune(t.Context()); err != nil {
				t.Error(err)
			}
			if b, err := os.ReadFile(outside); err != nil || string(b) != "stays" {
				t.Errorf("outside of the cache: got %q (%v)", b, err)
			}
		})
	}
}
