package build

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"iter"
	"os"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	specs "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// The layer of examples. The specification leaves the marks of further layers to
// those who read them; this one, and the name of its one file, are what today's
// builders write and marketplaces look for.
const (
	ExamplesAnnotation = "upbound"
	examplesFile       = ".up/examples.yaml"
)

const packageFile = "package.yaml"

// Dir builds the image of a package directory. Every document that parser.Dir reads
// is in it, and those of the directory examples are in a layer of their own; files
// that are no YAML, symbolic links and what the file .xpkgignore or
// Options.Parser.Ignore names are not, of which Options.Parser.Event tells.
//
// Without a judge the directory is packed while it is read: what is held is the
// compressed package and a few files, and of a large file a few documents.
//
// The error is a parser.ErrorList with every fault of the directory, in which a
// missing and a second metadata object, and a file that changes while it is read, are
// faults too, or a *JudgeError, or a *meta.FieldError for an option that cannot be, or
// one that matches meta.ErrCanceled, or what reading the runtime image gave. The
// directory is only read; root is not closed.
func Dir(ctx context.Context, root *os.Root, o *Options) (v1.Image, error) {
	options := o.withDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	if options.Examples == nil {
		options.Examples = parser.Examples(ctx, root, examplesOptions(options.Parser))
	}
	if options.Judge == nil {
		base, pkg, err := packDir(ctx, root, &options)
		if err != nil {
			return nil, err
		}
		return image(ctx, base, pkg, &options)
	}
	pkg, err := parser.Collect(parser.Dir(ctx, root, options.Parser))
	if err := options.overrule(pkg, err); err != nil {
		return nil, err
	}
	return Package(ctx, pkg, &options)
}

// examplesOptions are those of the parser for the examples.
func examplesOptions(o *parser.Options) *parser.Options {
	if o == nil {
		return nil
	}
	c := *o
	c.Ignore = nil
	return &c
}

// Package builds the image of documents that have been parsed. The package must
// have its one metadata object, as parser.Collect returns it without an error;
// one without is a parser.ErrorList that matches meta.ErrNotPackage. Other errors
// are those of Dir.
func Package(ctx context.Context, p *parser.Package, o *Options) (v1.Image, error) {
	options := o.withDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	if p == nil || p.Meta == nil || p.Header == nil {
		return nil, parser.ErrorList{{Rule: parser.RuleMetadataMissing, Index: -1, Message: "the package has no metadata object"}}
	}
	if options.Judge != nil {
		if err := options.Judge(ctx, p); err != nil {
			if err = (&JudgeError{Err: err}); !options.Force || ctx.Err() != nil {
				return nil, err
			}
			options.tell(Event{Kind: Overruled, Err: err})
		}
	}
	w := newBlockWriter(ctx, options.Compression, tarBlock, options.packed)
	// The metadata object first: a reader then knows what the package is before it
	// knows all that is in it.
	base, err := pack(w, packageFile, func(yield func(*parser.Document) bool) {
		if !yield(p.Header) {
			return
		}
		for _, d := range p.Objects {
			if !yield(d) {
				return
			}
		}
	})
	if err != nil {
		return nil, err
	}
	return image(ctx, base, p.Meta, &options)
}

// pack makes a layer of one file with documents.
func pack(w *blockWriter, name string, docs iter.Seq[*parser.Document]) (*layer, error) {
	j := joiner{w: w}
	for d := range docs {
		if err := j.add(d); err != nil {
			w.abandon()
			return nil, err
		}
	}
	if err := j.end(); err != nil {
		w.abandon()
		return nil, err
	}
	return w.fileLayer(name)
}

// check returns what is wrong with the options.
func (o *Options) check() error {
	switch o.Compression {
	case "", Gzip, Zstd:
		return nil
	}
	return &meta.FieldError{Path: meta.Path{"Compression"}, Found: shown(string(o.Compression)), Want: "gzip or zstd"}
}

