package xpkg_test

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// A HEAD is made once, and a GET where it has told nothing.
func TestAnswersToHead(t *testing.T) {
	const digest = "Docker-Content-Digest"
	right, manifest := pkg().digest().String(), string(types.OCIManifestSchema1)
	cases := []struct {
		name, reason string
		status       int
		header       []string
		get          bool  // a GET follows
		is           error // of the call
	}{
		{"right", "nothing has changed", 200, []string{digest, right, "Content-Type", manifest}, false, nil},
		{"parameter", "a content type may have parameters", 200, []string{digest, right, "Content-Type", manifest + "; charset=utf-8"}, false, nil},
		{"no digest", "as of Harbor's proxy caches", 200, []string{"Content-Type", manifest}, true, nil},
		{"bad digest", "a digest that is none", 200, []string{digest, "sha256:abc", "Content-Type", manifest}, true, nil},
		{"hostile digest", "or worse", 200, []string{digest, "../../etc", "Content-Type", manifest}, true, nil},
		{"HTML", "a portal", 200, []string{digest, right, "Content-Type", "text/html"}, true, nil},
		{"no type", "no content type", 200, []string{digest, right}, true, nil},
		{"405", "no HEAD", 405, nil, true, nil},
		{"501", "no HEAD either", 501, nil, true, nil},
		{"400", "a HEAD says nothing about why", 400, nil, true, nil},
		{"404", "there are registries that fetch the image with the GET", 404, nil, true, nil},
		{"204", "no answer", 204, nil, true, nil},
		{"401", "a GET would not be told more", 401, nil, false, meta.ErrUnauthorized},
		{"403", "nor here", 403, nil, false, meta.ErrUnauthorized},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newInMemory()
			m.put(t, pkg())
			client, told := m.client(t, "HEAD manifest")
			m.fail = func(r *http.Request) (*http.Response, error) {
				if about(r) != "HEAD manifest" {
					return nil, nil
				}
				return answer(r, c.status, c.header...), nil
			}
			err := image(t.Context(), t, client)
			if c.is != nil {
				checkError(t, err, c.is)
			} else if err != nil {
				t.Error(err)
			}
			want := []string{"HEAD manifest"}
			if c.get {
				want = append(want, "GET manifest")
			}
			if got := m.took(); !slices.Equal(got, want) {
				t.Errorf("got the requests %q, want %q: %s", got, want, c.reason)
			}
			if kinds := told.kinds(); slices.Contains(kinds, xpkg.HeadFailed) != c.get || len(kinds) > 1 {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
	t.Run("gone", func(t *testing.T) {
		// What a GET does not have either is not there.
		m := newInMemory()
		m.put(t, pkg())
		client, _ := m.client(t, "HEAD manifest")
		m.fail = func(r *http.Request) (*http.Response, error) {
			if strings.HasSuffix(about(r), " manifest") {
				return answer(r, 404), nil
			}
			return nil, nil
		}
		checkError(t, image(t.Context(), t, client), meta.ErrNotFound, "404")
	})
}

// What an answer says about itself changes nothing: the digest counts.
func TestEncodings(t *testing.T) {
	r := newRegistry(t)
	i := pkg()
	blob, manifest := i.layers[0].blob, i.manifest()
	send := func(b []byte, length string, header ...string) http.HandlerFunc {
		return func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Content-Type", string(types.OCIManifestSchema1))
			for n := 0; n < len(header); n += 2 {
				w.Header().Set(header[n], header[n+1])
			}
			if length != "" {
				w.Header().Set("Content-Length", length)
			}
			_, _ = w.Write(b[:len(b)/2])
			if length == "" {
				w.(http.Flusher).Flush() // chunked
			}
			_, _ = w.Write(b[len(b)/2:])
		}
	}
	// asked compresses for those who ask for it, as proxies do.
	asked := func(b []byte) http.HandlerFunc {
		return func(w http.ResponseWriter, q *http.Request) {
			if strings.Contains(q.Header.Get("Accept-Encoding"), "gzip") {
				send(gzipped(b), "", "Content-Encoding", "gzip")(w, q)
				return
			}
			send(b, "")(w, q)
		}
	}
	length := func(n int) string { return fmt.Sprint(n) }
	cases := []struct {
		name, reason   string
		manifest, blob http.HandlerFunc
		is             error
		says           string
	}{
		{"chunked", "no length", send(manifest, ""), send(blob, ""), nil, ""},
		{"length", "a length", send(manifest, length(len(manifest))), send(blob, length(len(blob))), nil, ""},
		{"compressed on the way", "by who is asked for that", asked(manifest), asked(blob), nil, ""},
		{"layer called gzip", "storage that knows what a layer is", nil, send(blob, "", "Content-Encoding", "gzip"), nil, ""},
		{"layer compressed again", "although it was asked for as it is", nil, send(gzipped(blob), "", "Content-Encoding", "gzip"), meta.ErrDigest, "layer"},
		{"shorter layer", "less than the manifest says", nil, send(blob[:len(blob)-1], length(len(blob)-1)), meta.ErrDigest, "layer"},
		{"longer layer", "more than the manifest says", nil, send(append(slices.Clip(blob), 0), length(len(blob)+1)), meta.ErrDigest, "layer"},
		{"longer layer without length", "also when it is chunked", nil, send(append(slices.Clip(blob), 0), ""), meta.ErrDigest, "layer"},
		{"manifest compressed again", "a manifest that is none", send(gzipped(manifest), "", "Content-Type", "application/gzip"), nil, meta.ErrInvalid, "manifest"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			ref := r.put(t, "org/package:v1", i)
			r.on("GET manifests/v1", c.manifest)
			r.on("GET blobs/"+digestOf(blob).String(), c.blob)
			for _, cache := range []*xpkg.Cache{nil, xpkg.OpenCache(t.TempDir(), nil)} {
				client := r.client()
				client.Cache = cache
				got, err := get(t, client, ref)
				if c.is != nil {
					checkError(t, err, c.is, c.says)
				} else if err != nil || got != packageYAML {
					t.Errorf("got %q (%v): %s", got, err, c.reason)
				}
			}
			r.on("GET manifests/v1", nil)
			r.on("GET blobs/"+digestOf(blob).String(), nil)
		})
	}
}

