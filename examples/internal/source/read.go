package source

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// FromImage reads the package in an image. The name is what to call its source.
func FromImage(ctx context.Context, name string, img *xpkg.Image) (*Package, error) {
	p := &Package{Source: name}
	return p.fromImage(ctx, img)
}

func (p *Package) fromImage(ctx context.Context, img *xpkg.Image) (*Package, error) {
	p.Image = img
	read, err := img.Package(ctx)
	if err := p.take(read, err); err != nil {
		return nil, err
	}
	if p.Digest, err = img.Digest(ctx); err != nil {
		return nil, err
	}
	method, err := img.Method(ctx)
	if err != nil {
		return nil, err
	}
	p.Method = string(method)
	if platform := img.Platform(); platform != nil {
		p.Platform = platform.String()
	}
	return p, nil
}

// FromDirectory reads the package in a directory, without what patterns leave out. The
// name is what to call its source; root is not closed.
func FromDirectory(ctx context.Context, name string, root *os.Root, ignore []string) (*Package, error) {
	p := &Package{Source: name, Kind: Directory, Method: "directory"}
	o := &parser.Options{Hold: NewHold(), Ignore: ignore, Event: func(e parser.Event) { p.Skipped = append(p.Skipped, e) }}
	if err := p.take(parser.Collect(parser.Dir(ctx, root, o))); err != nil {
		return nil, err
	}
	return p, ctx.Err()
}

func (p *Package) fromStream(ctx context.Context, name string, r io.Reader) (*Package, error) {
	if err := p.take(parser.Collect(parser.Stream(ctx, name, r, nil))); err != nil {
		return nil, err
	}
	return p, ctx.Err()
}

// take sorts what reading gave into the package, its faults, and an error that
// means that there is nothing to show.
func (p *Package) take(read *parser.Package, err error) error {
	if read == nil {
		return err
	}
	p.Package = read
	var faults parser.ErrorList
	if err == nil || !errors.As(err, &faults) {
		return err
	}
	p.Faults = slices.Clone(faults)
	for i, fault := range p.Faults {
		// A fault of the whole has no place of its own: it is shown where its
		// author would mend it.
		if fault.Range.File == "" {
			placed := *fault
			placed.Range = parser.Range{File: p.file(), Start: first, End: first}
			p.Faults[i] = &placed
		}
	}
	return nil
}

var first = parser.Position{Line: 1, Column: 1}

// file names the file that holds the metadata object, or should.
func (p *Package) file() string {
	switch p.Method {
	case "directory":
		return "crossplane.yaml"
	case "stream":
		return "-"
	case "file":
		return filepath.Base(p.Source)
	}
	return "package.yaml"
}
