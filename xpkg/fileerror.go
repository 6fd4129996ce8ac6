package xpkg

import (
	"errors"
	"io/fs"

	"github.com/xpkg-go/sdk/meta"
)

// FileError says that a file could not be read or, by build.WriteFile, written. It matches meta.ErrNotFound when
// there is no such file, meta.ErrInvalid when it is no regular file or a link
// without end, and what its cause matches, such as fs.ErrPermission.
type FileError struct {
	Path string // of the image, as it was given
	Name string // of the file inside the image, with slashes, or ""
	Err  error
}

// Error implements error.
func (e *FileError) Error() string {
	err := e.Err
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		err = p.Err // its path is one of ours
	}
	if e.Name != "" {
		return e.Path + ": " + e.Name + ": " + err.Error()
	}
	return e.Path + ": " + err.Error()
}

// Unwrap returns the cause.
func (e *FileError) Unwrap() error { return e.Err }

// invalidFile is a cause that lies in the image and not in the system.
type invalidFile string

func (e invalidFile) Error() string        { return string(e) }
func (e invalidFile) Is(target error) bool { return target == meta.ErrInvalid }

// Is reports whether target is meta.ErrNotFound and the cause fs.ErrNotExist.
func (e *FileError) Is(target error) bool {
	return target == meta.ErrNotFound && errors.Is(e.Err, fs.ErrNotExist)
}
