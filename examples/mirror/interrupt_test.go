package main

import (
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

const function = "apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata:\n  name: f\n"

// Ctrl-C while a blob comes: exit code 2, no name and no file that is half written, and the lock of an
// earlier run stays. So does what is whole: the next run goes on from there.
func TestInterrupt(t *testing.T) {
	for _, target := range []string{"-out", "-dir"} {
		t.Run(target, func(t *testing.T) {
			t.Setenv("HOME", t.TempDir())
			t.Setenv("XDG_CACHE_HOME", t.TempDir())
			s := clitest.NewStalling(t, http.MethodGet)
			ref := s.Host + "/org/f:v1.0.0"
			clitest.Push(t, ref, function)
			dir := t.TempDir()
			lock := filepath.Join(dir, "lock.json")
			if err := os.WriteFile(lock, []byte("before"), 0o666); err != nil {
				t.Fatal(err)
			}
			code, out := s.Interrupt(t, os.Interrupt, dir, "mirror", "-only", "-lock", "lock.json", target, "m", ref)
			if code != 2 || !strings.Contains(out, "cancel") {
				t.Errorf("got the exit code %d and %q", code, out)
			}
			err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
				switch name := e.Name(); {
				case err != nil:
					return err
				case strings.HasPrefix(name, "."), target == "-out" && name == "m":
					t.Errorf("%s is there", path)
				case name == "index.json":
					if index, err := os.ReadFile(path); err != nil || strings.Contains(string(index), "org/f") {
						t.Errorf("%s: got %s (%v)", path, index, err)
					}
				}
				return nil
			})
			if err != nil {
				t.Error(err)
			}
			if b, err := os.ReadFile(lock); err != nil || string(b) != "before" {
				t.Errorf("the lock: got %q (%v)", b, err)
			}
			s.Stall(false)
			if again, err := exec.CommandContext(t.Context(), "mirror", "-only", target, filepath.Join(dir, "m"), ref).CombinedOutput(); err != nil {
				t.Errorf("again: %v: %s", err, again)
			}
		})
	}
}