// overrule returns the error of reading a package, unless it may be built all the
// same.
func (o *Options) overrule(p *parser.Package, err error) error {
	var faults parser.ErrorList
	if err == nil || !o.Force || p == nil || p.Meta == nil || !errors.As(err, &faults) || errors.Is(err, meta.ErrCanceled) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	o.tell(Event{Kind: Overruled, Err: err})
	return nil
}

// packDir makes the base layer of a directory while it reads it. The metadata object
// comes first in it, so it is looked for where it should be before; where it is
// elsewhere, the directory is read twice.
func packDir(ctx context.Context, root *os.Root, o *Options) (*layer, *meta.Package, error) {
	header := findHeader(ctx, root, o.Parser)
	quiet := parser.Options{}
	if o.Parser != nil {
		quiet = *o.Parser
	}
	quiet.Event = nil
	read := o.Parser
	for range 2 {
		base, pkg, err := packBehind(ctx, root, header, read, o)
		if err != nil {
			return nil, nil, err
		}
		if base != nil {
			return base, pkg.Meta, nil
		}
		header, read = pkg.Header, &quiet // which has told its events
	}
	return nil, nil, parser.ErrorList{{
		Rule: parser.RuleUnreadable, Range: header.Range, Object: header.Ref(), Index: -1,
		Message: "the metadata object changed while the directory was read",
	}}
}

// packBehind packs the documents of a directory behind the metadata object, or finds
// that it is another one. The package holds no other document.
func packBehind(ctx context.Context, root *os.Root, header *parser.Document, read *parser.Options, o *Options) (*layer, *parser.Package, error) {
	w := newBlockWriter(ctx, o.Compression, tarBlock, o.packed)
	j := joiner{w: w}
	var failed error
	if header != nil {
		failed = j.add(header)
	}
	found, broken := false, false // broken: nothing will be built
	pkg, err := parser.Collect(func(yield func(*parser.Document, error) bool) {
		for d, err := range parser.Dir(ctx, root, read) {
			if broken = broken || err != nil && !o.Force; err == nil {
				switch {
				case same(d, header):
					found = true
				case failed == nil && !broken:
					failed = j.add(d)
				}
				if !meta.IsMeta(d.APIVersion) {
					continue
				}
			}
			if !yield(d, err) {
				return
			}
		}
	})
	if pkg.Header == nil && err != nil && ctx.Err() == nil {
		// What comes close to a metadata object is among those that were not held.
		quiet := parser.Options{}
		if read != nil {
			quiet = *read
		}
		quiet.Event = nil
		if again, fault := parser.Collect(parser.Dir(ctx, root, &quiet)); again.Header == nil && fault != nil {
			err = fault
		}
	}
	if err != nil && (pkg.Header == nil || !o.Force || ctx.Err() != nil) || failed != nil {
		w.abandon()
		return nil, pkg, cmp.Or(err, failed)
	}
	if !found || !same(pkg.Header, header) {
		w.abandon()
		return nil, pkg, nil
	}
	if err := o.overrule(pkg, err); err != nil {
		w.abandon()
		return nil, pkg, err
	}
	if err := j.end(); err != nil {
		w.abandon()
		return nil, pkg, err
	}
	base, err := w.fileLayer(packageFile)
	return base, pkg, err
}

// same reports whether two documents are one, read twice.
func same(d, other *parser.Document) bool {
	return d != nil && other != nil && d.Range.File == other.Range.File && d.Range.Start.Offset == other.Range.Start.Offset &&
		bytes.Equal(d.Text(), other.Text())
}

// findHeader looks for the metadata object in crossplane.yaml. Whatever is wrong there
// is for the reader of the directory to tell.
func findHeader(ctx context.Context, root *os.Root, o *parser.Options) *parser.Document {
	const name = "crossplane.yaml"
	if info, err := root.Lstat(name); err != nil || !info.Mode().IsRegular() {
		return nil
	}
	f, err := root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	for d, err := range parser.Stream(ctx, name, f, o) {
		if err == nil && meta.IsMeta(d.APIVersion) {
			switch meta.Kind(d.Kind) {
			case meta.Provider, meta.Configuration, meta.Function:
				return d
			}
		}
	}
	return nil
}

