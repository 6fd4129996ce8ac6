package main

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// hostingRegistry is a registry on the loopback that counts what it answers.
type hostingRegistry struct {
	host string

	mu       sync.Mutex
	answered int
	asked    map[string]int // by method and what is asked for: GET blobs
	at       int            // when to tell
	reached  chan struct{}
	instead  func(w http.ResponseWriter, q *http.Request) bool // answers a request itself
}

func newRegistry(t testing.TB) *hostingRegistry {
	t.Helper()
	r := &hostingRegistry{asked: map[string]int{}}
	inner := registry.New(registry.Logger(log.New(io.Discard, "", 0)), registry.WithReferrersSupport(true))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		instead := r.instead
		r.mu.Unlock()
		if instead == nil || !instead(w, q) {
			inner.ServeHTTP(w, q)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, what := range []string{"blobs", "manifests", "referrers", "tags", "_catalog"} {
			if strings.Contains(q.URL.Path, "/"+what) {
				r.asked[q.Method+" "+what]++
			}
		}
		if r.answered++; r.answered == r.at {
			close(r.reached)
		}
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // of connections that a child left open
	t.Cleanup(server.Close)
	r.host = strings.TrimPrefix(server.URL, "http://")
	return r
}

// after tells when so many more requests have been answered.
func (r *hostingRegistry) after(requests int) <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.at, r.reached = r.answered+requests, make(chan struct{})
	return r.reached
}

// took gives what was asked for since the last call.
func (r *hostingRegistry) took() map[string]int {
	r.mu.Lock()
	defer r.mu.Unlock()
	asked := r.asked
	r.asked = map[string]int{}
	return asked
}

// answer makes the registry answer in another way; false leaves a request to it.
func (r *hostingRegistry) answer(f func(http.ResponseWriter, *http.Request) bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.instead = f
}

// put stores a manifest under a tag, or its digest.
func (r *hostingRegistry) put(t testing.TB, repository, tag string, m interface {
	RawManifest() ([]byte, error)
	MediaType() (types.MediaType, error)
}) string {
	t.Helper()
	s, err := meta.ParseSource(r.host + "/" + repository)
	if err != nil {
		t.Fatal(err)
	}
	to, err := (&xpkg.Client{}).Destination(s)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := m.RawManifest()
	if err != nil {
		t.Fatal(err)
	}
	mediaType, err := m.MediaType()
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := xpkg.NewRawManifest(raw, string(mediaType))
	if err != nil {
		t.Fatal(err)
	}
	if tag == "" {
		tag = manifest.Digest
	}
	if err := to.PutManifest(t.Context(), tag, manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Digest
}

// small is a package of its own for each number.
func small(n int) string {
	return fmt.Sprintf(`apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: small-%[1]d
spec:
  dependsOn:
  - provider: acme.io/org/provider
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: apps.acme%[1]d.io
spec:
  group: acme%[1]d.io
  names: {kind: App, plural: apps}
  versions:
  - {name: v1, served: true, referenceable: true}
`, n)
}

// references fills a registry with tags of small packages, each with a digest of its own, some
// of them signed or referred to, and gives their names with those of some that cannot be
// read.
func (r *hostingRegistry) references(t testing.TB, packages, tags int) []string {
	t.Helper()
	var all []string
	for p := range packages {
		repository := fmt.Sprintf("org/package-%d", p)
		img := clitest.Image(t, small(p))
		if _, err := (&xpkg.Client{}).Push(t.Context(), r.host+"/"+repository+":first", img); err != nil {
			t.Fatal(err)
		}
		for n := range tags {
			tag := fmt.Sprintf("v1.%d.0", n)
			tagged := mutate.Annotations(img, map[string]string{"tag": tag}).(v1.Image)
			digest := r.put(t, repository, tag, tagged)
			ref := r.host + "/" + repository + ":" + tag
			switch n % 10 {
			case 1:
				r.put(t, repository, "sha256-"+strings.TrimPrefix(digest, "sha256:")+".sig", mutate.Annotations(empty.Image, map[string]string{"of": digest}).(v1.Image))
			case 2:
				h, err := v1.NewHash(digest)
				if err != nil {
					t.Fatal(err)
				}
				mediaType, err := tagged.MediaType()
				if err != nil {
					t.Fatal(err)
				}
				about := mutate.Subject(mutate.ConfigMediaType(empty.Image, "application/spdx+json"), v1.Descriptor{MediaType: mediaType, Digest: h, Size: 1}).(v1.Image)
				r.put(t, repository, "", about)
			case 3:
				ref = r.host + "/" + repository + "@" + digest
			case 4:
				ref += "@" + digest
			}
			all = append(all, ref)
		}
		switch p % 10 {
		case 3:
			all = append(all, r.host+"/"+repository+":absent")
		case 4:
			r.put(t, repository, "image", empty.Image)
			all = append(all, r.host+"/"+repository+":image", r.host+"/"+repository+":image")
		case 5:
			all = append(all, "Not A Reference \u009b"+repository)
		}
	}
	return all
}
