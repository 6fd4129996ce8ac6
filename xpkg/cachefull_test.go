//go:build linux

package xpkg_test

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

const fullEnv = "XPKG_TEST_CACHE_FULL"

// A disk that is full is stood for by a limit on the size of files, which is one
// of a process.
func TestFullDisk(t *testing.T) {
	img := large(3)
	manifest := "GET manifests/v1"
	for name, c := range map[string]struct {
		reason    string
		limit     int
		blobs     []string
		manifests []string // requests for manifests by the second process
	}{
		"no byte":        {"nothing is kept", 0, nil, []string{manifest}},
		"some":           {"the manifest is", 2000, []string{img.digest().String()}, nil},
		"all but a byte": {"a layer that lacks one is none", len(img.layers[0].blob) - 1, []string{img.digest().String()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			ref := r.put(t, "org/package:v1", img)
			local := writeTemp(t, "a.xpkg", tarOf(dockerTar{layers: [][]byte{img.layers[0].blob}}.files()...))
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			for n := range 2 {
				r.took()
				cmd := exec.CommandContext(t.Context(), self, "-test.run=^TestFullDiskChild$")
				cmd.Env = append(os.Environ(), fullEnv+"="+strings.Join([]string{dir, ref, strconv.Itoa(c.limit), local}, "|"))
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				if got := blobNames(t, dir); !slices.Equal(got, c.blobs) {
					t.Errorf("the cache has %q, want %q: %s", got, c.blobs, c.reason)
				}
				checkOnlyEntries(t, dir)
				got := slices.DeleteFunc(r.took(), func(q string) bool { return strings.HasPrefix(q, "GET blobs/") })
				if n == 1 && !slices.Equal(got, c.manifests) {
					t.Errorf("got the requests %q, want %q: %s", got, c.manifests, c.reason)
				}
			}
		})
	}
}

func TestFullDiskChild(t *testing.T) {
	args := strings.Split(os.Getenv(fullEnv), "|")
	if len(args) != 4 {
		t.Skip("runs in the processes that TestFullDisk starts")
	}
	limit, err := strconv.ParseUint(args[2], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	signal.Ignore(syscall.SIGXFSZ)
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		t.Fatal(err)
	}
	told := &events{}
	c := &xpkg.Client{Cache: xpkg.OpenCache(args[0], nil), Transport: &http.Transport{}, Event: told.add}
	if got, err := get(t, c, args[1]); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	kinds := told.kinds()
	if len(kinds) == 0 || slices.ContainsFunc(kinds, func(k xpkg.EventKind) bool { return k != xpkg.CacheFailed }) {
		t.Errorf("got the events %v", told.all)
	}
	// What was asked for fails, and leaves nothing.
	_, err = c.Cache.Add(t.Context(), args[3], nil)
	var failed *xpkg.FileError
	if !errors.As(err, &failed) || !errors.Is(err, syscall.EFBIG) {
		t.Errorf("got %v", err)
	}
}

// A cache on which nothing can be written is read all the same. The test may be
// run by root, who can write everywhere; so it is somebody else who reads.
func TestReadOnlyCache(t *testing.T) {
	top, err := os.MkdirTemp("", "cache")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(top, func(path string, _ os.DirEntry, _ error) error { return os.Chmod(path, 0o777) })
		_ = os.RemoveAll(top)
	})
	r := newRegistry(t)
	known, other := r.put(t, "org/known:v1", pkg()), r.put(t, "org/other:v1", variant("other"))
	dir := filepath.Join(top, "cache")
	warm, _ := r.cached(dir, "")
	if _, err := get(t, warm, known); err != nil {
		t.Fatal(err)
	}
	if _, err := warm.Cache.Add(t.Context(), packageFile(t, "mycoolpkg.xpkg", packageYAML), nil); err != nil {
		t.Fatal(err)
	}
	files := entries(t, dir)
	err = filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.Chmod(path, 0o555)
		}
		return os.Chmod(path, 0o444)
	})
	if err != nil {
		t.Fatal(err)
	}
	asSomebodyElse(t, func() {
		for _, max := range []int64{0, 1} {
			told := &events{}
			c := &xpkg.Client{Transport: unreachable{t}, Cache: xpkg.OpenCache(dir, &xpkg.CacheOptions{MaxBytes: max}), Event: told.add}
			for _, ref := range []string{known, "mycoolpkg"} {
				if got, err := get(t, c, ref); err != nil || got != packageYAML || told.kinds() != nil {
					t.Errorf("%s: got %q (%v), %v", ref, got, err, told.all)
				}
			}
			c = &xpkg.Client{Transport: r.transport, Cache: c.Cache, Event: told.add}
			r.took()
			if got, err := get(t, c, other); err != nil || got != "# other\n"+packageYAML {
				t.Errorf("got %q (%v)", got, err)
			}
			if got := r.took(); len(got) != 2 {
				t.Errorf("got the requests %q, want two", got)
			}
			if got := told.kinds(); !slices.Contains(got, xpkg.CacheFailed) {
				t.Errorf("got the events %v", told.all)
			}
			never := &xpkg.Client{Transport: unreachable{t}, Cache: c.Cache, Pull: xpkg.PullNever}
			_, err := get(t, never, other)
			checkError(t, err, meta.ErrNotFound, dir)
			if got, err := c.Cache.Verify(t.Context()); err != nil || got != nil {
				t.Errorf("got %v (%v)", got, err)
			}
			if err := c.Cache.Pin(t.Context(), pkg().digest().String()); err == nil {
				t.Error("pinned nowhere")
			}
		}
	})
	if now := entries(t, dir); !slices.Equal(now, files) {
		t.Errorf("the cache has %q, had %q", now, files)
	}
}

