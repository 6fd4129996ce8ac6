package compare_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/compare"
	"github.com/xpkg-go/sdk/parser"
)

func corpus(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("XPKG_CORPUS is not set: set it to a folder with packages/ (see CONTRIBUTING.md)")
	}
	return dir
}

// readDir reads what can be read of a package of the corpus.
func readDir(t *testing.T, name string) *parser.Package {
	t.Helper()
	root, err := os.OpenRoot(filepath.Join(corpus(t), "packages", name))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	p, _ := parser.Collect(parser.Dir(t.Context(), root, nil)) // faults are the linter's business
	return p
}

// No package differs from itself, read once or twice.
func TestCorpusSame(t *testing.T) {
	folders, err := os.ReadDir(filepath.Join(corpus(t), "packages"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if f.IsDir() {
			old, new := readDir(t, f.Name()), readDir(t, f.Name())
			if changes := packages(t, old, new); len(changes) > 0 {
				t.Errorf("%s differs from itself:\n%s", f.Name(), write(changes))
			}
		}
	}
}

// Releases of one package, whose changes were looked at one by one.
func TestCorpusReleases(t *testing.T) {
	for _, tc := range []struct{ old, new, golden string }{
		{"crossplane-sql-6e3c048", "crossplane-sql", "crossplane-sql.golden"},
		{"platform-ref-aws-62a5950", "platform-ref-aws-3f182db", "platform-ref-aws-3f182db.golden"},
		{"platform-ref-aws-3f182db", "platform-ref-aws-v1.4.0", "platform-ref-aws-v1.4.0.golden"},
	} {
		t.Run(tc.golden, func(t *testing.T) {
			got := write(packages(t, readDir(t, tc.old), readDir(t, tc.new)))
			golden := filepath.Join("testdata", tc.golden)
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, want)
			}
		})
	}
}

func monolith(t testing.TB) []byte {
	f, err := os.Open(filepath.Join(corpus(t), "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// edited is the text of the largest package in a form in which every definition is
// another text. Nothing changes but one enumeration, in a definition somewhere.
func edited(text []byte) []byte {
	text = bytes.ReplaceAll(text, []byte("controller-gen.kubebuilder.io/version: "), []byte("controller-gen.kubebuilder.io/version: edited-"))
	return bytes.Replace(text, []byte("- Delete\n"), []byte("- Drop\n"), 1)
}

// In the largest real package one change is found, with nothing around it.
func TestMonolith(t *testing.T) {
	if testing.Short() {
		t.Skip("102 MB take seconds; the test runs without -short")
	}
	text := monolith(t)
	old := collect(t, "old.yaml", text)
	new := collect(t, "new.yaml", edited(text))
	changes := packages(t, old, new)
	if len(changes) != 1 || changes[0].Rule != compare.RuleEnum || changes[0].Severity != linter.Error {
		t.Errorf("got %d changes, want one of an enumeration:\n%s", len(changes), write(changes[:min(len(changes), 10)]))
	}
}

func BenchmarkMonolith(b *testing.B) {
	text := monolith(b)
	read := func(name string, text []byte) *parser.Package {
		p, err := parser.Collect(parser.Bytes(name, text, nil))
		if err != nil {
			b.Fatal(err)
		}
		return p
	}
	old := read("old.yaml", text)
	for _, bc := range []struct {
		name string
		new  *parser.Package
	}{{"same", read("new.yaml", text)}, {"edited", read("new.yaml", edited(text))}} {
		b.Run(bc.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, err := compare.Packages(b.Context(), old, bc.new); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
