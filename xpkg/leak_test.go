package xpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/klauspost/compress/zstd"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// failures is how often each of the cases here fails, spread over the places
// where it can. What each keeps shows beyond doubt.
const failures = 200

// leaksNothing runs what fails many times and holds the goroutines, the open
// files and the connections of a registry against those from before. The garbage
// collector would close files that were forgotten, so it rests meanwhile.
func leaksNothing(t *testing.T, r *testRegistry, fail func(t *testing.T, n int)) {
	t.Helper()
	runtime.GC()
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(512 << 20))
	// What is made once, such as the poller of the network, comes before.
	const first = 6
	for n := range first {
		fail(t, n)
	}
	settle(t, r, func(now held) bool { return now.connections == 0 })
	before := hold(t, r)
	for n := range failures {
		fail(t, n)
	}
	settle(t, r, func(now held) bool {
		return now.goroutines <= before.goroutines && now.files <= before.files && now.connections == 0
	})
}

// held is what a process holds.
type held struct{ goroutines, files, connections int }

func hold(t *testing.T, r *testRegistry) held {
	t.Helper()
	h := held{goroutines: runtime.NumGoroutine()}
	if runtime.GOOS == "linux" {
		files, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		h.files = len(files)
	}
	r.transport.CloseIdleConnections()
	r.mu.Lock()
	defer r.mu.Unlock()
	h.connections = len(r.open)
	return h
}

// settle waits until all is as it should be: the other end of a connection takes
// a moment to see that it was closed.
func settle(t *testing.T, r *testRegistry, done func(held) bool) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for now := hold(t, r); !done(now); now = hold(t, r) {
		if ctx.Err() != nil {
			var stacks bytes.Buffer
			_ = pprof.Lookup("goroutine").WriteTo(&stacks, 1)
			t.Fatalf("after %d failures there are %d goroutines, %d open files and %d connections: %s", failures, now.goroutines, now.files, now.connections, stacks.String())
		}
		runtime.Gosched()
	}
}

// place is where an image may lie, and what opens it there.
type place struct {
	name string
	open func(ctx context.Context) (*xpkg.Image, error)
}

// places stores an image everywhere.
func places(t *testing.T, r *testRegistry, i *testImage, o *xpkg.Options) []place {
	t.Helper()
	ref := r.put(t, "org/package:v1", i)
	memory := i.image(t)
	layout := i.layout(t)
	archive := tarDir(t, layout)
	raw, err := os.ReadFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	file := func(path string) func(context.Context) (*xpkg.Image, error) {
		return func(ctx context.Context) (*xpkg.Image, error) { return xpkg.OpenFile(ctx, path, o) }
	}
	return []place{
		{"memory", func(context.Context) (*xpkg.Image, error) { return xpkg.Open(memory, o), nil }},
		{"registry", func(ctx context.Context) (*xpkg.Image, error) { return r.client().Image(ctx, ref, o) }},
		{"layout", file(layout)},
		{"tar", file(archive)},
		{"gzip tar", file(writeTemp(t, "image.tar.gz", storedGzip(raw)))},
		{"zstd tar", file(writeTemp(t, "image.tar.zst", zstdFrame(raw)))},
	}
}

// zstdFrame compresses to a frame whose window is no larger than its content.
func zstdFrame(b []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		panic(err)
	}
	return w.EncodeAll(b, nil)
}

// leakNoise is content that does not compress, so that a layer has a middle.
func leakNoise() string {
	noise := make([]byte, 24<<10)
	_, _ = mathrand.NewChaCha8([32]byte{}).Read(noise)
	return string(noise)
}

