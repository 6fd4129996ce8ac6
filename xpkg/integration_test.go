package xpkg_test

import (
	"bytes"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// The tests here run against Debian's docker-registry, because a registry that
// is written with the library that the client uses agrees with it too easily.

func TestDockerRegistryKeepsPackages(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	content := file{name: "package.yaml", content: packageYAML}
	docker := baseOf(content)
	docker.mediaType = dockerLayer
	cases := []struct {
		name, reason string
		image        *testImage
		method       xpkg.Method
	}{
		{"annotation", "the base layer among others", imageOf(layerOf(file{name: "a", content: "b"}), baseOf(content), layerOf(file{name: "package.yaml", content: "no: package\n"})), xpkg.MethodAnnotation},
		{"flattened", "package.yaml of the upper layer", imageOf(layerOf(file{name: "package.yaml", content: "no: package\n"}), layerOf(content)), xpkg.MethodFlattened},
		{"uncompressed", "a layer as it is", imageOf(testLayer{blob: tarOf(content), mediaType: ociPlainLayer, annotations: base}), xpkg.MethodAnnotation},
		{"zstd", "the other compression of OCI", imageOf(testLayer{blob: zstdCompressed(tarOf(content)), mediaType: ociZstdLayer, annotations: base}), xpkg.MethodAnnotation},
		{"docker manifest", "schema 2, with annotations all the same", &testImage{docker: true, layers: []testLayer{docker}}, xpkg.MethodAnnotation},
		{"unknown fields", "the manifest is kept to the byte", &testImage{layers: imageOf(baseOf(content)).layers, extra: map[string]any{"artifactType": "application/vnd.example", "more": []int{1}}}, xpkg.MethodAnnotation},
	}
	for n, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ref := r.push(t, fmt.Sprintf("org/package:v%d", n), c.image.image(t))
			for _, ref := range []string{ref, r.host + "/org/package@" + c.image.digest().String()} {
				img, err := r.client.Image(t.Context(), ref, nil)
				want{content: packageYAML, method: c.method}.check(t, img, err)
				if got, err := img.Digest(t.Context()); err != nil || got != c.image.digest().String() {
					t.Errorf("%s: got the digest %s (%v), want %s: %s", ref, got, err, c.image.digest(), c.reason)
				}
			}
		})
	}
}

func TestDockerRegistryKeepsIndexes(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	arm := &xpkg.Options{Platform: &v1.Platform{OS: "linux", Architecture: "arm64"}}
	one := index().image("arm", "linux/arm64").attestation()
	two := index().attestation().image("amd", "linux/amd64").image("arm", "linux/arm64")
	cases := []struct {
		name, reason string
		index        *testIndex
		o            *xpkg.Options
		want         string
	}{
		{"attestation", "the only image, whatever its platform", one, nil, "arm"},
		{"amd64", "the default platform", two, nil, "amd"},
		{"arm64", "the platform that was asked for", two, arm, "arm"},
		{"nested", "an index in the index", index().nested(one, ""), nil, "arm"},
	}
	for n, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ref := r.pushIndex(t, fmt.Sprintf("org/package:v%d", n), c.index)
			img, err := r.client.Image(t.Context(), ref, c.o)
			want{content: "# " + c.want + "\n" + packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)
			if img.IndexDigest() != digestOf(c.index.raw()).String() {
				t.Errorf("got the index %s, want %s: %s", img.IndexDigest(), digestOf(c.index.raw()), c.reason)
			}
		})
	}
}

