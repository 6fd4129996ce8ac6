package mirror_test

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"testing"

	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// BenchmarkCopy mirrors an image of 96 MB between two registries of one machine. Beside it
// stands what the registries alone take: each blob is asked for whole and sent whole, one
// after the other, and no byte of them is looked at.
//
//	go test -run='^$' -bench=Copy -benchtime=5x ./xpkg/mirror
func BenchmarkCopy(b *testing.B) {
	const layers, size = 6, 16 << 20
	from := newRegistry(b)
	random := rand.NewChaCha8([32]byte{})
	var blobs []string
	var listed []any
	for range layers {
		layer := make([]byte, size)
		_, _ = random.Read(layer)
		d := from.blob("org/p", layerType, layer)
		blobs, listed = append(blobs, digest(d)), append(listed, d)
	}
	config := from.blob("org/p", configType, []byte(`{"architecture":"amd64","os":"linux"}`))
	blobs = append(blobs, digest(config))
	manifest := encode(map[string]any{"schemaVersion": 2, "mediaType": manifestType, "config": config, "layers": listed})
	from.manifest("org/p", "v1.0.0", manifestType, manifest)
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(layers * size)
		for b.Loop() {
			b.StopTimer()
			to, refs := newRegistry(b), from.refs("org/p:v1.0.0")
			b.StartTimer()
			if _, err := mirror.Copy(b.Context(), refs, mirror.FromRegistries(from.client), to.to("m", refs), nil); err != nil {
				b.Fatal(err)
			}
			b.StopTimer()
			to.server.Close()
			b.StartTimer()
		}
	})
	b.Run("registries", func(b *testing.B) {
		b.SetBytes(layers * size)
		for b.Loop() {
			b.StopTimer()
			to := newRegistry(b)
			b.StartTimer()
			for _, d := range blobs {
				code, body := from.do(http.MethodGet, "org/p/blobs/"+d, "", nil)
				if code != http.StatusOK {
					b.Fatal(fmt.Errorf("%s: status %d", d, code))
				}
				if code, _ := to.do(http.MethodPost, "org/p/blobs/uploads/?digest="+d, "application/octet-stream", body); code != http.StatusCreated {
					b.Fatal(fmt.Errorf("%s: status %d", d, code))
				}
			}
			to.manifest("org/p", "v1.0.0", manifestType, manifest)
			b.StopTimer()
			to.server.Close()
			b.StartTimer()
		}
	})
}
