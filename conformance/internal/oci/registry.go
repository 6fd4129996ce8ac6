package oci

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Repository is the name of the package in a registry, and Tag its tag.
const (
	Repository = "test/package"
	Tag        = "v1.0.0"
)

// Fault is what a registry does wrong.
type Fault struct {
	Request string            `yaml:"request"` // blobs/NAME, manifests/NAME or manifests/TAG
	Method  string            `yaml:"method"`  // GET unless it says otherwise
	Skip    int               `yaml:"skip"`    // so many requests are answered as they should be
	Times   int               `yaml:"times"`   // and so many are not; 0 is all
	Status  int               `yaml:"status"`  // the answer is this
	Header  map[string]string `yaml:"header"`
	Body    string            `yaml:"body"`
	Drop    *int64            `yaml:"drop"`    // the connection ends after so many bytes
	Stall   *int64            `yaml:"stall"`   // nothing follows after so many bytes
	Chunked bool              `yaml:"chunked"` // the length is not told
	Serve   string            `yaml:"serve"`   // the part of this name instead
}

// Registry serves a layout on the loopback.
type Registry struct {
	Host   string
	layout *Layout
	server *httptest.Server
	closed chan struct{}

	mu       sync.Mutex
	faults   []Fault
	seen     map[int]int // requests that a fault is about
	requests []string
}

// Serve starts a registry that is to be closed.
func Serve(l *Layout) *Registry {
	r := &Registry{layout: l, closed: make(chan struct{})}
	r.server = httptest.NewServer(http.HandlerFunc(r.answer))
	r.Host = strings.TrimPrefix(r.server.URL, "http://")
	return r
}

// Close ends it.
func (r *Registry) Close() {
	close(r.closed)
	r.server.Close()
}

// Fail sets what goes wrong from now on, and forgets the requests so far.
func (r *Registry) Fail(faults []Fault) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.faults, r.seen, r.requests = faults, map[int]int{}, nil
}

// Requests are those since Fail, as "GET manifests/v1.0.0".
func (r *Registry) Requests() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.requests
}

// fault notes a request and returns what goes wrong with it.
func (r *Registry) fault(method, what string) Fault {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.requests = append(r.requests, method+" "+what)
	for i, f := range r.faults {
		kind, name, _ := strings.Cut(f.Request, "/")
		if digest := r.layout.Digests[name]; digest != "" {
			name = digest
		}
		if kind+"/"+name != what || cmp.Or(f.Method, http.MethodGet) != method {
			continue
		}
		r.seen[i]++
		if n := r.seen[i] - f.Skip; n > 0 && (f.Times == 0 || n <= f.Times) {
			return f
		}
	}
	return Fault{}
}

func (r *Registry) answer(w http.ResponseWriter, q *http.Request) {
	what, ok := strings.CutPrefix(q.URL.Path, "/v2/"+Repository+"/")
	if !ok {
		if q.URL.Path != "/v2/" {
			http.NotFound(w, q)
		}
		return
	}
	f := r.fault(q.Method, what)
	for key, value := range f.Header {
		w.Header().Set(key, value)
	}
	if f.Status != 0 {
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body) // a client that is gone is told nothing
		return
	}
	if what == "tags/list" {
		_ = json.NewEncoder(w).Encode(map[string]any{"name": Repository, "tags": []string{Tag}})
		return
	}
	digest := path.Base(what)
	if digest == Tag {
		digest = r.layout.top.Digest
	}
	if f.Serve != "" {
		digest = r.layout.Digests[f.Serve]
	}
	r.send(w, q, digest, f)
}

// send sends a blob, or as much of it as the fault lets through.
func (r *Registry) send(w http.ResponseWriter, q *http.Request, digest string, f Fault) {
	blob, err := os.Open(r.layout.blob(digest))
	if err != nil || !strings.HasPrefix(digest, "sha256:") || strings.ContainsAny(digest, `/\`) {
		http.NotFound(w, q)
		return
	}
	defer blob.Close()
	if media := r.layout.media[digest]; media != "" {
		w.Header().Set("Content-Type", media)
		w.Header().Set("Docker-Content-Digest", digest)
	}
	if f.Drop == nil && f.Stall == nil && !f.Chunked {
		if w.Header().Get("Content-Type") == "" {
			w.Header().Set("Content-Type", "application/octet-stream") // or it is guessed
		}
		http.ServeContent(w, q, "", time.Time{}, blob)
		return
	}
	flush := w.(http.Flusher)
	if f.Chunked {
		flush.Flush()
		_, _ = io.Copy(w, blob)
		return
	}
	info, err := blob.Stat()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Content-Length", strconv.FormatInt(info.Size(), 10))
	limit := f.Drop
	if limit == nil {
		limit = f.Stall
	}
	_, _ = io.CopyN(w, blob, *limit)
	flush.Flush()
	if f.Stall != nil {
		select {
		case <-q.Context().Done():
		case <-r.closed:
		}
	}
	panic(http.ErrAbortHandler)
}