// Always is one HEAD, which the registry answers with the digest.
func TestDockerRegistryAnswersHead(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	told := &events{}
	r.client.Cache, r.client.Pull, r.client.Event = xpkg.OpenCache(t.TempDir(), nil), xpkg.PullAlways, told.add
	other := variant("other")
	ref := r.push(t, "org/package:v1", pkg().image(t))
	blob := func(i *testImage) string { return "GET blobs/" + digestOf(i.layers[0].blob).String() }
	steps := []struct {
		name, want string
		requests   []string
	}{
		{"cold", packageYAML, []string{"GET manifests/v1", blob(pkg())}},
		{"warm", packageYAML, []string{"HEAD manifests/v1"}},
		{"moved", "# other\n" + packageYAML, []string{"HEAD manifests/v1", "GET manifests/" + other.digest().String(), blob(other)}},
	}
	for _, s := range steps {
		if s.name == "moved" {
			// By somebody else, of whom the cache knows nothing.
			if _, err := (&xpkg.Client{Transport: r.transport}).Push(t.Context(), ref, other.image(t)); err != nil {
				t.Fatal(err)
			}
		}
		r.requests.took()
		if got, err := get(t, r.client, ref); err != nil || got != s.want {
			t.Errorf("%s: got %q (%v), want %q", s.name, got, err, s.want)
		}
		if got := r.requests.took(); !slices.Equal(got, s.requests) {
			t.Errorf("%s: got the requests %q, want %q", s.name, got, s.requests)
		}
	}
	if told.all != nil {
		t.Errorf("got the events %v", told.all)
	}
}

// The registry lists all tags at once, in no order, whatever was asked for. What
// is in front of it here gives them out in pages, as the newer ones do.
func TestDockerRegistryListsTags(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	r.push(t, "org/package:v0", pkg().image(t))
	tags := []string{"v0"}
	for n := range 1100 { // more than go-containerregistry asks for at once
		tags = append(tags, fmt.Sprintf("v1.%d.0", n))
	}
	slices.Sort(tags)
	r.tag(t, "org/package", pkg().digest(), tags[1:])

	got, err := r.client.Tags(t.Context(), parseSource(t, r.host+"/org/package"))
	if err != nil || !slices.Equal(got, tags) {
		t.Errorf("got %d tags (%v), want the %d that there are", len(got), err, len(tags))
	}

	const page = 100
	host := r.behind(t, func(resp *http.Response) error {
		q := resp.Request.URL
		if !strings.HasSuffix(q.Path, "/tags/list") {
			return nil
		}
		var list struct{ Tags []string }
		if err := json.NewDecoder(resp.Body).Decode(&list); err != nil {
			return err
		}
		slices.Sort(list.Tags)
		from, _ := slices.BinarySearch(list.Tags, q.Query().Get("last")+"\x00")
		tags := list.Tags[from:]
		if len(tags) > page {
			tags = tags[:page]
			resp.Header.Set("Link", fmt.Sprintf(`<%s?n=%d&last=%s>; rel="next"`, q.Path, page, tags[page-1]))
		}
		body := mustJSON(map[string]any{"name": "org/package", "tags": tags})
		resp.Header.Del("Content-Length")
		resp.ContentLength, resp.Body = int64(len(body)), io.NopCloser(bytes.NewReader(body))
		return nil
	})
	r.requests.took()
	got, err = r.client.Tags(t.Context(), parseSource(t, host+"/org/package"))
	if err != nil || !slices.Equal(got, tags) {
		t.Errorf("in pages: got %d tags (%v), want the %d that there are", len(got), err, len(tags))
	}
	if n := len(r.requests.took()); n != 12 {
		t.Errorf("got %d requests, want one for each of 12 pages", n)
	}
}

