package mirror_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// latency is how long a far registry takes for an answer.
const latency = 20 * time.Millisecond

// far are registries without a network that take their time, by a clock that only they
// move.
type far struct {
	mu       sync.Mutex
	handlers map[string]http.Handler // by host
	requests int
	running  map[string]int
	most     int // requests at once to one of them
}

func (f *far) RoundTrip(q *http.Request) (*http.Response, error) {
	f.mu.Lock()
	h := f.handlers[q.URL.Host]
	if h == nil {
		h = registry.New(registry.Logger(log.New(io.Discard, "", 0)))
		f.handlers[q.URL.Host] = h
	}
	f.requests++
	f.running[q.URL.Host]++
	f.most = max(f.most, f.running[q.URL.Host])
	f.mu.Unlock()
	time.Sleep(latency)
	in := q.Clone(q.Context())
	if in.Body == nil {
		in.Body = http.NoBody
	}
	defer in.Body.Close()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, in)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running[q.URL.Host]--
	resp := w.Result()
	resp.Request = q
	return resp, nil
}

// Many small packages, or one with many platforms, take as long as the registries take for
// that many requests, so many at once: no request waits for one that it does not need,
// and no more are under way than was asked for.
func TestCopyIsBoundByLatency(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, reason                  string
		repositories, tags, platforms int
	}{
		{"closure", "a package in each of many repositories", 24, 1, 0},
		{"versions", "many versions of one package", 1, 12, 0},
		{"platforms", "one package for many platforms", 1, 1, 16},
	} {
		t.Run(c.name, func(t *testing.T) {
			stock := newRegistry(t)
			var refs []meta.Reference
			for r := range c.repositories {
				repo := fmt.Sprintf("org/p%d", r)
				for v := range c.tags {
					tag := fmt.Sprintf("v1.%d.0", v)
					var platforms []map[string]any
					for p := range c.platforms {
						platforms = append(platforms, stock.image(repo, "", fmt.Sprintf("%d %d", r, p)))
					}
					if len(platforms) > 0 {
						stock.index(repo, tag, platforms...)
					} else {
						stock.image(repo, tag, fmt.Sprintf("%d %d", r, v))
					}
					ref, err := meta.ParseReference("from.example/" + repo + ":" + tag)
					if err != nil {
						t.Fatal(err)
					}
					refs = append(refs, ref)
				}
			}
			handler := stock.server.Config.Handler
			synctest.Test(t, func(t *testing.T) {
				f := &far{handlers: map[string]http.Handler{"from.example": handler}, running: map[string]int{}}
				client := &xpkg.Client{Transport: f, Keychain: authn.NewMultiKeychain()}
				to := mirror.ToRegistries(client, mirror.Below("to.example/m", refs...))
				began := time.Now()
				result, err := mirror.Copy(t.Context(), refs, mirror.FromRegistries(client), to, nil)
				took := time.Since(began)
				if err != nil || result.Copied != len(refs) {
					t.Fatalf("got %+v (%v)", result, err)
				}
				least := latency * time.Duration(f.requests) / mirror.DefaultParallel
				t.Logf("%d requests in %v, %.1f for each package, %d at once; all slots taken it would be %v", f.requests, took, float64(f.requests)/float64(len(refs)), f.most, least)
				if f.most > mirror.DefaultParallel {
					t.Errorf("%s: %d requests at once to one registry, want at most %d", c.reason, f.most, mirror.DefaultParallel)
				}
				if took > least*13/10+20*latency {
					t.Errorf("%s: %v, want little more than %v", c.reason, took, least)
				}
				f.requests, began = 0, time.Now()
				if result, err = mirror.Copy(t.Context(), refs, mirror.FromRegistries(client), to, nil); err != nil || result.Present != len(refs) {
					t.Fatalf("got %+v (%v)", result, err)
				}
				t.Logf("again: %d requests in %v, %.1f for each package", f.requests, time.Since(began), float64(f.requests)/float64(len(refs)))
			})
		})
	}
}
