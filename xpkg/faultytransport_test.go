package xpkg_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// transportFunc is a transport of the caller.
type transportFunc func(*http.Request) (*http.Response, error)

func (f transportFunc) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What breaks the contract of net/http is an error and no panic.
func TestTransportsThatGiveNothing(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	for name, rt := range map[string]transportFunc{
		"no answer": func(*http.Request) (*http.Response, error) { return nil, nil },
		"no body":   func(q *http.Request) (*http.Response, error) { return &http.Response{StatusCode: 200, Request: q}, nil },
	} {
		c := &xpkg.Client{Transport: rt, Keychain: anonymous}
		if _, err := c.Image(t.Context(), ref, nil); err == nil {
			t.Errorf("%s: got no error", name)
		}
	}
}

// A registry that says a great deal about an error is heard to the end of what is
// of use, and its status counts.
func TestLongErrors(t *testing.T) {
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	for code, is := range map[int]error{
		http.StatusNotFound: meta.ErrNotFound, http.StatusForbidden: meta.ErrUnauthorized, http.StatusUnauthorized: meta.ErrUnauthorized, http.StatusTeapot: meta.ErrUnavailable,
	} {
		r.on("GET manifests/v1", func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(code)
			_, _ = io.WriteString(w, strings.Repeat("<p>no</p>", 50_000))
		})
		_, err := r.client().Image(t.Context(), ref, nil)
		checkError(t, err, is, ref)
		checkRegistryError(t, err, r.host, code)
	}
	// The API's root does not answer for ever.
	r.on("GET v2/", func(w http.ResponseWriter, q *http.Request) {
		w.WriteHeader(http.StatusOK)
		for q.Context().Err() == nil {
			if _, err := w.Write(make([]byte, 1<<20)); err != nil {
				return
			}
		}
	})
	if _, err := r.client().Image(t.Context(), ref, nil); err == nil {
		t.Error("got no error")
	}
}

func TestPushToAnotherDigest(t *testing.T) {
	r := newRegistry(t)
	other := variant("other").digest().String()
	_, err := r.client().Push(t.Context(), r.host+"/org/package:v1@"+other, pkg().image(t))
	checkError(t, err, meta.ErrDigest, other, pkg().digest().String())
	if got := r.took(); len(got) > 0 {
		t.Errorf("got the requests %q", got)
	}
}

// JSON that is no manifest is none, whatever the header calls it, and nothing that
// a tag names.
func TestPortalThatAnswersJSON(t *testing.T) {
	for _, body := range []string{`{}`, `{"errors":[{"code":"UNAVAILABLE"}]}`, `{"schemaVersion":2}`} {
		for _, mediaType := range []types.MediaType{types.OCIManifestSchema1, types.OCIImageIndex, "application/json"} {
			r := newRegistry(t)
			ref := r.put(t, "org/package:v1", pkg())
			r.on("GET manifests/v1", serve(string(mediaType), []byte(body)))
			dir := t.TempDir()
			c, _ := r.cached(dir, "")
			_, err := get(t, c, ref)
			if code := meta.Code(err); code != "invalid" && code != "not-a-package" {
				t.Errorf("%s as %s: got %v", body, mediaType, err)
			}
			r.on("GET manifests/v1", nil)
			if got, err := get(t, c, ref); err != nil || got != packageYAML {
				t.Errorf("%s as %s, and then the manifest: got %q (%v)", body, mediaType, got, err)
			}
		}
	}
}
