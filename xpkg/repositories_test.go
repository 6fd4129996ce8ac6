package xpkg_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

func TestRepositories(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	for _, name := range []string{"org/package", "single", "org/deep/er"} {
		r.put(t, name+":v1.0.0", pkg())
	}
	got, err := r.client().Repositories(t.Context(), r.host)
	want := []string{r.host + "/org/deep/er", r.host + "/org/package", r.host + "/single"}
	if err != nil || !slices.Equal(texts(got), want) {
		t.Fatalf("got %q (%v), want %q", texts(got), err, want)
	}
	// What is listed can be read.
	if tags, err := r.client().Tags(t.Context(), got[0]); err != nil || !slices.Equal(tags, []string{"v1.0.0"}) {
		t.Errorf("got the tags %q (%v)", tags, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = r.client().Repositories(ctx, r.host)
	checkError(t, err, meta.ErrCanceled)
	never := r.client()
	never.Pull = xpkg.PullNever
	_, err = never.Repositories(t.Context(), r.host)
	checkError(t, err, meta.ErrNotFound, r.host)
}

func texts(sources []meta.Source) []string {
	var all []string
	for _, s := range sources {
		all = append(all, s.String())
	}
	return all
}

func TestListsOfRepositories(t *testing.T) {
	cases := []struct {
		name, reason, body, link string
		want                     []string
		is                       error
		says                     string
	}{
		{"plain", "", `{"repositories":["b/c","a"]}`, "", []string{"a", "b/c"}, nil, ""},
		{"twice", "a page may begin with the end of the one before", `{"repositories":["z","a"]}`, `</v2/_catalog?last=a>; rel="next"`, []string{"a", "z"}, nil, ""},
		{"null", "as of a registry without repositories", `{"repositories":null}`, "", nil, nil, ""},
		{"next without TLS", "a registry behind what ends TLS", `{"repositories":["a"]}`, `<http://registry.example/v2/_catalog?last=a>; rel="next"`, []string{"a", "z"}, nil, ""},
		{"next elsewhere", "credentials are not sent there", `{"repositories":["a"]}`, `<https://evil.example/v2/_catalog?last=a>; rel="next"`, nil, meta.ErrUnavailable, "another host"},
		{"HTML", "a portal", `<html>`, "", nil, meta.ErrUnavailable, "no list of repositories"},
		{"array", "another value", `["a"]`, "", nil, meta.ErrUnavailable, "found array, expected an object"},
		{"capitals", "no repository has them", `{"repositories":["a","Org/B"]}`, "", nil, meta.ErrUnavailable, `it lists "Org/B", which is no repository`},
		{"tag", "nor a tag", `{"repositories":["a:v1"]}`, "", nil, meta.ErrUnavailable, `it lists "a:v1", which is no repository`},
		{"path", "nor a way out", `{"repositories":["../a"]}`, "", nil, meta.ErrUnavailable, "which is no repository"},
		{"empty", "nothing is no repository", `{"repositories":[""]}`, "", nil, meta.ErrUnavailable, "which is no repository"},
		{"control characters", "they come quoted", `{"repositories":["a\u001b[2Jb"]}`, "", nil, meta.ErrUnavailable, `"a\x1b[2Jb"`},
		{"huge", "nor is what fills a page", `{"repositories":["` + strings.Repeat("a", 20<<20) + `"]}`, "", nil, meta.ErrUnavailable, "which is no repository"},
		{"huge page", "a page has its bound", `{"repositories":["` + strings.Repeat("a", 33<<20) + `"]}`, "", nil, meta.ErrLimit, "a page of the list of repositories"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			m := newInMemory()
			m.fail = func(r *http.Request) (*http.Response, error) {
				switch {
				case r.URL.Path != "/v2/_catalog":
					return nil, nil
				case r.URL.Query().Get("last") != "":
					return bytesAnswer(r, []byte(`{"repositories":["z"]}`)), nil
				}
				resp := bytesAnswer(r, []byte(c.body))
				if c.link != "" {
					resp.Header.Set("Link", c.link)
				}
				return resp, nil
			}
			got, err := (&xpkg.Client{Transport: m, Keychain: anonymous}).Repositories(t.Context(), "registry.example")
			var names []string
			for _, s := range got {
				names = append(names, s.Repository())
			}
			if c.is != nil {
				checkError(t, err, c.is, c.says)
				if len(err.Error()) > 1000 || strings.ContainsRune(err.Error(), '\x1b') {
					t.Errorf("got an error of %d bytes, %.200q", len(err.Error()), err)
				}
				return
			}
			if err != nil || !slices.Equal(names, c.want) {
				t.Errorf("got %q (%v), want %q: %s", names, err, c.want, c.reason)
			}
		})
	}
}

// A registry that never ends lists neither names nor pages without end.
func TestRepositoriesWithoutEnd(t *testing.T) {
	t.Parallel()
	for what, perPage := range map[string]int{"repositories": 5000, "pages": 0} {
		r := newRegistry(t)
		pages := 0
		r.on("GET v2/_catalog", func(w http.ResponseWriter, _ *http.Request) {
			pages++
			names := make([]string, perPage)
			for i := range names {
				names[i] = fmt.Sprintf("r%d/%d", pages, i)
			}
			w.Header().Set("Link", fmt.Sprintf(`</v2/_catalog?last=%d>; rel="next"`, pages))
			_, _ = w.Write(mustJSON(map[string]any{"repositories": names}))
		})
		_, err := r.client().Repositories(t.Context(), r.host)
		checkError(t, err, meta.ErrLimit, what)
	}
}

func TestRepositoriesOfNoRegistry(t *testing.T) {
	for text, reason := range map[string]string{
		"":                    "nothing",
		"org":                 "a repository of the default registry",
		"ghcr.io/org":         "a repository",
		"ghcr.io:v1/x":        "a port that is none",
		"https://ghcr.io":     "an address",
		"gh\x1bcr.io":         "a control character",
		"ghcr.io/":            "a slash too many",
		"user:secret@ghcr.io": "credentials",
	} {
		_, err := (&xpkg.Client{Transport: newInMemory(), Keychain: anonymous}).Repositories(t.Context(), text)
		checkError(t, err, meta.ErrInvalid, "a registry")
		if strings.ContainsRune(err.Error(), '\x1b') {
			t.Errorf("%s: got %q", reason, err)
		}
	}
}

// A token for the catalog is one of the registry and not of a repository, and the
// credentials are those of the registry.
func TestRepositoriesWithAToken(t *testing.T) {
	t.Parallel()
	r := newRegistry(t)
	r.put(t, "org/package:v1", pkg())
	var scopes []string
	r.on("GET v2/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer realm="http://`+r.host+`/token",service="x"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	r.on("GET /token", func(w http.ResponseWriter, q *http.Request) {
		scopes = append(scopes, q.URL.Query()["scope"]...)
		_, _ = w.Write([]byte(`{"token":"t"}`))
	})
	got, err := r.client().Repositories(t.Context(), r.host)
	if err != nil || len(got) != 1 || !slices.Equal(scopes, []string{"registry:catalog:*"}) {
		t.Errorf("got %q (%v) with a token for %q", texts(got), err, scopes)
	}
}
