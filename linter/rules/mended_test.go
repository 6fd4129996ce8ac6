package rules_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// TestMended carries out each fix of each finding of each fixture, as it is, with CRLF
// line ends and without a line break at its end: a second lint has lost the finding and
// gained none, and no byte outside of the edits has changed.
func TestMended(t *testing.T) {
	mended := map[string]int{}
	for folder, profile := range map[string]linter.Profile{"testdata": linter.Install, "testdata/publish": linter.Publish} {
		files, _ := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*.txtar"))
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			forms := map[string]func([]byte) []byte{"LF": slices.Clone[[]byte], "CRLF": crlf, "NoEnd": noEnd, "BOM": bom}
			for form, change := range forms {
				a := txtar.Parse(data)
				a.Files = slices.DeleteFunc(a.Files, func(f txtar.File) bool { return strings.HasPrefix(f.Name, "fixed/") })
				for i := range a.Files {
					a.Files[i].Data = change(a.Files[i].Data)
				}
				before := lintArchive(t, a, profile)
				for _, d := range before {
					for i, fix := range d.Fixes {
						mended[d.Rule+" "+form]++
						t.Run(fmt.Sprintf("%s/%s/%s/%d", filepath.Base(file), form, d.Range, i), func(t *testing.T) {
							checkFix(t, a, profile, before, d, fix)
						})
					}
				}
			}
		}
	}
	for _, rule := range []string{
		"metadata-group", "unknown-field", "annotation-plain", "annotation-license", "annotation-source", "range-partial",
		"dependency-kind", "dependency-duplicate", "yaml-ambiguous", "number-changed",
		"dependency-source", "duplicate-key", "metadata-invalid", "constraint-syntax",
	} {
		if mended[rule+" LF"] == 0 {
			t.Errorf("no fixture has a finding of %s with a fix", rule)
		}
	}
}

func crlf(b []byte) []byte  { return []byte(strings.ReplaceAll(string(b), "\n", "\r\n")) }
func noEnd(b []byte) []byte { return []byte(strings.TrimSuffix(string(b), "\n")) }
func bom(b []byte) []byte   { return append([]byte("\ufeff"), b...) }

// lintArchive lints the files as lintertest does, which adds line breaks where they end
// without one.
func lintArchive(t *testing.T, a *txtar.Archive, profile linter.Profile) []linter.Diagnostic {
	t.Helper()
	docs := func(yield func(*parser.Document, error) bool) {
		index := 0
		for _, f := range a.Files {
			for d, err := range parser.Bytes(f.Name, f.Data, nil) {
				var fault *parser.Error
				if errors.As(err, &fault) {
					fault.Index += index
				}
				if d != nil {
					d.Index += index
				}
				if !yield(d, err) {
					return
				}
			}
			index += 1000
		}
	}
	return judge(t, docs, profile)
}

func checkFix(t *testing.T, a *txtar.Archive, profile linter.Profile, before []linter.Diagnostic, d linter.Diagnostic, fix linter.Fix) {
	t.Helper()
	b := &txtar.Archive{Files: slices.Clone(a.Files)}
	i := slices.IndexFunc(b.Files, func(f txtar.File) bool { return f.Name == d.Range.File })
	old := b.Files[i].Data
	var mended []byte
	at := 0
	edits := slices.Clone(fix.Edits)
	slices.SortFunc(edits, func(x, y linter.Edit) int { return x.Range.Start.Offset - y.Range.Start.Offset })
	for _, e := range edits {
		if e.Range.File != d.Range.File || e.Range.Start.Offset < at || e.Range.End.Offset < e.Range.Start.Offset || e.Range.End.Offset > len(old) {
			t.Fatalf("an edit out of place: %+v", e)
		}
		mended = append(append(mended, old[at:e.Range.Start.Offset]...), e.New...)
		at = e.Range.End.Offset
	}
	b.Files[i].Data = append(mended, old[at:]...)
	after := lintArchive(t, b, profile)
	count := func(ds []linter.Diagnostic) map[string]int {
		n := map[string]int{}
		for _, d := range ds {
			n[d.Rule]++
		}
		return n
	}
	was, is := count(before), count(after)
	for rule, n := range is {
		if n > was[rule] {
			t.Errorf("%s\nthe fix brings findings of %s:\n%s", d, rule, b.Files[i].Data)
		}
	}
	if is[d.Rule] >= was[d.Rule] {
		t.Errorf("%s\nthe fix leaves the finding:\n%s", d, b.Files[i].Data)
	}
}