// image makes an OCI image of the base layer, the examples and the runtime.
func image(ctx context.Context, base *layer, pkg *meta.Package, o *Options) (v1.Image, error) {
	e := newEdit()
	if o.Runtime != nil {
		var err error
		if e, err = onRuntime(o); err != nil {
			return nil, err
		}
	}
	created := v1.Time{Time: o.Created}
	e.config.set("created", created)
	if err := e.append(base, xpkg.BaseAnnotation, v1.History{Created: created, Comment: packageFile}); err != nil {
		return nil, err
	}
	examples, err := packExamples(ctx, o)
	if err != nil {
		return nil, err
	}
	if examples != nil {
		if err := e.append(examples, ExamplesAnnotation, v1.History{Created: created, Comment: examplesFile}); err != nil {
			return nil, err
		}
	}
	about := ImageAnnotations(pkg)
	for k, v := range o.Annotations {
		about[k] = v
	}
	if err := merge(e.manifest, "annotations", about); err != nil {
		return nil, err
	}
	return e.image()
}

// packExamples makes the layer of the examples, or returns nil where there are none.
func packExamples(ctx context.Context, o *Options) (*layer, error) {
	if o.Examples == nil {
		return nil, nil
	}
	var faults parser.ErrorList
	any := false
	layer, err := pack(newBlockWriter(ctx, o.Compression, tarBlock, nil), examplesFile, func(yield func(*parser.Document) bool) {
		for d, err := range o.Examples {
			if err != nil {
				var fault *parser.Error
				if !errors.As(err, &fault) {
					fault = &parser.Error{Rule: parser.RuleUnreadable, Index: -1, Message: "the examples cannot be read", Err: err}
				}
				faults = append(faults, fault)
				continue
			}
			any = true
			if !yield(d) {
				return
			}
		}
	})
	if ended := canceled(ctx); ended != nil {
		return nil, ended
	}
	if err != nil {
		return nil, err
	}
	if len(faults) > 0 {
		o.tell(Event{Kind: LeftOut, Err: faults})
	}
	if !any {
		return nil, nil
	}
	return layer, nil
}

// maxAnnotation bounds, in bytes, what of the metadata becomes an annotation: tools
// fetch the manifest for every question about an image.
const maxAnnotation = 4096

// ImageAnnotations returns the annotations of an image that its package says, under
// the names that OCI has for them:
//
//	org.opencontainers.image.authors      meta.crossplane.io/maintainer
//	org.opencontainers.image.source       meta.crossplane.io/source
//	org.opencontainers.image.licenses     meta.crossplane.io/license
//	org.opencontainers.image.description  meta.crossplane.io/description
//	org.opencontainers.image.title        friendly-name.meta.crossplane.io, else metadata.name
//
// A text of more than 4096 bytes is left out. p may be nil.
func ImageAnnotations(p *meta.Package) map[string]string {
	m := map[string]string{}
	if p == nil {
		return m
	}
	set := func(key, value string) {
		if value != "" && len(value) <= maxAnnotation {
			m[key] = strings.ToValidUTF8(value, "\ufffd")
		}
	}
	set(specs.AnnotationTitle, p.Name)
	for property, key := range map[meta.Property]string{
		meta.PropertyMaintainer: specs.AnnotationAuthors, meta.PropertySource: specs.AnnotationSource,
		meta.PropertyLicense: specs.AnnotationLicenses, meta.PropertyDescription: specs.AnnotationDescription,
		meta.PropertyFriendlyName: specs.AnnotationTitle,
	} {
		if a, ok := p.Property(property); ok {
			set(key, a.Value)
		}
	}
	return m
}