// Errors of images that others opened, and of events, have hints too.
func TestHintsEverywhere(t *testing.T) {
	for _, code := range []int{401, 403, 404, 429, 500, 501, 418} {
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", pkg())
		r.on("GET blobs/"+digestOf(pkg().layers[0].blob).String(), status(code))
		parsed, err := name.ParseReference(ref)
		if err != nil {
			t.Fatal(err)
		}
		img, err := remote.Image(parsed, remote.WithTransport(r.transport), remote.WithRetryStatusCodes())
		if err != nil {
			t.Fatal(err)
		}
		_, err = read(t, xpkg.Open(img, nil))
		if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Hint == "" || e.Host != r.host {
			t.Errorf("%d: got %#v", code, err)
		}
		if code != 429 && code != 500 {
			continue
		}
		told := &events{}
		client := r.client()
		client.Event = told.add
		_, _ = get(t, client, ref)
		if len(told.all) == 0 {
			t.Errorf("%d: nothing was told", code)
		}
		for _, event := range told.all {
			if e := (*xpkg.RegistryError)(nil); !errors.As(event.Err, &e) || e.Hint == "" {
				t.Errorf("%d: got the event %#v", code, event.Err)
			}
		}
	}
}

// Every reason has an error of its category, which says what to do.
func TestReasons(t *testing.T) {
	const secret = "hunter2"
	status := func(code int, body string) func(*http.Request) (*http.Response, error) {
		return func(r *http.Request) (*http.Response, error) {
			resp := bytesAnswer(r, []byte(body))
			resp.StatusCode = code
			return resp, nil
		}
	}
	fails := func(err error) func(*http.Request) (*http.Response, error) {
		return func(*http.Request) (*http.Response, error) { return nil, err }
	}
	cases := []struct {
		name, reason string
		do           func(*http.Request) (*http.Response, error)
		want         xpkg.RegistryReason
		is           error
		says         []string
	}{
		{"401", "", status(401, ""), xpkg.RegistryUnauthorized, meta.ErrUnauthorized, []string{"wants credentials", "401 Unauthorized"}},
		{"403", "", status(403, `{"errors":[{"code":"DENIED","message":"not yours"}]}`), xpkg.RegistryDenied, meta.ErrUnauthorized, []string{"refuses access", `it says "DENIED: not yours"`}},
		{"404", "", status(404, ""), xpkg.RegistryNotFound, meta.ErrNotFound, []string{"does not have it", "check the repository and the tag"}},
		{"501", "", status(501, ""), xpkg.RegistryFailed, meta.ErrUnavailable, []string{"status 501", "does not do"}},
		{"500", "", status(500, ""), xpkg.RegistryFailed, meta.ErrUnavailable, []string{"status 500", "try again later"}},
		{"cut", "the connection breaks", fails(io.ErrUnexpectedEOF), xpkg.RegistryBrokenOff, meta.ErrUnavailable, []string{"try again"}},
		{"418", "", status(418, "<html>"+secret), xpkg.RegistryFailed, meta.ErrUnavailable, []string{"status 418"}},
		{"407", "a proxy", status(407, ""), xpkg.RegistryUnreachable, meta.ErrUnavailable, []string{"the proxy"}},
		{"authority", "a certificate that nobody vouches for", fails(x509.UnknownAuthorityError{}), xpkg.RegistryTLS, meta.ErrUnavailable, []string{"Client.CACerts", "SSL_CERT_FILE"}},
		{"expired", "one that has expired", fails(x509.CertificateInvalidError{Cert: &x509.Certificate{}, Reason: x509.Expired}), xpkg.RegistryTLS, meta.ErrUnavailable, []string{"not valid now"}},
		{"hostname", "one for another host", fails(x509.HostnameError{Certificate: &x509.Certificate{DNSNames: []string{"other.example"}}, Host: "registry.example"}), xpkg.RegistryTLS, meta.ErrUnavailable, []string{"another host"}},
		{"handshake", "no TLS comes about", fails(errors.New("remote error: tls: handshake failure")), xpkg.RegistryTLS, meta.ErrUnavailable, []string{"handshake failure"}},
		{"HTTP", "no TLS there", fails(http.ErrSchemeMismatch), xpkg.RegistryPlainHTTP, meta.ErrUnavailable, []string{"list registry.example in Client.PlainHTTP"}},
		{"no such host", "", fails(&net.DNSError{Err: "no such host", Name: "registry.example", IsNotFound: true}), xpkg.RegistryUnreachable, meta.ErrUnavailable, []string{"no such host", "HTTPS_PROXY"}},
		{"time limit", "of the transport, which is not the caller's", fails(os.ErrDeadlineExceeded), xpkg.RegistryUnreachable, meta.ErrUnavailable, nil},
		{"time limit that looks like the caller's", "net/http's are of this kind", fails(fmt.Errorf("slow: %w", context.DeadlineExceeded)), xpkg.RegistryUnreachable, meta.ErrUnavailable, nil},
		{"redirects", "", func(r *http.Request) (*http.Response, error) {
			return answer(r, 307, "Location", "https://registry.example"+r.URL.Path+"?token="+secret), nil
		}, xpkg.RegistryRedirects, meta.ErrUnavailable, []string{"redirects without end"}},
		{"secrets", "addresses are shown without user and query", fails(errors.New(`proxyconnect to https://me:` + secret + `@proxy.example/x?sig=` + secret + ` failed`)), xpkg.RegistryUnreachable, meta.ErrUnavailable, []string{"https://proxy.example/x failed"}},
		{"control characters", "a registry writes on no terminal", status(418, "{\"errors\":[{\"code\":\"\x1b[31mX\",\"message\":\"a\\nb\\u001b[2J\\u202e\"}]}"), xpkg.RegistryFailed, meta.ErrUnavailable, nil},
		{"control characters of the network", "nor does an error of the network", fails(errors.New("x\x1b[2J\x00\u202ey\nz")), xpkg.RegistryUnreachable, meta.ErrUnavailable, nil},
		{"long", "and not at length", fails(errors.New(strings.Repeat("x", 5000))), xpkg.RegistryUnreachable, meta.ErrUnavailable, nil},
	}
	for _, c := range cases {
		for _, op := range operations {
			if op.request == "PATCH upload" || op.request == "HEAD blob" || op.request == "HEAD manifest" {
				continue
			}
			t.Run(c.name+" "+op.request, func(t *testing.T) {
				home(t)
				synctest.Test(t, func(t *testing.T) {
					m := newInMemory()
					m.put(t, pkg())
					m.fail = func(r *http.Request) (*http.Response, error) {
						if about(r) != op.request || c.name == "401" && op.request == "GET ping" {
							return nil, nil
						}
						return c.do(r)
					}
					err := op.do(t.Context(), t, &xpkg.Client{Transport: m})
					if c.name == "401" && op.request == "GET ping" {
						return // which is how a registry asks for credentials
					}
					// POST with a mount falls back; the reason stays.
					checkError(t, err, c.is, append(c.says, "registry.example")...)
					checkSaysNot(t, err, secret)
					var e *xpkg.RegistryError
					if !errors.As(err, &e) || e.Reason != c.want || e.Host != "registry.example" || meta.Code(err) != meta.Code(c.is) {
						t.Fatalf("got %#v (%s): %s", e, meta.Code(err), c.reason)
					}
					if e.Hint == "" {
						t.Errorf("got no hint: %v", e)
					}
					for cause := error(e); cause != nil; cause = errors.Unwrap(cause) {
						if text := cause.Error(); strings.ContainsAny(text, "\n\x1b\x00\u202e") || len(text) > 1200 {
							t.Errorf("got the text %q", text)
						}
					}
				})
			})
		}
	}
}

