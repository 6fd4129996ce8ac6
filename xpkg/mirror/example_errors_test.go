package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"

	"github.com/google/go-containerregistry/pkg/registry"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// A name can have one content, so two digests of one name are one too many.
func ExampleMovedError() {
	c := &xpkg.Client{}
	refs := []meta.Reference{
		reference("a.example/org/provider:v1.0.0@sha256:" + strings.Repeat("1", 64)),
		reference("a.example/org/provider:v1.0.0@sha256:" + strings.Repeat("2", 64)),
	}
	// A context that has ended: nothing is asked for.
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToRegistries(c, mirror.Below("registry.internal", refs...)), nil)
	var moved *mirror.MovedError
	if errors.As(err, &moved) {
		fmt.Println(moved.Name, moved.First[:8], moved.Second[:8])
	}
	// Output: a.example/org/provider:v1.0.0 sha256:2 sha256:1
}

// A manifest that does not say what it consists of cannot be copied whole, and so it
// is not copied at all.
func ExampleManifestError() {
	ctx := context.Background()
	origin, stop := startRegistry("")
	defer stop()
	source, err := meta.ParseSource(origin + "/org/provider")
	if err != nil {
		log.Fatal(err)
	}
	c := &xpkg.Client{}
	r, err := c.Repository(source)
	if err != nil {
		log.Fatal(err)
	}
	m, err := xpkg.NewRawManifest([]byte(`{"schemaVersion": 2, "mediaType": "application/vnd.oci.image.manifest.v1+json", "layers": [{}]}`), "")
	if err != nil {
		log.Fatal(err)
	}
	if err := r.PutManifest(ctx, "v1.0.0", m); err != nil {
		log.Fatal(err)
	}
	refs := []meta.Reference{reference(origin + "/org/provider:v1.0.0")}
	rules := []meta.Rewrite{{From: origin + "/", To: origin + "/mirror/"}}
	_, err = mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToRegistries(c, rules), nil)
	var manifest *mirror.ManifestError
	if errors.As(err, &manifest) {
		fmt.Println(manifest.Digest == m.Digest, manifest.Reason)
	}
	// Output: true layers[0] has the digest "", expected one such as sha256:…
}

// What a registry says that it has under a name is compared with what was written.
func ExampleWrittenError() {
	ctx := context.Background()
	origin, stop := startRegistry("org/provider:v1.0.0")
	defer stop()
	forgetful := httptest.NewServer(&liar{Handler: registry.New(registry.Logger(log.New(io.Discard, "", 0))), digest: "sha256:" + strings.Repeat("0", 64)})
	defer forgetful.Close()
	to := strings.TrimPrefix(forgetful.URL, "http://")

	c := &xpkg.Client{}
	refs := []meta.Reference{reference(origin + "/org/provider:v1.0.0")}
	rules := []meta.Rewrite{{From: origin + "/", To: to + "/"}}
	_, err := mirror.Copy(ctx, refs, mirror.FromRegistries(c), mirror.ToRegistries(c, rules), nil)
	var written *mirror.WrittenError
	if errors.As(err, &written) {
		fmt.Println(strings.TrimPrefix(written.Name, to), "has", written.Got[:8])
	}
	fmt.Println(errors.Is(err, meta.ErrDigest))
	// Output:
	// /org/provider:v1.0.0 has sha256:0
	// true
}

// liar is a registry that tells another digest of a name once it was written.
type liar struct {
	http.Handler
	digest  string
	written atomic.Bool
}

func (l *liar) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	named := strings.HasSuffix(r.URL.Path, "/manifests/v1.0.0")
	if named && l.written.Load() && r.Method == http.MethodHead {
		w.Header().Set("Docker-Content-Digest", l.digest)
		w.Header().Set("Content-Type", "application/vnd.oci.image.manifest.v1+json")
		return
	}
	if named && r.Method == http.MethodPut {
		l.written.Store(true)
	}
	l.Handler.ServeHTTP(w, r)
}
