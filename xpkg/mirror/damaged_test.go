package mirror_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

// What a layout has counts by its digest, not by its name and size: a disk or a person
// may have changed it since.
func TestCopyMendsADirectory(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	from.index("org/p", "v1.0.0", from.image("org/p", "", "amd64"), from.image("org/p", "", "arm64"))
	refs := from.refs("org/p:v1.0.0")
	path := filepath.Join(t.TempDir(), "m")
	first := copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(path))
	blobs, err := filepath.Glob(filepath.Join(path, "blobs", "sha256", "*"))
	if err != nil || len(blobs) < 5 {
		t.Fatalf("got %q (%v)", blobs, err)
	}
	for _, blob := range blobs {
		whole := readFile(t, blob)
		for name, damage := range map[string]func() error{
			"changed": func() error { return os.WriteFile(blob, bytes.Repeat([]byte("x"), len(whole)), 0o666) },
			"cut":     func() error { return os.WriteFile(blob, whole[:len(whole)/2], 0o666) },
			"gone":    func() error { return os.Remove(blob) },
		} {
			if err := damage(); err != nil {
				t.Fatal(err)
			}
			again := copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(path))
			if got := readFile(t, blob); !bytes.Equal(got, whole) {
				t.Errorf("%s %s: got %q, want %q", filepath.Base(blob), name, got, whole)
			}
			if again.Copied != 1 || again.Blobs > 1 || again.Lock.Entries[0].Declared != first.Lock.Entries[0].Declared {
				t.Errorf("%s %s: got %+v, want nothing but that mended", filepath.Base(blob), name, again)
			}
		}
	}
	// Undamaged, it is there.
	if again := copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(path)); again.Present != 1 || again.Blobs != 0 {
		t.Errorf("got %+v", again)
	}
}

// So it is with a file, which is packed anew then.
func TestCopyMendsAFile(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	refs := from.refs("org/p:v1.0.0")
	path := filepath.Join(t.TempDir(), "m.tar")
	copied(t, refs, mirror.FromRegistries(from.client), mirror.ToFile(path))
	whole := readFile(t, path)
	if err := os.WriteFile(path, bytes.Replace(whole, []byte("layer content"), []byte("LAYER content"), 1), 0o666); err != nil {
		t.Fatal(err)
	}
	again := copied(t, refs, mirror.FromRegistries(from.client), mirror.ToFile(path))
	if got := readFile(t, path); !bytes.Equal(got, whole) || again.Copied != 1 || again.Blobs != 1 {
		t.Errorf("got %+v and %d bytes, want the first %d again", again, len(got), len(whole))
	}
}

// A mirror that is damaged is no source, and the error says of what.
func TestCopyFromADamagedDirectory(t *testing.T) {
	t.Parallel()
	from := newRegistry(t)
	from.image("org/p", "v1.0.0", "content")
	refs := from.refs("org/p:v1.0.0")
	path := filepath.Join(t.TempDir(), "m")
	copied(t, refs, mirror.FromRegistries(from.client), mirror.ToDirectory(path))
	layer := digest(describe("", []byte("layer content")))
	if err := os.WriteFile(filepath.Join(path, "blobs", "sha256", layer[len("sha256:"):]), []byte("LAYER content"), 0o666); err != nil {
		t.Fatal(err)
	}
	to := newRegistry(t)
	l, err := xpkg.OpenLayout(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = mirror.Copy(t.Context(), refs, mirror.FromLayout(l), to.to("m", refs), nil)
	checkError(t, err, meta.ErrDigest, layer)
	if got := to.get(below("m", from, "org/p") + "/manifests/v1.0.0"); got != "" {
		t.Errorf("got %q", got)
	}
}
