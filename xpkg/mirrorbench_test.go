package xpkg_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"log"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/internal/parallel"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// BenchmarkMirror copies an image of 96 MB between two registries of this machine. Beside it
// stands the least that a mirror which believes nothing can do: every blob is asked for,
// hashed on the way and sent on in one upload, as many at once, and nothing is asked before
// or after; and what go-containerregistry's client (which crane is made of) and skopeo
// do. They take turns, so that what else happens on the machine happens to all; the figures are the
// medians in milliseconds.
//
//	go test -run='^$' -bench=Mirror -benchtime=9x ./xpkg
func BenchmarkMirror(b *testing.B) {
	random := rand.NewChaCha8([32]byte{})
	var layers []testLayer
	for range 6 {
		layer := make([]byte, 16<<20)
		_, _ = random.Read(layer)
		layers = append(layers, testLayer{blob: layer})
	}
	image := &testImage{layers: layers, config: mustJSON(map[string]any{
		"architecture": "amd64", "os": "linux", "rootfs": map[string]any{"type": "layers", "diff_ids": diffIDs(layers)},
	})}
	b.Run("memory", func(b *testing.B) {
		// It knows blobs by their digests alone, whichever repository they are of.
		benchMirror(b, image, newRegistry(b).host, func(turn string) (benchTarget, func()) {
			server := httptest.NewServer(registry.New(registry.Logger(log.New(io.Discard, "", 0))))
			return benchTarget{host: strings.TrimPrefix(server.URL, "http://"), path: turn}, server.Close
		})
	})
	b.Run("docker-registry", func(b *testing.B) {
		to := startDockerRegistry(b, registrySetup{}).host
		benchMirror(b, image, startDockerRegistry(b, registrySetup{}).host, func(turn string) (benchTarget, func()) {
			return benchTarget{host: to, path: turn}, func() {}
		})
	})
}

// benchTarget is a path of a registry below which there is nothing yet.
type benchTarget struct{ host, path string }

// ref names the image there.
func (t benchTarget) ref() string { return t.host + "/" + t.path + "/p:v1.0.0" }

// url is what the image's repository is asked for.
func (t benchTarget) url(what string) string {
	return "http://" + t.host + "/v2/" + t.path + "/p/" + what
}

// diffIDs are those of layers that are no archives: nobody looks into them.
func diffIDs(layers []testLayer) (all []string) {
	for _, l := range layers {
		all = append(all, digestOf(l.blob).String())
	}
	return all
}

func benchMirror(b *testing.B, image *testImage, from string, start func(turn string) (to benchTarget, stop func())) {
	client := &xpkg.Client{Keychain: anonymous}
	if _, err := client.Push(b.Context(), from+"/org/p:v1.0.0", image.image(b)); err != nil {
		b.Fatal(err)
	}
	ref, err := meta.ParseReference(from + "/org/p:v1.0.0")
	if err != nil {
		b.Fatal(err)
	}
	refs := []meta.Reference{ref}
	into := func(to *mirror.Target) error {
		_, err := mirror.Copy(b.Context(), refs, mirror.FromRegistries(client), to, nil)
		return err
	}
	manifest, blobs := image.manifest(), []string{digestOf(image.config).String()}
	for _, l := range image.layers {
		blobs = append(blobs, digestOf(l.blob).String())
	}
	dir := b.TempDir()
	packed := filepath.Join(dir, "packed.tar")
	if err := into(mirror.ToFile(packed)); err != nil {
		b.Fatal(err)
	}
	ways := []struct {
		name string
		copy func(to benchTarget) error
	}{
		{"sdk", func(to benchTarget) error {
			return into(mirror.ToRegistries(client, mirror.Below(to.host+"/"+to.path, refs...)))
		}},
		{"least", func(to benchTarget) error { return relay(b.Context(), from, to, blobs, manifest, sha256.New) }},
		{"unseen", func(to benchTarget) error { return relay(b.Context(), from, to, blobs, manifest, nil) }},
		{"ggcr", func(to benchTarget) error { return conventional(b.Context(), ref.Name(), to.ref()) }},
		{"skopeo", func(to benchTarget) error {
			skopeoCopy(b, "docker://"+ref.Name(), "docker://"+to.ref())
			return nil
		}},
		{"sdk-directory", func(to benchTarget) error { return into(mirror.ToDirectory(filepath.Join(dir, to.path))) }},
		{"skopeo-directory", func(to benchTarget) error {
			skopeoCopy(b, "docker://"+ref.Name(), "oci:"+filepath.Join(dir, to.path)+":v1.0.0")
			return nil
		}},
		{"sdk-file", func(to benchTarget) error { return into(mirror.ToFile(filepath.Join(dir, to.path+".tar"))) }},
		{"skopeo-file", func(to benchTarget) error {
			skopeoCopy(b, "docker://"+ref.Name(), "oci-archive:"+filepath.Join(dir, to.path+".tar")+":v1.0.0")
			return nil
		}},
		{"sdk-from-file", func(to benchTarget) error {
			l, err := xpkg.OpenLayout(b.Context(), packed, nil)
			if err != nil {
				return err
			}
			_, err = mirror.Copy(b.Context(), refs, mirror.FromLayout(l), mirror.ToRegistries(client, mirror.Below(to.host+"/"+to.path, refs...)), nil)
			return err
		}},
		{"skopeo-from-file", func(to benchTarget) error {
			skopeoCopy(b, "oci-archive:"+packed+":"+ref.Name(), "docker://"+to.ref())
			return nil
		}},
	}
	took := make([][]time.Duration, len(ways))
	for round := 0; b.Loop(); round++ {
		for n := range ways {
			i := (n + round) % len(ways) // none always comes behind the same
			w := ways[i]
			to, stop := start(fmt.Sprintf("%s-%d", w.name, round))
			runtime.GC() // of what the way before left
			began := time.Now()
			err := w.copy(to)
			took[i] = append(took[i], time.Since(began))
			stop()
			_ = os.RemoveAll(filepath.Join(dir, to.path))
			_ = os.RemoveAll(filepath.Join(dir, to.path+".tar"))
			if err != nil {
				b.Fatal(fmt.Errorf("%s: %w", w.name, err))
			}
		}
	}
	b.ReportMetric(0, "ns/op") // of all together says nothing
	for i, w := range ways {
		slices.Sort(took[i])
		b.ReportMetric(float64(took[i][len(took[i])/2].Milliseconds()), w.name+"-ms")
	}
}