// An entry that cannot be read is not a broken one, and nobody fails for it.
func TestEntriesThatCannotBeRead(t *testing.T) {
	top, err := os.MkdirTemp("", "cache")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(top) })
	r := newRegistry(t)
	dir := filepath.Join(top, "cache")
	ref := r.put(t, "org/package:v1", pkg())
	warm, _ := r.cached(dir, "")
	if _, err := get(t, warm, ref); err != nil {
		t.Fatal(err)
	}
	// Another user's, in directories of both.
	err = filepath.WalkDir(top, func(path string, d os.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return os.Chmod(path, 0o777)
		case strings.Contains(path, "blobs"):
			return os.Chmod(path, 0)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	asSomebodyElse(t, func() {
		c, told := r.cached(dir, xpkg.PullNever)
		_, err := get(t, c, ref)
		checkError(t, err, meta.ErrNotFound, ref)
		c.Pull = xpkg.PullIfNotPresent
		if got, err := get(t, c, ref); err != nil || got != packageYAML {
			t.Errorf("got %q (%v)", got, err)
		}
		kinds := told.kinds()
		if len(kinds) == 0 || slices.ContainsFunc(kinds, func(k xpkg.EventKind) bool { return k != xpkg.CacheFailed }) {
			t.Errorf("got the events %v, want %s only", told.all, xpkg.CacheFailed)
		}
		// What could be replaced was.
		c.Pull, c.Transport = xpkg.PullNever, unreachable{t}
		if got, err := get(t, c, ref); err != nil || got != packageYAML {
			t.Errorf("got %q (%v)", got, err)
		}
	})
}

// asSomebodyElse runs do with the rights of an ordinary user to files.
func asSomebodyElse(t *testing.T, do func()) {
	t.Helper()
	if os.Getuid() != 0 {
		do()
		return
	}
	done := make(chan error)
	go func() {
		defer close(done)
		runtime.LockOSThread() // and never unlocked: the thread ends with it
		if err := syscall.Setfsuid(65534); err != nil {
			done <- err
			return
		}
		if f, err := os.CreateTemp("/", "x"); err == nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			done <- fmt.Errorf("the user of files was not changed")
			return
		}
		do()
	}()
	if err := <-done; err != nil {
		t.Skipf("root cannot be another user for files here: run the test as a user who is not root: %v", err)
	}
}

// An entry that cannot get its name, here because it would have to go to another
// file system, is read all the same.
func TestRenameThatFails(t *testing.T) {
	far, err := os.MkdirTemp("/dev/shm", "cache")
	if err != nil {
		t.Skipf("needs a second file system at /dev/shm, as Linux has: %v", err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(far) })
	dir := t.TempDir()
	probe := filepath.Join(dir, "probe")
	if err := os.WriteFile(probe, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(probe, filepath.Join(far, "probe")); err == nil {
		t.Skip("needs a second file system, and /dev/shm is the same: set TMPDIR to a directory on another one")
	}
	r := newRegistry(t)
	ref := r.put(t, "org/package:v1", pkg())
	if err := os.Mkdir(filepath.Join(dir, "v1"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(far, filepath.Join(dir, "v1", "blobs")); err != nil {
		t.Fatal(err)
	}
	c, told := r.cached(dir, "")
	if got, err := get(t, c, ref); err != nil || got != packageYAML {
		t.Errorf("got %q (%v)", got, err)
	}
	if got := r.took(); len(got) != 2 {
		t.Errorf("got the requests %q, want two: what was downloaded is read", got)
	}
	if got := told.kinds(); !slices.Equal(got, []xpkg.EventKind{xpkg.CacheFailed, xpkg.CacheFailed}) {
		t.Errorf("got the events %v", told.all)
	}
	checkNoLeftovers(t, dir)
	if files := entries(t, far); files != nil {
		t.Errorf("there is %q", files)
	}
}
