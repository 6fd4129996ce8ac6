package cli

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// WriteFile writes a file whole or not at all.
func WriteFile(name string, data []byte) error {
	return WriteFileFrom(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// WriteFileFrom writes what write writes to a file: whole or, when write fails, not at all.
func WriteFileFrom(name string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // there is none any more when it was renamed
	if err := errors.Join(write(f), f.Chmod(0o644), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
