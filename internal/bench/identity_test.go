package bench

import (
	"bytes"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/parser"
)

// providers runs a benchmark on a generated provider of 2,000 definitions, and on
// the largest real one where there is a corpus.
func providers(b *testing.B, run func(b *testing.B, stream []byte, documents int)) {
	b.Run("definitions=2000", func(b *testing.B) { run(b, fixture.Provider(2000), 2001) })
	b.Run("real", func(b *testing.B) {
		dir := os.Getenv("XPKG_CORPUS")
		if dir == "" {
			b.Skip("XPKG_CORPUS is not set: set it to a folder with provider-aws-monolith.package.yaml.gz")
		}
		run(b, unzip(b, filepath.Join(dir, "provider-aws-monolith.package.yaml.gz")), 2066)
	})
}

// BenchmarkIdentity reads what every object of a provider is and where it stands,
// every byte being looked at, and decodes the metadata object.
func BenchmarkIdentity(b *testing.B) {
	providers(b, func(b *testing.B, stream []byte, want int) {
		for name, read := range map[string]func() iter.Seq2[*parser.Document, error]{
			"bytes": func() iter.Seq2[*parser.Document, error] { return parser.Bytes("package.yaml", stream, nil) },
			"stream": func() iter.Seq2[*parser.Document, error] {
				return parser.Stream(b.Context(), "package.yaml", bytes.NewReader(stream), nil)
			},
		} {
			b.Run(name, func(b *testing.B) {
				b.SetBytes(int64(len(stream)))
				b.ReportAllocs()
				for b.Loop() {
					got := 0
					for d, err := range read() {
						if err != nil {
							b.Fatal(err)
						}
						if d.Name == "" || d.Range.IsZero() {
							b.Fatalf("document %d has no name or place", d.Index)
						}
						got++
					}
					if got != want {
						b.Fatalf("%d documents, want %d", got, want)
					}
				}
			})
		}
	})
}
