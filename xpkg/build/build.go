package build

import (
	"bytes"
	"context"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// Dir builds the image of a package directory. Every file that parser.Dir reads
// is in it; files that are no YAML, symbolic links, the directory examples and what
// the file .xpkgignore or Options.Parser.Ignore names are not, of which
// Options.Parser.Event tells.
//
// The error is a parser.ErrorList with every fault of the directory, in which a
// missing and a second metadata object are faults too, or a *JudgeError, or one
// that matches meta.ErrCanceled. The directory is only read; root is not closed.
func Dir(ctx context.Context, root *os.Root, o *Options) (v1.Image, error) {
	options := o.withDefaults()
	pkg, err := parser.Collect(parser.Dir(ctx, root, options.Parser))
	if err != nil {
		return nil, err
	}
	return Package(ctx, pkg, o)
}

// Package builds the image of documents that have been parsed. The package must
// have its one metadata object, as parser.Collect returns it without an error;
// one without is a parser.ErrorList that matches meta.ErrNotPackage. Other errors
// are a *JudgeError and one that matches meta.ErrCanceled.
func Package(ctx context.Context, p *parser.Package, o *Options) (v1.Image, error) {
	options := o.withDefaults()
	if p == nil || p.Meta == nil || p.Header == nil {
		return nil, parser.ErrorList{{Rule: parser.RuleMetadataMissing, Index: -1, Message: "the package has no metadata object"}}
	}
	if options.Judge != nil {
		if err := options.Judge(ctx, p); err != nil {
			return nil, &JudgeError{Err: err}
		}
	}
	base, err := newLayer(ctx, join(p))
	if err != nil {
		return nil, err
	}
	return image(base, &options)
}

// join puts documents into one stream, the metadata object first: a reader then
// knows what the package is before it knows all that is in it.
func join(p *parser.Package) []byte {
	var b bytes.Buffer
	for _, d := range append([]*parser.Document{p.Header}, p.Objects...) {
		raw := d.Text()
		switch {
		case b.Len() == 0:
		case hasDirectives(raw):
			// Directives come only after the explicit end of a document, and
			// have a separator of their own behind them (YAML 1.2, 9.2).
			b.WriteString("...\n")
		default:
			b.WriteString("---\n")
		}
		b.Write(raw)
		if !bytes.HasSuffix(raw, []byte("\n")) {
			b.WriteByte('\n')
		}
	}
	return b.Bytes()
}

// hasDirectives reports whether the first line of a document that says something
// is a directive, such as %YAML 1.2.
func hasDirectives(raw []byte) bool {
	for line := range bytes.FieldsFuncSeq(raw, func(r rune) bool { return r == '\n' || r == '\r' }) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return line[0] == '%'
		}
	}
	return false
}

// image makes an OCI image of the base layer.
func image(base *layer, o *Options) (v1.Image, error) {
	created := v1.Time{Time: o.Created}
	// Packages have no platform. The configuration must name one, and this is
	// the one that Crossplane looks for in an index.
	config := &v1.ConfigFile{
		Architecture: "amd64", OS: "linux", Created: created,
		Config: v1.Config{Labels: map[string]string{
			xpkg.AnnotationKey + ":" + base.digest.String(): xpkg.BaseAnnotation,
		}},
		RootFS: v1.RootFS{Type: "layers"},
	}
	img := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	img, err := mutate.ConfigFile(img, config)
	if err != nil {
		return nil, err
	}
	return mutate.Append(img, mutate.Addendum{
		Layer:       base,
		MediaType:   types.OCILayer,
		Annotations: map[string]string{xpkg.AnnotationKey: xpkg.BaseAnnotation},
		History:     v1.History{Created: created, Comment: "package.yaml"},
	})
}