// Failures give back what they took.
func TestFailuresLeaveNothingBehind(t *testing.T) {
	content := file{name: "package.yaml", content: packageYAML}
	more := file{name: "noise", content: leakNoise()}
	plain := tarOf(content, more)
	// Not compressed, for decompressing is not what takes descriptors.
	stored := storedGzip(plain)
	whole := imageOf(testLayer{blob: stored, annotations: base})
	broken := stored[:15<<10]
	noise := testLayer{blob: storedGzip(tarOf(more))}

	readPackage := func(ctx context.Context, img *xpkg.Image) error {
		pkg, err := img.Package(ctx)
		if pkg != nil {
			return errors.New("got a package")
		}
		return err
	}
	readStream := func(ctx context.Context, img *xpkg.Image) error {
		s, err := img.Stream(ctx)
		if err != nil {
			return err
		}
		defer s.Close()
		_, err = io.ReadAll(s)
		return err
	}
	readFS := func(ctx context.Context, img *xpkg.Image) error {
		_, err := img.FS(ctx)
		return err
	}
	closeEarly := func(ctx context.Context, img *xpkg.Image) error {
		s, err := img.Stream(ctx)
		if err != nil {
			return err
		}
		_, _ = s.Read(make([]byte, 10))
		return s.Close()
	}
	cancelIn := func(call func(ctx context.Context, img *xpkg.Image) error) func(ctx context.Context, img *xpkg.Image) error {
		return func(ctx context.Context, img *xpkg.Image) error {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			s, err := img.Stream(ctx)
			if err != nil {
				return err
			}
			defer s.Close()
			if _, err := s.Read(make([]byte, 10)); err != nil {
				return err
			}
			cancel()
			if call != nil {
				return call(ctx, img)
			}
			_, err = io.ReadAll(s)
			return err
		}
	}
	panicBetween := func(ctx context.Context, img *xpkg.Image) (err error) {
		defer func() {
			if recover() == nil {
				err = errors.New("got no panic")
			}
		}()
		s, openErr := img.Stream(ctx)
		if openErr != nil {
			return openErr
		}
		defer func() { err = s.Close() }()
		_, _ = s.Read(make([]byte, 10))
		panic("the caller's")
	}
	cases := []struct {
		name, reason string
		image        *testImage
		o            *xpkg.Options
		do           func(ctx context.Context, img *xpkg.Image) error
		is           error // nil for a *LayerError
	}{
		{"broken gzip, package", "the layer ends in the middle", imageOf(testLayer{blob: broken, annotations: base}), nil, readPackage, nil},
		{"broken gzip, stream", "the same", imageOf(testLayer{blob: broken, annotations: base}), nil, readStream, nil},
		{"broken gzip, fs", "the same", imageOf(testLayer{blob: broken}), nil, readFS, nil},
		{"broken tar", "no gzip at all", imageOf(testLayer{blob: plain[:15<<10], annotations: base}), nil, readPackage, nil},
		{"broken zstd", "a decompressor with memory of its own", imageOf(testLayer{blob: zstdFrame(plain)[:15<<10], annotations: base}), nil, readPackage, nil},
		{"no archive", "text", imageOf(testLayer{blob: []byte(packageYAML), annotations: base}), nil, readStream, nil},
		{"no package.yaml", "in any of the layers", imageOf(noise, layerOf(file{name: "a", content: "b"})), nil, readPackage, meta.ErrNotPackage},
		{"a bad link", "the layers are gone through again", imageOf(noise, layerOf(file{name: "package.yaml", kind: '2', link: "none"})), nil, readStream, meta.ErrNotPackage},
		{"package.yaml twice", "seen when it has been read", imageOf(testLayer{blob: storedGzip(tarOf(content, more, content)), annotations: base}), nil, readStream, meta.ErrNotPackage},
		{"swapped, package", "the digest is wrong", imageOf(testLayer{blob: stored, served: flip(stored, 5000), annotations: base}), nil, readPackage, meta.ErrDigest},
		{"swapped, stream", "the digest is wrong", imageOf(testLayer{blob: plain, served: flip(plain, 5000), annotations: base}), nil, readStream, meta.ErrDigest},
		{"swapped, fs", "in the second layer", imageOf(noise, testLayer{blob: plain, served: flip(plain, 5000)}), nil, readFS, meta.ErrDigest},
		{"fs, too large", "refused while the first layer is open", imageOf(testLayer{blob: stored}), &xpkg.Options{MaxPackageBytes: 1000}, readFS, meta.ErrLimit},
		{"too many bytes", "refused in the middle of the layer", whole, &xpkg.Options{MaxLayerBytes: int64(len(plain)) - 100}, readPackage, meta.ErrLimit},
		{"faults in it", "and the package comes with them", imageOf(baseOf(file{name: "package.yaml", content: "kind: [\n"}, more)), nil, func(ctx context.Context, img *xpkg.Image) error {
			_, err := img.Package(ctx)
			return err
		}, meta.ErrInvalid},
		{"closed early", "most of the layer is unread", whole, nil, closeEarly, xpkg.ErrUnverified},
		{"canceled, stream", "in the middle of it", whole, nil, cancelIn(nil), meta.ErrCanceled},
		{"canceled, package", "before it", whole, nil, cancelIn(readPackage), meta.ErrCanceled},
		{"canceled, fs", "before it", whole, nil, cancelIn(readFS), meta.ErrCanceled},
		{"panic between", "in code of the caller that has a stream", whole, nil, panicBetween, xpkg.ErrUnverified},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			from := places(t, r, c.image, c.o)
			leaksNothing(t, r, func(t *testing.T, n int) {
				p := from[n%len(from)]
				img, err := p.open(t.Context())
				if err == nil {
					err = c.do(t.Context(), img)
				}
				if layer := (*xpkg.LayerError)(nil); c.is != nil && !errors.Is(err, c.is) || c.is == nil && !errors.As(err, &layer) {
					t.Fatalf("%s: got the error %v, want it to match %v: %s", p.name, err, c.is, c.reason)
				}
			})
		})
	}
}

