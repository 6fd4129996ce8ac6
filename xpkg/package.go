package xpkg

import (
	"context"
	"io"

	"github.com/xpkg-go/sdk/parser"
)

// Package reads and parses package.yaml. Nothing is returned before every byte
// of it was verified, as Stream describes, and then, as parser.Collect does,
// the package and a *PackageError together: everything readable and, as the
// parser.ErrorList in the error, every fault. The package is nil when the error is one of Stream's. Documents are in
// the order of the stream; the file in their positions is "package.yaml".
func (i *Image) Package(ctx context.Context) (*parser.Package, error) {
	s, err := i.stream(ctx)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var o parser.Options
	if i.o.Parser != nil {
		o = *i.o.Parser
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = i.o.MaxPackageBytes
	}
	pkg, faults := parser.Collect(parser.Stream(ctx, packageFile, s, &o))
	if s.err == nil {
		// The parser has given up before the end, or has no use for it. What
		// it says stands only if the bytes were the right ones.
		if _, err := io.Copy(io.Discard, s); err != nil {
			return nil, err
		}
	}
	if !s.verified() {
		return nil, s.err
	}
	if faults != nil {
		return pkg, &PackageError{Ref: i.ref, Err: faults}
	}
	return pkg, nil
}
