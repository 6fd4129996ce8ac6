package xpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// anonymous has no credentials.
var anonymous = authn.NewMultiKeychain()

// inMemory is a registry that is reached without a network, so that nothing but
// pauses moves the clock of a synctest bubble.
type inMemory struct {
	registry http.Handler

	mu       sync.Mutex
	requests []string
	// fail answers a request itself, when it returns something.
	fail func(r *http.Request) (*http.Response, error)
}

func newInMemory() *inMemory {
	return &inMemory{registry: registry.New(registry.Logger(log.New(io.Discard, "", 0)))}
}

const inMemoryRef = "registry.example/org/package:v1"

// put stores an image without being seen.
func (m *inMemory) put(t *testing.T, i *testImage) {
	t.Helper()
	if _, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Push(t.Context(), inMemoryRef, i.image(t)); err != nil {
		t.Fatal(err)
	}
	m.took()
}

// took returns the requests since the last call.
func (m *inMemory) took() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	requests := m.requests
	m.requests = nil
	return requests
}

// about is a request as tests name it: its method and what it is about.
func about(r *http.Request) string {
	path := r.URL.Path
	switch {
	case path == "/v2/":
		path = "ping"
	case strings.HasSuffix(path, "/tags/list"):
		path = "tags"
	case strings.Contains(path, "/manifests/"):
		path = "manifest"
	case strings.Contains(path, "/uploads"):
		path = "upload"
	case strings.Contains(path, "/blobs/"):
		path = "blob"
	}
	return r.Method + " " + path
}

func (m *inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	m.mu.Lock()
	m.requests = append(m.requests, about(r))
	fail := m.fail
	m.mu.Unlock()
	if r.Context().Err() != nil {
		return nil, r.Context().Err()
	}
	if r.Body != nil {
		defer r.Body.Close()
	}
	if fail != nil {
		if resp, err := fail(r); resp != nil || err != nil {
			return resp, err
		}
	}
	in := r.Clone(r.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	w := httptest.NewRecorder()
	m.registry.ServeHTTP(w, in)
	resp := w.Result()
	resp.Request = r
	return resp, nil
}

// answer is an answer without content.
func answer(r *http.Request, status int, header ...string) *http.Response {
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: http.NoBody, Request: r}
	for i := 0; i < len(header); i += 2 {
		resp.Header.Set(header[i], header[i+1])
	}
	return resp
}

// failure is a way in which a request fails.
type failure struct {
	name   string
	do     func(r *http.Request) (*http.Response, error)
	reason xpkg.RegistryReason
	status int
}

func failsWith(status int, reason xpkg.RegistryReason) failure {
	return failure{strconv.Itoa(status), func(r *http.Request) (*http.Response, error) { return answer(r, status), nil }, reason, status}
}

func breaks(name string, err error, reason xpkg.RegistryReason) failure {
	return failure{name, func(*http.Request) (*http.Response, error) { return nil, err }, reason, 0}
}

// operations are the calls of a client, by the request that fails in them.
var operations = []struct {
	request string
	do      func(ctx context.Context, t *testing.T, c *xpkg.Client) error
}{
	{"GET ping", image},
	{"GET manifest", image},
	{"HEAD manifest", image},
	{"GET blob", image},
	{"GET tags", func(ctx context.Context, t *testing.T, c *xpkg.Client) error {
		source, err := meta.ParseSource("registry.example/org/package")
		if err != nil {
			t.Fatal(err)
		}
		tags, err := c.Tags(ctx, source)
		if err == nil && !slices.Equal(tags, []string{"v1"}) {
			t.Errorf("got the tags %q", tags)
		}
		return err
	}},
	{"HEAD blob", push},
	{"POST upload", push},
	{"PATCH upload", push},
	{"PUT upload", push},
	{"PUT manifest", push},
}

func image(ctx context.Context, t *testing.T, c *xpkg.Client) error {
	img, err := c.Image(ctx, inMemoryRef, nil)
	if err != nil {
		return err
	}
	_, err = img.Package(ctx)
	return err
}

func push(ctx context.Context, t *testing.T, c *xpkg.Client) error {
	// The image has a single blob, so that only one request is under way.
	i := &testImage{config: []byte(`{"os":"new"}`)}
	_, err := c.Push(ctx, inMemoryRef, i.image(t))
	return err
}

