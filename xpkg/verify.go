package xpkg

import (
	"context"
	"encoding/hex"
	"hash"
	"io"
	"sync"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// hashBlock is how much of a blob is read and hashed at once, and hashAside how
// much is worth a goroutine.
const (
	hashBlock = 512 << 10
	hashAside = 16 << 10
)

// verifyReader yields a blob and returns io.EOF only when the whole of it had
// the size and the digest that its descriptor names. What it yielded before is
// not to be trusted.
//
// A blob that does not compress takes longer to hash than to decompress, so a
// block is hashed while the caller works on it. Each has a goroutine of its own,
// which waits for nothing and so ends whatever the caller does.
type verifyReader struct {
	rc   io.ReadCloser
	ref  string
	what string
	want descriptor // a zero digest is not checked
	n    int64
	err  error // behind left

	hash   hash.Hash
	aside  sync.WaitGroup // the block that is being hashed
	blocks [2][]byte      // that one and the next
	left   []byte         // of a block, for the caller
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

func (v *verifyReader) Read(p []byte) (int, error) {
	if len(v.left) == 0 && v.err == nil {
		v.next()
	}
	n := copy(p, v.left)
	if v.left = v.left[n:]; len(v.left) > 0 {
		return n, nil
	}
	return n, v.err
}

// next reads a block.
func (v *verifyReader) next() {
	if v.blocks[0] == nil {
		// One byte more, to see the end of a small blob.
		v.blocks[0] = make([]byte, min(max(v.want.Size, 0), hashBlock-1)+1)
	}
	block := v.blocks[0]
	n, err := v.rc.Read(block)
	block = block[:n]
	v.n += int64(n)
	v.aside.Wait()
	switch {
	case v.n > v.want.Size:
		v.err = v.mismatch("")
		return
	case err == nil && n >= hashAside:
		v.aside.Go(func() { v.hash.Write(block) })
		v.blocks[0], v.blocks[1] = v.blocks[1], v.blocks[0]
	default:
		v.hash.Write(block)
	}
	v.left = block
	switch {
	case err == io.EOF:
		v.err = v.check()
	case err != nil && v.n == v.want.Size && v.check() != io.EOF:
		// Every byte has come and they are the wrong ones: whatever the source
		// says about it, that is the fault.
		v.err = v.check()
	case err != nil:
		v.err = err
	}
}

// check returns io.EOF when what was read is what was wanted.
func (v *verifyReader) check() error {
	if v.n != v.want.Size {
		return v.mismatch(v.digest().String())
	}
	if v.want.Digest != (v1.Hash{}) && v.digest() != v.want.Digest {
		return v.mismatch(v.digest().String())
	}
	return io.EOF
}

func (v *verifyReader) digest() v1.Hash {
	algorithm := v.want.Digest.Algorithm
	if algorithm == "" {
		algorithm = "sha256"
	}
	v.aside.Wait()
	return v1.Hash{Algorithm: algorithm, Hex: hex.EncodeToString(v.hash.Sum(nil))}
}

func (v *verifyReader) mismatch(got string) *DigestError {
	return &DigestError{
		Ref: v.ref, What: v.what, Want: v.want.name(), Got: got,
		WantSize: v.want.Size, GotSize: v.n,
	}
}

func (v *verifyReader) Close() error {
	v.aside.Wait()
	return v.rc.Close()
}

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

func (c *contextReader) Close() error { return c.rc.Close() }
