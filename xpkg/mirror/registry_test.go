package mirror_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

const (
	manifestType = "application/vnd.oci.image.manifest.v1+json"
	indexType    = "application/vnd.oci.image.index.v1+json"
	layerType    = "application/vnd.oci.image.layer.v1.tar+gzip"
	configType   = "application/vnd.oci.image.config.v1+json"
)

// testRegistry is go-containerregistry's registry on the loopback, with answers of its
// own where a test wants wrong ones.
type testRegistry struct {
	t      testing.TB
	host   string
	server *httptest.Server
	client *xpkg.Client

	around func(http.Handler) http.Handler // set before the first request, or nil

	mu       sync.Mutex
	override map[string]http.HandlerFunc // by method and end of the path, "GET manifests/v1"
	requests []string
}

func newRegistry(t testing.TB, options ...registry.Option) *testRegistry {
	t.Helper()
	r := &testRegistry{t: t, override: map[string]http.HandlerFunc{}}
	inner := registry.New(append(options, registry.Logger(log.New(io.Discard, "", 0)))...)
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		r.mu.Lock()
		parts := strings.Split(q.URL.Path, "/")
		key := q.Method + " " + strings.Join(parts[max(0, len(parts)-2):], "/")
		h := r.override[key]
		if q.URL.Path != "/v2/" {
			r.requests = append(r.requests, key)
		}
		r.mu.Unlock()
		if h == nil {
			h = inner.ServeHTTP
		}
		if r.around != nil {
			h = r.around(h).ServeHTTP
		}
		h(w, q)
	}))
	r.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	transport := &http.Transport{}
	r.client = &xpkg.Client{Transport: transport, Keychain: authn.NewMultiKeychain()}
	r.host = strings.TrimPrefix(r.server.URL, "http://")
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		r.server.Close()
	})
	return r
}

// on answers requests itself, until it is given nil.
func (r *testRegistry) on(key string, h http.HandlerFunc) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.override[key] = h
}

// took returns the requests since the last call.
func (r *testRegistry) took() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	requests := r.requests
	r.requests = nil
	return requests
}

// writes are those requests that change something.
func writes(requests []string) []string {
	return slices.DeleteFunc(requests, func(r string) bool { return strings.HasPrefix(r, "GET") || strings.HasPrefix(r, "HEAD") })
}

func (r *testRegistry) do(method, path, contentType string, body []byte) (int, []byte) {
	r.t.Helper()
	q, err := http.NewRequestWithContext(r.t.Context(), method, r.server.URL+"/v2/"+path, bytes.NewReader(body))
	if err != nil {
		r.t.Fatal(err)
	}
	q.Header.Set("Content-Type", contentType)
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		r.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		r.t.Fatal(err)
	}
	return resp.StatusCode, b
}

// get is what stands at a path, "" for nothing.
func (r *testRegistry) get(path string) string {
	r.t.Helper()
	code, b := r.do(http.MethodGet, path, "", nil)
	if code == http.StatusNotFound {
		return ""
	}
	if code != http.StatusOK {
		r.t.Fatalf("%s: status %d", path, code)
	}
	return string(b)
}

// blob stores a blob and returns its descriptor.
func (r *testRegistry) blob(repo, mediaType string, b []byte) map[string]any {
	r.t.Helper()
	d := describe(mediaType, b)
	if code, _ := r.do(http.MethodPost, repo+"/blobs/uploads/?digest="+d["digest"].(string), "application/octet-stream", b); code != http.StatusCreated {
		r.t.Fatalf("%s: status %d", repo, code)
	}
	return d
}

// manifest stores a manifest under a tag, or its digest when that is "".
func (r *testRegistry) manifest(repo, tag, mediaType string, b []byte) map[string]any {
	r.t.Helper()
	d := describe(mediaType, b)
	if tag == "" {
		tag = d["digest"].(string)
	}
	if code, _ := r.do(http.MethodPut, repo+"/manifests/"+tag, mediaType, b); code != http.StatusCreated {
		r.t.Fatalf("%s:%s: status %d", repo, tag, code)
	}
	return d
}

// image stores an image whose only layer has some content.
func (r *testRegistry) image(repo, tag, content string) map[string]any {
	r.t.Helper()
	return r.manifest(repo, tag, manifestType, encode(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType,
		"config": r.blob(repo, configType, []byte(`{"architecture":"amd64","os":"linux","content":"`+content+`"}`)),
		"layers": []any{r.blob(repo, layerType, []byte("layer "+content))},
	}))
}

// index stores an index of manifests.
func (r *testRegistry) index(repo, tag string, manifests ...map[string]any) map[string]any {
	r.t.Helper()
	return r.manifest(repo, tag, indexType, encode(map[string]any{"schemaVersion": 2, "mediaType": indexType, "manifests": manifests}))
}

// referrer stores something that refers to a manifest.
func (r *testRegistry) referrer(repo, artifactType, content string, subject map[string]any) map[string]any {
	r.t.Helper()
	d := r.manifest(repo, "", manifestType, encode(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "artifactType": artifactType, "subject": subject,
		"config": r.blob(repo, "application/vnd.oci.empty.v1+json", []byte("{}")),
		"layers": []any{r.blob(repo, artifactType, []byte(content))},
	}))
	d["artifactType"] = artifactType
	return d
}

// fallback lists referrers under the tag of a manifest.
func (r *testRegistry) fallback(repo string, subject map[string]any, referrers ...map[string]any) {
	r.t.Helper()
	r.index(repo, tagOf(subject), referrers...)
}

func digest(d map[string]any) string { return d["digest"].(string) }

func tagOf(d map[string]any) string { return strings.Replace(digest(d), ":", "-", 1) }

func describe(mediaType string, b []byte) map[string]any {
	sum := sha256.Sum256(b)
	return map[string]any{"mediaType": mediaType, "digest": "sha256:" + hex.EncodeToString(sum[:]), "size": len(b)}
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

// refs are references below a registry.
func (r *testRegistry) refs(names ...string) []meta.Reference {
	r.t.Helper()
	var refs []meta.Reference
	for _, name := range names {
		ref, err := meta.ParseReference(r.host + "/" + name)
		if err != nil {
			r.t.Fatal(err)
		}
		refs = append(refs, ref)
	}
	return refs
}

// to is a target below a prefix of the registry.
func (r *testRegistry) to(prefix string, refs []meta.Reference) *mirror.Target {
	return mirror.ToRegistries(r.client, mirror.Below(r.host+"/"+prefix, refs...))
}

// below is the path of a repository of another registry in a mirror.
func below(prefix string, from *testRegistry, repo string) string {
	return prefix + "/" + strings.ReplaceAll(from.host, ":", "-") + "/" + repo
}

func checkError(t *testing.T, err, is error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("got no error, want %v", is)
	}
	if !errors.Is(err, is) {
		t.Errorf("got the error %v (%s), want it to match %v", err, meta.Code(err), is)
	}
	for _, s := range says {
		if !strings.Contains(err.Error(), s) {
			t.Errorf("got the error %q, want it to say %q", err, s)
		}
	}
}

func status(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
}

func copied(t *testing.T, refs []meta.Reference, from *mirror.Source, to *mirror.Target) *mirror.Result {
	t.Helper()
	result, err := mirror.Copy(t.Context(), refs, from, to, nil)
	if err != nil {
		t.Fatal(err)
	}
	return result
}
