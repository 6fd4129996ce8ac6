package parser

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/internal/yamlstream"
)

// errFileTooLarge says that a file alone is larger than all may be together.
var errFileTooLarge = errors.New("the file is too large")

// errChanged says that a file is not one consistent version.
var errChanged = errors.New("it changed while it was read")

// A fileError is what keeps a file from being read to its end.
type fileError struct{ err error }

// Error implements error.
func (e *fileError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *fileError) Unwrap() error { return e.err }

// A file is one of a directory, which is read as it is at one time. It is for one
// goroutine.
type file struct {
	f      *os.File
	size   int64
	before fs.FileInfo
	read   int64 // bytes so far
}

// openFile opens a file of at most left bytes, and at most limit at any time, which the
// caller closes.
func openFile(root *os.Root, name string, left, limit int64) (_ *file, err error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	before, err := f.Stat()
	if err != nil {
		return nil, err
	}
	switch {
	case !before.Mode().IsRegular():
		return nil, errors.New("it is not a regular file")
	case before.Size() > limit:
		return nil, errFileTooLarge
	case before.Size() > left:
		return nil, yamlstream.ErrStreamTooLarge
	}
	return &file{f: f, size: before.Size(), before: before}, nil
}

// Read implements io.Reader. Every error is a *fileError save io.EOF, which comes only
// behind all bytes of a file that has not changed.
func (f *file) Read(p []byte) (int, error) {
	n, err := f.f.Read(p)
	f.read += int64(n)
	switch {
	case f.read > f.size: // it has grown
		return 0, &fileError{errChanged}
	case errors.Is(err, io.EOF):
		return n, f.end()
	case err != nil:
		return n, &fileError{err}
	}
	return n, nil
}

// end is the error at the end of the file.
func (f *file) end() error {
	after, err := f.f.Stat()
	switch {
	case err != nil:
		return &fileError{err}
	case f.read != f.size || after.Size() != f.size || !after.ModTime().Equal(f.before.ModTime()):
		return &fileError{errChanged}
	}
	return io.EOF
}

// whole reads and closes the file.
func (f *file) whole(ctx context.Context) (text []byte, err error) {
	defer func() { err = cmp.Or(err, f.f.Close()) }()
	text = make([]byte, f.size+1) // one more, to see that it has not grown
	n, err := io.ReadFull(contextReader{ctx, f}, text)
	if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return text[:n:n], nil
}

// readFile reads a whole file of at most left bytes, and at most limit at any time, as it
// is at one time.
func readFile(ctx context.Context, root *os.Root, name string, left, limit int64) ([]byte, error) {
	f, err := openFile(root, name, left, limit)
	if err != nil {
		return nil, err
	}
	return f.whole(ctx)
}
