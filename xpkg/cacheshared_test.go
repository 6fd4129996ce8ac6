package xpkg_test

import (
	"os"
	"testing"
)

// Files of a cache may be read by whom the umask leaves in, as its directories.
func TestCacheFilesHaveOrdinaryPermissions(t *testing.T) {
	r := newRegistry(t)
	dir := t.TempDir()
	c, _ := r.cached(dir, "")
	if _, err := get(t, c, r.put(t, "org/package:v1", pkg())); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Cache.Add(t.Context(), packageFile(t, "mycoolpkg.xpkg", packageYAML), nil); err != nil {
		t.Fatal(err)
	}
	if err := c.Cache.Pin(t.Context(), pkg().digest().String()); err != nil {
		t.Fatal(err)
	}
	want, err := os.Stat(writeTemp(t, "file", nil)) // as any program writes it
	if err != nil {
		t.Fatal(err)
	}
	files := entries(t, dir)
	if len(files) != 5 {
		t.Errorf("the cache has %q, want a manifest, a layer, a tag, a pin and a package", files)
	}
	for _, path := range files {
		if info, err := os.Stat(path); err != nil || info.Mode() != want.Mode() {
			t.Errorf("%s has the mode %v (%v), want %v", path, info.Mode(), err, want.Mode())
		}
	}
}