// relay sends on blobs, a few at a time, and a manifest.
func relay(ctx context.Context, from string, to benchTarget, blobs []string, manifest []byte, h func() hash.Hash) error {
	for _, err := range parallel.Each(ctx, len(blobs), mirror.DefaultParallel, func(ctx context.Context, n int) error {
		return relayBlob(ctx, from, to, blobs[n], h)
	}) {
		if err != nil {
			return err
		}
	}
	_, err := request(ctx, http.MethodPut, to.url("manifests/v1.0.0"), string(types.OCIManifestSchema1), int64(len(manifest)), bytes.NewReader(manifest), http.StatusCreated)
	return err
}

// relayBlob sends on one blob, and looks at it with a hash if there is one.
func relayBlob(ctx context.Context, from string, to benchTarget, digest string, h func() hash.Hash) error {
	got, err := request(ctx, http.MethodGet, "http://"+from+"/v2/org/p/blobs/"+digest, "", 0, nil, http.StatusOK)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	var body io.Reader = got.Body
	var sum hash.Hash
	if h != nil {
		sum = h()
		body = io.TeeReader(body, sum)
	}
	begun, err := request(ctx, http.MethodPost, to.url("blobs/uploads/"), "", 0, nil, http.StatusAccepted)
	if err != nil {
		return err
	}
	location, err := begun.Location()
	if err != nil {
		return err
	}
	query := location.Query()
	query.Set("digest", digest)
	location.RawQuery = query.Encode()
	if _, err := request(ctx, http.MethodPut, location.String(), "application/octet-stream", got.ContentLength, body, http.StatusCreated); err != nil {
		return err
	}
	if sum != nil && "sha256:"+hex.EncodeToString(sum.Sum(nil)) != digest {
		return fmt.Errorf("%s: other bytes came", digest)
	}
	return nil
}

// request makes a request; the body of the answer is closed unless it is a GET's.
func request(ctx context.Context, method, url, contentType string, size int64, body io.Reader, want int) (*http.Response, error) {
	q, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	if q.ContentLength = size; contentType != "" {
		q.Header.Set("Content-Type", contentType)
	}
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != want || method != http.MethodGet {
		_ = resp.Body.Close()
	}
	if resp.StatusCode != want {
		return nil, fmt.Errorf("%s %s: %s", method, url, resp.Status)
	}
	return resp, nil
}

// conventional copies an image as crane does.
func conventional(ctx context.Context, from, to string) error {
	source, err := name.ParseReference(from)
	if err != nil {
		return err
	}
	target, err := name.ParseReference(to)
	if err != nil {
		return err
	}
	d, err := remote.Get(source, remote.WithContext(ctx))
	if err != nil {
		return err
	}
	img, err := d.Image()
	if err != nil {
		return err
	}
	return remote.Write(target, img, remote.WithContext(ctx), remote.WithJobs(mirror.DefaultParallel))
}
