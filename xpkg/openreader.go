package xpkg

import (
	"context"
	"errors"
	"io"

	"github.com/xpkg-go/sdk/meta"
)

// OpenReader opens an image that comes as a stream, such as an upload: a docker
// tar or an OCI layout as a tar, compressed or not, as OpenFile reads them. A tar
// may say last what it holds, so all of r is read, to its end, and held in memory
// for as long as the image is: at most Options.MaxBlobBytes, as it came and
// without copies. For more, or to read again later, write a file and use OpenFile.
//
// name is what the image is called in errors and by Image.Reference. r is not
// closed. The context is looked at between reads of r; reading it fails with r's
// error, in a *FileError. Other errors are those of OpenFile.
func OpenReader(ctx context.Context, name string, r io.Reader, o *Options) (*Image, error) {
	if r == nil {
		return nil, missing("r", "a reader")
	}
	options := o.withDefaults()
	var held blocks
	in := newContextReader(ctx, io.NopCloser(r), name)
	if err := held.readFrom(in, options.MaxBlobBytes, name); err != nil {
		if ctx.Err() != nil {
			return nil, canceled(ctx, name)
		}
		if limit := (*meta.LimitError)(nil); errors.As(err, &limit) {
			return nil, err
		}
		return nil, &FileError{Path: name, Err: err}
	}
	return openTar(ctx, name, func() (archiveFile, error) {
		return heldFile{io.NewSectionReader(&held, 0, held.size)}, nil
	}, options)
}

// maxIdleReads is how often in a row a reader may give nothing.
const maxIdleReads = 100

// errBadRead is the cause of a FileError about a reader that breaks the contract
// of io.Reader.
var errBadRead = errors.New("the reader says that it read what it cannot have read")

// blockBytes is the size of one block.
const blockBytes = 256 << 10

// blocks hold a stream in pieces, so that nothing is copied while it grows and no
// more is taken than has come.
type blocks struct {
	all  [][]byte // full but for the last
	size int64
}

func (b *blocks) readFrom(r io.Reader, limit int64, name string) error {
	block := make([]byte, 0, blockBytes)
	idle := 0
	for {
		n, err := r.Read(block[len(block):cap(block)])
		if n < 0 || n > cap(block)-len(block) {
			return errBadRead
		}
		if idle++; n > 0 || err != nil {
			idle = 0
		}
		if idle == maxIdleReads {
			return io.ErrNoProgress
		}
		block = block[:len(block)+n]
		if b.size += int64(n); b.size > limit {
			return &meta.LimitError{What: "the archive", Limit: limit, Where: name}
		}
		if err != nil || len(block) == cap(block) {
			b.all = append(b.all, block)
			block = make([]byte, 0, blockBytes)
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// ReadAt implements io.ReaderAt.
func (b *blocks) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) && at < b.size {
		m := copy(p[n:], b.all[at/blockBytes][at%blockBytes:])
		n, at = n+m, at+int64(m)
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// heldFile is what is held, as a file.
type heldFile struct{ *io.SectionReader }

// Close implements io.Closer.
func (heldFile) Close() error { return nil }
