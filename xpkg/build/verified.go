package build

import (
	"bytes"
	"encoding/hex"
	"hash"
	"io"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/xpkg"
)

// verified is an image whose parts fail when they are not what the manifest
// says, so that nothing is written that nobody could read. It is a pointer because
// package tarball makes it the key of a map.
type verified struct {
	v1.Image
	path string
}

// RawConfigFile implements v1.Image.
func (i *verified) RawConfigFile() ([]byte, error) {
	want, err := i.ConfigName()
	if err != nil {
		return nil, err
	}
	b, err := i.Image.RawConfigFile()
	if err != nil {
		return nil, err
	}
	return b, i.check(b, "configuration", want)
}

// RawManifest implements v1.Image.
func (i *verified) RawManifest() ([]byte, error) {
	want, err := i.Digest()
	if err != nil {
		return nil, err
	}
	b, err := i.Image.RawManifest()
	if err != nil {
		return nil, err
	}
	return b, i.check(b, "manifest", want)
}

// Layers implements v1.Image.
func (i *verified) Layers() ([]v1.Layer, error) {
	raw, err := i.RawManifest()
	if err != nil {
		return nil, err
	}
	m, err := v1.ParseManifest(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	layers, err := i.Image.Layers()
	if err != nil {
		return nil, err
	}
	checked := make([]v1.Layer, len(layers))
	for n, l := range layers {
		got, err := l.Digest()
		if err != nil {
			return nil, err
		}
		if n >= len(m.Layers) || m.Layers[n].Digest != got {
			want := "beyond those of the manifest"
			if n < len(m.Layers) {
				want = m.Layers[n].Digest.String()
			}
			return nil, &xpkg.DigestError{Ref: i.path, What: "layer", Want: want, Got: got.String(), WantSize: -1}
		}
		checked[n] = verifiedLayer{l, m.Layers[n], i.path}
	}
	return checked, nil
}

func (i *verified) check(b []byte, what string, want v1.Hash) error {
	r, err := newVerifier(io.NopCloser(bytes.NewReader(b)), i.path, what, want, int64(len(b)))
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, r)
	return err
}

// verifiedLayer is a layer as its descriptor has it.
type verifiedLayer struct {
	v1.Layer
	want v1.Descriptor
	path string
}

// Size implements v1.Layer.
func (l verifiedLayer) Size() (int64, error) { return l.want.Size, nil }

// Compressed implements v1.Layer.
func (l verifiedLayer) Compressed() (io.ReadCloser, error) {
	rc, err := l.Layer.Compressed()
	if err != nil {
		return nil, err
	}
	return newVerifier(rc, l.path, "layer", l.want.Digest, l.want.Size)
}

// Uncompressed opens the content of the blob; both are verified when it has been read to
// its end.
func (l verifiedLayer) Uncompressed() (io.ReadCloser, error) {
	whole, err := partial.CompressedToLayer(blobOnly{l})
	if err != nil {
		return nil, err
	}
	return whole.Uncompressed()
}

// MediaType returns the one of the descriptor.
func (l verifiedLayer) MediaType() (types.MediaType, error) { return l.want.MediaType, nil }

// blobOnly is a layer of which only the blob is known.
type blobOnly struct{ partial.CompressedLayer }

// verifier yields a blob and ends with a *xpkg.DigestError in the place of
// io.EOF when it was not the one that was named.
type verifier struct {
	io.ReadCloser
	fault xpkg.DigestError // what is known of it before
	algo  string
	hash  hash.Hash
}

func newVerifier(rc io.ReadCloser, path, what string, want v1.Hash, size int64) (*verifier, error) {
	h, err := v1.Hasher(want.Algorithm)
	if err != nil {
		_ = rc.Close()
		return nil, err
	}
	return &verifier{ReadCloser: rc, algo: want.Algorithm, hash: h,
		fault: xpkg.DigestError{Ref: path, What: what, Want: want.String(), WantSize: size}}, nil
}

// Read implements io.Reader.
func (v *verifier) Read(p []byte) (int, error) {
	n, err := v.ReadCloser.Read(p)
	v.hash.Write(p[:n])
	fault := &v.fault
	if fault.GotSize += int64(n); fault.GotSize > fault.WantSize {
		return 0, fault
	}
	if err == io.EOF {
		fault.Got = v.algo + ":" + hex.EncodeToString(v.hash.Sum(nil))
		if fault.GotSize != fault.WantSize || fault.Got != fault.Want {
			return n, fault
		}
	}
	return n, err
}
