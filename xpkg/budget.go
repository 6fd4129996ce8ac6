package xpkg

import (
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/xpkg-go/sdk/meta"
)

// maxZstdWindow is the largest window that the format can ask for.
const maxZstdWindow = 1<<41 + 7<<38

// budget counts what one call has decompressed, also of a compressed archive
// around the layers, and how many tar entries it has passed, over all layers and
// all passes, so that an image cannot make a call long by splitting a bomb.
type budget struct {
	bytes, maxBytes     int64
	entries, maxEntries int64

	// spare has the window of a layer that has been read. The next layer gets
	// it, or many small layers that ask for large windows would fill the memory
	// before they are collected.
	spare     *zstd.Decoder
	maxWindow int64
}

func newBudget(o *Options) *budget {
	return &budget{
		maxBytes: o.MaxLayerBytes, maxEntries: o.MaxEntries,
		maxWindow: min(max(o.MaxZstdWindow, zstd.MinWindowSize), maxZstdWindow),
	}
}

func (b *budget) addBytes(n int64, where string) error {
	b.bytes += n
	if b.bytes > b.maxBytes {
		return &meta.LimitError{What: "decompressed content", Limit: b.maxBytes, Got: b.bytes, Where: where}
	}
	return nil
}

func (b *budget) addEntry(where string) error {
	b.entries++
	if b.entries > b.maxEntries {
		return &meta.LimitError{What: "what is read of the layers", Unit: "tar entries", Limit: b.maxEntries, Got: b.entries, Where: where}
	}
	return nil
}

// decoder decompresses zstd in the caller's goroutine, so it needs no closing.
func (b *budget) decoder(r io.Reader) (*zstd.Decoder, error) {
	z := b.spare
	if b.spare = nil; z != nil {
		return z, z.Reset(r)
	}
	return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(uint64(b.maxWindow)))
}
