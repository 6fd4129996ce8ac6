package xpkg

import (
	"os"
)

// notRegular is the cause of a FileError about a fifo, a device, a directory.
const notRegular = invalidFile("not a regular file")

// openRegular opens a file that anybody may have put there. It does not wait for
// the writer of a fifo, also when the file becomes one just now.
func openRegular(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a device may do something
		return nil, notRegular
	}
	f, err := os.OpenFile(path, os.O_RDONLY|openNonblock, 0)
	if err != nil {
		return nil, err
	}
	return stillRegular(f)
}

// stillRegular closes a file that is no regular one.
func stillRegular(f *os.File) (*os.File, error) {
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = notRegular
	}
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}
