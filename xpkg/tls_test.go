package xpkg_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// serveTLS serves a registry with a certificate for example.com that no system
// trusts. It returns its address and its authority.
func serveTLS(t *testing.T, handler http.Handler) (address string, authority []byte) {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String(), pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
}

// dialing is a transport that finds every host at one address.
func dialing(t *testing.T, address string) *http.Transport {
	rt := &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, address)
	}}
	t.Cleanup(rt.CloseIdleConnections)
	return rt
}

// everyCall makes every call of a client that a registry answers: a list, a
// manifest and a layer, a HEAD, and a push.
func everyCall(t *testing.T, host string, client func() *xpkg.Client) map[string]error {
	t.Helper()
	ref := host + "/org/package:v1"
	source, err := meta.ParseSource(host + "/org/package")
	if err != nil {
		t.Fatal(err)
	}
	_, list := client().Tags(t.Context(), source)
	_, get := get(t, client(), ref)
	_, push := client().Push(t.Context(), ref+"-new", variant("new").image(t))
	c := client()
	c.Cache, c.Pull = xpkg.OpenCache(t.TempDir(), nil), xpkg.PullAlways
	_, head := c.Image(t.Context(), ref, nil)
	if head == nil {
		_, head = c.Image(t.Context(), ref, nil)
	}
	return map[string]error{"list": list, "get": get, "head": head, "push": push}
}

func TestCACerts(t *testing.T) {
	r := newRegistry(t)
	r.put(t, "org/package:v1", pkg())
	address, authority := serveTLS(t, r.server.Config.Handler)
	const host = "example.com"
	for call, err := range everyCall(t, host, func() *xpkg.Client {
		return &xpkg.Client{Transport: dialing(t, address), Keychain: anonymous}
	}) {
		var e *xpkg.RegistryError
		if !errors.As(err, &e) || e.Reason != xpkg.RegistryTLS || !errors.Is(err, meta.ErrUnavailable) || !strings.Contains(e.Hint, "CACerts") {
			t.Errorf("%s without the authority: got %v", call, err)
		}
	}
	transport := dialing(t, address)
	for call, err := range everyCall(t, host, func() *xpkg.Client {
		return &xpkg.Client{Transport: transport, Keychain: anonymous, CACerts: slices.Concat([]byte("Our authority:\n"), authority)}
	}) {
		if err != nil {
			t.Errorf("%s with the authority: got %v", call, err)
		}
	}
	if transport.TLSClientConfig != nil {
		t.Error("the transport of the caller was changed")
	}
	// Authorities of the transport stay.
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(authority)
	own := dialing(t, address)
	own.TLSClientConfig = &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}
	for call, err := range everyCall(t, host, func() *xpkg.Client {
		return &xpkg.Client{Transport: own, Keychain: anonymous, CACerts: otherAuthority(t)}
	}) {
		if err != nil {
			t.Errorf("%s with the authority in the transport: got %v", call, err)
		}
	}
}

// otherAuthority signs nothing here.
func otherAuthority(t *testing.T) []byte {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{SerialNumber: big.NewInt(1), IsCA: true, BasicConstraintsValid: true}
	raw, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})
}

func TestCACertsThatAreNone(t *testing.T) {
	_, authority := serveTLS(t, http.NotFoundHandler())
	own := &http.Transport{DialTLSContext: func(context.Context, string, string) (net.Conn, error) { return nil, errors.New("no") }}
	broken := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: []byte("no certificate")})
	key := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: []byte("secret")})
	cases := []struct {
		name, reason string
		client       *xpkg.Client
		says         string
	}{
		{"empty", "a file that was empty is not no file", &xpkg.Client{CACerts: []byte{}}, "no certificate"},
		{"text", "no PEM", &xpkg.Client{CACerts: []byte("certificate")}, "no certificate"},
		{"key", "a key", &xpkg.Client{CACerts: key}, "no certificate"},
		{"broken", "PEM of something else, behind one that is right", &xpkg.Client{CACerts: slices.Concat(authority, broken)}, "PEM block 2 is no certificate"},
		{"transport", "one that nothing can be added to", &xpkg.Client{CACerts: authority, Transport: unreachable{t}}, "package net/http"},
		{"TLS of its own", "one that would not look at them", &xpkg.Client{CACerts: authority, Transport: own}, "TLS"},
	}
	for _, c := range cases {
		// A cache, whose own fields are looked at too, does not change that.
		for name, cache := range map[string]*xpkg.Cache{"": nil, " with a cache": xpkg.OpenCache(t.TempDir(), nil)} {
			t.Run(c.name+name, func(t *testing.T) {
				for call, err := range everyCall(t, "registry.example", func() *xpkg.Client {
					return &xpkg.Client{CACerts: c.client.CACerts, Transport: c.client.Transport, Cache: cache}
				}) {
					if err == nil {
						t.Fatalf("%s: got no error: %s", call, c.reason)
					}
					checkError(t, err, meta.ErrInvalid, "CACerts", c.says)
					if code := meta.Code(err); code != "invalid" {
						t.Errorf("%s: got the code %q", call, code)
					}
				}
			})
		}
	}
}

