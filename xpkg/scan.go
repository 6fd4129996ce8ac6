package xpkg

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
)

// layerScan goes through the tar entries of one layer, once, in their order.
type layerScan struct {
	lr *layerReader
	tr *tar.Reader

	entries int // that were passed
}

func (i *Image) scan(ctx context.Context, l *layer, b *budget) (*layerScan, error) {
	lr, err := i.open(ctx, l, b)
	if err != nil {
		return nil, err
	}
	return &layerScan{lr: lr, tr: tar.NewReader(lr)}, nil
}

// next returns the next entry and its name as cleanName gives it, "" for
// entries that are not part of the image's tree. It returns io.EOF only when
// the layer was read to the end of the blob and verified.
func (s *layerScan) next() (string, *tar.Header, error) {
	h, err := s.tr.Next()
	switch {
	case err == io.EOF:
		return "", nil, s.lr.drain()
	case errors.Is(err, tar.ErrInsecurePath):
		// The name is hostile (GODEBUG=tarinsecurepath=0 tells); cleanName
		// deals with it.
	case err != nil:
		return "", nil, s.fail(err)
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

// Read reads the content of the entry that next returned.
func (s *layerScan) Read(p []byte) (int, error) {
	n, err := s.tr.Read(p)
	if err != nil && err != io.EOF {
		err = s.fail(err)
	}
	return n, err
}

// fail ends the scan because of what archive/tar says.
func (s *layerScan) fail(err error) error {
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

func (s *layerScan) Close() error { return s.lr.Close() }
