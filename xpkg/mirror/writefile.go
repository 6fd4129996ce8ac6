package mirror

import (
	"bytes"
	"path/filepath"
)

// writeFile writes a file whole or not at all.
func writeFile(path string, content []byte) error {
	d := &directory{path: filepath.Dir(path)}
	_, err := d.copy(filepath.Base(path), int64(len(content)), bytes.NewReader(content))
	return err
}
