package xpkg_test

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// corpus returns the folder of real packages, or skips the test.
func corpus(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	return dir
}

// The largest provider, 102 MB and 2,066 documents, as an image.
func TestLargestProvider(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus(t), "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	content, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	img := xpkg.Open(imageOf(baseOf(file{name: "package.yaml", content: string(content)})).image(t), nil)
	pkg, err := img.Package(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if pkg.Meta.Kind != meta.Provider || len(pkg.Objects) != 2065 {
		t.Errorf("got a %s with %d objects", pkg.Meta.Kind, len(pkg.Objects))
	}
}
