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
		h, err := t.header(e, depth)
		if err != nil {
			return fmt.Errorf("%s: %w", e.Path, err)
		}
		for n := range max(e.Times, 1) {
			h.Name = Numbered(e.Path, n)
			if err := z.WriteHeader(h); err != nil {
				return fmt.Errorf("%s: %w", e.Path, err)
			}
			if h.Typeflag != tar.TypeReg || e.Size > 0 {
				continue
			}
			if err := t.write(z, e.Content, depth); err != nil {
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

// header describes an entry. Its content is made twice, first to measure it, since there
// may be too much to hold.
func (t Texts) header(e Entry, depth int) (*tar.Header, error) {
	kind, ok := types[e.Type]
	if !ok {
		return nil, fmt.Errorf("there is no type %q", e.Type)
	}
	if kind == tar.TypeXGlobalHeader {
		return &tar.Header{Typeflag: kind, PAXRecords: e.PAX}, nil
	}
	h := &tar.Header{Typeflag: kind, Linkname: e.Link, Mode: 0o644, PAXRecords: e.PAX, Size: e.Size}
	switch {
	case e.GNU:
		h.Format = tar.FormatGNU
	case e.PAX != nil:
		h.Format = tar.FormatPAX
	}
	if kind != tar.TypeReg || e.Size > 0 {
		return h, nil
	}
	var size Size
	err := t.write(&size, e.Content, depth)
	h.Size = int64(size)
	return h, err
}

// Size is a writer that counts bytes.
type Size int64

// Write counts.
func (s *Size) Write(p []byte) (int, error) {
	*s += Size(len(p))
	return len(p), nil
}
