package xpkg

import (
	"context"
	"fmt"
	"io"

	"github.com/xpkg-go/sdk/meta"
)

// Stream opens package.yaml for reading (specification, "Layers"). What is read
// counts only once Read has returned io.EOF: the rest of the layer has then
// been read as well, every layer that was opened had the digest and the size
// that the manifest names, and the layer held one package.yaml. Instead of
// io.EOF the last Read returns *DigestError when a byte was wrong,
// *NotPackageError for a second package.yaml, *LayerError for a layer that
// cannot be decompressed or is no tar archive, *meta.LimitError, or, when ctx
// ends, an error that matches meta.ErrCanceled. Every later Read returns the
// same.
//
// The caller closes the stream. Close before the end returns ErrUnverified, or
// the error that Read returned. ctx governs the reads too. A stream is not for
// concurrent use.
//
// Errors of Stream itself are these and *MultipleBaseLayersError and, from a
// registry, *RegistryError.
func (i *Image) Stream(ctx context.Context) (io.ReadCloser, error) {
	s, err := i.stream(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (i *Image) stream(ctx context.Context) (*packageStream, error) {
	s, name, size, err := i.find(ctx)
	if err != nil {
		return nil, err
	}
	return &packageStream{image: i, scan: s, name: name, left: size}, nil
}

// packageStream yields one file and then goes through the rest of its layer.
type packageStream struct {
	image *Image
	scan  *layerScan
	name  string
	left  int64 // of the content
	err   error
}

// Read implements io.Reader.
func (p *packageStream) Read(b []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	n, err := p.scan.Read(b)
	p.left -= int64(n)
	switch {
	case err == io.EOF && p.left > 0:
		p.err = p.scan.fail(io.ErrUnexpectedEOF)
	case err == io.EOF:
		p.err = p.finish()
	case err != nil:
		p.err = err
	}
	return n, p.err
}

// finish returns io.EOF when the rest of the layer is as it should be.
func (p *packageStream) finish() error {
	for {
		got, _, err := p.scan.next()
		if err != nil {
			return err
		}
		if got == p.name || got != "" && below(got, p.name) {
			return p.scan.refuse(&NotPackageError{
				Ref: p.image.ref, Reason: ReasonDuplicate, Layers: []string{p.scan.lr.l.name()},
				Entries: p.scan.lr.budget.entries,
				Detail:  fmt.Sprintf("layer %s holds %s more than once", p.scan.lr.l.name(), shown(p.name)),
			})
		}
	}
}

// verified reports whether all of the stream has been read and was right.
func (p *packageStream) verified() bool { return p.err == io.EOF }

// Close implements io.Closer.
func (p *packageStream) Close() error {
	closed := p.scan.Close()
	switch p.err {
	case io.EOF:
		return closed
	case nil:
		p.err = ErrUnverified
	}
	return p.err
}

// tooLarge holds the size of a file against Options.MaxPackageBytes.
func tooLarge(o *Options, size int64, ref string) error {
	if size <= o.MaxPackageBytes {
		return nil
	}
	return &meta.LimitError{What: packageFile, Limit: o.MaxPackageBytes, Got: size, Where: ref}
}
