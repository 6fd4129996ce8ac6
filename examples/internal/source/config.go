package source

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// maxConfig bounds a file of settings, in bytes.
const maxConfig = 1 << 20

// Config reads a file of settings for the linter. A package may come from anybody:
// nothing outside of its directory is read, and nothing that has no end.
func Config(dir, file string, rules []*linter.Rule) (*linter.Config, error) {
	text, err := ReadBelow(dir, file, maxConfig)
	if err != nil {
		return nil, err
	}
	return linter.ParseConfig(filepath.ToSlash(filepath.Join(dir, file)), text, rules)
}

// ReadBelow reads a regular file of at most so many bytes below a directory.
func ReadBelow(dir, file string, limit int64) ([]byte, error) {
	root, err := os.OpenRoot(cmp.Or(dir, "."))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Stat(file) // before it is opened, which may wait for a writer
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is not a regular file", meta.ErrInvalid, filepath.Join(dir, file))
	}
	f, err := root.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(text)) > limit {
		return nil, &meta.LimitError{What: filepath.Join(dir, file), Limit: limit}
	}
	return text, err
}