// So do choices that cannot be made.
func TestBadIndexesLeaveNothingBehind(t *testing.T) {
	windows := &xpkg.Options{Platform: &v1.Platform{OS: "windows", Architecture: "amd64"}}
	cases := []struct {
		name, reason string
		index        *testIndex
		o            *xpkg.Options
		is           error
	}{
		{"empty", "nothing is listed", index(), nil, meta.ErrNotPackage},
		{"no platform", "none fits, and their layers were compared", index().image("amd", "linux/amd64").image("arm", "linux/arm64"), windows, meta.ErrNotFound},
		{"lost", "the image that fits is not there", index().lost("amd", "linux/amd64").image("arm", "linux/arm64"), nil, meta.ErrNotFound},
		{"attestation", "nothing else is listed", index().attestation(), nil, meta.ErrNotPackage},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := c.index.put(t, r, "v1")
			layout := writeLayout(t, c.index.blobs(), entryOf(c.index.raw(), types.OCIImageIndex, "", nil))
			archive := tarDir(t, layout)
			from := []place{
				{"registry", func(ctx context.Context) (*xpkg.Image, error) { return r.client().Image(ctx, ref, c.o) }},
				{"layout", func(ctx context.Context) (*xpkg.Image, error) { return xpkg.OpenFile(ctx, layout, c.o) }},
				{"tar", func(ctx context.Context) (*xpkg.Image, error) { return xpkg.OpenFile(ctx, archive, c.o) }},
			}
			leaksNothing(t, r, func(t *testing.T, n int) {
				p := from[n%len(from)]
				if _, err := p.open(t.Context()); !errors.Is(err, c.is) {
					t.Fatalf("%s: got the error %v, want it to match %v: %s", p.name, err, c.is, c.reason)
				}
			})
		})
	}
}

