package parser_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// corpus returns the folder of real packages.
func corpus(t testing.TB) string {
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	return dir
}

// expected is what an independent YAML reader sees in a package.
type expected struct {
	Documents  []expectedDocument
	Metas      int
	Kind       string
	APIVersion string
	Name       string
	NotJudged  []string
}

type expectedDocument struct {
	APIVersion, Kind, Name, File string
	Line                         int
}

func TestCorpusPackages(t *testing.T) {
	dir := corpus(t)
	b, err := os.ReadFile(filepath.Join(dir, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	var packages map[string]expected
	if err := json.Unmarshal(b, &packages); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for name, want := range packages {
		t.Run(name, func(t *testing.T) {
			root, err := os.OpenRoot(filepath.Join(dir, "packages", name))
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			pkg, err := parser.Collect(parser.Dir(context.Background(), root, nil))
			for _, e := range list(err) {
				t.Log(e)
				if e.Range.File != "" && !e.Range.Start.IsValid() {
					t.Errorf("error without a place: %v", e)
				}
			}
			var got []expectedDocument
			for d := range pkg.Documents() {
				if text, err := root.ReadFile(filepath.FromSlash(d.Range.File)); err != nil {
					t.Error(err)
				} else if len(text) < 16<<10 { // counting lines the slow way is quadratic
					checkRanges(t, string(text), d)
					checkFields(t, string(text), d)
				}
				if !slices.Contains(want.NotJudged, d.Range.File) {
					got = append(got, expectedDocument{d.APIVersion, d.Kind, d.Name, d.Range.File, d.Range.Start.Line})
				}
			}
			compared += len(got)
			slices.SortStableFunc(want.Documents, func(a, b expectedDocument) int {
				if a.File < b.File {
					return -1
				} else if a.File > b.File {
					return 1
				}
				return 0
			})
			if diff := cmp.Diff(want.Documents, got); diff != "" {
				t.Errorf("documents (-want +got):\n%s", diff)
			}
			if want.Metas == 1 {
				if pkg.Meta == nil {
					t.Fatal("no metadata object")
				}
				if got := [3]string{pkg.Meta.APIVersion, string(pkg.Meta.Kind), pkg.Meta.Name}; got != [3]string{want.APIVersion, want.Kind, want.Name} {
					t.Errorf("metadata is %v, want %v %v %v", got, want.APIVersion, want.Kind, want.Name)
				}
			}
		})
	}
	t.Logf("%d packages, %d documents compared", len(packages), compared)
}

func TestCorpusMonolith(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus(t), "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	count, lines := map[string]int{}, 0
	for d, err := range parser.Stream(context.Background(), "package.yaml", zr, nil) {
		if err != nil {
			t.Fatal(err)
		}
		count[d.Kind]++
		if d.Range.Start.Line <= lines {
			t.Fatalf("%v begins on line %d, before line %d", d.Ref(), d.Range.Start.Line, lines)
		}
		lines = d.Range.End.Line
	}
	want := map[string]int{"CustomResourceDefinition": 2065, string(meta.Provider): 1}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("kinds (-want +got):\n%s", diff)
	}
	if _, err := io.Copy(io.Discard, zr); err != nil {
		t.Error(err)
	}
}

// list returns the errors of an ErrorList, or none.
func list(err error) parser.ErrorList {
	l, _ := err.(parser.ErrorList)
	return l
}
