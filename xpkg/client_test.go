package xpkg_test

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// pkg is an image with a package.
func pkg() *testImage { return imageOf(baseOf(file{name: "package.yaml", content: packageYAML})) }

func TestZeroClient(t *testing.T) {
	home(t)
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	img, err := new(xpkg.Client).Image(t.Context(), ref, nil)
	want{content: packageYAML}.check(t, img, err)
	http.DefaultTransport.(*http.Transport).CloseIdleConnections()
}

func TestOnlyTheBaseLayerIsAskedFor(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	i := imageOf(layerOf(file{name: "a", content: "b"}), baseOf(file{name: "package.yaml", content: packageYAML}), layerOf(file{name: "c", content: "d"}))
	ref := r.put(t, "org/package:v1", i)
	img, err := r.client().Image(t.Context(), ref, nil)
	want{content: packageYAML}.check(t, img, err)
	if got, want := r.took(), []string{"GET manifests/v1", "GET blobs/" + digestOf(i.layers[1].blob).String()}; !slices.Equal(got, want) {
		t.Errorf("got the requests %q, want %q", got, want)
	}
}

func TestTagThatMoves(t *testing.T) {
	t.Parallel()
	// What the tag names changes after the image was opened.
	r := newRegistry(t)
	c := r.client()
	ref := r.put(t, "org/package:v1", pkg())
	img, err := c.Image(t.Context(), ref, nil)
	if err != nil {
		t.Fatal(err)
	}
	other := variant("other")
	r.put(t, "org/package:v1", other)
	want{content: packageYAML}.check(t, img, err)
	if got, err := img.Digest(t.Context()); err != nil || got != pkg().digest().String() {
		t.Errorf("got the digest %s (%v)", got, err)
	}
}

func TestDigestReferences(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	i := pkg()
	r.put(t, "org/package:v1", i)
	for _, ref := range []string{"org/package@" + i.digest().String(), "org/package:v9@" + i.digest().String()} {
		img, err := r.client().Image(t.Context(), r.host+"/"+ref, nil)
		want{content: packageYAML}.check(t, img, err)
	}
	r.on("GET manifests/"+i.digest().String(), serve(string(types.OCIManifestSchema1), variant("other").manifest()))
	_, err := r.client().Image(t.Context(), r.host+"/org/package@"+i.digest().String(), nil)
	checkError(t, err, meta.ErrDigest, "manifest", i.digest().String(), variant("other").digest().String())
}

func TestRegistryErrors(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	r.on("GET manifests/denied", status(http.StatusForbidden))
	r.on("GET manifests/credentials", status(http.StatusUnauthorized))
	r.on("GET manifests/broken", status(http.StatusTeapot))
	r.on("GET manifests/long", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(strings.Repeat("<p>no</p>", 5000)))
	})
	r.on("GET manifests/said", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNotFound)
		_, _ = w.Write(mustJSON(map[string]any{"errors": []map[string]string{{"code": "MANIFEST_UNKNOWN", "message": strings.Repeat("no ", 500)}}}))
	})
	closed := httptest.NewServer(nil)
	closed.Close()
	cases := []struct {
		name, ref string
		is        error
		status    int
		says      string
	}{
		{"absent", r.host + "/org/package:absent", meta.ErrNotFound, 404, "does not have it"},
		{"said", r.host + "/org/package:said", meta.ErrNotFound, 404, "MANIFEST_UNKNOWN"},
		{"denied", r.host + "/org/package:denied", meta.ErrUnauthorized, 403, "credentials"},
		{"credentials", r.host + "/org/package:credentials", meta.ErrUnauthorized, 401, "credentials"},
		{"broken", r.host + "/org/package:broken", meta.ErrUnavailable, 418, "418"},
		{"long", r.host + "/org/package:long", meta.ErrUnavailable, 400, "400"},
		{"closed", strings.TrimPrefix(closed.URL, "http://") + "/org/package:v1", meta.ErrUnavailable, 0, "cannot be reached"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := r.client().Image(t.Context(), c.ref, nil)
			host, _, _ := strings.Cut(c.ref, "/")
			checkError(t, err, c.is, c.ref, host, c.says)
			var e *xpkg.RegistryError
			if !errors.As(err, &e) || e.Status != c.status || e.Host != host || e.Ref != c.ref {
				t.Errorf("got %#v", e)
			}
		})
	}
	_, err := r.client().Image(t.Context(), "Not A Reference", nil)
	checkError(t, err, meta.ErrInvalid)
}

