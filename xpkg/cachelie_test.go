package xpkg_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// What a manifest says about the size of a layer is no reason to take the entry
// of the layer from others.
func TestManifestThatLiesAboutACachedLayer(t *testing.T) {
	cases := []struct {
		name, reason string
		more         int64
	}{
		{"longer", "the layer seems to be cut off", 1},
		{"shorter", "the layer seems to be longer than it should be", -1},
		{"much longer", "the same", 1 << 20},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			r := newRegistry(t)
			dir := t.TempDir()
			good := pkg()
			ref := r.put(t, "org/package:v1", good)
			liar := pkg()
			liar.layers[0].size = int64(len(liar.layers[0].blob)) + c.more
			lie := r.put(t, "stranger/package:v1", liar)
			client, told := r.cached(dir, "")
			if _, err := get(t, client, ref); err != nil {
				t.Fatal(err)
			}
			if err := client.Cache.Pin(t.Context(), good.digest().String()); err != nil {
				t.Fatal(err)
			}
			for _, policy := range []xpkg.PullPolicy{xpkg.PullIfNotPresent, xpkg.PullNever} {
				client.Pull = policy
				_, err := get(t, client, lie)
				checkError(t, err, meta.ErrDigest, lie, "layer", digestOf(good.layers[0].blob).String())
			}
			if _, err := os.Stat(filepath.Join(dir, "v1", "blobs", "sha256", digestOf(good.layers[0].blob).Hex)); err != nil {
				t.Errorf("%s: %v", c.reason, err)
			}
			never := &xpkg.Client{Transport: unreachable{t}, Cache: client.Cache, Pull: xpkg.PullNever}
			if got, err := get(t, never, ref); err != nil || got != packageYAML {
				t.Errorf("got %q (%v): %s", got, err, c.reason)
			}
			if kinds := told.kinds(); slices.Contains(kinds, xpkg.CacheBroken) {
				t.Errorf("got the events %v: nothing is broken", told.all)
			}
		})
	}
}
