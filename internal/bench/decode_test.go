package bench

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	extv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/xpkg-go/sdk/parser"
)

// BenchmarkDecode decodes every definition of a provider into the types of the API
// server, strictly, on as many cores as -cpu gives.
func BenchmarkDecode(b *testing.B) {
	providers(b, func(b *testing.B, stream []byte, want int) {
		b.Run("sdk", func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				if got := decodeAll(b, stream); got != want {
					b.Fatalf("%d documents, want %d", got, want)
				}
			}
		})
		b.Run("conventional", func(b *testing.B) { benchmarkConventional(b, stream, want) })
	})
}

// decodeAll hands the documents of a stream to as many goroutines as there are cores,
// and returns how many were decoded.
func decodeAll(tb testing.TB, stream []byte) int {
	var decoded atomic.Int64
	var workers sync.WaitGroup
	queue := make(chan *parser.Document)
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for d := range queue {
				if err := d.Decode(into(d)); err != nil {
					tb.Error(err)
				}
				decoded.Add(1)
			}
		})
	}
	for d, err := range parser.Bytes("package.yaml", stream, nil) {
		if err != nil {
			tb.Error(err)
			continue
		}
		queue <- d
	}
	close(queue)
	workers.Wait()
	return int(decoded.Load())
}

func into(d *parser.Document) any {
	if d.Kind == "Provider" {
		return new(any)
	}
	return new(extv1.CustomResourceDefinition)
}
