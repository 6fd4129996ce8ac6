package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/xpkg-go/sdk/examples/internal/clitest"
)

// Ctrl-C before a blob is sent, and while it is: exit code 2, no tag, and nothing left beside the file.
func TestInterrupt(t *testing.T) {
	for method, sig := range map[string]os.Signal{http.MethodPost: os.Interrupt, http.MethodPut: syscall.SIGTERM} {
		t.Run(method, func(t *testing.T) {
			files, dir := t.TempDir(), t.TempDir()
			write(t, files)
			listed, err := filepath.Glob(filepath.Join(files, "*", "*.xpkg"))
			if err != nil {
				t.Fatal(err)
			}
			more, err := filepath.Glob(filepath.Join(files, "*.xpkg"))
			if err != nil || len(listed)+len(more) == 0 {
				t.Fatalf("got %q and %q (%v)", listed, more, err)
			}
			s := clitest.NewStalling(t, method)
			ref := s.Host + "/org/p:v1.0.0"
			code, out := s.Interrupt(t, sig, dir, "push", "-f", append(listed, more...)[0], ref)
			if code != 2 || !strings.Contains(out, "cancel") {
				t.Errorf("got the exit code %d and %q", code, out)
			}
			q, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+s.Host+"/v2/org/p/manifests/v1.0.0", nil)
			if err != nil {
				t.Fatal(err)
			}
			tag, err := http.DefaultClient.Do(q)
			if err != nil {
				t.Fatal(err)
			}
			if _ = tag.Body.Close(); tag.StatusCode != http.StatusNotFound {
				t.Errorf("the tag: got the status %s", tag.Status)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v is left (%v)", left, err)
			}
		})
	}
}
