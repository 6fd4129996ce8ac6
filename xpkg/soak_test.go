package xpkg_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// fault answers a request in place of a registry, which would have answered with got.
type fault func(s *soak, w http.ResponseWriter, q *http.Request, got *httptest.ResponseRecorder)

// faults are what a registry, or what is between, does wrong.
var faults = map[string]fault{
	"drop": func(_ *soak, _ http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		panic(http.ErrAbortHandler)
	},
	"cut": func(_ *soak, w http.ResponseWriter, _ *http.Request, got *httptest.ResponseRecorder) {
		body := head(w, got)
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	},
	"short": func(_ *soak, w http.ResponseWriter, _ *http.Request, got *httptest.ResponseRecorder) {
		repeat(w, got, got.Body.Bytes()[:got.Body.Len()/2])
	},
	"long": func(_ *soak, w http.ResponseWriter, _ *http.Request, got *httptest.ResponseRecorder) {
		repeat(w, got, append(bytes.Clone(got.Body.Bytes()), "and more"...))
	},
	"wrong byte": func(s *soak, w http.ResponseWriter, _ *http.Request, got *httptest.ResponseRecorder) {
		body := bytes.Clone(got.Body.Bytes())
		if len(body) > 0 {
			body[s.number(len(body))] ^= 1 << s.number(8)
		}
		repeat(w, got, body)
	},
	"empty": func(_ *soak, w http.ResponseWriter, _ *http.Request, got *httptest.ResponseRecorder) {
		repeat(w, got, nil)
	},
	"page": func(_ *soak, w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, "<html>please log in</html>")
	},
	"another": func(s *soak, w http.ResponseWriter, q *http.Request, got *httptest.ResponseRecorder) {
		body := got.Body.Bytes()
		if strings.Contains(q.URL.Path, "sha256:") { // what a tag names is the registry's to say
			body = s.another(q.URL.Path, body)
		}
		repeat(w, got, body)
	},
	"stall": func(s *soak, w http.ResponseWriter, q *http.Request, got *httptest.ResponseRecorder) {
		if q.Method != http.MethodHead && got.Body.Len() > 0 { // else the answer would be whole
			body := head(w, got)
			_, _ = w.Write(body[:len(body)/2])
			_ = http.NewResponseController(w).Flush()
		}
		s.cancel(q.URL.Path) // the caller has waited for long enough
		<-q.Context().Done()
	},
	"loop": func(_ *soak, w http.ResponseWriter, q *http.Request, _ *httptest.ResponseRecorder) {
		http.Redirect(w, q, q.URL.Path, http.StatusTemporaryRedirect)
	},
	"429": refusing(http.StatusTooManyRequests),
	"401": refusing(http.StatusUnauthorized),
	"404": refusing(http.StatusNotFound),
	"500": refusing(http.StatusInternalServerError),
	"503": refusing(http.StatusServiceUnavailable),
}

// head writes the header of an answer and returns its body.
func head(w http.ResponseWriter, got *httptest.ResponseRecorder) []byte {
	maps.Copy(w.Header(), got.Header())
	w.Header().Set("Content-Length", strconv.Itoa(got.Body.Len()))
	w.WriteHeader(got.Code)
	return got.Body.Bytes()
}