// client returns a client and what it tells. A HEAD of a manifest is for those
// that have a cache.
func (m *inMemory) client(t *testing.T, request string) (*xpkg.Client, *events) {
	t.Helper()
	e := &events{}
	c := &xpkg.Client{Transport: m, Keychain: anonymous}
	if request == "HEAD manifest" {
		c.Cache, c.Pull = xpkg.OpenCache(t.TempDir(), nil), xpkg.PullAlways
		if err := image(t.Context(), t, c); err != nil {
			t.Fatal(err)
		}
		m.took()
	}
	c.Event = e.add
	return c, e
}

// Every request of every call is repeated when it fails in passing, with the
// same pauses, and each time is told.
func TestRetries(t *testing.T) {
	t.Parallel()
	failures := []failure{
		failsWith(408, xpkg.RegistryFailed), failsWith(429, xpkg.RegistryRateLimited), failsWith(500, xpkg.RegistryFailed),
		failsWith(502, xpkg.RegistryFailed), failsWith(503, xpkg.RegistryFailed), failsWith(504, xpkg.RegistryFailed),
		breaks("reset", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, xpkg.RegistryBrokenOff),
		breaks("EOF", io.EOF, xpkg.RegistryBrokenOff),
		breaks("timeout", &net.DNSError{Err: "slow", IsTimeout: true}, xpkg.RegistryUnreachable),
	}
	pauses := []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second}
	run := func(t *testing.T, f failure, times int, request string, do func(context.Context, *testing.T, *xpkg.Client) error) (asked int, took time.Duration, told []xpkg.Event, err error) {
		synctest.Test(t, func(t *testing.T) {
			m := newInMemory()
			m.put(t, pkg())
			c, e := m.client(t, request)
			left := times
			m.fail = func(r *http.Request) (*http.Response, error) {
				if about(r) != request || left == 0 {
					return nil, nil
				}
				left--
				return f.do(r)
			}
			start := time.Now()
			err = do(t.Context(), t, c)
			took = time.Since(start)
			for _, q := range m.took() {
				if q == request {
					asked++
				}
			}
			told = e.all
		})
		return asked, took, told, err
	}
	checkTold := func(t *testing.T, told []xpkg.Event, f failure, n int) {
		t.Helper()
		if len(told) != n {
			t.Errorf("got the events %v, want %d", told, n)
		}
		for i, event := range told {
			var e *xpkg.RegistryError
			if event.Kind != xpkg.Retried || i < len(pauses) && event.Wait != pauses[i] || !errors.As(event.Err, &e) || e.Reason != f.reason || e.Status != f.status {
				t.Errorf("got the event %v (%v)", event, event.Wait)
			}
		}
	}
	for _, op := range operations {
		for _, f := range failures {
			t.Run(op.request+" "+f.name, func(t *testing.T) {
				_, took, told, err := run(t, f, 2, op.request, op.do)
				if err != nil || took != pauses[0]+pauses[1] {
					t.Errorf("after two failures: got %v in %v of pauses", err, took)
				}
				checkTold(t, told, f, 2)

				asked, took, told, err := run(t, f, -1, op.request, op.do)
				var e *xpkg.RegistryError
				if !errors.As(err, &e) || e.Reason != f.reason || e.Status != f.status || e.Host != "registry.example" || !errors.Is(err, meta.ErrUnavailable) || meta.Code(err) != "unavailable" {
					t.Errorf("without end: got %#v", e)
				}
				if asked != 5 || took != pauses[0]+pauses[1]+pauses[2]+pauses[3] {
					t.Errorf("without end: asked %d times in %v of pauses", asked, took)
				}
				checkTold(t, told, f, 4)
			})
		}
	}
	final := []failure{
		failsWith(400, xpkg.RegistryFailed), failsWith(404, xpkg.RegistryNotFound), failsWith(403, xpkg.RegistryDenied),
		failsWith(501, xpkg.RegistryFailed), failsWith(505, xpkg.RegistryFailed),
		breaks("refused", &net.OpError{Op: "dial", Err: syscall.ECONNREFUSED}, xpkg.RegistryUnreachable),
		breaks("dial timeout", &net.OpError{Op: "dial", Err: os.ErrDeadlineExceeded}, xpkg.RegistryUnreachable),
		breaks("no such host", &net.DNSError{Err: "no such host", IsNotFound: true}, xpkg.RegistryUnreachable),
	}
	for _, op := range operations {
		for _, f := range final {
			t.Run(op.request+" "+f.name, func(t *testing.T) {
				asked, took, told, err := run(t, f, -1, op.request, op.do)
				for _, event := range told {
					if event.Kind == xpkg.Retried {
						t.Errorf("got the event %v", event)
					}
				}
				// The existence of a blob and a HEAD have other answers than an
				// error.
				fine := op.request == "HEAD blob" && f.status == 404 || op.request == "HEAD manifest" && f.status >= 400 && f.status != 403
				if (err == nil) != fine || asked != 1 && op.request != "HEAD blob" || took != 0 {
					t.Errorf("got %v after %d requests and %v of pauses", err, asked, took)
				}
			})
		}
	}
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, reason, value string
		want                time.Duration // of the first pause, 0 when there is none
		after               time.Duration // in the error
	}{
		{"seconds", "a number of seconds", "7", 7 * time.Second, 0},
		{"none", "at once", "0", 0, 0},
		{"date", "a date of HTTP; the clock of a bubble begins on 2000-01-01", "Sat, 01 Jan 2000 00:00:30 GMT", 30 * time.Second, 0},
		{"past", "a date that has passed is now", "Fri, 31 Dec 1999 00:00:00 GMT", 0, 0},
		{"longest", "a minute is waited", "60", time.Minute, 0},
		{"too long", "more than a minute is not", "61", -1, 61 * time.Second},
		{"hours", "nor is a date far off", "Sat, 01 Jan 2000 06:00:00 GMT", -1, 6 * time.Hour},
		{"huge", "whatever the number", "99999999999999999999", 250 * time.Millisecond, 0},
		{"negative", "what is no number of seconds is not there", "-5", 250 * time.Millisecond, 0},
		{"words", "nor is this", "soon", 250 * time.Millisecond, 0},
	}
	for _, op := range operations {
		for _, c := range cases {
			t.Run(op.request+" "+c.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newInMemory()
					m.put(t, pkg())
					client, told := m.client(t, op.request)
					failed := false
					m.fail = func(r *http.Request) (*http.Response, error) {
						if about(r) != op.request || failed {
							return nil, nil
						}
						failed = true
						return answer(r, 429, "Retry-After", c.value), nil
					}
					start := time.Now()
					err := op.do(t.Context(), t, client)
					took := time.Since(start)
					if c.want >= 0 {
						if err != nil || took != c.want || len(told.all) != 1 || told.all[0].Wait != c.want {
							t.Errorf("got %v in %v of pauses and the events %v, want %v: %s", err, took, told.all, c.want, c.reason)
						}
						return
					}
					checkError(t, err, meta.ErrUnavailable, "limits the rate of requests", "try again in "+c.after.String(), "credentials")
					var e *xpkg.RegistryError
					if !errors.As(err, &e) || e.RetryAfter != c.after || e.Reason != xpkg.RegistryRateLimited || took != 0 || told.all != nil {
						t.Errorf("got %#v in %v of pauses and the events %v: %s", e, took, told.all, c.reason)
					}
				})
			})
		}
	}
}

