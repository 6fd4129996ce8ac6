package xpkg

import (
	"bufio"
	"bytes"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow is the largest window that the zstd command decompresses
// without being told to; a layer that asks for more memory is refused.
const maxZstdWindow = 128 << 20

// decompress yields the content of r, whichever way it is compressed: the first
// bytes decide, because the media types of real images are wrong too often.
// Gzip and zstd may come in several members or frames; their checksums are
// checked and anything behind them is an error. The returned function releases
// the decompressor.
func decompress(r io.Reader) (io.Reader, func(), error) {
	none := func() {}
	br := bufio.NewReaderSize(r, 64<<10)
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
		// Concurrency 1 decodes in the caller's goroutine.
		z, err := zstd.NewReader(br, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return nil, none, err
		}
		return z, z.Close, nil
	}
	return br, none, nil
}

// isZstd knows frames and the skippable frames that may come first.
func isZstd(magic []byte) bool {
	if len(magic) < 4 {
		return false
	}
	return bytes.Equal(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}) ||
		magic[0]&0xf0 == 0x50 && bytes.Equal(magic[1:], []byte{0x2a, 0x4d, 0x18})
}
