package xpkg

import (
	"context"
	"hash/maphash"
	"io"
	"os"
)

// checkedFile is an entry of the cache that was held against its digest, open at
// its start. What is read of it then is held against a checksum of what was
// right: that finds a file that changes in between, whatever its time says, and
// takes a fraction of computing the digest once more.
type checkedFile struct {
	*os.File
	size int64
	seed maphash.Seed
	sum  uint64
}

// newLayerVerifier yields a layer, as it is sent, and returns io.EOF only when it
// was the one that was named.
func newLayerVerifier(ctx context.Context, rc io.ReadCloser, ref string, l *layer) (*verifyReader, error) {
	v, err := newVerifyReader(newContextReader(ctx, rc, ref+": layer "+l.name()), ref, "layer", l.descriptor)
	if f, ok := rc.(*checkedFile); ok && err == nil {
		again := new(maphash.Hash)
		again.SetSeed(f.seed)
		v.hash, v.same = again, func() bool { return again.Sum64() == f.sum }
	}
	return v, err
}