// An image that go-containerregistry reads from a registry fails as one of ours.
func TestErrorsOfRemoteImages(t *testing.T) {
	i := pkg()
	cases := []struct {
		name, reason string
		do           func(r *http.Request) (*http.Response, error)
		is           error
	}{
		{"404", "", func(r *http.Request) (*http.Response, error) { return answer(r, 404), nil }, meta.ErrNotFound},
		{"403", "", func(r *http.Request) (*http.Response, error) { return answer(r, 403), nil }, meta.ErrUnauthorized},
		{"418", "", func(r *http.Request) (*http.Response, error) { return answer(r, 418), nil }, meta.ErrUnavailable},
		{"refused", "", func(r *http.Request) (*http.Response, error) {
			return nil, &net.OpError{Op: "dial", Err: errors.New("refused")}
		}, meta.ErrUnavailable},
		{"broken off", "in the middle of the layer", func(r *http.Request) (*http.Response, error) {
			resp := answer(r, 200)
			resp.Body = half{strings.NewReader("x"), io.ErrUnexpectedEOF}
			resp.ContentLength = int64(len(i.layers[0].blob))
			return resp, nil
		}, meta.ErrUnavailable},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newInMemory()
			m.put(t, i)
			ref, err := name.ParseReference(inMemoryRef)
			if err != nil {
				t.Fatal(err)
			}
			img, err := remote.Image(ref, remote.WithTransport(m))
			if err != nil {
				t.Fatal(err)
			}
			m.fail = func(r *http.Request) (*http.Response, error) {
				if about(r) == "GET blob" {
					return c.do(r)
				}
				return nil, nil
			}
			_, err = xpkg.Open(img, nil).Package(t.Context())
			checkError(t, err, c.is, "registry.example")
			if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Host != "registry.example" {
				t.Errorf("got %#v: %s", err, c.reason)
			}
		})
	}
}

