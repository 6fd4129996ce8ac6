package xpkg

import (
	"context"
	"io"
)

// BlobReader reads a blob and holds it against its size and digest: its last Read returns
// a *DigestError instead of io.EOF when it was not the one that was named. What it yielded
// before that is not to be trusted. It is for one goroutine, and whoever opened it closes it.
type BlobReader struct {
	// OnRead, when not nil, is told what each Read returns, by the goroutine that reads:
	// how many bytes, and the error, which is io.EOF at the end. It is set before the first Read.
	OnRead func(n int, err error)

	verify *verifyReader
}

// newBlobReader takes over rc, which it closes with an error.
func newBlobReader(ctx context.Context, rc io.ReadCloser, ref string, want *descriptor) (*BlobReader, error) {
	v, err := newVerifyReader(newContextReader(ctx, rc, ref), ref, "blob", *want)
	if err != nil {
		_ = rc.Close()
		return nil, err
	}
	return &BlobReader{verify: v}, nil
}

// verifies reports whether it holds all that it will yield against a descriptor.
func (b *BlobReader) verifies(want *descriptor) bool {
	return b.verify.n == 0 && b.verify.want.Digest == want.Digest && b.verify.want.Size == want.Size
}

// Read implements io.Reader. Errors: *DigestError, those of the source as its opener names them,
// and one that matches meta.ErrCanceled.
func (b *BlobReader) Read(p []byte) (int, error) {
	n, err := b.verify.Read(p)
	if b.OnRead != nil {
		b.OnRead(n, err)
	}
	return n, err
}

// Close implements io.Closer. The error is that of the source.
func (b *BlobReader) Close() error { return b.verify.Close() }