// proxy is an HTTP proxy that leads everywhere to two servers: requests in the
// clear to one, tunnels to the other. It notes what it was asked for.
type proxy struct {
	plain, tunnel string

	mu    sync.Mutex
	asked []string
}

func (p *proxy) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	p.mu.Lock()
	p.asked = append(p.asked, q.Method+" "+q.Host)
	p.mu.Unlock()
	if q.Method != http.MethodConnect {
		out := q.Clone(q.Context())
		out.RequestURI, out.URL.Host = "", p.plain
		resp, err := http.DefaultTransport.RoundTrip(out)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer resp.Body.Close()
		for key, values := range resp.Header {
			w.Header()[key] = values
		}
		w.WriteHeader(resp.StatusCode)
		_, _ = io.Copy(w, resp.Body)
		return
	}
	to, err := net.Dial("tcp", p.tunnel)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.WriteHeader(http.StatusOK)
	from, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		_ = to.Close()
		return
	}
	go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
	go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
}

// TestProxyOfTheEnvironment runs its calls in a child process: net/http reads the
// environment once.
func TestProxyOfTheEnvironment(t *testing.T) {
	const child = "XPKG_TEST_BEHIND_PROXY"
	hosts := map[string]string{"http": "registry.example:5000", "https": "example.com"}
	if scheme := os.Getenv(child); scheme != "" {
		authority, err := os.ReadFile(os.Getenv("XPKG_TEST_AUTHORITY"))
		if err != nil {
			t.Fatal(err)
		}
		for call, err := range everyCall(t, hosts[scheme], func() *xpkg.Client {
			return &xpkg.Client{Keychain: anonymous, CACerts: authority, PlainHTTP: []string{hosts["http"]}}
		}) {
			if err != nil {
				t.Errorf("%s: %v", call, err)
			}
		}
		return
	}
	for scheme, want := range map[string][]string{
		"http":  {"GET registry.example:5000", "HEAD registry.example:5000", "POST registry.example:5000", "PUT registry.example:5000"},
		"https": {"CONNECT example.com:443"},
	} {
		t.Run(scheme, func(t *testing.T) {
			r := newRegistry(t) // what one has been sent is not sent again
			r.put(t, "org/package:v1", pkg())
			address, authority := serveTLS(t, r.server.Config.Handler)
			file := writeTemp(t, "authority.pem", authority)
			p := &proxy{plain: r.host, tunnel: address}
			if scheme == "http" {
				p.tunnel = "127.0.0.1:1" // nobody listens there
			}
			server := httptest.NewServer(p)
			defer server.Close()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestProxyOfTheEnvironment$", "-test.v")
			cmd.Env = append(os.Environ(), child+"="+scheme, "XPKG_TEST_AUTHORITY="+file,
				"HTTP_PROXY="+server.URL, "HTTPS_PROXY="+server.URL, "http_proxy="+server.URL, "https_proxy="+server.URL, "NO_PROXY=", "no_proxy=")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			p.mu.Lock()
			defer p.mu.Unlock()
			for _, w := range want {
				if !slices.Contains(p.asked, w) {
					t.Errorf("the proxy was not asked for %s, but for %q", w, p.asked)
				}
			}
		})
	}
}

// SSL_CERT_FILE goes on to count, with and without authorities of the client.
func TestCertificatesOfTheSystem(t *testing.T) {
	const child = "XPKG_TEST_ADDRESS"
	if address := os.Getenv(child); address != "" {
		for _, authority := range [][]byte{nil, otherAuthority(t)} {
			for call, err := range everyCall(t, "example.com", func() *xpkg.Client {
				return &xpkg.Client{Keychain: anonymous, Transport: dialing(t, address), CACerts: authority}
			}) {
				if err != nil {
					t.Errorf("%s: %v", call, err)
				}
			}
		}
		return
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the certificates of this system are not in files: run the test on Linux")
	}
	r := newRegistry(t)
	r.put(t, "org/package:v1", pkg())
	address, authority := serveTLS(t, r.server.Config.Handler)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestCertificatesOfTheSystem$", "-test.v")
	cmd.Env = append(os.Environ(), child+"="+address, "SSL_CERT_FILE="+writeTemp(t, "system.pem", authority))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