// A list is the registry's own, and what is no list is an error.
func TestListsOfTags(t *testing.T) {
	cases := []struct {
		name, reason, body, link string
		want                     []string
		says                     string
	}{
		{"plain", "", `{"tags":["b","a"]}`, "", []string{"a", "b"}, ""},
		{"null", "as of a repository without tags", `{"name":"x","tags":null}`, "", nil, ""},
		{"next", "a relative address", `{"tags":["a"]}`, `</v2/org/package/tags/list?last=a>; rel="next"`, []string{"a", "z"}, ""},
		{"next without TLS", "a registry behind what ends TLS", `{"tags":["a"]}`, `<http://registry.example/v2/org/package/tags/list?last=a>; rel="next"`, []string{"a", "z"}, ""},
		{"next elsewhere", "credentials are not sent there", `{"tags":["a"]}`, `<https://evil.example/v2/org/package/tags/list?last=a>; rel="next"`, nil, "another host"},
		{"link without brackets", "", `{"tags":["a"]}`, `/v2/x`, nil, "angle brackets"},
		{"HTML", "a portal", `<html>`, "", nil, "no list of tags"},
		{"array", "another value", `["a"]`, "", nil, "found array, expected an object"},
		{"cut", "half of a list", `{"tags":["a"`, "", nil, "no list of tags"},
	}
	source, err := meta.ParseSource("registry.example/org/package")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newInMemory()
			m.fail = func(r *http.Request) (*http.Response, error) {
				switch {
				case r.URL.Host == "evil.example":
					t.Error("the other host was asked")
				case r.URL.Query().Get("last") != "":
					return bytesAnswer(r, []byte(`{"tags":["z"]}`)), nil
				case about(r) == "GET tags":
					resp := bytesAnswer(r, []byte(c.body))
					resp.Header.Set("Link", c.link)
					return resp, nil
				}
				return nil, nil
			}
			got, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Tags(t.Context(), source)
			if c.says == "" {
				if err != nil || !slices.Equal(got, c.want) {
					t.Errorf("got %q (%v): %s", got, err, c.reason)
				}
				return
			}
			checkError(t, err, meta.ErrUnavailable, c.says)
			if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Reason != xpkg.RegistryBadAnswer || e.Hint == "" {
				t.Errorf("got %#v", err)
			}
		})
	}
}

