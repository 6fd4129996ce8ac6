package xpkg_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"log"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/xpkg"
)

// peer returns the path of a program that the tests speak with, or skips.
func peer(t testing.TB, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		t.Skipf("%s is not installed: apt-get install docker-registry skopeo", program)
	}
	return path
}

// dockerRegistry is the registry of the distribution project, as Debian packages
// it, on the loopback.
type dockerRegistry struct {
	host      string
	client    *xpkg.Client
	transport *http.Transport
	requests  *requests
	data      string // the directory where it keeps everything
	certs     string // the directory with the authority's ca.crt, "" without TLS
}

// The user that a registry with auth knows. Of its password the registry takes
// a bcrypt hash and nothing else.
const (
	registryUser     = "crossplane"
	registryPassword = "secret"
	registryHtpasswd = registryUser + ":$2a$04$Xdv9WiXuynoHf2yfmIVrrOqBV5JTjxr0mkAEq4xfyBOi79qsa6hPu\n"
)

// registrySetup is how a docker-registry differs from a plain one.
type registrySetup struct {
	auth bool // ask for registryUser
	tls  bool // with a certificate of an authority that only the test knows
}

var listening = regexp.MustCompile(`listening on ([0-9.:]+)`)

func startDockerRegistry(t testing.TB, s registrySetup) *dockerRegistry {
	t.Helper()
	program := peer(t, "docker-registry")
	dir := t.TempDir()
	r := &dockerRegistry{transport: &http.Transport{}, data: filepath.Join(dir, "data")}
	server := map[string]any{"addr": "127.0.0.1:0", "secret": "of no use to others"}
	config := map[string]any{
		"version": "0.1",
		"log":     map[string]any{"level": "info", "accesslog": map[string]any{"disabled": true}},
		"storage": map[string]any{
			"filesystem":  map[string]any{"rootdirectory": r.data},
			"delete":      map[string]any{"enabled": true},
			"maintenance": map[string]any{"uploadpurging": map[string]any{"enabled": false}},
		},
		"http": server,
	}
	if s.auth {
		passwords := writeTemp(t, "htpasswd", []byte(registryHtpasswd))
		config["auth"] = map[string]any{"htpasswd": map[string]any{"realm": "test", "path": passwords}}
	}
	if s.tls {
		a := newAuthority(t)
		r.certs = a.dir
		r.transport.TLSClientConfig = &tls.Config{RootCAs: a.pool, MinVersion: tls.VersionTLS12}
		server["tls"] = map[string]any{"certificate": a.certificate, "key": a.key}
	}
	// JSON is YAML.
	cmd := exec.Command(program, "serve", writeTemp(t, "config.yml", mustJSON(config)))
	cmd.Env = []string{"HOME=" + dir} // variables may overrule the configuration
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := func() { _ = cmd.Process.Kill() }
	drained := make(chan struct{})
	t.Cleanup(func() {
		r.transport.CloseIdleConnections()
		kill()
		<-drained
		_ = cmd.Wait()
	})
	// The system chooses the port, and the log says which. A registry that never
	// says so is given up.
	late := time.AfterFunc(time.Minute, kill)
	defer late.Stop()
	var said strings.Builder
	lines := bufio.NewScanner(stderr)
	for r.host == "" && lines.Scan() {
		said.WriteString(lines.Text() + "\n")
		if m := listening.FindStringSubmatch(lines.Text()); m != nil {
			r.host = m[1]
		}
	}
	go func() {
		defer close(drained)
		_, _ = io.Copy(io.Discard, stderr)
	}()
	if r.host == "" {
		t.Fatalf("docker-registry does not listen: %s", said.String())
	}
	r.requests = &requests{next: r.transport}
	r.client = &xpkg.Client{Transport: r.requests}
	return r
}

// push stores an image by Client.Push and returns its reference.
func (r *dockerRegistry) push(t testing.TB, name string, img v1.Image) string {
	t.Helper()
	ref := r.host + "/" + name
	want, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := r.client.Push(t.Context(), ref, img); err != nil || got != want.String() {
		t.Fatalf("pushing %s: got %s (%v), want %s", ref, got, err, want)
	}
	return ref
}

