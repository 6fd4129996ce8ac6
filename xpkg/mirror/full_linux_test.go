package mirror_test

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
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

const fullEnv = "XPKG_TEST_MIRROR_FULL"

// A disk that is full is stood for by a limit on the size of files, which is one of a
// process. What was there before stays, and nothing stands under a name that is not whole.
func TestFullDisk(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFullDiskChild$", "-test.v")
	cmd.Env = append(os.Environ(), fullEnv+"="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "PASS: TestFullDiskChild") {
		t.Fatalf("%v: %s", err, out)
	}
}

func TestFullDiskChild(t *testing.T) {
	folder := os.Getenv(fullEnv)
	if folder == "" {
		t.Skip("runs in the process that TestFullDisk starts")
	}
	from := newRegistry(t)
	from.image("org/small", "v1.0.0", "small")
	from.image("org/large", "v1.0.0", strings.Repeat("x", 10_000))
	small, large := from.refs("org/small:v1.0.0"), from.refs("org/large:v1.0.0")
	dir, file := filepath.Join(folder, "dir"), filepath.Join(folder, "m.tar")
	copied(t, small, mirror.FromRegistries(from.client), mirror.ToDirectory(dir))
	copied(t, small, mirror.FromRegistries(from.client), mirror.ToFile(file))
	before := tree(t, folder)
	signal.Ignore(syscall.SIGXFSZ)
	var unlimited syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &unlimited); err != nil {
		t.Fatal(err)
	}
	limit := func(n uint64) {
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: n, Max: unlimited.Max}); err != nil {
			t.Fatal(err)
		}
	}
	fails := func(to *mirror.Target, path string) {
		t.Helper()
		_, err := mirror.Copy(t.Context(), large, mirror.FromRegistries(from.client), to, nil)
		var failed *xpkg.FileError
		if !errors.As(err, &failed) || failed.Path != path || !errors.Is(err, syscall.EFBIG) || strings.Contains(err.Error(), ".incomplete-") {
			t.Errorf("got %v, want a *xpkg.FileError with %s and the reason", err, path)
		}
	}
	limit(5000)
	fails(mirror.ToDirectory(dir), dir)
	fails(mirror.ToFile(file), file+".partial")
	// The blobs fit, and the tar of all does not.
	limit(15_000)
	fails(mirror.ToFile(file), file)
	limit(unlimited.Max)
	after := tree(t, folder)
	for _, f := range before {
		found := false
		for _, a := range after {
			found = found || a == f
		}
		if !found {
			t.Errorf("%s has changed or gone", f)
		}
	}
	for _, f := range after {
		if strings.Contains(f, ".incomplete-") || strings.HasPrefix(f, ".m.tar") {
			t.Errorf("%s is left", f)
		}
	}
	// When there is room, it goes on where it was.
	from.took()
	for name, to := range map[string]*mirror.Target{"directory": mirror.ToDirectory(dir), "file": mirror.ToFile(file)} {
		if result := copied(t, large, mirror.FromRegistries(from.client), to); result.Copied+result.Present != 1 {
			t.Errorf("%s: got %+v", name, result)
		}
	}
	if l, err := xpkg.OpenLayout(t.Context(), file, nil); err != nil || len(l.Entries()) != 2 {
		t.Errorf("got %+v (%v), want both packages", l, err)
	}
}
