package xpkg_test

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// A blob is asked for, begun and sent: three requests. One that breaks off is begun anew,
// whatever the registry says or the connection does, and its content is opened anew.
func TestPutBlobBeginsAnew(t *testing.T) {
	t.Parallel()
	content := bytes.Repeat([]byte("0123456789"), 10_000)
	whole := []string{"HEAD blob", "POST upload", "PUT upload"}
	for _, c := range []struct {
		name, reason string
		fail         func(r *http.Request) (*http.Response, error)
		opened       int
	}{
		{"well", "nothing fails", nil, 1},
		{"broken", "the connection breaks in the middle", func(r *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, r.Body, 50_000)
			return nil, io.ErrUnexpectedEOF
		}, 2},
		{"passing", "the registry has no time", func(r *http.Request) (*http.Response, error) {
			_, _ = io.Copy(io.Discard, r.Body)
			return answer(r, http.StatusServiceUnavailable), nil
		}, 2},
		{"expired", "a token that has expired, which whoever renews it would send with what is left of the body", func(r *http.Request) (*http.Response, error) {
			_, _ = io.CopyN(io.Discard, r.Body, 50_000)
			return answer(r, http.StatusUnauthorized, "WWW-Authenticate", `Bearer realm="https://registry.example/token"`), nil
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newInMemory()
				failed := c.fail == nil
				m.fail = func(r *http.Request) (*http.Response, error) {
					if about(r) != "PUT upload" || failed {
						return nil, nil
					}
					failed = true
					return c.fail(r)
				}
				d, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Destination(parseSource(t, "registry.example/org/package"))
				if err != nil {
					t.Fatal(err)
				}
				opened := 0
				written, err := d.PutBlob(t.Context(), digestOf(content).String(), int64(len(content)), func() (io.ReadCloser, error) {
					opened++
					return io.NopCloser(bytes.NewReader(content)), nil
				})
				if err != nil || !written || opened != c.opened {
					t.Fatalf("%s: got %t, opened %d times, want %d (%v)", c.reason, written, opened, c.opened, err)
				}
				want := []string{"GET ping"}
				for range c.opened {
					want = append(want, whole...)
				}
				if got := m.took(); !slices.Equal(got, want) {
					t.Errorf("%s: got the requests %q, want %q", c.reason, got, want)
				}
				if has, err := d.HasBlob(t.Context(), digestOf(content).String()); !has || err != nil {
					t.Errorf("%s: it is not there (%v)", c.reason, err)
				}
			})
		})
	}
}

// Where a registry wants the blob to be sent is not believed without a look.
func TestPutBlobLocation(t *testing.T) {
	t.Parallel()
	content := []byte("content")
	for _, c := range []struct {
		name, reason string
		answer       func(r *http.Request) *http.Response
		says         []string
	}{
		{"none", "it does not say where", func(r *http.Request) *http.Response { return answer(r, http.StatusAccepted) }, []string{"without a header Location"}},
		{"odd", "a place that is none", func(r *http.Request) *http.Response {
			return answer(r, http.StatusAccepted, "Location", "http://[::1/%zz")
		}, []string{"without a header Location"}},
		{"inside", "an address that a stranger has no business with", func(r *http.Request) *http.Response {
			return answer(r, http.StatusAccepted, "Location", "http://169.254.169.254/latest")
		}, []string{"private network"}},
		{"created", "a blob that it cannot have", func(r *http.Request) *http.Response { return answer(r, http.StatusCreated) }, []string{"status 201"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				m := newInMemory()
				m.fail = func(r *http.Request) (*http.Response, error) {
					switch {
					case about(r) == "POST upload":
						return c.answer(r), nil
					case r.URL.Host != "registry.example":
						t.Errorf("%s: it was asked for %s", c.reason, r.URL)
					}
					return nil, nil
				}
				d, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Destination(parseSource(t, "registry.example/org/package"))
				if err != nil {
					t.Fatal(err)
				}
				_, err = d.PutBlob(t.Context(), digestOf(content).String(), int64(len(content)), opening(content))
				checkError(t, err, meta.ErrUnavailable, append(c.says, "registry.example")...)
			})
		})
	}
	t.Run("elsewhere", func(t *testing.T) {
		// Storage of a cloud, with a query of its own, which gets no credentials.
		synctest.Test(t, func(t *testing.T) {
			m := newInMemory()
			got := ""
			m.fail = func(r *http.Request) (*http.Response, error) {
				if about(r) == "POST upload" {
					return answer(r, http.StatusAccepted, "Location", "https://storage.example/up?state=a%2Fb"), nil
				}
				if r.URL.Host != "storage.example" {
					return nil, nil
				}
				if r.Header.Get("Authorization") != "" {
					t.Errorf("it got the credentials %q", r.Header)
				}
				if q := r.URL.Query(); q.Get("state") != "a/b" || q.Get("digest") != digestOf(content).String() || r.ContentLength != int64(len(content)) {
					t.Errorf("it was asked for %s with %d bytes", r.URL, r.ContentLength)
				}
				b, err := io.ReadAll(r.Body)
				got = string(b)
				return answer(r, http.StatusCreated), err
			}
			d, err := (&xpkg.Client{Transport: m, Keychain: keychain{host: "registry.example", auth: &authn.Basic{Username: registryUser, Password: registryPassword}}}).Destination(parseSource(t, "registry.example/org/package"))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := d.PutBlob(t.Context(), digestOf(content).String(), int64(len(content)), opening(content)); err != nil || got != string(content) {
				t.Errorf("got %q (%v)", got, err)
			}
		})
	})
}

