package legacy_test

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/linter/rules/legacy"
	v1 "github.com/xpkg-go/sdk/meta/legacy"
)

var update = flag.Bool("update", false, "write the golden files")

// What is found in real packages, each line read and found to be true: as their repositories
// have them, where those of stack-gcp have no definitions, and with those that the build added.
func TestCorpus(t *testing.T) {
	root := os.Getenv("XPKG_CORPUS")
	if root == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	built := fstest.MapFS{}
	addFiles(t, built, "", filepath.Join(root, "legacy", "stack-gcp-v0.3.0"))
	addFiles(t, built, "resources/", filepath.Join(root, "legacy-crds", "stack-gcp-v0.3.0"))
	for name, fsys := range map[string]fs.FS{
		"sample-stack":           os.DirFS(filepath.Join(root, "legacy", "sample-stack")),
		"stack-gcp-v0.3.0":       os.DirFS(filepath.Join(root, "legacy", "stack-gcp-v0.3.0")),
		"stack-gcp-v0.3.0-built": built,
	} {
		t.Run(name, func(t *testing.T) {
			p, faults := v1.Read(t.Context(), fsys, nil)
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

// addFiles adds the files of a directory, below a path.
func addFiles(t *testing.T, fsys fstest.MapFS, below, dir string) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		fsys[below+name] = &fstest.MapFile{Data: data}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
