package build

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	"github.com/klauspost/compress/gzip"
)

// layer is the base layer in memory, compressed.
type layer struct {
	blob   []byte
	digest v1.Hash
	diffID v1.Hash
}

var _ v1.Layer = (*layer)(nil)

// newLayer makes a layer with one file, package.yaml.
func newLayer(ctx context.Context, content []byte) (*layer, error) {
	var blob bytes.Buffer
	digest, diff := sha256.New(), sha256.New()
	// The header of the member has no name and no time.
	z := gzip.NewWriter(io.MultiWriter(&blob, digest))
	t := tar.NewWriter(io.MultiWriter(z, diff))
	err := t.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: "package.yaml", Mode: 0o644, Size: int64(len(content)),
		ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
	})
	for err == nil && len(content) > 0 {
		if err = canceled(ctx); err != nil {
			break
		}
		n := min(len(content), 1<<20)
		_, err = t.Write(content[:n])
		content = content[n:]
	}
	if err == nil {
		err = t.Close()
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		return nil, fmt.Errorf("layer of package.yaml: %w", err)
	}
	sum := func(h interface{ Sum([]byte) []byte }) v1.Hash {
		return v1.Hash{Algorithm: "sha256", Hex: hex.EncodeToString(h.Sum(nil))}
	}
	return &layer{blob: blob.Bytes(), digest: sum(digest), diffID: sum(diff)}, nil
}

func (l *layer) Digest() (v1.Hash, error)            { return l.digest, nil }
func (l *layer) DiffID() (v1.Hash, error)            { return l.diffID, nil }
func (l *layer) Size() (int64, error)                { return int64(len(l.blob)), nil }
func (l *layer) MediaType() (types.MediaType, error) { return types.OCILayer, nil }
func (l *layer) Compressed() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(l.blob)), nil
}
func (l *layer) Uncompressed() (io.ReadCloser, error) { return gzip.NewReader(bytes.NewReader(l.blob)) }
