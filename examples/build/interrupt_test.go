package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Ctrl-C while the file is written: exit code 2, and nothing but what was there before.
func TestInterrupt(t *testing.T) {
	s := clitest.NewStalling(t, http.MethodGet)
	runtime := s.Host + "/org/runtime:v1"
	pushRuntime(t, runtime)
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "package"), 0o777); err != nil {
		t.Fatal(err)
	}
	text := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata:\n  name: demo\n"
	if err := os.WriteFile(filepath.Join(dir, "package", "crossplane.yaml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "demo.xpkg"), []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	code, out := s.Interrupt(t, os.Interrupt, dir, "build", "-runtime", runtime, "package")
	if code != 2 || !strings.Contains(out, "cancel") {
		t.Errorf("got the exit code %d and %q", code, out)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 2 || left[0].Name() != "demo.xpkg" || left[1].Name() != "package" {
		t.Errorf("got %v (%v)", left, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "demo.xpkg")); err != nil || string(b) != "before" {
		t.Errorf("got %q (%v)", b, err)
	}
}