// Nor do registries, disks and callers that fail a client leave anything, in
// memory or in its cache.
func TestFailingClientsLeaveNothingBehind(t *testing.T) {
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: leakNoise()}))
	layer := i.layers[0].blob
	blob := "GET blobs/" + digestOf(layer).String()
	pull := func(ctx context.Context, c *xpkg.Client, ref string) error {
		img, err := c.Image(ctx, ref, nil)
		if err == nil {
			_, err = img.Package(ctx)
		}
		return err
	}
	push := func(ctx context.Context, c *xpkg.Client, ref string) error {
		_, err := c.Push(ctx, ref, variant("new").image(t))
		return err
	}
	tags := func(ctx context.Context, c *xpkg.Client, ref string) error {
		_, err := c.Tags(ctx, parseSource(t, ref[:len(ref)-len(":v1")]))
		return err
	}
	// stall answers with a part and then waits for the caller's deadline, which
	// comes as soon as the part was sent.
	stall := func(deadline func(), part []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, q *http.Request) {
			if part != nil {
				w.Header().Set("Content-Length", "1000000")
				_, _ = w.Write(part)
				w.(http.Flusher).Flush()
			}
			// Without it the server does not see that the client has gone.
			_, _ = io.Copy(io.Discard, q.Body)
			deadline()
			<-q.Context().Done()
		}
	}
	cut := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "1000000")
		_, _ = w.Write(layer[:10<<10])
		panic(http.ErrAbortHandler)
	}
	cases := []struct {
		name, reason string
		on           string                                 // a request
		answer       func(deadline func()) http.HandlerFunc // to it
		do           func(ctx context.Context, c *xpkg.Client, ref string) error
		is           error
	}{
		{"blob stalls", "in the middle", blob, func(d func()) http.HandlerFunc { return stall(d, layer[:10<<10]) }, pull, meta.ErrCanceled},
		{"blob is not answered", "the connection is there", blob, func(d func()) http.HandlerFunc { return stall(d, nil) }, pull, meta.ErrCanceled},
		{"manifest stalls", "in the middle", "GET manifests/v1", func(d func()) http.HandlerFunc { return stall(d, i.manifest()[:100]) }, pull, meta.ErrCanceled},
		{"root is not answered", "nobody knows which credentials it wants", "GET v2/", func(d func()) http.HandlerFunc { return stall(d, nil) }, pull, meta.ErrCanceled},
		{"tags stall", "in the middle", "GET tags/list", func(d func()) http.HandlerFunc { return stall(d, []byte(`{"tags": [`)) }, tags, meta.ErrCanceled},
		{"upload stalls", "it is not accepted", "PUT manifests/v1", func(d func()) http.HandlerFunc { return stall(d, nil) }, push, meta.ErrCanceled},
		{"blob breaks off", "in the middle", blob, func(func()) http.HandlerFunc { return cut }, pull, meta.ErrUnavailable},
		{"blob is another", "its digest is wrong", blob, func(func()) http.HandlerFunc { return serve("", flip(layer, 12000)) }, pull, meta.ErrDigest},
		{"blob is absent", "the manifest lies", blob, func(func()) http.HandlerFunc { return status(http.StatusNotFound) }, pull, meta.ErrNotFound},
		{"manifest is too large", "most of it is unread", "GET manifests/v1", func(func()) http.HandlerFunc { return serve(string(types.OCIManifestSchema1), make([]byte, 1<<20)) }, func(ctx context.Context, c *xpkg.Client, ref string) error {
			_, err := c.Image(ctx, ref, &xpkg.Options{MaxManifestBytes: 100})
			return err
		}, meta.ErrLimit},
		{"manifest is refused", "after it was uploaded", "PUT manifests/v1", func(func()) http.HandlerFunc { return status(http.StatusForbidden) }, push, meta.ErrUnauthorized},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			caches := leakCaches(t, layer)
			const most = 20 // at once, each of its own repository
			var refs []string
			for n := range most {
				refs = append(refs, r.put(t, fmt.Sprintf("org/package%d:v1", n), i))
			}
			one := func(n int, ref string) {
				// It ends when the registry stalls and not otherwise, since its end
				// would close what was forgotten.
				ctx, deadline := context.WithCancelCause(t.Context())
				r.on(c.on, c.answer(func() { deadline(context.DeadlineExceeded) }))
				client := r.client() // of its own, so that each asks for the API's root
				client.Cache = caches[n%len(caches)]
				if err := c.do(ctx, client, ref); !errors.Is(err, c.is) {
					t.Errorf("got the error %v, want it to match %v: %s", err, c.is, c.reason)
				}
			}
			leaksNothing(t, r, func(t *testing.T, n int) {
				// What pauses before it is asked for again is asked for at once.
				if c.name != "blob breaks off" {
					one(n, refs[0])
					return
				}
				if n%most != 0 {
					return
				}
				var wg sync.WaitGroup
				for k, ref := range refs {
					wg.Go(func() { one(n+k, ref) })
				}
				wg.Wait()
			})
			for _, cache := range caches {
				leavesNoTemporary(t, cache)
			}
		})
	}
}

