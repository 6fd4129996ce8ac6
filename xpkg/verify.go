package xpkg

import (
	"context"
	"encoding/hex"
	"hash"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// verifyReader yields a blob and returns io.EOF only when the whole of it had
// the size and the digest that its descriptor names. What it yielded before is
// not to be trusted.
type verifyReader struct {
	rc   io.ReadCloser
	ref  string
	what string
	want descriptor // a zero digest is not checked
	hash hash.Hash
	same func() bool // what the hash was when all was verified before, or nil
	n    int64
	err  error
}

func newVerifyReader(rc io.ReadCloser, ref, what string, want descriptor) (*verifyReader, error) {
	algorithm := want.Digest.Algorithm
	if algorithm == "" {
		algorithm = "sha256"
	}
	h, err := v1.Hasher(algorithm)
	if err != nil {
		return nil, err
	}
	return &verifyReader{rc: rc, ref: ref, what: what, want: want, hash: h}, nil
}

// Read implements io.Reader.
func (v *verifyReader) Read(p []byte) (int, error) {
	if v.err != nil {
		return 0, v.err
	}
	n, err := v.rc.Read(p)
	v.n += int64(n)
	v.hash.Write(p[:n])
	switch {
	case v.n > v.want.Size:
		v.err = v.mismatch("")
		return 0, v.err
	case err == io.EOF:
		v.err = v.check()
	case err != nil && v.n == v.want.Size && v.check() != io.EOF:
		// Every byte has come and they are the wrong ones: whatever the source
		// says about it, that is the fault.
		v.err = v.check()
	case err != nil:
		v.err = err
	}
	return n, v.err
}

// check returns io.EOF when what was read is what was wanted.
func (v *verifyReader) check() error {
	if v.same != nil {
		if v.n == v.want.Size && v.same() {
			return io.EOF
		}
		return v.mismatch("")
	}
	if v.n != v.want.Size {
		return v.mismatch(v.digest().String())
	}
	if v.want.Digest != (v1.Hash{}) && v.digest() != v.want.Digest {
		return v.mismatch(v.digest().String())
	}
	return io.EOF
}

func (v *verifyReader) digest() v1.Hash {
	if v.same != nil {
		return v.want.Digest
	}
	algorithm := v.want.Digest.Algorithm
	if algorithm == "" {
		algorithm = "sha256"
	}
	return v1.Hash{Algorithm: algorithm, Hex: hex.EncodeToString(v.hash.Sum(nil))}
}

func (v *verifyReader) mismatch(got string) *DigestError {
	return &DigestError{
		Ref: v.ref, What: v.what, Want: v.want.name(), Got: got,
		WantSize: v.want.Size, GotSize: v.n,
	}
}

// Close implements io.Closer.
func (v *verifyReader) Close() error { return v.rc.Close() }

// verifyBytes is verifyReader for bytes that are in memory.
func verifyBytes(b []byte, ref, what string, want v1.Hash) error {
	h, err := v1.Hasher(want.Algorithm)
	if err != nil {
		return err
	}
	h.Write(b)
	if got := hex.EncodeToString(h.Sum(nil)); got != want.Hex {
		return &DigestError{
			Ref: ref, What: what, Want: want.String(), Got: want.Algorithm + ":" + got,
			WantSize: -1, GotSize: int64(len(b)),
		}
	}
	return nil
}

// contextReader ends with an error of ctx as soon as ctx is done. It is looked
// at between reads; releasing a Read that waits is the business of the source.
type contextReader struct {
	ctx context.Context
	rc  io.ReadCloser
	ref string
}

func newContextReader(ctx context.Context, rc io.ReadCloser, ref string) *contextReader {
	return &contextReader{ctx: ctx, rc: rc, ref: ref}
}

// Read implements io.Reader.
func (c *contextReader) Read(p []byte) (int, error) {
	if c.ctx.Err() != nil {
		return 0, canceled(c.ctx, c.ref)
	}
	n, err := c.rc.Read(p)
	if err != nil && err != io.EOF && c.ctx.Err() != nil {
		return n, canceled(c.ctx, c.ref)
	}
	return n, err
}

// Close implements io.Closer.
func (c *contextReader) Close() error { return c.rc.Close() }