// repeat answers with another body.
func repeat(w http.ResponseWriter, got *httptest.ResponseRecorder, body []byte) {
	maps.Copy(w.Header(), got.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(got.Code)
	_, _ = w.Write(body)
}

func refusing(code int) fault {
	return func(_ *soak, w http.ResponseWriter, _ *http.Request, _ *httptest.ResponseRecorder) {
		w.Header().Set("Retry-After", "1")
		w.WriteHeader(code)
	}
}

// soak is a registry with faults, and what came of pulling from it.
type soak struct {
	mu       sync.Mutex
	random   *rand.Rand
	names    []string // of the faults
	off      bool
	others   map[string][]byte             // by repository and kind: what is not of it
	pulls    map[string]context.CancelFunc // by repository
	requests int
	faulty   int // of the requests
	injected map[string]int
	outcomes map[string]int // by category of the error, "" for a package
}

func (s *soak) number(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.random.IntN(n)
}

func (s *soak) another(path string, body []byte) []byte {
	repository, kind, _ := cutPath(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, b := range s.others {
		if strings.HasSuffix(name, " "+kind) && name != repository+" "+kind {
			body = b // any
		}
	}
	s.others[repository+" "+kind] = bytes.Clone(body)
	return body
}

func (s *soak) cancel(path string) {
	repository, _, _ := cutPath(path)
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, end := range s.pulls {
		if repository == "" || name == repository { // the API's root is of all of them
			end()
		}
	}
}

// cutPath cuts /v2/ORG/REPOSITORY/KIND/NAME.
func cutPath(path string) (repository, kind, name string) {
	parts := strings.SplitN(strings.TrimPrefix(path, "/v2/"), "/", 4)
	if len(parts) < 4 {
		return "", "", ""
	}
	return parts[0] + "/" + parts[1], parts[2], parts[3]
}

func (s *soak) around(h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, q *http.Request) {
		s.mu.Lock()
		s.requests++
		name := ""
		if !s.off && s.random.IntN(4) == 0 {
			name = s.names[s.faulty%len(s.names)]
			s.faulty++
			s.injected[name]++
		}
		s.mu.Unlock()
		if name == "" {
			h(w, q)
			return
		}
		got := httptest.NewRecorder()
		h(got, q)
		faults[name](s, w, q, got)
	}
}

// Whatever a registry does, what is returned is the package, or an error of a category; and
// nothing is kept of it. XPKG_PULLS says how many pulls there are.
func TestSoak(t *testing.T) {
	pulls := 400
	if text := os.Getenv("XPKG_PULLS"); text != "" {
		var err error
		if pulls, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	r := newRegistry(t)
	s := &soak{
		random: rand.New(rand.NewPCG(1, 2)), names: slices.Sorted(maps.Keys(faults)), others: map[string][]byte{},
		pulls: map[string]context.CancelFunc{}, injected: map[string]int{}, outcomes: map[string]int{},
	}
	dir := t.TempDir()
	cached, _ := r.cached(dir, "")
	always, _ := r.cached(dir, xpkg.PullAlways)
	clients := []*xpkg.Client{r.client(), cached, always}
	const workers = 8
	want := make([]soaked, workers)
	for n := range want {
		want[n] = soakedPackage(t, r, n)
	}
	round := func(pulls int) {
		var wait sync.WaitGroup
		for n, w := range want {
			wait.Go(func() {
				for k := n; k < pulls; k += workers {
					w.pull(t, s, clients[s.number(len(clients))])
				}
			})
		}
		wait.Wait()
	}
	r.mu.Lock()
	r.around = s.around
	r.mu.Unlock()
	round(10 * workers) // what is made once
	settle(t, r, func(now held) bool { return now.connections == 0 })
	before, heap := hold(t, r), live()
	round(pulls)
	settle(t, r, func(now held) bool {
		return now.goroutines <= before.goroutines && now.files <= before.files && now.connections == 0
	})
	grown := live() - heap
	r.took()
	if grown > 16<<20 {
		t.Errorf("%d bytes more are held than before", grown)
	}
	checkNoLeftovers(t, dir)
	for _, name := range s.names {
		if s.injected[name] == 0 {
			t.Errorf("the fault %q was not tried", name)
		}
	}
	if s.outcomes[""] == 0 || s.outcomes[""] == pulls {
		t.Errorf("%d of %d pulls gave a package", s.outcomes[""], pulls)
	}
	t.Logf("%d pulls, %d requests, faults %v, outcomes %v, %d bytes more held", pulls+10*workers, s.requests, s.injected, s.outcomes, grown)
	s.mu.Lock()
	s.off = true
	s.mu.Unlock()
	for _, w := range want { // and what the cache has is right
		for _, c := range clients {
			if got, err := w.get(t.Context(), c, w.tagged); err != nil || got != w.text {
				t.Errorf("%s, without faults: got %d bytes (%v), want %d", w.tagged, len(got), err, len(w.text))
			}
		}
	}
}

// live is how many bytes are in use.
func live() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// soaked is a package of a repository of its own.
type soaked struct {
	repository, tagged, pinned string
	text                       string
	digest                     string // of the image
}

// soakedPackage stores the nth: an image with a base layer, one that has to be flattened, or an index.
func soakedPackage(t *testing.T, r *testRegistry, n int) soaked {
	t.Helper()
	noise := make([]byte, 60_000)
	random := rand.NewChaCha8([32]byte{byte(n)})
	_, _ = random.Read(noise)
	text := fmt.Sprintf("# package %d\n%s", n, packageYAML)
	files := []file{{name: "noise", content: string(noise)}, {name: "package.yaml", content: text}}
	i := imageOf(baseOf(files...), layerOf(file{name: "runtime", content: string(noise[:30_000])}))
	if n%3 == 1 {
		i = imageOf(layerOf(files...), layerOf(file{name: "runtime", content: string(noise[:30_000])}))
	}
	repository := fmt.Sprintf("org/soaked%d", n)
	r.put(t, repository+":v1", i)
	s := soaked{repository: repository, tagged: r.host + "/" + repository + ":v1", text: text, digest: i.digest().String()}
	s.pinned = r.host + "/" + repository + "@" + s.digest
	if n%3 == 2 {
		x := index().add(i, "linux/amd64", nil).attestation()
		r.put(t, repository+":attestation", x.images[1])
		h := r.putManifest(t, repository, "v1", types.OCIImageIndex, x.raw())
		s.pinned = r.host + "/" + repository + "@" + h.String()
	}
	return s
}

func (w soaked) get(ctx context.Context, c *xpkg.Client, ref string) (string, error) {
	img, err := c.Image(ctx, ref, nil)
	if err != nil {
		return "", err
	}
	stream, err := img.Stream(ctx)
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(stream)
	if err = errors.Join(err, stream.Close()); err != nil {
		return "", err
	}
	if digest, err := img.Digest(ctx); err != nil || digest != w.digest {
		return "", fmt.Errorf("the digest is %s, want %s (%v)", digest, w.digest, err)
	}
	return string(b), nil
}

// pull pulls once and judges what comes.
func (w soaked) pull(t *testing.T, s *soak, c *xpkg.Client) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s.mu.Lock()
	s.pulls[w.repository] = cancel
	s.mu.Unlock()
	ref := w.tagged
	if s.number(2) == 0 {
		ref = w.pinned
	}
	got, err := w.get(ctx, c, ref)
	code := meta.Code(err)
	switch {
	case err == nil && got != w.text:
		t.Errorf("%s: got %d bytes that are not the package", ref, len(got))
	case err != nil && (code == "internal" || got != ""):
		t.Errorf("%s: got %d bytes and the error %v of category %q", ref, len(got), err, code)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outcomes[code]++
}