// pushIndex stores an index with the images that it lists.
func (r *dockerRegistry) pushIndex(t testing.TB, name string, x *testIndex) string {
	t.Helper()
	repo, tag, _ := strings.Cut(name, ":")
	for _, i := range x.images {
		r.push(t, repo+"@"+i.digest().String(), i.image(t))
	}
	for _, child := range x.children {
		r.pushIndex(t, repo+":"+digestOf(child.raw()).String(), child)
	}
	r.send(t, http.MethodPut, "/v2/"+repo+"/manifests/"+tag, string(types.OCIImageIndex), x.raw())
	return r.host + "/" + name
}

func (r *dockerRegistry) send(t testing.TB, method, path, contentType string, body []byte) {
	t.Helper()
	send(t, r.transport, method, "http://"+r.host+path, contentType, body)
}

// tag gives many tags to a manifest that the registry has, by writing them where
// it looks for them: each is a quick request, and a thousand are not.
func (r *dockerRegistry) tag(t testing.TB, repo string, digest v1.Hash, tags []string) {
	t.Helper()
	for _, tag := range tags {
		dir := filepath.Join(r.data, "docker/registry/v2/repositories", repo, "_manifests/tags", tag, "current")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "link"), []byte(digest.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// behind starts a proxy that changes the registry's answers and returns its
// host. A body that is shorter than the answer says breaks the connection.
func (r *dockerRegistry) behind(t testing.TB, change func(*http.Response) error) (host string) {
	t.Helper()
	proxy := httptest.NewUnstartedServer(&httputil.ReverseProxy{
		Rewrite:        func(q *httputil.ProxyRequest) { q.SetURL(&url.URL{Scheme: "http", Host: r.host}) },
		Transport:      r.transport,
		ModifyResponse: change,
		ErrorLog:       log.New(io.Discard, "", 0),
	})
	proxy.Config.ErrorLog = log.New(io.Discard, "", 0)
	proxy.Start()
	t.Cleanup(func() {
		r.transport.CloseIdleConnections()
		proxy.Close()
	})
	return strings.TrimPrefix(proxy.URL, "http://")
}

// readCloser joins a reader with what closes it.
type readCloser struct {
	io.Reader
	io.Closer
}

// requests notes what a client asks for, the API's root aside.
type requests struct {
	next http.RoundTripper

	mu   sync.Mutex
	seen []string // method and end of the path, "GET manifests/v1"
}

func (q *requests) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Path != "/v2/" {
		parts := strings.Split(r.URL.Path, "/")
		q.mu.Lock()
		q.seen = append(q.seen, r.Method+" "+strings.Join(parts[max(0, len(parts)-2):], "/"))
		q.mu.Unlock()
	}
	return q.next.RoundTrip(r)
}

// took returns the requests since the last call.
func (q *requests) took() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	seen := q.seen
	q.seen = nil
	return seen
}

// authority is a certificate authority with one certificate, for the loopback.
type authority struct {
	dir              string // holds ca.crt and nothing else
	certificate, key string // files of the server
	pool             *x509.CertPool
}

func newAuthority(t testing.TB) *authority {
	t.Helper()
	certify := func(template, parent *x509.Certificate, key, by *ecdsa.PrivateKey) []byte {
		b, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, by)
		if err != nil {
			t.Fatal(err)
		}
		return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: b})
	}
	newKey := func() *ecdsa.PrivateKey {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	from, until := time.Now().Add(-time.Hour), time.Now().Add(24*time.Hour)
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: from, NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	server := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: from, NotAfter: until,
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage:    x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	caKey, serverKey := newKey(), newKey()
	private, err := x509.MarshalPKCS8PrivateKey(serverKey)
	if err != nil {
		t.Fatal(err)
	}
	root := certify(ca, ca, caKey, caKey)
	a := &authority{
		dir:         t.TempDir(),
		certificate: writeTemp(t, "server.crt", certify(server, ca, serverKey, caKey)),
		key:         writeTemp(t, "server.key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
		pool:        x509.NewCertPool(),
	}
	if !a.pool.AppendCertsFromPEM(root) {
		t.Fatal("the authority's certificate cannot be read")
	}
	if err := os.WriteFile(filepath.Join(a.dir, "ca.crt"), root, 0o666); err != nil {
		t.Fatal(err)
	}
	return a
}
