package legacy

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// Limits of [Read].
const (
	DefaultMaxFiles = 20_000    // files and directories
	DefaultMaxBytes = 200 << 20 // of all files that are read, together

	// MaxPath is how many bytes the path of a file may have.
	MaxPath = 1024
	// MaxFieldFaults is how many faults of fields a document tells at most.
	MaxFieldFaults = 100
)

// Options are what [Read] is told. A nil *Options, and fields that are zero or negative, mean
// the documented defaults.
type Options struct {
	// Tag is the tag of the image that the package came from, which its version must equal;
	// "" when it came from elsewhere, or when the tag is not known.
	Tag string
	// MaxFiles limits the files and directories of the package, and MaxBytes the bytes of
	// those that are read. Reaching one ends the reading.
	MaxFiles int
	MaxBytes int64
}

// Read reads a v1 package from a file system: one that has a directory .registry, such as the
// tree of an image (xpkg.Image.FS) or a repository, or one that is that directory. Nothing
// but that directory is looked at.
//
// It returns both: a package with everything that could be read, never nil, and, when
// anything was wrong, a parser.ErrorList with all of it, at most parser.MaxFaults and one that
// says how many more there are. Rules are those of package parser: RuleMetadataMissing where
// there is no app.yaml, which matches meta.ErrNotPackage; RuleMetadataInvalid for what a
// field may not say, with the *meta.FieldError; RuleMetadataMultiple for a second document
// where one is wanted; RuleUnreadable for a file that is not read, with a *FileError for what is
// no proper file, such as a symbolic link; RuleLimit, which matches meta.ErrLimit; and those of
// YAML. Only when the context ends there is no package, and the error matches
// meta.ErrCanceled.
//
// Fields and files that the format does not have are no faults; the package lists them.
// Which file is about which definition is said at [CRD].
func Read(ctx context.Context, fsys fs.FS, o *Options) (*Package, error) {
	if o == nil {
		o = &Options{}
	}
	r := &reader{
		ctx: ctx, fsys: fsys, p: &Package{Tag: o.Tag},
		maxFiles: o.MaxFiles, maxBytes: o.MaxBytes,
	}
	if r.maxFiles <= 0 {
		r.maxFiles = DefaultMaxFiles
	}
	if r.maxBytes <= 0 {
		r.maxBytes = DefaultMaxBytes
	}
	r.left = r.maxBytes
	if r.rooted = r.findRoot(); r.rooted {
		for _, f := range r.walk() {
			if !r.file(f) {
				break
			}
		}
		r.assign()
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("reading a v1 package: %w: %w", meta.ErrCanceled, err)
	}
	return r.p, r.faults()
}

// A reader is a package in the making.
type reader struct {
	ctx      context.Context
	fsys     fs.FS
	p        *Package
	maxFiles int
	maxBytes int64
	left     int64 // of maxBytes

	rooted  bool // the directory of the package was found
	next    int  // Index of the next document
	errs    parser.ErrorList
	dropped int                      // faults beyond parser.MaxFaults
	told    map[*parser.Document]int // faults of fields
}

// findRoot finds the directory of the package.
func (r *reader) findRoot() bool {
	info, err := fs.Lstat(r.fsys, registryDir)
	switch {
	case err == nil && info.IsDir():
		r.p.Root = registryDir
		return true
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		r.fileFault(registryDir, FileLink)
		return false
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		r.unreadable(registryDir, err)
		return false
	}
	r.p.Root = "."
	if _, err := fs.Lstat(r.fsys, appFile); err == nil {
		return true
	}
	r.fault(&parser.Error{
		Rule: parser.RuleMetadataMissing, Index: -1,
		Message: "there is neither a directory .registry nor a file app.yaml, so this is no v1 package",
	})
	return false
}

// file reads a file, and returns false when no more are to be read.
func (r *reader) file(f file) bool {
	switch f.class {
	case classUnknown:
		r.unknown(f.path, UnknownName)
		return true
	case classMisplaced:
		r.unknown(f.path, UnknownPlace)
		return true
	}
	text, ok := r.content(f.path)
	if text == nil {
		return ok
	}
	switch f.class {
	case classApp:
		r.app(f.path, text)
	case classInstall:
		r.install(f.path, text)
	case classBehavior:
		r.behavior(f.path, text)
	case classGroup:
		r.group(f, text)
	case classResource:
		r.resource(f, text)
	case classIcon:
		r.icon(f, text)
	case classUISchema:
		r.uiSchema(f, text)
	default:
		r.definitions(f, text)
	}
	return true
}

func (r *reader) unknown(name string, reason UnknownReason) {
	r.p.UnknownFiles = append(r.p.UnknownFiles, UnknownFile{File: name, Reason: reason})
}

// content reads the bytes of a file. There are none where it cannot be read; more is then
// whether other files can.
func (r *reader) content(name string) (text []byte, more bool) {
	if r.ctx.Err() != nil {
		return nil, false
	}
	f, err := r.fsys.Open(name)
	if err != nil {
		r.unreadable(name, err)
		return nil, true
	}
	defer f.Close() // nothing was written
	info, err := f.Stat()
	switch {
	case err != nil:
		r.unreadable(name, err)
		return nil, true
	case !info.Mode().IsRegular(): // by now
		r.fileFault(name, FileIrregular)
		return nil, true
	}
	text, err = io.ReadAll(io.LimitReader(contextReader{r.ctx, f}, r.left+1))
	switch {
	case r.ctx.Err() != nil:
		return nil, false
	case err != nil:
		r.unreadable(name, err)
		return nil, true
	case int64(len(text)) > r.left:
		r.limit(name, &meta.LimitError{What: "the package", Limit: r.maxBytes})
		return nil, false
	}
	r.left -= int64(len(text))
	if text == nil {
		text = []byte{}
	}
	return text, true
}