// A layer whose connection breaks is continued. When nothing more comes there is
// nothing left that passes for a layer, and the next call begins anew.
func TestInterruptedPull(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	// Of bytes that do not compress, so that there is a middle.
	noise := make([]byte, 1<<20)
	_, _ = mathrand.NewChaCha8([32]byte{}).Read(noise)
	i := imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: string(noise)}))
	layer := i.layers[0]
	r.push(t, "org/package:v1", i.image(t))
	cases := []struct {
		name, reason string
		after        int64 // bytes of the layer
	}{
		{"at once", "the answer has only begun", 0},
		{"in the middle", "package.yaml has been seen", 512 << 10},
		{"before the last byte", "everything has been seen", int64(len(layer.blob)) - 1},
	}
	for _, c := range cases {
		for _, cached := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s, cache %t", c.name, cached), func(t *testing.T) {
				t.Parallel()
				var cut atomic.Bool
				cut.Store(true)
				left := &allowance{left: c.after} // of all answers together
				host := r.behind(t, func(resp *http.Response) error {
					if cut.Load() && strings.Contains(resp.Request.URL.Path, "/blobs/") {
						resp.Body = readCloser{left.reader(resp.Body), resp.Body}
					}
					return nil
				})
				client, dir := xpkg.WithoutPauses(&xpkg.Client{Transport: r.transport}), ""
				if cached {
					dir = t.TempDir()
					client.Cache = xpkg.OpenCache(dir, nil)
				}
				_, err := get(t, client, host+"/org/package:v1")
				checkError(t, err, meta.ErrUnavailable, host, digestOf(layer.blob).String())
				checkRegistryError(t, err, host, 0)
				if cached {
					for _, path := range entries(t, dir) {
						if info, err := os.Stat(path); err != nil || info.Size() > 64<<10 || strings.Contains(path, digestOf(layer.blob).Hex) {
							t.Errorf("the cache has %s (%v): %s", path, err, c.reason)
						}
					}
				}
				cut.Store(false)
				if got, err := get(t, client, host+"/org/package:v1"); err != nil || got != packageYAML {
					t.Errorf("the next call: got %q (%v)", got, err)
				}
			})
		}
	}
}

// The registry is asked for the rest of a layer that broke off.
func TestContinuedPull(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	noise := make([]byte, 1<<20)
	_, _ = mathrand.NewChaCha8([32]byte{}).Read(noise)
	r.push(t, "org/package:v1", imageOf(baseOf(file{name: "package.yaml", content: packageYAML}, file{name: "noise", content: string(noise)})).image(t))
	host := r.behind(t, func(resp *http.Response) error {
		if strings.Contains(resp.Request.URL.Path, "/blobs/") {
			resp.Body = readCloser{io.LimitReader(resp.Body, 600<<10), resp.Body}
		}
		return nil
	})
	e := &events{}
	got, err := get(t, &xpkg.Client{Transport: r.transport, Event: e.add}, host+"/org/package:v1")
	if err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	if !slices.Contains(e.kinds(), xpkg.Retried) {
		t.Errorf("got the events %v, want one that tells it", e.kinds())
	}
}

// allowance is how many bytes several readers may yield together.
type allowance struct {
	mu   sync.Mutex
	left int64
}

