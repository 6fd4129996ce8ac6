package xpkg_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/xpkg"
)

// occupants are what may stand in the place of a cache entry.
var occupants = map[string]func(path, outside string) error{
	"directory": func(path, _ string) error { return os.MkdirAll(filepath.Join(path, "a", "b"), 0o777) },
	"link to a directory": func(path, outside string) error {
		return os.Symlink(filepath.Dir(outside), path)
	},
	"directory with a link out of the cache": func(path, outside string) error {
		if err := os.Mkdir(path, 0o777); err != nil {
			return err
		}
		return os.Symlink(filepath.Dir(outside), filepath.Join(path, "link"))
	},
	"fifo":             makeFifo,
	"link in a circle": func(path, _ string) error { return os.Symlink(filepath.Base(path), path) },
}

// Whatever stands in the place of an entry is replaced by it, and downloaded
// once.
func TestPlacesOfCacheEntries(t *testing.T) {
	for name, occupy := range occupants {
		t.Run(name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			ref := r.put(t, "org/package:v1", pkg())
			outside := writeTemp(t, "outside", []byte("stays"))
			c, told := r.cached(dir, "")
			if _, err := get(t, c, ref); err != nil {
				t.Fatal(err)
			}
			for _, path := range entries(t, dir) {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
				if err := occupy(path, outside); err != nil {
					t.Skipf("needs a file system with links and pipes, such as Linux has: %v", err)
				}
				r.took()
				if got, err := get(t, c, ref); err != nil || got != packageYAML {
					t.Errorf("%s: got %q (%v)", path, got, err)
				}
				if got := r.took(); len(got) != 1 {
					t.Errorf("%s: got the requests %q, want one", path, got)
				}
				if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
					t.Errorf("%s was not replaced: %v (%v)", path, info, err)
				}
			}
			if b, err := os.ReadFile(outside); err != nil || string(b) != "stays" {
				t.Errorf("outside of the cache: got %q (%v)", b, err)
			}
			if kinds := told.kinds(); slices.Contains(kinds, xpkg.CacheFailed) {
				t.Errorf("got the events %v", told.all)
			}
		})
	}
}
