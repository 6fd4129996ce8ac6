package xpkg

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// layerReader yields the decompressed content of one layer and returns io.EOF
// only when the whole blob, to its last byte, was the one that was named. Its
// errors are final.
type layerReader struct {
	ctx    context.Context
	ref    string
	l      *layer
	where  string // the layer as limits name it
	budget *budget
	raw    *verifyReader
	in     io.Reader
	free   func() // releases the decompressor
	diff   hash.Hash
	head   []byte // the first bytes of the content, for messages
	err    error
}

// newLayerReader takes over rc, which it closes also when it fails.
func newLayerReader(ctx context.Context, ref string, l *layer, rc io.ReadCloser, b *budget) (*layerReader, error) {
	raw, err := newLayerVerifier(ctx, rc, ref, l)
	if err != nil {
		_ = rc.Close()
		return nil, &LayerError{Ref: ref, Digest: l.name(), Index: l.index, Err: err}
	}
	r := &layerReader{ctx: ctx, ref: ref, l: l, where: ref + ": layer " + l.name(), budget: b, raw: raw, free: func() {}}
	opened := false
	defer func() { // also when the reader of a caller's transport panics
		if !opened {
			r.Close()
		}
	}()
	if l.diffID != (v1.Hash{}) || l.claim != (v1.Hash{}) {
		r.diff = sha256.New()
	}
	if r.in, r.free, err = decompress(raw, l.Size, b, r.where); err != nil {
		return nil, r.fail(err)
	}
	opened = true
	return r, nil
}

// ended ends the reader when its context is done: a few compressed bytes can be a
// great many decompressed ones.
func (r *layerReader) ended() bool {
	if r.ctx.Err() == nil {
		return false
	}
	if r.err == nil || r.err == io.EOF {
		r.err = canceled(r.ctx, r.where)
	}
	return true
}

// Read implements io.Reader.
func (r *layerReader) Read(p []byte) (int, error) {
	if r.err != nil {
		return 0, r.err
	}
	if r.ended() {
		return 0, r.err
	}
	n, err := r.in.Read(p)
	if room := maxHead - len(r.head); room > 0 {
		r.head = append(r.head, p[:min(n, room)]...)
	}
	if r.diff != nil {
		r.diff.Write(p[:n])
	}
	if limit := r.budget.addBytes(int64(n), r.where); limit != nil {
		r.err = limit
		return 0, r.err
	}
	switch {
	case err == io.EOF:
		r.err = r.finish()
	case err != nil:
		r.err = r.fail(err)
	}
	return n, r.err
}

// finish reads what the decompressor left of the blob and compares.
func (r *layerReader) finish() error {
	if _, err := io.Copy(io.Discard, r.raw); err != nil {
		return r.wrap(err)
	}
	if r.diff == nil {
		return io.EOF
	}
	got := v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(r.diff.Sum(nil))}
	mismatch := func(want v1.Hash) error {
		return &DigestError{Ref: r.ref, What: "layer content", Want: want.String(), Got: got.String(), WantSize: -1}
	}
	if r.l.diffID != (v1.Hash{}) && got != r.l.diffID {
		return mismatch(r.l.diffID)
	}
	if r.l.claim != (v1.Hash{}) && got != r.l.claim && r.raw.digest() != r.l.claim {
		return mismatch(r.l.claim)
	}
	return io.EOF
}

// fail ends the reader with the reason why its content cannot be read. Content
// that was tampered with fails in a decompressor or as a tar archive first, so
// the rest of the blob is read and a wrong digest told instead: that is the
// cause.
func (r *layerReader) fail(err error) error {
	if r.err != nil && r.err != io.EOF {
		return r.err
	}
	if r.raw.err == nil {
		_, _ = io.Copy(io.Discard, r.raw)
	}
	if r.raw.err != io.EOF {
		r.err = r.wrap(r.raw.err)
		return r.err
	}
	if limit := (*meta.LimitError)(nil); errors.As(err, &limit) {
		r.err = err
		return r.err
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		err = fmt.Errorf("it ends in the middle: %w", err)
	}
	r.err = &LayerError{Ref: r.ref, Digest: r.l.name(), Index: r.l.index, Err: err, content: true}
	return r.err
}

// wrap adds the layer to errors that do not tell it.
func (r *layerReader) wrap(err error) error {
	var (
		digest   *DigestError
		canceled *canceledError
		limit    *meta.LimitError
	)
	if errors.As(err, &digest) || errors.As(err, &canceled) || errors.As(err, &limit) {
		return err
	}
	return &LayerError{Ref: r.ref, Digest: r.l.name(), Index: r.l.index, Err: err}
}

// drain reads to the end and returns io.EOF when all was verified.
func (r *layerReader) drain() error {
	if r.err == nil {
		_, _ = io.Copy(io.Discard, readerOnly{r})
	}
	return r.err
}

// readerOnly hides everything but Read.
type readerOnly struct{ io.Reader }

// Close implements io.Closer.
func (r *layerReader) Close() error {
	r.free()
	r.free = func() {} // what it releases is another layer's from now on
	return r.raw.Close()
}
