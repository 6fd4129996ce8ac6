package xpkg_test

import (
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// events collects what a client tells of what went wrong.
type events struct {
	mu  sync.Mutex
	all []xpkg.Event
}

func (e *events) add(event xpkg.Event) {
	if event.Kind == xpkg.Downloading {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.all = append(e.all, event)
}

func (e *events) kinds() []xpkg.EventKind {
	e.mu.Lock()
	defer e.mu.Unlock()
	var kinds []xpkg.EventKind
	for _, event := range e.all {
		kinds = append(kinds, event.Kind)
	}
	return kinds
}

// noTrouble fails when something went wrong.
func noTrouble(t *testing.T) func(xpkg.Event) {
	return func(e xpkg.Event) {
		if e.Kind != xpkg.Downloading {
			t.Errorf("the event %v", e)
		}
	}
}

// cached returns a client with a cache in dir.
func (r *testRegistry) cached(dir string, pull xpkg.PullPolicy) (*xpkg.Client, *events) {
	e := &events{}
	return xpkg.WithoutPauses(&xpkg.Client{Transport: r.transport, Keychain: anonymous, Cache: xpkg.OpenCache(dir, nil), Pull: pull, Event: e.add}), e
}

// get reads a package.
func get(t *testing.T, c *xpkg.Client, ref string) (string, error) {
	t.Helper()
	img, err := c.Image(t.Context(), ref, nil)
	if err != nil {
		return "", err
	}
	return read(t, img)
}

func TestPullPolicies(t *testing.T) {
	other := variant("other")
	cases := []struct {
		name, reason string
		policy       xpkg.PullPolicy
		warm         bool
		moved        bool // the tag names another image now
		byDigest     bool
		want         string // "" for a miss
		requests     []string
	}{
		{"cold default", "everything once", "", false, false, false, packageYAML, []string{"GET manifests/v1", "GET blobs"}},
		{"cold IfNotPresent", "everything once", xpkg.PullIfNotPresent, false, false, false, packageYAML, []string{"GET manifests/v1", "GET blobs"}},
		{"cold Always", "one request for the manifest too", xpkg.PullAlways, false, false, false, packageYAML, []string{"GET manifests/v1", "GET blobs"}},
		{"cold Never", "no request", xpkg.PullNever, false, false, false, "", nil},
		{"warm default", "no request", "", true, false, false, packageYAML, nil},
		{"warm Always", "what does the tag name now", xpkg.PullAlways, true, false, false, packageYAML, []string{"HEAD manifests/v1"}},
		{"warm Never", "no request", xpkg.PullNever, true, false, false, packageYAML, nil},
		{"moved IfNotPresent", "a tag that is known is not asked for", xpkg.PullIfNotPresent, true, true, false, packageYAML, nil},
		{"moved Always", "and then for what is new", xpkg.PullAlways, true, true, false, "# other\n" + packageYAML, []string{"HEAD manifests/v1", "GET manifests/" + other.digest().String(), "GET blobs"}},
		{"digest Always", "what a digest names cannot change", xpkg.PullAlways, true, true, true, packageYAML, nil},
		{"digest Never", "nor has it to be looked up", xpkg.PullNever, true, false, true, packageYAML, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			ref := r.put(t, "org/package:v1", pkg())
			if c.warm {
				warm, _ := r.cached(dir, "")
				if _, err := get(t, warm, ref); err != nil {
					t.Fatal(err)
				}
			}
			if c.moved {
				r.put(t, "org/package:v1", other)
			}
			if c.byDigest {
				ref = r.host + "/org/package@" + pkg().digest().String()
			}
			r.took()
			client, told := r.cached(dir, c.policy)
			if c.requests == nil {
				// Not even a look at the API's root.
				client.Transport = unreachable{t}
			}
			got, err := get(t, client, ref)
			if c.want == "" {
				var miss *xpkg.CacheMissError
				checkError(t, err, meta.ErrNotFound, ref, dir, "Never")
				if !errors.As(err, &miss) {
					t.Errorf("got %#v", err)
				}
			} else if err != nil || got != c.want {
				t.Errorf("got %q (%v), want %q: %s", got, err, c.want, c.reason)
			}
			requests := r.took()
			for i, q := range requests {
				if strings.HasPrefix(q, "GET blobs/") {
					requests[i] = "GET blobs"
				}
			}
			if !slices.Equal(requests, c.requests) {
				t.Errorf("got the requests %q, want %q: %s", requests, c.requests, c.reason)
			}
			if kinds := told.kinds(); kinds != nil {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
}

// unreachable fails the test when it is used.
type unreachable struct{ t *testing.T }

func (u unreachable) RoundTrip(q *http.Request) (*http.Response, error) {
	u.t.Errorf("the request %s %s was made", q.Method, q.URL)
	return nil, errors.New("no network")
}

func TestNeverListsWhatIsCached(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	warm, _ := r.cached(dir, "")
	for _, tag := range []string{"v1.1.0", "V1.1.0", "v1.0.0"} {
		if _, err := get(t, warm, r.put(t, "org/package:"+tag, pkg())); err != nil {
			t.Fatal(err)
		}
	}
	never, _ := r.cached(dir, xpkg.PullNever)
	_, err := get(t, never, r.host+"/org/package:v2.0.0")
	checkError(t, err, meta.ErrNotFound, "org/package:v2.0.0", "cached versions: V1.1.0, v1.0.0, v1.1.0")
	source, err := meta.ParseSource(r.host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	if tags, err := never.Tags(t.Context(), source); err != nil || !slices.Equal(tags, []string{"V1.1.0", "v1.0.0", "v1.1.0"}) {
		t.Errorf("got the tags %q (%v)", tags, err)
	}
	_, err = get(t, &xpkg.Client{Pull: xpkg.PullNever, Transport: unreachable{t}}, r.host+"/org/package:v1.0.0")
	checkError(t, err, meta.ErrNotFound, "no cache")
}

func TestHeadWithoutADigest(t *testing.T) {
	answers := map[string]http.HandlerFunc{
		"no digest": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", string(types.OCIManifestSchema1))
		},
		"no content type": func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "") },
		"not allowed":     status(http.StatusMethodNotAllowed),
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			ref := r.put(t, "org/package:v1", pkg())
			c, told := r.cached(dir, xpkg.PullAlways)
			if _, err := get(t, c, ref); err != nil {
				t.Fatal(err)
			}
			r.put(t, "org/package:v1", variant("new"))
			r.on("HEAD manifests/v1", answer)
			if got, err := get(t, c, ref); err != nil || got != "# new\n"+packageYAML {
				t.Errorf("got %q (%v)", got, err)
			}
			if !slices.Contains(told.kinds(), xpkg.HeadFailed) {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
	r := newRegistry(t)
	c, _ := r.cached(t.TempDir(), xpkg.PullAlways)
	ref := r.put(t, "org/package:v1", pkg())
	if _, err := get(t, c, ref); err != nil {
		t.Fatal(err)
	}
	r.on("HEAD manifests/v1", status(http.StatusForbidden))
	_, err := get(t, c, ref)
	checkError(t, err, meta.ErrUnauthorized)
}

// entries are the files of a cache.
func entries(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestBrokenCacheEntries(t *testing.T) {
	breaks := map[string]func(b []byte) []byte{
		"empty":   func([]byte) []byte { return nil },
		"flipped": func(b []byte) []byte { return flip(b, len(b)/2) },
		"cut":     func(b []byte) []byte { return b[:len(b)/2] },
		"longer":  func(b []byte) []byte { return append(b, 'x') },
	}
	for name, change := range breaks {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			ref := r.put(t, "org/package:v1", pkg())
			c, told := r.cached(dir, "")
			if _, err := get(t, c, ref); err != nil {
				t.Fatal(err)
			}
			files := entries(t, dir)
			if len(files) != 3 {
				t.Fatalf("the cache has the files %q, want a manifest, a layer and a tag", files)
			}
			for _, path := range files {
				b, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, change(slices.Clone(b)), 0o666); err != nil {
					t.Fatal(err)
				}
				if got, err := get(t, c, ref); err != nil || got != packageYAML {
					t.Errorf("%s: got %q (%v)", path, got, err)
				}
				if repaired, err := os.ReadFile(path); err != nil || !slices.Equal(repaired, b) && strings.Contains(path, "blobs") {
					t.Errorf("%s was not replaced (%v)", path, err)
				}
			}
			if kinds := told.kinds(); !slices.Contains(kinds, xpkg.CacheBroken) {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
}

func TestCacheThatCannotBeWritten(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	cases := map[string]string{
		"a file":       writeTemp(t, "cache", nil),
		"below a file": filepath.Join(writeTemp(t, "cache", nil), "below"),
	}
	if runtime.GOOS != "windows" && os.Getuid() != 0 {
		readOnly := t.TempDir()
		if err := os.Chmod(readOnly, 0o555); err != nil {
			t.Fatal(err)
		}
		cases["read-only"] = readOnly
	}
	for name, dir := range cases {
		t.Run(name, func(t *testing.T) {
			c, told := r.cached(dir, "")
			r.took()
			if got, err := get(t, c, ref); err != nil || got != packageYAML {
				t.Errorf("got %q (%v)", got, err)
			}
			if got := r.took(); len(got) != 2 {
				t.Errorf("got the requests %q, want two", got)
			}
			if kinds := told.kinds(); !slices.Contains(kinds, xpkg.CacheFailed) {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
	t.Run("does not exist", func(t *testing.T) {
		c, told := r.cached(filepath.Join(t.TempDir(), "a", "b"), "")
		if got, err := get(t, c, ref); err != nil || got != packageYAML || told.all != nil {
			t.Errorf("got %q (%v), %v", got, err, told.all)
		}
	})
}

func TestWrongBytesAreNotCached(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	i := pkg()
	i.layers[0].blob = tarOf(file{name: "package.yaml", content: packageYAML})
	i.layers[0].served = flip(i.layers[0].blob, 600)
	ref := r.put(t, "org/package:v1", i)
	c, _ := r.cached(dir, "")
	_, err := get(t, c, ref)
	checkError(t, err, meta.ErrDigest)
	for _, path := range entries(t, dir) {
		if strings.HasSuffix(path, digestOf(i.layers[0].blob).Hex) || filepath.Base(filepath.Dir(path)) == "tmp" {
			t.Errorf("the cache has %s", path)
		}
	}
	// Nothing partial either.
	r.on("GET blobs/"+digestOf(i.layers[0].blob).String(), func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "4096")
		_, _ = w.Write(i.layers[0].blob[:1024])
		panic(http.ErrAbortHandler)
	})
	_, err = get(t, c, ref)
	checkError(t, err, meta.ErrUnavailable)
	if files := entries(t, dir); len(files) != 2 {
		t.Errorf("the cache has %q, want a manifest and a tag", files)
	}
	r.on("GET blobs/"+digestOf(i.layers[0].blob).String(), nil)
	if got, err := get(t, c, ref); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
}

func TestCacheIsShared(t *testing.T) {
	// Many ask for one reference at once, and it is downloaded once.
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	c, _ := r.cached(t.TempDir(), "")
	var wg sync.WaitGroup
	for range 100 {
		wg.Go(func() {
			img, err := c.Image(t.Context(), ref, nil)
			if err != nil {
				t.Error(err)
				return
			}
			s, err := img.Stream(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			defer s.Close()
			if b, err := io.ReadAll(s); err != nil || string(b) != packageYAML {
				t.Errorf("got %q (%v)", b, err)
			}
		})
	}
	wg.Wait()
	if got := r.took(); len(got) != 2 {
		t.Errorf("got %d requests %q, want two", len(got), got)
	}
}

func TestNobodyWaitsForAnotherPackage(t *testing.T) {
	// While package A stalls, package B is read.
	r := newRegistry(t)
	c, _ := r.cached(t.TempDir(), "")
	slow := variant("slow")
	a := r.put(t, "org/a:v1", slow)
	b := r.put(t, "org/b:v1", pkg())
	arrived, release := make(chan struct{}), make(chan struct{})
	r.on("GET blobs/"+digestOf(slow.layers[0].blob).String(), func(w http.ResponseWriter, _ *http.Request) {
		close(arrived)
		<-release
		_, _ = w.Write(slow.layers[0].blob)
	})
	done := make(chan error)
	go func() {
		img, err := c.Image(t.Context(), a, nil)
		if err == nil {
			_, err = img.Package(t.Context())
		}
		done <- err
	}()
	<-arrived
	if got, err := get(t, c, b); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	close(release)
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestTwoStreamsOfOneLayer(t *testing.T) {
	// Neither waits for the other, whatever is read of them.
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	c, _ := r.cached(t.TempDir(), "")
	img, err := c.Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	first, err := img.Stream(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	if got, err := read(t, img); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
}
