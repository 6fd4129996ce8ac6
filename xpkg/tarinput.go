package xpkg

import (
	"archive/tar"
	"errors"
	"io"

	"github.com/xpkg-go/sdk/meta"
)

const (
	tarBlock = 512

	// maxTarField is what archive/tar reads of PAX records, of a long name and
	// of a long link, each.
	maxTarField = 1 << 20
)

// tarInput is a layer as archive/tar reads it. It tells headers from what is
// between them, which archive/tar seeks over, and bounds each.
type tarInput struct {
	lr  *layerReader
	max int64 // bytes of a header
	pos int64

	// next is set while archive/tar is asked for the next entry, whose header
	// begins at start, or has not begun when that is negative.
	next  bool
	start int64

	skipped []byte // what is read to be thrown away
}

// Read implements io.Reader.
func (t *tarInput) Read(p []byte) (int, error) {
	// Before a header come at most the last byte of the content, on its own, and
	// the rest of its block.
	if t.next && t.start < 0 && len(p) == tarBlock && t.pos%tarBlock == 0 {
		t.start = t.pos
	}
	n, err := t.lr.Read(p)
	t.pos += int64(n)
	if t.next && t.start >= 0 && t.pos-t.start > t.max {
		t.lr.err = t.tooLong(t.max, t.pos-t.start)
		return 0, t.lr.err
	}
	return n, err
}

func (t *tarInput) tooLong(limit, got int64) error {
	return &meta.LimitError{What: "a tar header", Limit: limit, Got: got, Where: t.lr.where}
}

// Seek goes forward from where it is, which is all that archive/tar asks for.
func (t *tarInput) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekCurrent || offset < 0 {
		return 0, errors.ErrUnsupported
	}
	if t.skipped == nil && offset > 0 {
		t.skipped = make([]byte, 32<<10)
	}
	for offset > 0 {
		n, err := t.lr.Read(t.skipped[:min(offset, int64(len(t.skipped)))])
		t.pos += int64(n)
		offset -= int64(n)
		if err == io.EOF {
			break // the next Read tells
		}
		if err != nil {
			return 0, err
		}
	}
	return t.pos, nil
}

// limited tells what archive/tar itself finds too long as what it is.
func (t *tarInput) limited(err error) error {
	if errors.Is(err, tar.ErrFieldTooLong) {
		return t.tooLong(maxTarField, 0)
	}
	return err
}
