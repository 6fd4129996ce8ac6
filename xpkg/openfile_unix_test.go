//go:build unix

package xpkg_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// A fifo is refused, and not waited for.
func TestOpenFifo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.xpkg")
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := xpkg.OpenFile(t.Context(), path, nil)
	checkError(t, err, meta.ErrNotPackage, "neither a file nor a directory")
}

// An index.json that is there and cannot be read is told as that, and not as a
// directory that is no layout.
func TestOpenUnreadableLayout(t *testing.T) {
	dir := t.TempDir()
	if err := os.Symlink("index.json", filepath.Join(dir, "index.json")); err != nil {
		t.Fatal(err)
	}
	_, err := xpkg.OpenFile(t.Context(), dir, nil)
	if file := (*xpkg.FileError)(nil); !errors.As(err, &file) || errors.Is(err, meta.ErrNotPackage) {
		t.Errorf("got %v, want a *FileError", err)
	}
}