// Entries of a cache that are broken are told and given back as well.
func TestBrokenEntriesLeaveNothingBehind(t *testing.T) {
	r := newRegistry(t)
	i := pkg()
	ref := r.put(t, "org/package:v1", i)
	dir := t.TempDir()
	warm, _ := r.cached(dir, "")
	if _, err := get(t, warm, ref); err != nil {
		t.Fatal(err)
	}
	never, _ := r.cached(dir, xpkg.PullNever)
	files := entries(t, dir) // a manifest, a layer and a tag
	var whole [][]byte
	for _, path := range files {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole = append(whole, b)
	}
	leaksNothing(t, r, func(t *testing.T, n int) {
		at := n % len(files)
		b := whole[at]
		breaks := [][]byte{nil, b[:40], flip(b, len(b)-1)}
		if err := os.WriteFile(files[at], breaks[n/len(files)%len(breaks)], 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := get(t, never, ref); !errors.Is(err, meta.ErrNotFound) {
			t.Fatalf("%s: got the error %v, want a miss", files[at], err)
		}
		client := r.client()
		client.Cache = warm.Cache
		if got, err := get(t, client, ref); err != nil || got != packageYAML {
			t.Fatalf("%s: got %q (%v)", files[at], got, err)
		}
	})
	checkOnlyEntries(t, dir)
}

// Files that cannot be written are not begun.
func TestFailingWritesLeaveNothingBehind(t *testing.T) {
	r := newRegistry(t)
	blob := gzipped(tarOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: leakNoise()}))
	img := configured(imageOf(testLayer{blob: blob, served: flip(blob, 10<<10), annotations: base})).image(t)
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	cases := []struct {
		ctx    context.Context
		format build.Format
		is     error
	}{
		{t.Context(), build.OCI, meta.ErrDigest},
		{t.Context(), build.Docker, meta.ErrDigest},
		{canceled, build.OCI, meta.ErrCanceled},
		{canceled, build.Docker, meta.ErrCanceled},
	}
	dir := t.TempDir()
	leaksNothing(t, r, func(t *testing.T, n int) {
		c := cases[n%len(cases)]
		if err := build.WriteFile(c.ctx, filepath.Join(dir, "image.xpkg"), img, c.format); !errors.Is(err, c.is) {
			t.Fatalf("%s: got the error %v, want it to match %v", c.format, err, c.is)
		}
	})
	if files := entries(t, dir); len(files) > 0 {
		t.Errorf("the directory holds %q", files)
	}
}

// leakCaches are none, one that works, one that cannot be written to and one in
// which a layer can be written and cannot get its name.
func leakCaches(t *testing.T, layer []byte) []*xpkg.Cache {
	t.Helper()
	caches := []*xpkg.Cache{
		nil,
		xpkg.OpenCache(t.TempDir(), nil),
		xpkg.OpenCache(filepath.Join(writeTemp(t, "file", nil), "below"), nil),
	}
	// What has the name is a directory that is not the cache's to remove.
	unnamed, elsewhere := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(unnamed, "v1", "blobs"), filepath.Join(elsewhere, digestOf(layer).Hex, "full")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(elsewhere, filepath.Join(unnamed, "v1", "blobs", "sha256")); err != nil {
		t.Logf("no links here: %v", err)
		return caches
	}
	return append(caches, xpkg.OpenCache(unnamed, nil))
}

