package xpkg

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/xpkg-go/sdk/meta"
)

// decompress yields the content of r, whichever way it is compressed: the first
// bytes decide, because the media types of real images are wrong too often.
// Gzip and zstd may come in several members or frames; their checksums are
// checked and anything behind them is an error. A window of zstd above that of b
// is a *meta.LimitError about where. The returned function releases the
// decompressor. size is how long r says that it is, or 0: what is short gets a small buffer.
func decompress(r io.Reader, size int64, b *budget, where string) (io.Reader, func(), error) {
	none := func() {}
	const most = 64 << 10
	if size <= 0 || size > most {
		size = most
	}
	br := bufio.NewReaderSize(r, int(size))
	magic, err := br.Peek(4)
	if err != nil && err != io.EOF {
		return nil, none, err
	}
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(br)
		if err != nil {
			return nil, none, err
		}
		return z, none, nil
	case isZstd(magic):
		z, err := b.decoder(br)
		if err != nil {
			return nil, none, err
		}
		return &zstdReader{z, b.maxWindow, where}, func() { b.spare = z }, nil
	}
	return br, none, nil
}

// zstdReader tells a window that is too large as the limit that it is.
type zstdReader struct {
	z         *zstd.Decoder
	maxWindow int64
	where     string
}

// Read implements io.Reader.
func (r *zstdReader) Read(p []byte) (int, error) {
	n, err := r.z.Read(p)
	if errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		err = &meta.LimitError{What: "the zstd window", Limit: r.maxWindow, Where: r.where}
	}
	return n, err
}

// isZstd knows frames and the skippable frames that may come first.
func isZstd(magic []byte) bool {
	if len(magic) < 4 {
		return false
	}
	return bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2a, 0x4d, 0x18})
}