// What a tag names is held against what the registry says that it is, and is not remembered
// when it is something else.
func TestAnswersOfAnotherDigest(t *testing.T) {
	r := newRegistry(t)
	img := pkg()
	ref := r.put(t, "org/package:v1", img)
	raw := img.manifest()
	other := bytes.Replace(raw, []byte("{"), []byte("{ "), 1)
	for _, c := range []struct {
		reason, named, mediaType string
		is                       error
	}{
		{"it has another digest than the registry says", digestOf(raw).String(), string(types.OCIManifestSchema1), meta.ErrDigest},
		{"it has the digest", digestOf(other).String(), string(types.OCIManifestSchema1), nil},
		{"the registry says nothing", "", string(types.OCIManifestSchema1), nil},
		{"what it says is no digest", "sha256:abc", string(types.OCIManifestSchema1), nil},
		{"it has none that the registry says", "sha512:" + strings.Repeat("a", 128), string(types.OCIManifestSchema1), meta.ErrDigest},
		{"of a manifest of docker's first schema a part has the digest", digestOf(raw).String(), "application/vnd.docker.distribution.manifest.v1+prettyjws", nil},
	} {
		r.on("GET manifests/v1", func(w http.ResponseWriter, q *http.Request) {
			w.Header().Set("Docker-Content-Digest", c.named)
			serve(c.mediaType, other)(w, q)
		})
		dir := t.TempDir()
		cached, _ := r.cached(dir, xpkg.PullAlways)
		for name, client := range map[string]*xpkg.Client{"without a cache": r.client(), "with one": cached} {
			_, err := get(t, client, ref)
			if c.is == nil {
				if err != nil {
					t.Errorf("%s, %s: %v", c.reason, name, err)
				}
				continue
			}
			checkError(t, err, c.is)
			var wrong *xpkg.DigestError
			if errors.As(err, &wrong) != (c.is == meta.ErrDigest) || wrong != nil && wrong.Want != c.named {
				t.Errorf("%s, %s: got %v", c.reason, name, err)
			}
			if kept := entries(t, dir); len(kept) > 0 {
				t.Errorf("%s, %s: the cache has %v", c.reason, name, kept)
			}
		}
	}
}