// A pause ends with the context, whatever is being done.
func TestEveryPauseEndsWithTheContext(t *testing.T) {
	t.Parallel()
	for _, op := range operations {
		t.Run(op.request, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newInMemory()
				m.put(t, pkg())
				client, _ := m.client(t, op.request)
				m.fail = func(r *http.Request) (*http.Response, error) {
					if about(r) != op.request {
						return nil, nil
					}
					return answer(r, 503, "Retry-After", "30"), nil
				}
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				start := time.Now()
				err := op.do(ctx, t, client)
				checkError(t, err, meta.ErrCanceled)
				if took := time.Since(start); took != 10*time.Second {
					t.Errorf("returned after %v", took)
				}
			})
		})
	}
}

// Uploads that fail begin anew, and send again what did not arrive only.
func TestPushBeginsAnew(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newInMemory()
		failed := false
		m.fail = func(r *http.Request) (*http.Response, error) {
			if r.Method != http.MethodPatch || failed {
				return nil, nil
			}
			failed = true
			_, _ = io.CopyN(io.Discard, r.Body, 5) // half of it has gone
			return nil, io.ErrUnexpectedEOF
		}
		i := &testImage{config: []byte(`{"os":"new"}`)}
		digest, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Push(t.Context(), inMemoryRef, i.image(t))
		if err != nil || digest != i.digest().String() {
			t.Fatalf("got %s (%v)", digest, err)
		}
		want := []string{"GET ping", "HEAD manifest", "HEAD blob", "POST upload", "PATCH upload", "HEAD manifest", "HEAD blob", "POST upload", "PATCH upload", "PUT upload", "PUT manifest"}
		if got := m.took(); !slices.Equal(got, want) {
			t.Errorf("got the requests %q, want %q", got, want)
		}
	})
}

// half is a body that breaks off.
type half struct {
	io.Reader
	err error
}

func (h half) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if err == io.EOF {
		err = h.err
	}
	return n, err
}

