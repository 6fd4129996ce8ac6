package source

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/internal/fixture"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// TestHold judges and builds packages whose texts are compressed, and the same as they are:
// what is found, and the image, must be the same. There are the examples of every rule, the
// archives that rules are tested with, a large provider in one file, and real packages.
func TestHold(t *testing.T) {
	all := slices.Concat(rules.Suite(), apiserver.Rules())
	write := func(files map[string][]byte) string {
		dir := t.TempDir()
		for name, text := range files {
			name = filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(name, text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	dirs := map[string]string{"provider": write(map[string][]byte{"crossplane.yaml": fixture.Provider(100)})}
	for _, r := range all {
		dirs[r.ID+" bad"] = write(map[string][]byte{"crossplane.yaml": []byte(r.Bad)})
		dirs[r.ID+" good"] = write(map[string][]byte{"crossplane.yaml": []byte(r.Good)})
	}
	root := filepath.Join("..", "..", "..", "linter")
	for _, pattern := range []string{"rules/testdata/inputs/*.txtar", "rules/testdata/*.txtar", "apiserver/testdata/*.txtar"} {
		archives, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil || len(archives) == 0 {
			t.Fatalf("%s: no archives (%v)", pattern, err)
		}
		for _, archive := range archives {
			a, err := txtar.ParseFile(archive)
			if err != nil {
				t.Fatal(err)
			}
			files := map[string][]byte{}
			for _, f := range a.Files {
				files[f.Name] = f.Data
			}
			dirs[archive] = write(files)
		}
	}
	if corpus := os.Getenv("XPKG_CORPUS"); corpus != "" {
		packages, err := os.ReadDir(filepath.Join(corpus, "packages"))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range packages {
			if p.IsDir() {
				dirs[p.Name()] = filepath.Join(corpus, "packages", p.Name())
			}
		}
	}
	sameError := cmp.Comparer(func(a, b *linter.RuleError) bool { return a.Error() == b.Error() })
	found := 0
	for name, dir := range dirs {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		held, err := FromDirectory(t.Context(), dir, root, nil)
		if err != nil {
			t.Fatal(err)
		}
		whole := &Package{Source: dir, Kind: Directory, Method: "directory", Skipped: held.Skipped}
		if err := whole.take(parser.Collect(parser.Dir(t.Context(), root, nil))); err != nil {
			t.Fatal(err)
		}
		got, want := judged(t, held, all), judged(t, whole, all)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(linter.Result{}, "Package"), sameError); diff != "" {
			t.Errorf("%s (-whole +held):\n%s", name, diff)
		}
		found += len(got.Diagnostics)
		if held.Meta == nil {
			continue
		}
		if got, want := digestOf(t, held), digestOf(t, whole); got != want {
			t.Errorf("%s: held it has the digest %s, else %s", name, got, want)
		}
		root.Close()
	}
	if found < 300 {
		t.Errorf("only %d findings to compare", found)
	}
}

func judged(t *testing.T, p *Package, all []*linter.Rule) *linter.Result {
	t.Helper()
	r, err := p.Lint(t.Context(), &linter.Options{Rules: all})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func digestOf(t *testing.T, p *Package) string {
	t.Helper()
	img, err := build.Package(t.Context(), p.Package, nil)
	if err != nil {
		return err.Error()
	}
	digest, err := img.Digest()
	if err != nil {
		t.Fatal(err)
	}
	return digest.String()
}
