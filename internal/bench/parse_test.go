package bench

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/parser"
)

// BenchmarkParse reads a provider from its stream to a package.
func BenchmarkParse(b *testing.B) {
	b.Run("definitions=200", func(b *testing.B) { benchmarkParse(b, fixture.Provider(200), 201) })
	b.Run("real", func(b *testing.B) {
		dir := os.Getenv("XPKG_CORPUS")
		if dir == "" {
			b.Skip("XPKG_CORPUS is not set: set it to a folder with provider-aws-monolith.package.yaml.gz")
		}
		benchmarkParse(b, unzip(b, filepath.Join(dir, "provider-aws-monolith.package.yaml.gz")), 2066)
	})
}

func benchmarkParse(b *testing.B, stream []byte, want int) {
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(len(stream)))
		for b.Loop() {
			p, err := parser.Collect(parser.Stream(b.Context(), "package.yaml", bytes.NewReader(stream), nil))
			if err != nil {
				b.Fatal(err)
			}
			if got := len(p.Objects) + 1; got != want {
				b.Fatalf("%d documents, want %d", got, want)
			}
		}
	})
	b.Run("conventional", func(b *testing.B) { benchmarkConventional(b, stream, want) })
}

func unzip(b *testing.B, file string) []byte {
	b.Helper()
	f, err := os.Open(file)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	stream, err := io.ReadAll(z)
	if err != nil {
		b.Fatal(err)
	}
	return stream
}

// Both ways must see the same package, or their figures cannot be compared.
func TestBothWaysSeeTheSame(t *testing.T) {
	stream := fixture.Provider(20)
	p, err := parser.Collect(parser.Bytes("package.yaml", stream, nil))
	if err != nil {
		t.Fatal(err)
	}
	c, err := decode.NewConventional()
	if err != nil {
		t.Fatal(err)
	}
	n, err := c.Stream(bytes.NewReader(stream))
	if err != nil {
		t.Fatal(err)
	}
	if got := len(p.Objects) + 1; got != n || n != 21 {
		t.Errorf("%d documents here and %d the conventional way, want 21", got, n)
	}
}
