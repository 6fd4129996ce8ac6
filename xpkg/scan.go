package xpkg

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/xpkg-go/sdk/meta"
)

// layerScan goes through the tar entries of one layer, once, in their order.
type layerScan struct {
	lr *layerReader
	in *tarInput
	tr *tar.Reader

	entries int // that were passed
}

func (i *Image) scan(ctx context.Context, l *layer, b *budget) (*layerScan, error) {
	lr, err := i.open(ctx, l, b)
	if err != nil {
		return nil, err
	}
	// The end of an archive is two blocks.
	in := &tarInput{lr: lr, max: max(i.o.MaxHeaderBytes, 2*tarBlock)}
	return &layerScan{lr: lr, in: in, tr: tar.NewReader(in)}, nil
}

// next returns the next entry and its name as cleanName gives it, "" for
// entries that are not part of the image's tree. It returns io.EOF only when
// the layer was read to the end of the blob and verified.
func (s *layerScan) next() (string, *tar.Header, error) {
	s.in.next, s.in.start = true, -1
	h, err := s.tr.Next()
	s.in.next = false
	switch {
	case err == io.EOF:
		return "", nil, s.lr.drain()
	case errors.Is(err, tar.ErrInsecurePath):
		// The name is hostile (GODEBUG=tarinsecurepath=0 tells); cleanName
		// deals with it.
	case err != nil:
		return "", nil, s.fail(s.in.limited(err))
	}
	s.entries++
	if err := s.lr.budget.addEntry(s.lr.where); err != nil {
		s.lr.err = err
		return "", nil, err
	}
	if h.Typeflag == tar.TypeXGlobalHeader {
		return "", h, nil
	}
	return cleanName(h.Name), h, nil
}

// maxContentRead bounds one Read: the holes of a sparse file are made of nothing,
// without looking at the context.
const maxContentRead = 1 << 20

// Read reads the content of the entry that next returned.
func (s *layerScan) Read(p []byte) (int, error) {
	if s.lr.ended() {
		return 0, s.lr.err
	}
	n, err := s.tr.Read(p[:min(len(p), maxContentRead)])
	if err != nil && err != io.EOF {
		err = s.fail(err)
	}
	return n, err
}

// firstContent is how much memory is taken for a file before any of it has come.
const firstContent = 64 << 10

// content reads the whole content of the entry that next returned. It takes
// memory as the content comes, whatever size the header says, and copies little
// of it doing so.
func (s *layerScan) content(size int64) ([]byte, error) {
	b := make([]byte, 0, min(size, firstContent))
	for {
		if len(b) == cap(b) && int64(len(b)) < size {
			b = append(make([]byte, 0, min(size, 4*int64(cap(b)))), b...)
		}
		// At the end of the content a Read of nothing says so as well.
		n, err := s.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case err == io.EOF && int64(len(b)) == size, err == nil && int64(len(b)) == size:
			return b, nil
		case err == io.EOF:
			return nil, s.fail(io.ErrUnexpectedEOF)
		case err != nil:
			return nil, err
		}
	}
}

// fail ends the scan because of what archive/tar says.
func (s *layerScan) fail(err error) error {
	if limit := (*meta.LimitError)(nil); errors.As(err, &limit) {
		return s.lr.fail(err)
	}
	if s.entries == 0 {
		return s.lr.fail(fmt.Errorf("expected a tar archive, found %s: %w", looksLike(s.lr.head), err))
	}
	return s.lr.fail(fmt.Errorf("the tar archive is broken behind entry %d: %w", s.entries, err))
}

// refuse ends the scan with an error about the content of the layer, which
// counts only when the layer is the one that was named: otherwise that is the
// error.
func (s *layerScan) refuse(err error) error {
	if end := s.lr.drain(); end != io.EOF {
		return end
	}
	return err
}

// Close implements io.Closer.
func (s *layerScan) Close() error { return s.lr.Close() }
