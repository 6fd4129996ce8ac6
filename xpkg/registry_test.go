package xpkg_test

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/xpkg"
)

// testRegistry is go-containerregistry's registry on the loopback, with answers
// of its own where a test wants wrong ones.
type testRegistry struct {
	host      string
	server    *httptest.Server
	transport *http.Transport

	mu       sync.Mutex
	override map[string]http.HandlerFunc // by method and end of the path, "GET manifests/v1"
	around   func(http.HandlerFunc) http.HandlerFunc
	requests []string
	open     map[net.Conn]bool
}

func newRegistry(t testing.TB) *testRegistry {
	t.Helper()
	r := &testRegistry{override: map[string]http.HandlerFunc{}, transport: &http.Transport{}, open: map[net.Conn]bool{}}
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)))
	r.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		parts := strings.Split(q.URL.Path, "/")
		key := q.Method + " " + strings.Join(parts[max(0, len(parts)-2):], "/")
		h, around := r.override[key], r.around
		if q.URL.Path != "/v2/" {
			r.requests = append(r.requests, key)
		}
		r.mu.Unlock()
		if h == nil {
			h = inner.ServeHTTP
		}
		if around != nil {
			h = around(h)
		}
		h(w, q)
	}))
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	r.server.Config.ConnState = func(c net.Conn, s http.ConnState) {
		r.mu.Lock()
		defer r.mu.Unlock()
		if s == http.StateClosed {
			delete(r.open, c)
		} else {
			r.open[c] = true
		}
	}
	r.server.Start()
	r.host = strings.TrimPrefix(r.server.URL, "http://")
	t.Cleanup(func() {
		r.transport.CloseIdleConnections()
		r.server.Close()
	})
	return r
}

// client has no credentials, whatever the machine that runs the tests has.
func (r *testRegistry) client() *xpkg.Client {
	return xpkg.WithoutPauses(&xpkg.Client{Transport: r.transport, Keychain: anonymous})
}

// on answers requests itself.
func (r *testRegistry) on(key string, h http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.override[key] = h
}

// took returns the requests since the last call, those for the API's root left
// out.
func (r *testRegistry) took() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	requests := r.requests
	r.requests = nil
	return requests
}

func (r *testRegistry) send(t testing.TB, method, path, contentType string, body []byte) {
	t.Helper()
	send(t, r.transport, method, r.server.URL+path, contentType, body)
}

func send(t testing.TB, rt http.RoundTripper, method, url, contentType string, body []byte) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, url, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", contentType)
	resp, err := rt.RoundTrip(q)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		b, _ := io.ReadAll(resp.Body)
		t.Fatalf("%s %s: %s: %s", method, url, resp.Status, b)
	}
}

func (r *testRegistry) putBlob(t testing.TB, repo string, b, served []byte) {
	t.Helper()
	digest := digestOf(b).String()
	r.send(t, http.MethodPost, "/v2/"+repo+"/blobs/uploads/?digest="+digest, "application/octet-stream", b)
	if served != nil {
		// Without a Content-Length, so that only the digest tells.
		r.on("GET blobs/"+digest, func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write(served[:len(served)/2])
			w.(http.Flusher).Flush()
			_, _ = w.Write(served[len(served)/2:])
		})
	}
}

// put stores an image and returns its reference.
func (r *testRegistry) put(t testing.TB, name string, i *testImage) string {
	t.Helper()
	repo, tag, _ := strings.Cut(name, ":")
	for _, l := range i.layers {
		r.putBlob(t, repo, l.blob, l.served)
	}
	if !i.noConfig {
		r.putBlob(t, repo, i.rawConfig(), nil)
	}
	r.putManifest(t, repo, tag, i.mediaType(), i.manifest())
	r.took()
	return r.host + "/" + name
}

// putManifest stores a manifest under a tag, or under its digest when tag is "".
func (r *testRegistry) putManifest(t testing.TB, repo, tag string, mediaType types.MediaType, raw []byte) v1.Hash {
	t.Helper()
	digest := digestOf(raw)
	if tag == "" {
		tag = digest.String()
	}
	r.send(t, http.MethodPut, "/v2/"+repo+"/manifests/"+tag, string(mediaType), raw)
	return digest
}

// serve answers with bytes.
func serve(contentType string, b []byte) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(b)
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}
