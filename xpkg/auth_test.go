package xpkg_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-containerregistry/pkg/authn"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// guard makes the registry want the password of the user me, by the scheme basic
// or, with a token that a service of another host gives for it, bearer.
func (m *inMemory) guard(scheme string, password *atomic.Value) {
	token := func() string { return fmt.Sprintf("token-for-%s", password.Load()) }
	m.fail = func(r *http.Request) (*http.Response, error) {
		user, given, _ := r.BasicAuth()
		right := user == "me" && given == password.Load()
		switch {
		case r.URL.Host == "auth.example" && right:
			return jsonAnswer(r, map[string]string{"token": token()}), nil
		case r.URL.Host == "auth.example":
			return answer(r, http.StatusUnauthorized), nil
		case scheme == "basic" && right, scheme == "bearer" && r.Header.Get("Authorization") == "Bearer "+token():
			return nil, nil
		case scheme == "basic":
			return answer(r, http.StatusUnauthorized, "WWW-Authenticate", `Basic realm="x"`), nil
		}
		return answer(r, http.StatusUnauthorized, "WWW-Authenticate", `Bearer realm="https://auth.example/token",service="registry.example"`), nil
	}
}

// passwords is a keychain that counts how often it is asked.
type passwords struct {
	password *atomic.Value
	asked    atomic.Int32
}

func (p *passwords) Resolve(authn.Resource) (authn.Authenticator, error) {
	p.asked.Add(1)
	return authn.FromConfig(authn.AuthConfig{Username: "me", Password: p.password.Load().(string)}), nil
}

// Only what is needed is asked for, and each thing once.
func TestRequestsOfAColdPull(t *testing.T) {
	cases := []struct {
		name, reason, scheme string
		want                 []string
	}{
		{"open", "one request that tells that nothing is wanted", "", []string{"GET ping", "GET manifest", "GET blob"}},
		{"basic", "or what is wanted", "basic", []string{"GET ping", "GET manifest", "GET blob"}},
		{"bearer", "and one for a token", "bearer", []string{"GET ping", "GET /token", "GET manifest", "GET blob"}},
	}
	for _, c := range cases {
		for _, cache := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s cache %t", c.name, cache), func(t *testing.T) {
				m := newInMemory()
				m.put(t, imageOf(layerOf(file{name: "a"}), baseOf(file{name: "package.yaml", content: packageYAML}), layerOf(file{name: "b"})))
				var password atomic.Value
				password.Store("secret")
				if c.scheme != "" {
					m.guard(c.scheme, &password)
				}
				keys := &passwords{password: &password}
				client := &xpkg.Client{Transport: m, Keychain: keys}
				if cache {
					client.Cache = xpkg.OpenCache(t.TempDir(), nil)
				}
				if err := image(t.Context(), t, client); err != nil {
					t.Fatal(err)
				}
				if got := m.took(); !slices.Equal(got, c.want) {
					t.Errorf("got the requests %q, want %q: %s", got, c.want, c.reason)
				}
				// Again, the registry is known.
				if err := image(t.Context(), t, client); err != nil {
					t.Fatal(err)
				}
				want := []string{"GET manifest", "GET blob"}
				if cache {
					want = nil
				}
				if got := m.took(); !slices.Equal(got, want) {
					t.Errorf("again: got the requests %q, want %q", got, want)
				}
				if n := keys.asked.Load(); n != 1 {
					t.Errorf("the keychain was asked %d times", n)
				}
			})
		}
	}
}

// Credentials that have changed are looked up once more, and then what was
// refused works; those that have not are not tried again.
func TestCredentialsThatExpire(t *testing.T) {
	for _, scheme := range []string{"basic", "bearer"} {
		for _, op := range operations {
			if op.request == "GET ping" || strings.Contains(op.request, "upload") {
				continue
			}
			t.Run(scheme+" "+op.request, func(t *testing.T) {
				m := newInMemory()
				m.put(t, pkg())
				var password, known atomic.Value
				password.Store("old")
				known.Store("old")
				m.guard(scheme, &password)
				keys := &passwords{password: &known}
				client := &xpkg.Client{Transport: m, Keychain: keys}
				if op.request == "HEAD manifest" {
					client.Cache, client.Pull = xpkg.OpenCache(t.TempDir(), nil), xpkg.PullAlways
				}
				do := func() error { return op.do(t.Context(), t, client) }
				if err := do(); err != nil {
					t.Fatal(err)
				}
				password.Store("new")
				m.took()
				asked := keys.asked.Load()
				err := do()
				checkError(t, err, meta.ErrUnauthorized, "registry.example", "Client.Keychain")
				checkSaysNot(t, err, "old")
				if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Reason != xpkg.RegistryUnauthorized {
					t.Errorf("got %#v", err)
				}
				// A push has a session of its own; nothing else begins one with
				// credentials that were refused.
				sessions := int32(0)
				if op.request == "HEAD blob" || op.request == "PUT manifest" {
					sessions = 1
				}
				pings := int32(0)
				for _, q := range m.took() {
					if q == "GET ping" {
						pings++
					}
				}
				if n := keys.asked.Load() - asked; n != sessions+1 && !(scheme == "bearer" && n == sessions) || pings != sessions {
					t.Errorf("the keychain was asked %d times, and %d sessions were begun", n, pings)
				}
				known.Store("new")
				if err := do(); err != nil {
					t.Errorf("with the new password: %v", err)
				}
			})
		}
	}
}

