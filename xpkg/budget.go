package xpkg

import "github.com/xpkg-go/sdk/meta"

// budget counts what one call has decompressed, also of a compressed archive
// around the layers, and how many tar entries it has passed, over all layers and
// all passes, so that an image cannot make a call long by splitting a bomb.
type budget struct {
	bytes, maxBytes     int64
	entries, maxEntries int64
}

func newBudget(o *Options) *budget {
	return &budget{maxBytes: o.MaxLayerBytes, maxEntries: o.MaxEntries}
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
