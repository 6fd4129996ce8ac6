package build_test

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/build"
)

const fullEnv = "XPKG_TEST_BUILD_FULL"

// A disk that is full is stood for by a limit on the size of files, which is one of a
// process.
func TestFullDisk(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFullDiskChild$", "-test.v")
	folder := t.TempDir()
	cmd.Env = append(os.Environ(), fullEnv+"="+folder)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestFullDiskChild") {
		t.Fatalf("%v: %s", err, out)
	}
	if b, err := os.ReadFile(filepath.Join(folder, "x.xpkg")); err != nil || string(b) != "before" {
		t.Errorf("the file has become %q (%v)", b, err)
	}
	if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
		t.Errorf("got the files %v (%v), want one", list, err)
	}
}

func TestFullDiskChild(t *testing.T) {
	folder := os.Getenv(fullEnv)
	if folder == "" {
		t.Skip("runs in the process that TestFullDisk starts")
	}
	file := filepath.Join(folder, "x.xpkg")
	if err := os.WriteFile(file, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	img := dir(t, directory(t, sample()), nil)
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1000, Max: 1000}); err != nil {
		t.Fatal(err)
	}
	for _, format := range []build.Format{build.OCI, build.Docker} {
		err := build.WriteFile(t.Context(), file, img, format)
		var failed *xpkg.FileError
		if !errors.As(err, &failed) || failed.Path != file || !errors.Is(err, syscall.EFBIG) {
			t.Errorf("%s: got %v, want a *xpkg.FileError with the path and the reason", format, err)
		}
	}
}
