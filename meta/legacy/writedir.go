package legacy

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/meta"
)

// An ExistsError says that a package directory is not written, because there is something
// of that name. It matches meta.ErrInvalid and fs.ErrExist.
type ExistsError struct{ Dir string }

// Error is such as: "provider-demo" exists already, and is left as it is.
func (e *ExistsError) Error() string {
	return fmt.Sprintf("%s exists already, and is left as it is", quote(e.Dir))
}

// Is reports whether target is meta.ErrInvalid or fs.ErrExist.
func (e *ExistsError) Is(target error) bool {
	return target == meta.ErrInvalid || target == fs.ErrExist
}

// WriteDir writes the files of the migration to a directory that is not there yet. It appears
// under its name when it is whole; whatever fails leaves nothing behind. The error is an
// *ExistsError when there is something of that name, or that of the system.
func (m *Migration) WriteDir(dir string) (err error) {
	dir = filepath.Clean(dir)
	if _, err := os.Lstat(dir); err == nil {
		return &ExistsError{dir}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	tmp := filepath.Join(filepath.Dir(dir), "."+filepath.Base(dir)+"."+rand.Text())
	if err := os.Mkdir(tmp, 0o777); err != nil {
		if p := (*fs.PathError)(nil); errors.As(err, &p) { // whose name is another one each time
			return &fs.PathError{Op: p.Op, Path: dir, Err: p.Err}
		}
		return err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(tmp)
		}
	}()
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range m.Files {
		name := filepath.FromSlash(f.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			return err
		}
		if err := root.WriteFile(name, f.Data, 0o666); err != nil {
			return err
		}
	}
	if err := root.Close(); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}
