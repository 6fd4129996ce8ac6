package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/lintertest"
	"github.com/xpkg-go/sdk/linter/rules"
)

// TestFixes carries out every fix of every fixture, each by itself: the finding is gone,
// nothing new is found, and only the bytes of its edits have changed.
func TestFixes(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			before, _ := lintertest.Check(data, &linter.Options{Rules: rules.Suite()})
			for _, d := range before {
				for _, fix := range d.Fixes {
					archive := carryOut(t, data, fix)
					after, _ := lintertest.Check(txtar.Format(archive), &linter.Options{Rules: rules.Suite()})
					left := signs(before)
					for _, sign := range signs(after) {
						i := slices.Index(left, sign)
						if i < 0 {
							t.Errorf("%s\nthe fix %q adds: %s", d, fix.Message, sign)
							continue
						}
						left = slices.Delete(left, i, i+1)
					}
					if !slices.Contains(left, signs([]linter.Diagnostic{d})[0]) {
						t.Errorf("%s\nis still there after the fix %q", d, fix.Message)
					}
				}
			}
		})
	}
}

// carryOut makes the edits of a fix, which are in one file, from the last to the first.
func carryOut(t *testing.T, data []byte, fix linter.Fix) *txtar.Archive {
	t.Helper()
	archive := txtar.Parse(data)
	edits := slices.Clone(fix.Edits)
	slices.SortFunc(edits, func(a, b linter.Edit) int { return b.Range.Start.Offset - a.Range.Start.Offset })
	for _, e := range edits {
		i := slices.IndexFunc(archive.Files, func(f txtar.File) bool { return f.Name == e.Range.File })
		if i < 0 {
			t.Fatalf("the fix %q is for no file: %+v", fix.Message, e)
		}
		old := archive.Files[i].Data
		archive.Files[i].Data = slices.Concat(old[:e.Range.Start.Offset], []byte(e.New), old[e.Range.End.Offset:])
	}
	return archive
}

// signs tell findings apart by what a fix of another one does not change.
func signs(found []linter.Diagnostic) []string {
	var list []string
	for _, d := range found {
		list = append(list, d.Rule+": "+d.Message)
	}
	return list
}
