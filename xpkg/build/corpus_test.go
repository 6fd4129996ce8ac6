package build_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// Every real package that can be read is built and read again.
func TestCorpus(t *testing.T) {
	corpus := os.Getenv("XPKG_CORPUS")
	if corpus == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	crossplane, err := filepath.Glob(filepath.Join(corpus, "packages", "*", "crossplane.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	built := 0
	for _, path := range crossplane {
		root, err := os.OpenRoot(filepath.Dir(path))
		if err != nil {
			t.Fatal(err)
		}
		want, err := parser.Collect(parser.Dir(t.Context(), root, nil))
		root.Close()
		if err != nil {
			continue // faults are told, not built
		}
		built++
		t.Run(filepath.Base(root.Name()), func(t *testing.T) {
			img, err := build.Package(t.Context(), want, nil)
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "package.xpkg")
			if err := build.WriteFile(t.Context(), file, img, build.Docker); err != nil {
				t.Fatal(err)
			}
			opened, err := xpkg.OpenFile(t.Context(), file, nil)
			if err != nil {
				t.Fatal(err)
			}
			got, err := opened.Package(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			equal(t, documents(t, got), documents(t, want))
		})
	}
	if built < 20 {
		t.Errorf("%d of %d packages could be read", built, len(crossplane))
	}
	t.Logf("built %d of %d packages", built, len(crossplane))
}