// What is kept for each repository is bounded.
func TestSessionsAreBounded(t *testing.T) {
	m := newInMemory()
	m.fail = func(r *http.Request) (*http.Response, error) {
		if about(r) == "GET tags" {
			return jsonAnswer(r, map[string]any{"tags": []string{"v1"}}), nil
		}
		return nil, nil
	}
	client := &xpkg.Client{Transport: m, Keychain: anonymous}
	list := func(n int) (pings int) {
		source, err := meta.ParseSource(fmt.Sprintf("registry.example/org/package-%d", n))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := client.Tags(t.Context(), source); err != nil {
			t.Fatal(err)
		}
		for _, q := range m.took() {
			if q == "GET ping" {
				pings++
			}
		}
		return pings
	}
	for n := range 1000 {
		if list(n) != 1 {
			t.Fatalf("repository %d is not asked how it authenticates", n)
		}
	}
	if list(0) != 0 {
		t.Error("the first of 1000 repositories is not known any more")
	}
	if list(1000) != 1 || list(0) != 1 {
		t.Error("the first of 1001 repositories is still known")
	}
}

// An error says where credentials came from, or where they were looked for.
func TestHintsAboutCredentials(t *testing.T) {
	var password atomic.Value
	password.Store("right")
	docker := func(dir string) string { return filepath.Join(dir, ".docker", "config.json") }
	cases := []struct {
		name, reason string
		file         string
		keychain     authn.Keychain
		says         []string
	}{
		{"none", "all files that were looked at", "", nil, []string{".docker", "auth.json", "docker login"}},
		{"file", "the file that they are from", auths("registry.example", "me"), nil, []string{"they are from ", ".docker", "log in again"}},
		{"keychain", "somebody else's keychain", "", keychain{host: "registry.example", auth: &authn.Basic{Username: "me", Password: "wrong"}}, []string{"they are from Client.Keychain"}},
		{"keychain without", "which has none", "", anonymous, []string{"Client.Keychain has none for registry.example"}},
	}
	for _, scheme := range []string{"basic", "bearer"} {
		for _, c := range cases {
			t.Run(scheme+" "+c.name, func(t *testing.T) {
				dir := home(t)
				if c.file != "" {
					writeFile(t, docker(dir), c.file)
				}
				m := newInMemory()
				m.guard(scheme, &password)
				err := image(t.Context(), t, &xpkg.Client{Transport: m, Keychain: c.keychain})
				checkError(t, err, meta.ErrUnauthorized, append(c.says, "registry.example", "401")...)
				checkSaysNot(t, err, "wrong")
				checkSaysNot(t, err, "of me")
				if e := (*xpkg.RegistryError)(nil); !errors.As(err, &e) || e.Hint == "" {
					t.Errorf("got no hint: %s", c.reason)
				}
			})
		}
	}
	t.Run("keychain that fails", func(t *testing.T) {
		err := image(t.Context(), t, &xpkg.Client{Transport: unreachable{t}, Keychain: brokenKeychain{}})
		checkError(t, err, meta.ErrInvalid, "Client.Keychain", "out of order")
		if e := (*xpkg.CredentialsError)(nil); !errors.As(err, &e) {
			t.Errorf("got %#v", err)
		}
	})
}

type brokenKeychain struct{}

func (brokenKeychain) Resolve(authn.Resource) (authn.Authenticator, error) {
	return nil, errors.New("out of order")
}

