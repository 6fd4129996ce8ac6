package xpkg

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"

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
	inner := (*FileError)(nil) // of another image, such as one that is read while this one is written
	if p := (*fs.PathError)(nil); !errors.As(err, &inner) && errors.As(err, &p) {
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

// Error implements error.
func (e invalidFile) Error() string { return string(e) }

// Is reports whether target is meta.ErrInvalid.
func (e invalidFile) Is(target error) bool { return target == meta.ErrInvalid }

// Is reports whether target is meta.ErrNotFound and the cause fs.ErrNotExist, or
// target meta.ErrInvalid and the cause a path that leads nowhere.
func (e *FileError) Is(target error) bool {
	switch target {
	case meta.ErrNotFound:
		return errors.Is(e.Err, fs.ErrNotExist)
	case meta.ErrInvalid:
		return leadsNowhere(e.Err)
	}
	return false
}

// leadsNowhere knows a path over a file or a link in a circle, one with a NUL, and
// one out of an os.Root, whose error has no type.
func leadsNowhere(err error) bool {
	return errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP) || errors.Is(err, syscall.EINVAL) ||
		strings.HasSuffix(err.Error(), "path escapes from parent")
}