// A blob that one repository has is taken over by another, and where the registry does
// not do that, nothing is left under way.
func TestMountBlob(t *testing.T) {
	t.Parallel()
	content := []byte("content")
	h := digestOf(content).String()
	t.Run("docker-registry", func(t *testing.T) {
		t.Parallel()
		r := startDockerRegistry(t, registrySetup{})
		if _, err := r.repository(t, "org/one").PutBlob(t.Context(), h, int64(len(content)), opening(content)); err != nil {
			t.Fatal(err)
		}
		two := r.repository(t, "org/two")
		if mounted, err := two.MountBlob(t.Context(), h, "org/absent"); mounted || err != nil {
			t.Errorf("got %t (%v)", mounted, err)
		}
		if mounted, err := two.MountBlob(t.Context(), h, "org/one"); !mounted || err != nil {
			t.Errorf("got %t (%v)", mounted, err)
		}
		if has, err := two.HasBlob(t.Context(), h); !has || err != nil {
			t.Errorf("it is not there (%v)", err)
		}
	})
	t.Run("not known", func(t *testing.T) {
		r := newRegistry(t)
		ended := ""
		r.on("DELETE uploads/one", func(w http.ResponseWriter, q *http.Request) {
			ended = q.URL.Path
			w.WriteHeader(http.StatusNoContent)
		})
		r.on("POST uploads/", func(w http.ResponseWriter, q *http.Request) {
			if q.URL.Query().Get("mount") != h || q.URL.Query().Get("from") != "org/one" {
				t.Errorf("it was asked for %s", q.URL)
			}
			w.Header().Set("Location", "/v2/org/two/blobs/uploads/one")
			w.WriteHeader(http.StatusAccepted)
		})
		if mounted, err := r.destination(t, "org/two").MountBlob(t.Context(), h, "org/one"); mounted || err != nil || ended == "" {
			t.Errorf("got %t, ended %q (%v)", mounted, ended, err)
		}
		r.on("POST uploads/", status(http.StatusForbidden))
		_, err := r.destination(t, "org/two").MountBlob(t.Context(), h, "org/one")
		checkError(t, err, meta.ErrUnauthorized, "org/two")
	})
	t.Run("token", func(t *testing.T) {
		// One that is good for both repositories, asked for once.
		r := newRegistry(t)
		var scopes []string
		r.on("GET v2/", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+r.host+`/token",service="x"`)
			w.WriteHeader(http.StatusUnauthorized)
		})
		r.on("GET /token", func(w http.ResponseWriter, q *http.Request) {
			scopes = append(scopes, strings.Join(q.URL.Query()["scope"], " "))
			_, _ = w.Write([]byte(`{"token":"both"}`))
		})
		r.on("POST uploads/", func(w http.ResponseWriter, q *http.Request) {
			if q.Header.Get("Authorization") != "Bearer both" {
				t.Errorf("it was asked with %q", q.Header.Get("Authorization"))
			}
			w.WriteHeader(http.StatusCreated)
		})
		two := r.destination(t, "org/two")
		for range 2 {
			if mounted, err := two.MountBlob(t.Context(), h, "org/one"); !mounted || err != nil {
				t.Errorf("got %t (%v)", mounted, err)
			}
		}
		if want := []string{"repository:org/two:push,pull repository:org/one:pull"}; !slices.Equal(scopes, want) {
			t.Errorf("tokens were asked for %q, want %q", scopes, want)
		}
	})
	_, err := newRegistry(t).destination(t, "org/two").MountBlob(t.Context(), "x", "org/one")
	checkError(t, err, meta.ErrInvalid, `"x"`)
	_, err = newRegistry(t).destination(t, "org/two").MountBlob(t.Context(), h, "org/\x1b[31m")
	checkError(t, err, meta.ErrInvalid, `"org/\x1b[31m"`, "the path of a repository")
}

// What a registry has is held against its digest once, by the reader; a reader of another
// blob, or one that was read from, is not believed.
func TestPutBlobReader(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	one := pkg()
	r.put(t, "org/package:v1", one)
	blob := one.layers[0].blob
	from, to := r.destination(t, "org/package"), r.destination(t, "org/other")
	open := func() *xpkg.BlobReader {
		rc, err := from.Blob(t.Context(), digestOf(blob).String(), int64(len(blob)))
		if err != nil {
			t.Fatal(err)
		}
		return rc
	}
	read := 0
	var last error
	if written, err := newRegistry(t).destination(t, "org/other").PutBlob(t.Context(), digestOf(blob).String(), int64(len(blob)), func() (io.ReadCloser, error) {
		rc := open()
		rc.OnRead = func(n int, err error) { read, last = read+n, err }
		return rc, nil
	}); err != nil || !written || read != len(blob) || last != io.EOF {
		t.Errorf("got %t, read %d of %d bytes up to %v (%v)", written, read, len(blob), last, err)
	}
	other := []byte(strings.Repeat("x", len(blob)))
	_, err := to.PutBlob(t.Context(), digestOf(other).String(), int64(len(other)), func() (io.ReadCloser, error) { return open(), nil })
	checkError(t, err, meta.ErrDigest, digestOf(other).String())
	_, err = newRegistry(t).destination(t, "org/other").PutBlob(t.Context(), digestOf(blob).String(), int64(len(blob)), func() (io.ReadCloser, error) {
		rc := open()
		_, err := io.ReadFull(rc, make([]byte, 3))
		return rc, err
	})
	checkError(t, err, meta.ErrDigest, digestOf(blob).String())
	cause := errors.New("of the reader")
	_, err = newRegistry(t).destination(t, "org/other").PutBlob(t.Context(), digestOf(blob).String(), int64(len(blob)), func() (io.ReadCloser, error) {
		return half{bytes.NewReader(blob[:5]), cause}, nil
	})
	if !errors.Is(err, cause) {
		t.Errorf("got %v, want the error of the reader", err)
	}
}
