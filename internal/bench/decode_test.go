package bench

import (
	"testing"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/parser"
)

// BenchmarkDecode decodes every definition of a provider into the types of the API
// server, strictly, on as many cores as -cpu gives.
//
//	go test -run='^$' -bench='^BenchmarkDecode$' -cpu=1,2 ./internal/bench
func BenchmarkDecode(b *testing.B) {
	providers(b, func(b *testing.B, stream []byte, want int) {
		b.Run("sdk", func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				got, err := decode.SDK(parser.Bytes("package.yaml", stream, nil))
				if err != nil || got != want {
					b.Fatalf("%d documents, %v, want %d", got, err, want)
				}
			}
		})
		b.Run("conventional", func(b *testing.B) { benchmarkConventional(b, stream, want) })
	})
}
