package recipe

import (
	"archive/tar"
	"fmt"
	"io"
)

// Entry is an entry of a tar archive: a regular file, unless it says otherwise.
type Entry struct {
	Path    string            `yaml:"path"`
	Type    string            `yaml:"type"`
	Content Recipe            `yaml:"content"`
	Link    string            `yaml:"link"`
	PAX     map[string]string `yaml:"pax"`
	GNU     bool              `yaml:"gnu"`
	Size    int64             `yaml:"size"`  // what the header says, with no content in the archive
	Times   int               `yaml:"times"` // with {n} in the path counted up
}

var types = map[string]byte{
	"": tar.TypeReg, "file": tar.TypeReg, "directory": tar.TypeDir, "symlink": tar.TypeSymlink,
	"hardlink": tar.TypeLink, "fifo": tar.TypeFifo, "device": tar.TypeBlock, "global": tar.TypeXGlobalHeader,
}

// tar writes an archive, without its end where it is left open.
func (t Texts) tar(w io.Writer, entries []Entry, open bool, depth int) error {
	z := tar.NewWriter(w)
	for _, e := range entries {
		content, err := t.bytes(e.Content, depth)
		if err != nil {
			return err
		}
		for n := range max(e.Times, 1) {
			if err := writeEntry(z, e, n, content); err != nil {
				return fmt.Errorf("%s: %w", e.Path, err)
			}
		}
	}
	if !open {
		return z.Close()
	}
	if len(entries) > 0 && entries[len(entries)-1].Size > 0 {
		return nil // its content is for another recipe
	}
	return z.Flush()
}

func writeEntry(z *tar.Writer, e Entry, n int, content []byte) error {
	kind, ok := types[e.Type]
	if !ok {
		return fmt.Errorf("there is no type %q", e.Type)
	}
	h := &tar.Header{Name: Numbered(e.Path, n), Typeflag: kind, Linkname: e.Link, Mode: 0o644, PAXRecords: e.PAX}
	switch {
	case e.GNU:
		h.Format = tar.FormatGNU
	case e.PAX != nil:
		h.Format = tar.FormatPAX
	}
	if kind == tar.TypeXGlobalHeader {
		h = &tar.Header{Typeflag: kind, Name: e.Path, PAXRecords: e.PAX}
	}
	if kind == tar.TypeReg {
		h.Size = max(e.Size, int64(len(content)))
	}
	if err := z.WriteHeader(h); err != nil || e.Size > 0 || kind != tar.TypeReg {
		return err
	}
	_, err := z.Write(content)
	return err
}
