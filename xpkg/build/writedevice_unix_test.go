//go:build unix

package build_test

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-containerregistry/pkg/v1/empty"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// What is no file is not replaced by one; a link to a file is followed.
func TestWriteFileLeavesDevicesAlone(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "link")
	if err := os.Symlink(fifo, link); err != nil {
		t.Fatal(err)
	}
	nowhere, circle := filepath.Join(dir, "nowhere"), filepath.Join(dir, "circle")
	for from, to := range map[string]string{nowhere: "none", circle: "circle"} {
		if err := os.Symlink(to, from); err != nil {
			t.Fatal(err)
		}
	}
	for path, says := range map[string]string{
		fifo: "a device or the like is not a file", link: "a device or the like is not a file", dir: "a directory is not a file",
		nowhere: "no such file", circle: "too many levels",
	} {
		before, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		err = build.WriteFile(t.Context(), path, empty.Image, build.OCI)
		if err == nil || !strings.Contains(err.Error(), says) || strings.HasPrefix(says, "a ") && meta.Code(err) != "invalid" {
			t.Errorf("%s: got %v", path, err)
		}
		if after, err := os.Lstat(path); err != nil || after.Mode() != before.Mode() {
			t.Errorf("%s was %v and is %v (%v)", path, before.Mode(), after.Mode(), err)
		}
	}
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	toFile := filepath.Join(dir, "to-file")
	if err := os.Symlink("file", toFile); err != nil {
		t.Fatal(err)
	}
	if err := build.WriteFile(t.Context(), toFile, empty.Image, build.OCI); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(toFile); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link is %v (%v)", info, err)
	}
	if info, err := os.Stat(file); err != nil || info.Size() == 0 {
		t.Errorf("the file is %v (%v)", info, err)
	}
}
