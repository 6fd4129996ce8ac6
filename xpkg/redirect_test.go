package xpkg_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// A registry that redirects to itself is left after as many redirects as
// net/http follows, whatever was asked for.
func TestRedirectsWithoutEnd(t *testing.T) {
	t.Parallel()
	layer := digestOf(pkg().layers[0].blob).String()
	cases := []struct {
		name, reason, request string
		do                    func(t *testing.T, c *xpkg.Client, ref string) error
	}{
		{"manifest", "asked for by the library itself", "GET manifests/v1", func(t *testing.T, c *xpkg.Client, ref string) error {
			_, err := get(t, c, ref)
			return err
		}},
		{"blob", "asked for by go-containerregistry", "GET blobs/" + layer, func(t *testing.T, c *xpkg.Client, ref string) error {
			_, err := get(t, c, ref)
			return err
		}},
		{"tags", "every page of the list", "GET tags/list", func(t *testing.T, c *xpkg.Client, ref string) error {
			source, err := meta.ParseSource(strings.TrimSuffix(ref, ":v1"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Tags(t.Context(), source)
			return err
		}},
		{"push", "the uploads too", "POST blobs/uploads", func(t *testing.T, c *xpkg.Client, ref string) error {
			_, err := c.Push(t.Context(), ref, variant("new").image(t))
			return err
		}},
		{"push of the manifest", "and what comes last", "PUT manifests/v1", func(t *testing.T, c *xpkg.Client, ref string) error {
			_, err := c.Push(t.Context(), ref, variant("new").image(t))
			return err
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1", pkg())
			asked := 0
			circle := func(w http.ResponseWriter, q *http.Request) {
				if asked++; asked > 100 {
					w.WriteHeader(http.StatusTeapot)
					return
				}
				http.Redirect(w, q, q.URL.String(), http.StatusTemporaryRedirect)
			}
			r.on(c.request, circle)
			r.on(c.request+"/", circle)
			if c.request == "POST blobs/uploads" {
				r.on("POST uploads/", circle)
			}
			err := c.do(t, r.client(), ref)
			checkError(t, err, meta.ErrUnavailable, "redirects without end", r.host)
			if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || asked != 10 {
				t.Errorf("got %#v after %d requests, want a *RegistryError after 10: %s", err, asked, c.reason)
			}
		})
	}
	t.Run("head", func(t *testing.T) {
		// A HEAD that fails is made up for by a GET.
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", pkg())
		client, told := r.cached(t.TempDir(), xpkg.PullAlways)
		if _, err := get(t, client, ref); err != nil {
			t.Fatal(err)
		}
		asked := 0
		r.on("HEAD manifests/v1", func(w http.ResponseWriter, q *http.Request) {
			asked++
			http.Redirect(w, q, q.URL.String(), http.StatusTemporaryRedirect)
		})
		if got, err := get(t, client, ref); err != nil || got != packageYAML || asked > 20 || !slices.Contains(told.kinds(), xpkg.HeadFailed) {
			t.Errorf("got %q (%v) after %d requests and the events %v", got, err, asked, told.all)
		}
	})
	t.Run("nine", func(t *testing.T) {
		// What net/http follows is followed.
		r := newRegistry(t)
		ref := r.put(t, "org/package:v1", pkg())
		asked := 0
		r.on("GET blobs/"+layer, func(w http.ResponseWriter, q *http.Request) {
			if asked++; asked < 10 {
				http.Redirect(w, q, q.URL.String(), http.StatusTemporaryRedirect)
				return
			}
			_, _ = w.Write(pkg().layers[0].blob)
		})
		if got, err := get(t, r.client(), ref); err != nil || got != packageYAML {
			t.Errorf("got %q (%v)", got, err)
		}
	})
}

// unavailable answers every request with 503, but those for the API's root.
type unavailable struct{}

func (unavailable) RoundTrip(q *http.Request) (*http.Response, error) {
	code := http.StatusServiceUnavailable
	if q.URL.Path == "/v2/" {
		code = http.StatusOK
	}
	return &http.Response{StatusCode: code, Header: http.Header{}, Body: http.NoBody, Request: q}, nil
}

// The pauses between attempts end with the context.
func TestPausesEndWithTheContext(t *testing.T) {
	t.Parallel()
	const deadline = 50 * time.Millisecond
	calls := map[string]func(ctx context.Context, c *xpkg.Client) error{
		"Image": func(ctx context.Context, c *xpkg.Client) error {
			_, err := c.Image(ctx, "registry.example/org/package:v1", nil)
			return err
		},
		"Push": func(ctx context.Context, c *xpkg.Client) error {
			_, err := c.Push(ctx, "registry.example/org/package:v1", pkg().image(t))
			return err
		},
	}
	for name, call := range calls {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), deadline)
				defer cancel()
				start := time.Now()
				err := call(ctx, &xpkg.Client{Transport: unavailable{}})
				checkError(t, err, meta.ErrCanceled, "org/package:v1")
				if took := time.Since(start); took != deadline {
					t.Errorf("returned after %v of a clock that only pauses move, want %v", took, deadline)
				}
			})
		})
	}
}

func TestClientsThatMakeNoSense(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, reason string
		client       *xpkg.Client
		says         string
	}{
		{"pull", "a policy that is none", &xpkg.Client{Pull: "Sometimes"}, `Pull: "Sometimes" is not a pull policy`},
		{"cache", "no directory is not the working directory", &xpkg.Client{Cache: xpkg.OpenCache("", nil)}, `Cache: "" is not a directory`},
	}
	source, err := meta.ParseSource("registry.example/org/package")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			c.client.Transport = unreachable{t}
			_, err := c.client.Image(t.Context(), source.String()+":v1", nil)
			checkError(t, err, meta.ErrInvalid, c.says)
			_, err = c.client.Tags(t.Context(), source)
			checkError(t, err, meta.ErrInvalid, c.says)
			_, err = c.client.Push(t.Context(), source.String()+":v1", pkg().image(t))
			checkError(t, err, meta.ErrInvalid, c.says)
		})
	}
	_, err = new(xpkg.Client).Push(t.Context(), source.String()+":v1", nil)
	checkError(t, err, meta.ErrInvalid, "img: nil is not an image")
	_, err = xpkg.Select(t.Context(), nil, nil)
	checkError(t, err, meta.ErrInvalid, "idx: nil is not an index")
	_, err = xpkg.Open(nil, nil).Package(t.Context())
	checkError(t, err, meta.ErrInvalid, "img: nil is not an image")
}
