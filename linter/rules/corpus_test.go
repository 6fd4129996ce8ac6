package rules_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

// corpus returns a folder of the corpus, or skips the test.
func corpus(t *testing.T, folder string) string {
	t.Helper()
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	return filepath.Join(root, folder)
}

func lintDir(t *testing.T, dir string) []linter.Diagnostic {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	pkg, err := parser.Collect(parser.Dir(t.Context(), root, nil))
	found := linter.FromError(err)
	more, err := linter.Run(t.Context(), pkg, &linter.Options{Rules: rules.Suite()})
	if err != nil {
		t.Fatal(err)
	}
	found = append(found, more...)
	linter.Sort(found)
	return found
}

// TestCorpus lints real packages, most of which were published and installed. What
// is found in them is listed here, each line read and found to be true; anything
// else is a false positive, or a fault that is no longer found.
func TestCorpus(t *testing.T) {
	dirs, err := os.ReadDir(corpus(t, "packages"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		dir := filepath.Join(corpus(t, "packages"), d.Name())
		found := lintDir(t, dir)
		if len(found) > 0 {
			if diff := cmp.Diff(found, lintDir(t, dir)); diff != "" {
				t.Errorf("%s: two runs differ: %s", d.Name(), diff)
			}
		}
		for _, f := range found {
			// Without the message, whose words may be improved at any time.
			got = append(got, fmt.Sprintf("%s/%s: %s %s", d.Name(), f.Range, f.Severity, f.Rule))
		}
	}
	want, err := os.ReadFile(filepath.Join("testdata", "corpus.golden"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.ReplaceAll(string(want), "\r\n", "\n"), "\n")
	lines = slices.DeleteFunc(lines, func(l string) bool { return l == "" || strings.HasPrefix(l, "#") })
	if diff := cmp.Diff(lines, got); diff != "" {
		t.Errorf("-reviewed +found:\n%s", diff)
	}
}