// A contextReader fails when its context has ended.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}

// documents reads the documents of a file. Those of a file that holds objects must have a
// kind and an apiVersion.
func (r *reader) documents(name string, text []byte, objects bool) []*parser.Document {
	var docs []*parser.Document
	first := r.next
	for doc, err := range parser.Bytes(name, text, nil) {
		var e *parser.Error
		switch {
		case doc != nil:
			doc.Index += first
			r.next = max(r.next, doc.Index+1)
			docs = append(docs, doc)
		case errors.As(err, &e) && e.Index >= 0:
			e.Index += first
			r.next = max(r.next, e.Index+1)
		}
		if e != nil && (objects || e.Rule != parser.RuleMissingKind && e.Rule != parser.RuleMissingAPIVersion) {
			r.fault(e)
		}
	}
	if hasLooseComment(text, docs) {
		r.p.loose = append(r.p.loose, name)
	}
	r.p.documents = append(r.p.documents, docs...)
	return docs
}

// single reads the one document of a file, and returns nil when there is none.
func (r *reader) single(name string, text []byte, what string) *parser.Document {
	docs := r.documents(name, text, false)
	if len(docs) == 0 {
		return nil
	}
	for _, second := range docs[1:] {
		r.fault(&parser.Error{
			Rule: parser.RuleMetadataMultiple, Range: second.Range, Related: []parser.Range{docs[0].Range}, Index: second.Index,
			Message: fmt.Sprintf("a second document, where %s is one, which is at %s", what, docs[0].Range),
		})
	}
	return docs[0]
}

// fault keeps a fault while there is room for it.
func (r *reader) fault(e *parser.Error) {
	if len(r.errs) == parser.MaxFaults {
		r.dropped++
		return
	}
	r.errs = append(r.errs, e)
}

// fieldFault tells of a field of a document.
func (r *reader) fieldFault(doc *parser.Document, f *meta.FieldError) {
	if r.told == nil {
		r.told = map[*parser.Document]int{}
	}
	r.told[doc]++
	switch n := r.told[doc]; {
	case n <= MaxFieldFaults:
		r.fault(doc.Fault(parser.RuleMetadataInvalid, f))
	case n == MaxFieldFaults+1:
		limit := &meta.LimitError{What: "the document", Limit: MaxFieldFaults, Unit: "faults"}
		r.fault(&parser.Error{Rule: parser.RuleLimit, Range: doc.Range, Index: doc.Index, Message: limit.Error(), Err: limit})
	}
}

func (r *reader) fileFault(name string, problem FileProblem) {
	e := &FileError{File: name, Problem: problem}
	r.fault(&parser.Error{Rule: parser.RuleUnreadable, Range: startOf(name), Index: -1, Message: "it " + e.message(), Err: e})
}

func (r *reader) unreadable(name string, err error) {
	cause := err
	for p := (*fs.PathError)(nil); errors.As(cause, &p); {
		cause = p.Err // the path is told already
	}
	if cause == nil {
		cause = err
	}
	r.fault(&parser.Error{Rule: parser.RuleUnreadable, Range: startOf(name), Index: -1, Message: "it cannot be read: " + oneLine(cause), Err: err})
}

func (r *reader) limit(name string, limit *meta.LimitError) {
	r.fault(&parser.Error{Rule: parser.RuleLimit, Range: startOf(name), Index: -1, Message: limit.Error(), Err: limit})
}

// startOf is the place of a fault of a file as a whole.
func startOf(name string) parser.Range {
	start := parser.Position{Line: 1, Column: 1}
	return parser.Range{File: name, Start: start, End: start}
}

// faults returns all faults in their order, or nil.
func (r *reader) faults() error {
	if r.p.App == nil && r.rooted && !slices.ContainsFunc(r.errs, isAboutApp(r.p.Root)) {
		r.fault(&parser.Error{
			Rule: parser.RuleMetadataMissing, Range: parser.Range{File: join(r.p.Root, appFile)}, Index: -1,
			Message: "there is no app.yaml, which every v1 package has",
		})
	}
	if len(r.errs) == 0 {
		return nil
	}
	r.errs.Sort()
	if r.dropped > 0 {
		limit := &meta.LimitError{What: "the package", Limit: parser.MaxFaults, Got: parser.MaxFaults + int64(r.dropped), Unit: "faults"}
		r.errs = append(r.errs, &parser.Error{Rule: parser.RuleLimit, Range: parser.Range{File: r.p.Root}, Index: -1, Message: limit.Error(), Err: limit})
	}
	return r.errs
}

// isAboutApp returns whether a fault says why there is no app.yaml.
func isAboutApp(root string) func(*parser.Error) bool {
	return func(e *parser.Error) bool {
		return e.Range.File == join(root, appFile) || e.Range.File == root || e.Rule == parser.RuleLimit
	}
}