func (half) Close() error { return nil }

func TestLayersThatBreakOff(t *testing.T) {
	t.Parallel()
	i := imageOf(testLayer{blob: tarOf(file{name: "package.yaml", content: packageYAML}), annotations: base, mediaType: ociPlainLayer})
	blob := i.layers[0].blob
	const at = 700
	ends := func(r *http.Request, status int, from, to int, rangeFrom int) *http.Response {
		resp := answer(r, status)
		resp.Body = half{bytes.NewReader(blob[from:to]), io.ErrUnexpectedEOF}
		if status == http.StatusPartialContent {
			resp.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", rangeFrom, len(blob)-1, len(blob)))
		}
		if to == len(blob) {
			resp.Body = io.NopCloser(bytes.NewReader(blob[from:]))
		}
		return resp
	}
	cases := []struct {
		name, reason string
		// answers a request for the rest from an offset
		rest   func(r *http.Request, from int) (*http.Response, error)
		is     error
		says   string
		asked  int
		events int
	}{
		{"continued", "the rest is asked for", func(r *http.Request, from int) (*http.Response, error) {
			return ends(r, 206, from, len(blob), from), nil
		}, nil, "", 2, 1},
		{"continued in pieces", "more than once", func(r *http.Request, from int) (*http.Response, error) {
			return ends(r, 206, from, min(from+600, len(blob)), from), nil
		}, nil, "", 4, 3},
		{"without parts", "a registry that gives no parts begins again, which is no help", func(r *http.Request, from int) (*http.Response, error) {
			return ends(r, 200, 0, len(blob), 0), nil
		}, meta.ErrUnavailable, "breaks off", 2, 1},
		{"refused", "or refuses", func(r *http.Request, from int) (*http.Response, error) {
			return answer(r, http.StatusRequestedRangeNotSatisfiable), nil
		}, meta.ErrUnavailable, "breaks off", 2, 1},
		{"another part", "or gives another part", func(r *http.Request, from int) (*http.Response, error) {
			return ends(r, 206, from-1, len(blob), from-1), nil
		}, meta.ErrUnavailable, "breaks off", 2, 1},
		{"lies", "what it gives is held against the digest of the whole", func(r *http.Request, from int) (*http.Response, error) {
			return ends(r, 206, 0, len(blob)-from, from), nil
		}, meta.ErrDigest, "digest", 5, 4},
		{"lies to the end", "also when it is as long as it should be", func(r *http.Request, from int) (*http.Response, error) {
			resp := ends(r, 206, from, len(blob), from)
			resp.Body = io.NopCloser(bytes.NewReader(flip(blob, from+1)[from:]))
			return resp, nil
		}, meta.ErrDigest, "digest", 2, 1},
		{"nothing more", "it is asked as often as for anything else", func(r *http.Request, from int) (*http.Response, error) {
			return ends(r, 206, from, from, from), nil
		}, meta.ErrUnavailable, "breaks off", 5, 4},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newInMemory()
				m.put(t, i)
				told := &events{}
				client := &xpkg.Client{Transport: m, Keychain: anonymous, Event: told.add}
				img, err := client.Image(t.Context(), inMemoryRef, nil)
				if err != nil {
					t.Fatal(err)
				}
				m.took()
				m.fail = func(r *http.Request) (*http.Response, error) {
					var from int
					if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
						return c.rest(r, from)
					}
					return ends(r, 200, 0, at, 0), nil
				}
				got, err := read(t, img)
				if c.is == nil {
					if err != nil || got != packageYAML {
						t.Errorf("got %q (%v): %s", got, err, c.reason)
					}
				} else {
					checkError(t, err, c.is, c.says)
				}
				if e := (*xpkg.RegistryError)(nil); c.is == meta.ErrUnavailable && (!errors.As(err, &e) || e.Reason != xpkg.RegistryBrokenOff) {
					t.Errorf("got %#v", err)
				}
				if asked := len(m.took()); asked != c.asked || len(told.all) != c.events {
					t.Errorf("got %d requests and the events %v, want %d and %d: %s", asked, told.all, c.asked, c.events, c.reason)
				}
			})
		})
	}
}

// stalling is a body that has nothing more to say until its request ends.
type stalling struct {
	io.Reader
	done   <-chan struct{}
	closed *int
}

func (s stalling) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err == io.EOF {
		<-s.done
		return n, context.Canceled
	}
	return n, err
}

func (s stalling) Close() error { *s.closed++; return nil }