func (a *allowance) reader(r io.Reader) io.Reader {
	return readerFunc(func(p []byte) (int, error) {
		a.mu.Lock()
		defer a.mu.Unlock()
		if a.left == 0 {
			return 0, io.EOF
		}
		n, err := r.Read(p[:min(int64(len(p)), a.left)])
		a.left -= int64(n)
		return n, err
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

func TestDockerRegistryHasNoSuchThing(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{})
	ref := r.push(t, "org/package:v1", pkg().image(t))
	always := &xpkg.Client{Transport: r.transport, Cache: xpkg.OpenCache(t.TempDir(), nil), Pull: xpkg.PullAlways}
	for _, ref := range []string{ref, r.push(t, "org/package:kept", variant("kept").image(t))} {
		if _, err := get(t, always, ref); err != nil {
			t.Fatal(err)
		}
	}
	r.send(t, http.MethodDelete, "/v2/org/package/manifests/"+pkg().digest().String(), "", nil)
	cases := []struct {
		name, reason string
		client       *xpkg.Client
		ref          string
	}{
		{"deleted", "its tag went with it", r.client, ref},
		{"deleted, by digest", "and the manifest", r.client, r.host + "/org/package@" + pkg().digest().String()},
		{"deleted, cached", "Always asks", always, ref},
		{"tag", "never was", r.client, r.host + "/org/package:v2"},
		{"digest", "never was", r.client, r.host + "/org/package@" + variant("none").digest().String()},
		{"repository", "never was", r.client, r.host + "/org/absent:v1"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := c.client.Image(t.Context(), c.ref, nil)
			checkError(t, err, meta.ErrNotFound, c.ref, "does not have it")
			checkRegistryError(t, err, r.host, http.StatusNotFound)
		})
	}
	_, err := r.client.Tags(t.Context(), parseSource(t, r.host+"/org/absent"))
	checkError(t, err, meta.ErrNotFound, r.host+"/org/absent")
	if tags, err := r.client.Tags(t.Context(), parseSource(t, r.host+"/org/package")); err != nil || !slices.Equal(tags, []string{"kept"}) {
		t.Errorf("got the tags %q (%v), want the one that was kept", tags, err)
	}
	// A blob that a manifest names and the registry has lost.
	layer := digestOf(variant("kept").layers[0].blob).String()
	img, err := r.client.Image(t.Context(), r.host+"/org/package:kept", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.send(t, http.MethodDelete, "/v2/org/package/blobs/"+layer, "", nil)
	_, err = img.Package(t.Context())
	checkError(t, err, meta.ErrNotFound, layer)
	checkRegistryError(t, err, r.host, http.StatusNotFound)
}

func TestDockerRegistryWantsCredentials(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{auth: true})
	ref := r.host + "/org/package:v1"
	login := func(password string) *xpkg.Client {
		auth := &authn.Basic{Username: registryUser, Password: password}
		return &xpkg.Client{Transport: r.transport, Keychain: keychain{host: r.host, auth: auth}}
	}
	if _, err := login(registryPassword).Push(t.Context(), ref, pkg().image(t)); err != nil {
		t.Fatal(err)
	}
	if got, err := get(t, login(registryPassword), ref); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	refused := map[string]*xpkg.Client{
		"wrong password": login("guessed"),
		"none":           {Transport: r.transport, Keychain: keychain{}},
	}
	for name, c := range refused {
		calls := map[string]func() error{
			"Image": func() error { _, err := c.Image(t.Context(), ref, nil); return err },
			"Tags":  func() error { _, err := c.Tags(t.Context(), parseSource(t, r.host+"/org/package")); return err },
			"Push":  func() error { _, err := c.Push(t.Context(), ref, variant("new").image(t)); return err },
		}
		for call, do := range calls {
			t.Run(name+" "+call, func(t *testing.T) {
				err := do()
				checkError(t, err, meta.ErrUnauthorized, r.host, "credentials")
				checkRegistryError(t, err, r.host, http.StatusUnauthorized)
				if strings.Contains(err.Error(), "guessed") {
					t.Errorf("the error tells the password: %v", err)
				}
			})
		}
	}
}

func TestDockerRegistryWithTLS(t *testing.T) {
	t.Parallel()
	r := startDockerRegistry(t, registrySetup{tls: true})
	ref := r.push(t, "org/package:v1", pkg().image(t))
	img, err := r.client.Image(t.Context(), ref, nil)
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, img, err)

	strangers := &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: newAuthority(t).pool}}
	t.Cleanup(strangers.CloseIdleConnections)
	for _, c := range []*xpkg.Client{{Transport: strangers}, {}} {
		_, err = c.Image(t.Context(), ref, nil)
		checkError(t, err, meta.ErrUnavailable, r.host, "certificate")
		_, err = c.Tags(t.Context(), parseSource(t, r.host+"/org/package"))
		checkError(t, err, meta.ErrUnavailable, r.host, "certificate")
		_, err = c.Push(t.Context(), ref, variant("new").image(t))
		checkError(t, err, meta.ErrUnavailable, r.host, "certificate")
	}
}

func parseSource(t *testing.T, s string) meta.Source {
	t.Helper()
	source, err := meta.ParseSource(s)
	if err != nil {
		t.Fatal(err)
	}
	return source
}