// leavesNoTemporary looks for what was being written to a cache.
func leavesNoTemporary(t *testing.T, c *xpkg.Cache) {
	t.Helper()
	if c == nil {
		return
	}
	if _, err := os.Stat(c.Dir()); err != nil {
		return
	}
	for _, path := range entries(t, c.Dir()) {
		if filepath.Base(filepath.Dir(path)) == "tmp" {
			t.Errorf("the cache still has %s", path)
		}
	}
}

// errPanic stands for a panic that was caught.
var errPanic = errors.New("panic of the caller's code")

// Panics in code that a client calls go through to the caller and leave nothing,
// and no lock that others wait for.
func TestPanicsLeaveNothingBehind(t *testing.T) {
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: leakNoise()}))
	cases := []struct {
		name, reason string
		set          func(c *xpkg.Client)
	}{
		{"keychain", "before the first request", func(c *xpkg.Client) { c.Keychain = panicking{} }},
		{"event", "it is told what the cache could not do", func(c *xpkg.Client) { c.Event = func(xpkg.Event) { panic(errPanic) } }},
		{"progress", "in the middle of a layer", func(c *xpkg.Client) {
			c.Event = func(e xpkg.Event) {
				if e.Kind == xpkg.Downloading {
					panic(errPanic)
				}
			}
		}},
		{"trouble", "when a layer that could not be stored is at hand", func(c *xpkg.Client) {
			c.Event = func(e xpkg.Event) {
				if e.Kind == xpkg.CacheFailed {
					panic(errPanic)
				}
			}
		}},
		{"signature", "when a manifest is at hand", func(c *xpkg.Client) {
			c.Options = &xpkg.Options{Verify: func(context.Context, *xpkg.Subject) error { panic(errPanic) }}
		}},
		{"body", "in the middle of an answer", func(c *xpkg.Client) { c.Transport = panickingBodies{c.Transport} }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1", i)
			caches := leakCaches(t, i.layers[0].blob)
			switch c.name {
			case "event", "trouble":
				caches = caches[2:3] // the others tell nothing, or too late
			}
			leaksNothing(t, r, func(t *testing.T, n int) {
				client := r.client()
				client.Cache = caches[n%len(caches)]
				c.set(client)
				if err := caught(func() error { _, err := get(t, client, ref); return err }); err != errPanic {
					t.Fatalf("got the error %v, want the panic: %s", err, c.reason)
				}
			})
			for _, cache := range caches {
				leavesNoTemporary(t, cache)
				if got, err := get(t, &xpkg.Client{Transport: r.transport, Cache: cache}, ref); err != nil || got != packageYAML {
					t.Errorf("the next call: got %q (%v)", got, err)
				}
			}
		})
	}
}

func caught(call func() error) (err error) {
	defer func() {
		if r := recover(); r == errPanic {
			err = errPanic
		} else if r != nil {
			panic(r)
		}
	}()
	return call()
}

// panickingBodies panics when a layer is read.
type panickingBodies struct{ http.RoundTripper }

func (p panickingBodies) RoundTrip(q *http.Request) (*http.Response, error) {
	resp, err := p.RoundTripper.RoundTrip(q)
	if err == nil && strings.Contains(q.URL.Path, "/blobs/") {
		resp.Body = readCloser{readerFunc(func([]byte) (int, error) { panic(errPanic) }), resp.Body}
	}
	return resp, err
}

// panicking panics when it is asked for credentials.
type panicking struct{}

func (panicking) Resolve(authn.Resource) (authn.Authenticator, error) { panic(errPanic) }
