package main

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// monolith reads the largest real package, 102 MB.
func monolith(t testing.TB) io.Reader {
	t.Helper()
	dir := os.Getenv("XPKG_CORPUS")
	if dir == "" {
		t.Skip("XPKG_CORPUS is not set: set it to the folder of real packages (see CONTRIBUTING.md)")
	}
	f, err := os.Open(filepath.Join(dir, "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}
