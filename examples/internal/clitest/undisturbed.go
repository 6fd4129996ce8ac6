package clitest

import (
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Undisturbed presses Ctrl-C while a program reads a package from a registry: it has to end
// with exit code 2 and say so, and to leave in its directory the files that were there,
// as they were, and nothing else. In args REF stands for the package, SOURCE for its repository.
func Undisturbed(t *testing.T, program string, before map[string]string, args ...string) {
	t.Helper()
	s := NewStalling(t, http.MethodGet)
	ref := s.Host + "/org/sample:v1.0.0"
	Push(t, ref, "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: sample\n")
	dir := t.TempDir()
	for name, text := range before {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for i, arg := range args {
		args[i] = strings.NewReplacer("REF", ref, "SOURCE", s.Host+"/org/sample").Replace(arg)
	}
	code, out := s.Interrupt(t, os.Interrupt, dir, program, args...)
	if code != 2 || !strings.Contains(out, "cancel") {
		t.Errorf("got the exit code %d and %q", code, out)
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	after := map[string]string{}
	for _, file := range left {
		b, _ := os.ReadFile(filepath.Join(dir, file.Name())) // a directory has no text
		after[file.Name()] = string(b)
	}
	if !maps.Equal(before, after) {
		t.Errorf("%q is left, want %q", slices.Sorted(maps.Keys(after)), slices.Sorted(maps.Keys(before)))
	}
}
