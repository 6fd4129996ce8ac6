package bench

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

// BenchmarkLint parses and lints a provider with every rule there is, those of the
// API server among them. The conventional way that stands beside it parses only.
func BenchmarkLint(b *testing.B) {
	all := &linter.Options{Rules: slices.Concat(rules.Suite(), apiserver.Rules())}
	b.Run("definitions=1", func(b *testing.B) { benchmarkLint(b, fixture.Provider(1), 2, all) })
	b.Run("definitions=200", func(b *testing.B) { benchmarkLint(b, fixture.Provider(200), 201, all) })
	b.Run("real", func(b *testing.B) {
		dir := os.Getenv("XPKG_CORPUS")
		if dir == "" {
			b.Skip("XPKG_CORPUS is not set: set it to a folder with provider-aws-monolith.package.yaml.gz")
		}
		benchmarkLint(b, unzip(b, filepath.Join(dir, "provider-aws-monolith.package.yaml.gz")), 2066, all)
	})
}

func benchmarkLint(b *testing.B, stream []byte, want int, o *linter.Options) {
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
			if _, err := linter.Run(b.Context(), p, o); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("conventional", func(b *testing.B) { benchmarkConventional(b, stream, want) })
}

// BenchmarkLintDefinition lints one definition of a real package, of 30 kB, as an editor
// does: one that is judged by reading it once, one with rules that have to be compiled, and
// the one of all real ones that has the most of these.
//
//	XPKG_CORPUS=DIR go test -run='^$' -bench=LintDefinition ./internal/bench
func BenchmarkLintDefinition(b *testing.B) {
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		b.Skip("XPKG_CORPUS is not set: set it to a folder with packages/provider-vault, provider-btp and provider-timeweb")
	}
	all := &linter.Options{Rules: slices.Concat(rules.Suite(), apiserver.Rules())}
	for name, file := range map[string]string{
		"read":     "provider-vault/crds/quota.vault.upbound.io_ratelimits.yaml",
		"compiled": "provider-btp/crds/account.btp.sap.crossplane.io_servicemanagers.yaml",
		"most":     "provider-timeweb/crds/compute.m.timeweb.crossplane.io_servers.yaml",
	} {
		text, err := os.ReadFile(filepath.Join(dir, "packages", filepath.FromSlash(file)))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := linter.Text(b.Context(), "package.yaml", text, all); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
