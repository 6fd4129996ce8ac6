package bench

import (
	"bytes"
	"io"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/internal/bench/decode"
	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/parser"
)

// BenchmarkIdentity reads what every object of a provider is and where it stands,
// every byte being looked at, and decodes the metadata object.
func BenchmarkIdentity(b *testing.B) {
	providers(b, func(b *testing.B, stream []byte, want int) {
		b.Run("sdk", func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				identify(b, parser.Bytes("package.yaml", stream, nil), want)
			}
		})
		b.Run("sdk-reader", func(b *testing.B) {
			b.SetBytes(int64(len(stream)))
			for b.Loop() {
				identify(b, parser.Stream(b.Context(), "package.yaml", bytes.NewReader(stream), nil), want)
			}
		})
		b.Run("conventional", func(b *testing.B) { benchmarkConventional(b, stream, want) })
	})
}

// BenchmarkSize reads streams of two sizes: what a byte costs must not depend on
// how many there are.
func BenchmarkSize(b *testing.B) {
	block := append(fixture.Provider(200), "---\n"...)
	for _, size := range []struct {
		name  string
		bytes int
	}{{"10MB", 10 << 20}, {"1GB", 1 << 30}} {
		b.Run("size="+size.name, func(b *testing.B) {
			n := size.bytes/len(block) + 1
			b.SetBytes(int64(n * len(block)))
			for b.Loop() {
				stream := parser.Stream(b.Context(), "package.yaml", &repeated{block: block, left: n}, &parser.Options{MaxBytes: 4 << 30})
				identify(b, stream, n*201)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*len(block)), "ns/B")
		})
	}
	b.Run("size=10MB/conventional", func(b *testing.B) {
		benchmarkConventional(b, bytes.Repeat(block, 10<<20/len(block)+1), (10<<20/len(block)+1)*201)
	})
}

// A repeated is a reader of a block, so many times.
type repeated struct {
	block []byte
	at    int
	left  int
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.block[r.at:])
	if r.at += n; r.at == len(r.block) {
		r.at = 0
		r.left--
	}
	return n, nil
}

// BenchmarkDirectory reads a package directory of 2,000 files.
func BenchmarkDirectory(b *testing.B) {
	const files = 2000
	dir := b.TempDir()
	paths := make([]string, 0, files)
	size := 0
	i := 0
	for d, err := range parser.Bytes("", fixture.Provider(files-1), nil) {
		if err != nil {
			b.Fatal(err)
		}
		name := d.Name + ".yaml"
		if i == 0 {
			name = "crossplane.yaml"
		}
		i++
		size += len(d.Raw())
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(paths[len(paths)-1], d.Raw(), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("sdk", func(b *testing.B) {
		b.SetBytes(int64(size))
		for b.Loop() {
			root, err := os.OpenRoot(dir)
			if err != nil {
				b.Fatal(err)
			}
			identify(b, parser.Dir(b.Context(), root, nil), files)
			if err := root.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("conventional", func(b *testing.B) {
		c, err := decode.NewConventional()
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(size))
		for b.Loop() {
			got := 0
			for _, name := range paths {
				text, err := os.ReadFile(name)
				if err != nil {
					b.Fatal(err)
				}
				n, err := c.Stream(bytes.NewReader(text))
				if err != nil {
					b.Fatal(err)
				}
				got += n
			}
			if got != files {
				b.Fatalf("%d documents, want %d", got, files)
			}
		}
	})
}

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

// identify reads a sequence of so many documents to its end, and decodes the metadata
// objects.
func identify(b *testing.B, docs iter.Seq2[*parser.Document, error], want int) {
	b.Helper()
	got := 0
	for d, err := range docs {
		if err != nil {
			b.Fatal(err)
		}
		if d.Name == "" || d.Range.IsZero() {
			b.Fatalf("document %d has no name or place", d.Index)
		}
		if d.Kind == "Provider" {
			var p decode.Provider
			if err := d.DecodeLax(&p); err != nil {
				b.Fatal(err)
			}
		}
		got++
	}
	if got != want {
		b.Fatalf("%d documents, want %d", got, want)
	}
}

func benchmarkConventional(b *testing.B, stream []byte, want int) {
	c, err := decode.NewConventional()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(stream)))
	for b.Loop() {
		got, err := c.Stream(bytes.NewReader(stream))
		if err != nil {
			b.Fatal(err)
		}
		if got != want {
			b.Fatalf("%d documents, want %d", got, want)
		}
	}
}