// redirecting sends one request of a guarded registry on to somewhere else, which
// notes what it is given.
func TestCredentialsAreNotRedirected(t *testing.T) {
	const elsewhere = "cdn.example"
	cases := []struct {
		name, reason, to string
		given            bool // the credentials
	}{
		{"host", "another host", "https://cdn.example/x", false},
		{"port", "another port", "https://registry.example:8443/x", false},
		{"downgrade", "without TLS", "http://registry.example:80/x", false},
		{"below", "a host below it", "https://x.registry.example/x", false},
		{"same", "the host itself", "https://registry.example/x", true},
	}
	var password atomic.Value
	password.Store("secret")
	for _, scheme := range []string{"basic", "bearer"} {
		for _, op := range operations {
			if op.request == "GET ping" {
				continue
			}
			for _, c := range cases {
				t.Run(scheme+" "+op.request+" "+c.name, func(t *testing.T) {
					m := newInMemory()
					m.put(t, pkg())
					client := &xpkg.Client{Transport: m, Keychain: keychain{host: "registry.example", auth: &authn.Basic{Username: "me", Password: "secret"}}}
					m.guard(scheme, &password)
					if op.request == "HEAD manifest" {
						client.Cache, client.Pull = xpkg.OpenCache(t.TempDir(), nil), xpkg.PullAlways
						if err := image(t.Context(), t, client); err != nil {
							t.Fatal(err)
						}
					}
					guard := m.fail
					arrived := false
					m.fail = func(r *http.Request) (*http.Response, error) {
						if r.URL.Path == "/x" {
							arrived = true
							if given := r.Header.Get("Authorization") != ""; given != c.given || strings.Contains(r.URL.String(), "secret") {
								t.Errorf("%s got the header Authorization: %t, want %t: %s", r.URL, given, c.given, c.reason)
							}
							return answer(r, http.StatusTeapot), nil
						}
						if about(r) == op.request && r.Response == nil {
							return answer(r, http.StatusTemporaryRedirect, "Location", c.to), nil
						}
						return guard(r)
					}
					err := op.do(t.Context(), t, client)
					if err == nil && op.request != "HEAD manifest" {
						t.Error("what is no registry was taken for one")
					}
					// Over plain HTTP layers are fetched alone; an image that is
					// pushed is not sent in the clear.
					if want := c.name != "downgrade" || op.request == "GET blob"; arrived != want {
						t.Errorf("followed: %t, want %t (%v)", arrived, want, err)
					}
				})
			}
		}
	}
	// What is at the other end works without credentials.
	t.Run("layer", func(t *testing.T) {
		i := pkg()
		m := newInMemory()
		m.put(t, i)
		m.guard("bearer", &password)
		guard := m.fail
		m.fail = func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == elsewhere {
				if len(r.Header["Authorization"]) > 0 {
					t.Error("the credentials were redirected")
				}
				return bytesAnswer(r, i.layers[0].blob), nil
			}
			if about(r) == "GET blob" {
				return answer(r, http.StatusTemporaryRedirect, "Location", "https://"+elsewhere+"/x?signature=1"), nil
			}
			return guard(r)
		}
		if err := image(t.Context(), t, &xpkg.Client{Transport: m, Keychain: &passwords{password: &password}}); err != nil {
			t.Error(err)
		}
	})
	t.Run("API without TLS", func(t *testing.T) {
		// Where /v2/ leads, go-containerregistry sends the credentials.
		m := newInMemory()
		m.fail = func(r *http.Request) (*http.Response, error) {
			if r.URL.Scheme == "http" {
				t.Errorf("%s was asked", r.URL)
			}
			return answer(r, http.StatusTemporaryRedirect, "Location", "http://registry.example/v2/"), nil
		}
		err := image(t.Context(), t, &xpkg.Client{Transport: m, Keychain: &passwords{password: &password}})
		checkError(t, err, meta.ErrUnavailable, "redirects", "http")
	})
	t.Run("token", func(t *testing.T) {
		// A refresh token is in the body, which a redirect of this status repeats.
		m := newInMemory()
		m.guard("bearer", &password)
		guard := m.fail
		m.fail = func(r *http.Request) (*http.Response, error) {
			if r.URL.Host == elsewhere {
				t.Error("the token was redirected")
			}
			if r.URL.Host == "auth.example" {
				return answer(r, http.StatusTemporaryRedirect, "Location", "https://"+elsewhere+"/token"), nil
			}
			return guard(r)
		}
		token := keychain{host: "registry.example", auth: authn.FromConfig(authn.AuthConfig{IdentityToken: "secret"})}
		err := image(t.Context(), t, &xpkg.Client{Transport: m, Keychain: token})
		checkError(t, err, meta.ErrUnavailable, "redirects")
		checkSaysNot(t, err, "secret")
	})
	t.Run("private address", func(t *testing.T) {
		for _, to := range []string{
			"169.254.169.254", "127.0.0.1", "[::1]:80", "10.0.0.1", "localhost:5000", "0x7f.1",
			"LOCALHOST", "localhost.", "a.LocalHost.:80", "127.0.0.1.", "10.0.0.1.:443",
			"100.64.0.1", "100.127.255.254", "[64:ff9b::a9fe:a9fe]", "[::ffff:100.100.100.200]", "[fe80::1%25eth0]",
		} {
			m := newInMemory()
			m.put(t, pkg())
			m.fail = func(r *http.Request) (*http.Response, error) {
				if r.URL.Path == "/x" {
					t.Errorf("%s was asked", r.URL)
				}
				if about(r) == "GET blob" {
					return answer(r, http.StatusTemporaryRedirect, "Location", "https://"+to+"/x"), nil
				}
				return nil, nil
			}
			err := image(context.Background(), t, &xpkg.Client{Transport: m, Keychain: anonymous})
			checkError(t, err, meta.ErrUnavailable, "private network")
		}
	})
}
