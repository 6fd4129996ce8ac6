package legacy_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter/rules/legacy"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
)

var update = flag.Bool("update", false, "write the golden files")

// What is found in real packages, each line read and found to be true. They are as their
// repositories have them: the definitions of stack-gcp are not among its files, so that what
// describes its kinds is about none.
func TestCorpus(t *testing.T) {
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	for _, name := range []string{"sample-stack", "stack-gcp-v0.3.0"} {
		t.Run(name, func(t *testing.T) {
			p, faults := v1.Read(t.Context(), os.DirFS(filepath.Join(root, "legacy", name)), nil)
			r, err := legacy.Lint(t.Context(), p, faults, nil)
			if err != nil {
				t.Fatal(err)
			}
			var b strings.Builder
			for _, d := range r.Diagnostics {
				b.WriteString(d.Severity.String() + " " + d.String() + "\n")
			}
			file := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), b.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