func TestAnswersThatAreRepeated(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	asked := 0
	r.on("GET manifests/v1", func(w http.ResponseWriter, q *http.Request) {
		if asked++; asked < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		serve(string(types.OCIManifestSchema1), pkg().manifest())(w, q)
	})
	img, err := r.client().Image(t.Context(), ref, nil)
	want{content: packageYAML}.check(t, img, err)
}

func TestCredentials(t *testing.T) {
	t.Parallel()
	// Every call uses the keychain and the transport of the client.
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	inner := r.server.Config.Handler
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if user, password, _ := q.BasicAuth(); user != "me" || password != "secret" {
			w.Header().Set("WWW-Authenticate", `Basic realm="x"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, q)
	}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	// Not an address of the loopback, for which plain HTTP is tried too; the
	// server's certificate is for this name.
	const host = "example.com"
	dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, server.Listener.Addr().String())
	}
	ref = strings.Replace(ref, r.host, host, 1)
	source, err := meta.ParseSource(host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	img := pkg().image(t)
	calls := func(c *xpkg.Client) map[string]error {
		_, pull := c.Image(t.Context(), ref, nil)
		_, tags := c.Tags(t.Context(), source)
		_, push := c.Push(t.Context(), ref+"-new", img)
		return map[string]error{"Image": pull, "Tags": tags, "Push": push}
	}
	trusting := server.Client().Transport.(*http.Transport).Clone()
	trusting.DialContext = dial
	t.Cleanup(trusting.CloseIdleConnections)
	good := keychain{host: host, auth: &authn.Basic{Username: "me", Password: "secret"}}
	for call, err := range calls(&xpkg.Client{Keychain: good, Transport: trusting}) {
		if err != nil {
			t.Errorf("%s with credentials: %v", call, err)
		}
	}
	for call, err := range calls(&xpkg.Client{Keychain: keychain{host: "other"}, Transport: trusting}) {
		if !errors.Is(err, meta.ErrUnauthorized) {
			t.Errorf("%s without credentials: got %v", call, err)
		}
	}
	strict := &http.Transport{DialContext: dial, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12}}
	t.Cleanup(strict.CloseIdleConnections)
	for call, err := range calls(&xpkg.Client{Keychain: good, Transport: strict}) {
		if !errors.Is(err, meta.ErrUnavailable) || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s without the certificate: got %v", call, err)
		}
	}
}

type keychain struct {
	host string
	auth authn.Authenticator
}

func (k keychain) Resolve(r authn.Resource) (authn.Authenticator, error) {
	if r.RegistryStr() == k.host {
		return k.auth, nil
	}
	return authn.Anonymous, nil
}

// rerouted sends every request to one server, as if names were resolved.
type rerouted struct {
	host string
	next http.RoundTripper
}

func (r rerouted) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.URL.Scheme != "http" {
		return nil, errors.New("no TLS here")
	}
	q = q.Clone(q.Context())
	q.URL.Host = r.host
	return r.next.RoundTrip(q)
}

func TestPlainHTTP(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	r.put(t, "org/package:v1", pkg())
	c := &xpkg.Client{Transport: rerouted{r.host, r.transport}, PlainHTTP: []string{"registry.example.org:5000"}}
	img, err := c.Image(t.Context(), "registry.example.org:5000/org/package:v1", nil)
	want{content: packageYAML}.check(t, img, err)
	_, err = c.Image(t.Context(), "other.example.org:5000/org/package:v1", nil)
	checkError(t, err, meta.ErrUnavailable, "other.example.org:5000")
}

// A host on the loopback is spoken to without TLS too, and that it has TLS and
// refuses this does not hide why TLS failed.
func TestUntrustedCertificateOnTheLoopback(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.NotFoundHandler())
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	host := strings.TrimPrefix(server.URL, "https://")
	strict := &http.Transport{}
	t.Cleanup(strict.CloseIdleConnections)
	_, err := (&xpkg.Client{Transport: strict}).Image(t.Context(), host+"/org/package:v1", nil)
	checkError(t, err, meta.ErrUnavailable, host, "certificate")
	checkRegistryError(t, err, host, 0)
}

// checkRegistryError holds the facts of a *RegistryError against what is wanted.
func checkRegistryError(t *testing.T, err error, host string, status int) {
	t.Helper()
	if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Host != host || e.Status != status {
		t.Errorf("got %#v, want a *RegistryError of %s with status %d", err, host, status)
	}
}

func TestTags(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	for _, tag := range []string{"v2.0.0", "v1.0.0", "latest", "v10.0.0"} {
		r.put(t, "org/package:"+tag, pkg())
	}
	source, err := meta.ParseSource(r.host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	tags, err := r.client().Tags(t.Context(), source)
	if want := []string{"latest", "v1.0.0", "v10.0.0", "v2.0.0"}; err != nil || !slices.Equal(tags, want) {
		t.Errorf("got %q (%v), want %q", tags, err, want)
	}
	absent, err := meta.ParseSource(r.host + "/org/absent")
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.client().Tags(t.Context(), absent)
	checkError(t, err, meta.ErrNotFound, r.host+"/org/absent")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.client().Tags(ctx, source)
	checkError(t, err, meta.ErrCanceled)
}

func TestTagsWithoutEnd(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	page := 0
	r.on("GET tags/list", func(w http.ResponseWriter, _ *http.Request) {
		page++
		tags := make([]string, 5000)
		for i := range tags {
			tags[i] = fmt.Sprintf("t%d-%d", page, i)
		}
		w.Header().Set("Link", fmt.Sprintf(`</v2/org/package/tags/list?n=1000&last=t%d>; rel="next"`, page))
		_, _ = w.Write(mustJSON(map[string]any{"name": "org/package", "tags": tags}))
	})
	source, err := meta.ParseSource(r.host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.client().Tags(t.Context(), source)
	checkError(t, err, meta.ErrLimit, "tags")

	r.on("GET tags/list", func(w http.ResponseWriter, _ *http.Request) {
		page++
		w.Header().Set("Link", fmt.Sprintf(`</v2/org/package/tags/list?n=1000&last=t%d>; rel="next"`, page))
		_, _ = w.Write(mustJSON(map[string]any{"name": "org/package", "tags": []string{}}))
	})
	_, err = r.client().Tags(t.Context(), source)
	checkError(t, err, meta.ErrLimit, "pages")
}

// A list of tags cannot fill the memory, however it is cut into pages.
func TestTagsAreBounded(t *testing.T) {
	t.Parallel()
	source, err := meta.ParseSource("registry.example/org/package")
	if err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, reason string
		tags         []string
		noise        int // bytes beside the tags of each page
		next         bool
		is           error
		says         string
	}{
		{"longest", "a tag has 128 characters at most", []string{strings.Repeat("a", 128), "_", "A.b-c_9"}, 0, false, nil, ""},
		{"too long", "and not one more", []string{strings.Repeat("a", 129)}, 0, false, meta.ErrUnavailable, "which is no tag"},
		{"huge", "nor as many as an answer has", []string{"v1", strings.Repeat("a", 20<<20)}, 0, false, meta.ErrUnavailable, "which is no tag"},
		{"empty", "nothing is no tag", []string{""}, 0, false, meta.ErrUnavailable, "which is no tag"},
		{"begins", "nor is what begins like an option", []string{"-v1"}, 0, false, meta.ErrUnavailable, "which is no tag"},
		{"path", "nor a path", []string{"../v1"}, 0, false, meta.ErrUnavailable, "which is no tag"},
		{"many large pages", "what the pages hold counts together", []string{"v1"}, 12 << 20, true, meta.ErrLimit, "the list of tags"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newInMemory()
			asked := 0
			m.fail = func(r *http.Request) (*http.Response, error) {
				if about(r) != "GET tags" {
					return nil, nil
				}
				asked++
				resp := jsonAnswer(r, map[string]any{"name": strings.Repeat("n", c.noise), "tags": c.tags})
				if c.next && asked < 10 {
					resp.Header.Set("Link", fmt.Sprintf(`</v2/org/package/tags/list?last=%d>; rel="next"`, asked))
				}
				return resp, nil
			}
			got, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Tags(t.Context(), source)
			if c.is == nil {
				if err != nil || len(got) != len(c.tags) {
					t.Errorf("got %q (%v): %s", got, err, c.reason)
				}
				return
			}
			checkError(t, err, c.is, c.says)
			if len(err.Error()) > 1000 || asked > 3 {
				t.Errorf("got an error of %d bytes after %d requests: %s", len(err.Error()), asked, c.reason)
			}
		})
	}
}

func TestPush(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	img := pkg().image(t)
	digest, err := r.client().Push(t.Context(), r.host+"/org/package:v1", img)
	if err != nil || digest != pkg().digest().String() {
		t.Fatalf("got %s (%v), want %s", digest, err, pkg().digest())
	}
	// What the registry has is the manifest itself, and no index around it.
	ref, err := name.ParseReference(r.host + "/org/package:v1")
	if err != nil {
		t.Fatal(err)
	}
	d, err := remote.Get(ref, remote.WithTransport(r.transport))
	if err != nil || d.Digest.String() != digest || d.MediaType != types.OCIManifestSchema1 {
		t.Errorf("the registry has %v (%v)", d, err)
	}
	pulled, err := r.client().Image(t.Context(), r.host+"/org/package:v1", nil)
	want{content: packageYAML, method: xpkg.MethodAnnotation}.check(t, pulled, err)

	r.on("PUT manifests/v2", status(http.StatusForbidden))
	_, err = r.client().Push(t.Context(), r.host+"/org/package:v2", img)
	checkError(t, err, meta.ErrUnauthorized, "org/package:v2")
	_, err = r.client().Push(t.Context(), "Bad Ref", img)
	checkError(t, err, meta.ErrInvalid)
}

// Who pushes to a tag that the cache knows gets what was pushed.
func TestPushToACachedTag(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	c := r.client()
	c.Cache = xpkg.OpenCache(t.TempDir(), nil)
	for _, content := range []string{packageYAML, packageYAML + "# changed\n"} {
		img := imageOf(baseOf(file{name: "package.yaml", content: content})).image(t)
		if _, err := c.Push(t.Context(), r.host+"/org/package:v1", img); err != nil {
			t.Fatal(err)
		}
		pulled, err := c.Image(t.Context(), r.host+"/org/package:v1", nil)
		want{content: content}.check(t, pulled, err)
	}
}

func TestRelease(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	x := index().image("amd", "linux/amd64").image("arm", "linux/arm64")
	x.put(t, r, "v1.0.0")
	source, err := meta.ParseSource(r.host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	version := func(s string) meta.Version {
		v, err := meta.ParseVersion(s)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	release, err := r.client().Release(t.Context(), source, version("v1.0.0"))
	if err != nil {
		t.Fatal(err)
	}
	if release.Digest != digestOf(x.raw()).String() || release.Kind != meta.Configuration || release.Crossplane.String() != ">=v1.14.0" || len(release.DependsOn) != 1 {
		t.Errorf("got %+v", release)
	}
	if got := release.DependsOn[0].Package.String(); got != "xpkg.crossplane.io/crossplane-contrib/provider-nop" {
		t.Errorf("got the dependency %s", got)
	}
	if detailed, err := (xpkg.Details{Client: r.client()}).Release(t.Context(), source, version("v1.0.0")); err != nil || detailed.Provides == nil || release.Provides != nil {
		t.Errorf("got %+v with details and %+v without (%v)", detailed, release, err)
	}
	if again, err := r.client().Release(t.Context(), source, version("v1.0.0@"+release.Digest)); err != nil || again.Digest != release.Digest {
		t.Errorf("by digest: got %+v (%v)", again, err)
	}

	r.put(t, "org/package:v2.0.0", imageOf(baseOf(file{name: "package.yaml", content: strings.Replace(packageYAML, ">=v0.2.0", ">= v", 1)})))
	_, err = r.client().Release(t.Context(), source, version("v2.0.0"))
	checkError(t, err, meta.ErrInvalid, "org/package:v2.0.0", ">= v")

	r.put(t, "org/package:v3.0.0", imageOf(baseOf(file{name: "package.yaml", content: "apiVersion: v1\nkind: Thing\n"})))
	_, err = r.client().Release(t.Context(), source, version("v3.0.0"))
	checkError(t, err, meta.ErrNotPackage, "org/package:v3.0.0")

	// Of two lists of dependencies one would be taken for all of them.
	r.put(t, "org/package:v5.0.0", imageOf(baseOf(file{name: "package.yaml", content: packageYAML + "  dependsOn: []\n"})))
	_, err = r.client().Release(t.Context(), source, version("v5.0.0"))
	checkError(t, err, meta.ErrInvalid, "org/package:v5.0.0", "dependsOn")

	// A fault of an object leaves the metadata as it is.
	r.put(t, "org/package:v4.0.0", imageOf(baseOf(file{name: "package.yaml", content: packageYAML + "---\nkind: [\n"})))
	if release, err := r.client().Release(t.Context(), source, version("v4.0.0")); err != nil || len(release.DependsOn) != 1 {
		t.Errorf("got %+v (%v)", release, err)
	}
}