// A registry that stalls in the middle of an answer is not waited for without
// end: others may wait for the same.
func TestAnswersThatStall(t *testing.T) {
	i := imageOf(testLayer{blob: tarOf(file{name: "package.yaml", content: packageYAML}), annotations: base, mediaType: ociPlainLayer})
	cases := []struct {
		name, reason, request string
		times                 int // how often it stalls
		want                  time.Duration
		is                    error
	}{
		{"layer", "the rest is asked for", "GET blob", 1, time.Minute + 250*time.Millisecond, nil},
		{"layer, again and again", "as often as for one that breaks off", "GET blob", 100, 5*time.Minute + 3750*time.Millisecond, meta.ErrUnavailable},
		{"manifest", "it is an error", "GET manifest", 1, time.Minute, meta.ErrUnavailable},
	}
	for _, c := range cases {
		for _, cached := range []bool{false, true} {
			t.Run(fmt.Sprint(c.name, cached), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					m := newInMemory()
					m.put(t, i)
					opened, closed := 0, 0
					m.fail = func(r *http.Request) (*http.Response, error) {
						if about(r) != c.request {
							return nil, nil
						}
						content := i.manifest()
						if c.request == "GET blob" {
							content = i.layers[0].blob
						}
						var from int
						_, _ = fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from)
						resp := answer(r, http.StatusOK)
						if from > 0 {
							resp.StatusCode = http.StatusPartialContent
							resp.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(content)-1, len(content)))
						}
						if opened == c.times {
							resp.Body = io.NopCloser(bytes.NewReader(content[from:]))
							return resp, nil
						}
						opened++
						resp.Body = stalling{bytes.NewReader(content[from : from+100]), r.Context().Done(), &closed}
						return resp, nil
					}
					client := &xpkg.Client{Transport: m, Keychain: anonymous}
					if cached {
						client.Cache = xpkg.OpenCache(t.TempDir(), nil)
					}
					start := time.Now()
					err := image(t.Context(), t, client)
					if took := time.Since(start); took != c.want || opened != closed {
						t.Errorf("returned after %v, want %v; %d answers and %d closed: %s", took, c.want, opened, closed, c.reason)
					}
					if c.is == nil {
						if err != nil {
							t.Error(err)
						}
						return
					}
					checkError(t, err, c.is, "breaks off", "no byte came for 1m0s")
					if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Reason != xpkg.RegistryBrokenOff {
						t.Errorf("got %#v", err)
					}
				})
			})
		}
	}
}

// Who reads slowly does not stall the registry.
func TestSlowReadersAreNoStall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newInMemory()
		m.put(t, pkg())
		img, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Image(t.Context(), inMemoryRef, nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := img.Stream(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour) // of the bubble's clock
		b, err := io.ReadAll(s)
		if err := errors.Join(err, s.Close()); err != nil || string(b) != packageYAML {
			t.Errorf("got %q (%v)", b, err)
		}
	})
}

// A layer that comes in many pieces is continued for as long as it comes: only
// breaks with little between them count together.
func TestLargeLayersMayBreakOftenOff(t *testing.T) {
	const piece = 1 << 20
	noise := make([]byte, 8*piece)
	blob := tarOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: string(noise)})
	i := imageOf(testLayer{blob: blob, annotations: base, mediaType: ociPlainLayer})
	for size, fine := range map[int]bool{piece: true, piece - 1: false} {
		synctest.Test(t, func(t *testing.T) {
			m := newInMemory()
			m.put(t, i)
			m.fail = func(r *http.Request) (*http.Response, error) {
				if about(r) != "GET blob" {
					return nil, nil
				}
				resp := answer(r, http.StatusOK)
				var from int
				if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
					resp.StatusCode = http.StatusPartialContent
					resp.Header.Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(blob)-1, len(blob)))
				}
				to := min(from+size, len(blob))
				resp.Body = half{bytes.NewReader(blob[from:to]), io.ErrUnexpectedEOF}
				if to == len(blob) {
					resp.Body = io.NopCloser(bytes.NewReader(blob[from:]))
				}
				return resp, nil
			}
			err := image(t.Context(), t, &xpkg.Client{Transport: m, Keychain: anonymous})
			if (err == nil) != fine {
				t.Errorf("pieces of %d bytes: got %v", size, err)
			}
		})
	}
}

func bytesAnswer(r *http.Request, b []byte) *http.Response {
	resp := answer(r, http.StatusOK)
	resp.Body = io.NopCloser(bytes.NewReader(b))
	resp.ContentLength = int64(len(b))
	return resp
}

func jsonAnswer(r *http.Request, v any) *http.Response { return bytesAnswer(r, mustJSON(v)) }
