package build

import (
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// layer is a layer that was made here. It is held compressed, and may be read
// concurrently.
type layer struct {
	codec  *codec
	parts  []*part
	size   int64
	digest v1.Hash
	diffID v1.Hash
}

var _ v1.Layer = (*layer)(nil)

// Digest returns the digest of the compressed layer.
func (l *layer) Digest() (v1.Hash, error) { return l.digest, nil }

// DiffID returns the digest of the tar archive.
func (l *layer) DiffID() (v1.Hash, error) { return l.diffID, nil }

// Size returns the bytes of the compressed layer.
func (l *layer) Size() (int64, error) { return l.size, nil }

// MediaType returns that of OCI for the compression.
func (l *layer) MediaType() (types.MediaType, error) { return l.codec.mediaType, nil }

// Compressed opens the compressed layer.
func (l *layer) Compressed() (io.ReadCloser, error) { return io.NopCloser(joined(l.parts)), nil }

// Uncompressed opens the tar archive.
func (l *layer) Uncompressed() (io.ReadCloser, error) { return l.codec.open(joined(l.parts)) }
