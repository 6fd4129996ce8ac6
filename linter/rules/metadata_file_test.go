package rules_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// TestMetadataFile: in a directory, the file of the metadata object has one name, though it
// may be the only file; a stream may have any.
func TestMetadataFile(t *testing.T) {
	text := header("v1", "Configuration")
	for file, want := range map[string]bool{
		"crossplane.yaml": false, "metadata.yaml": true, "configuration.yml": true, "package/crossplane.yaml": true,
		"package.yaml": false, // what an image holds, taken out of it
		"package.yml":  true,
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, filepath.FromSlash(file))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := slices.Contains(rulesOf(lintDir(t, dir, linter.Install)), "metadata-file"); got != want {
			t.Errorf("%s in a directory: reported is %t", file, got)
		}
	}
	for _, name := range []string{"metadata.yaml", "-", "demo.xpkg", ""} {
		if found := judge(t, parser.Bytes(name, []byte(text), nil), linter.Install); len(found) > 0 {
			t.Errorf("the stream %q: %v", name, found)
		}
	}
}
