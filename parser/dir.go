package parser

import (
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/meta"
)

// Dir reads the documents of a package directory: of every file below root
// whose name ends in .yaml or .yml, in any case, sorted by slash-separated path
// (byte by byte on every system, so a.yaml comes before a/b.yaml). root is not
// closed, and must stay open while the sequence is ranged over.
//
// Left out are the directory examples at the root, which [Examples] reads, and
// what the patterns of a file .xpkgignore at the root and of Options.Ignore
// name, as those of git's .gitignore files do. Symbolic links and their like are
// not followed; a .xpkgignore that is one, or no text in UTF-8, is an error. All
// that, and files that nearly have the right name, is told to Options.Event. A file
// .xpkg-lint.yaml at the root is no document but the settings of the linter
// (linter.Config), and not told.
//
// A file or directory that cannot be read is an error, and the sequence goes on;
// so is a file that changes while it is read, of which no document is yielded,
// or that is alone larger than a limit allows, or no text. MaxBytes counts all other
// files together, and Index runs on from file to file. In all else it is as for
// [Stream]: files are read ahead as documents are, and none any more once they have
// 4 MiB together. Documents refer to the bytes of their file.
// See package format v2, "An On-Disk Format".
func Dir(ctx context.Context, root *os.Root, o *Options) iter.Seq2[*Document, error] {
	return readDir(ctx, root, ".", o)
}

// Examples reads the documents of the directory examples at the root of a package
// directory, as [Dir] reads all others. They show how the package is used, and are
// no part of it; the files of their ranges are examples/…. A package without
// examples gives none. What Dir leaves out is nothing to Examples: a file
// .xpkgignore in the directory examples, and the Options.Ignore of this call,
// are for the examples alone, and their patterns are relative to that directory.
func Examples(ctx context.Context, root *os.Root, o *Options) iter.Seq2[*Document, error] {
	return readDir(ctx, root, examplesDir, o)
}

// readDir reads the directory dir of root.
func readDir(ctx context.Context, root *os.Root, dir string, o *Options) iter.Seq2[*Document, error] {
	opts := o.withDefaults()
	return once(func(yield yield) {
		read := newReader(ctx, opts, yield)
		read.inDir = true
		w := walker{root: root, dir: dir}
		if err := w.walk(ctx, opts.Ignore); err != nil {
			yield(nil, ended(err, Range{}, &opts))
			return
		}
		f := files{reader: read, root: root, entries: w.entries, left: opts.MaxBytes}
		read.run(f.take)
	})
}

// files takes the steps of a directory: those of its entries one after the other.
type files struct {
	*reader
	root    *os.Root
	entries []entry // not looked at yet
	left    int64   // what MaxBytes still allows

	name string
	size int
	open *yamlstream.Splitter // the file that is cut, or nil
}

// take takes the next step, and returns false when there are no more.
func (f *files) take() bool {
	if f.open != nil {
		if !f.cut(f.name, f.open, f.size) {
			f.open = nil
		}
		return true
	}
	if len(f.entries) == 0 {
		return false
	}
	e := f.entries[0]
	f.entries = f.entries[1:]
	if e.event != "" {
		f.ahead.add(0, func() bool {
			f.opts.Event(Event{e.event, e.path})
			return true
		})
		return true
	}
	text, fault, last := f.read(e)
	if fault != nil {
		f.ahead.add(0, func() bool {
			if err := f.ctx.Err(); err != nil { // since then
				fault, last = ended(err, fault.Range, &f.opts), true
			}
			return f.yield(nil, fault) && !last
		})
		return !last
	}
	f.left -= int64(len(text))
	f.name, f.size = e.path, len(text)
	f.open = yamlstream.NewBytes(text, yamlstream.Limits{Stream: int64(len(text)), Document: f.opts.MaxDocumentBytes})
	f.open.Canceled = f.ctx.Err
	return true
}

// read reads the file of an entry. last says that the fault ends the sequence.
func (f *files) read(e entry) (text []byte, fault *Error, last bool) {
	start := Position{Line: 1, Column: 1}
	at := Range{e.path, start, start}
	err := cmp.Or(f.ctx.Err(), e.err)
	if err == nil {
		text, err = readFile(f.ctx, f.root, e.path, f.left, f.opts.MaxBytes)
	}
	if ctxErr := f.ctx.Err(); ctxErr != nil {
		return nil, ended(ctxErr, at, &f.opts), true
	}
	fault = &Error{Rule: RuleLimit, Range: at, Index: -1}
	limit := &meta.LimitError{What: "the file", Limit: f.opts.MaxBytes}
	switch {
	case err == nil:
		return text, nil, false
	case errors.Is(err, errFileTooLarge), errors.As(err, &limit):
	case errors.Is(err, yamlstream.ErrStreamTooLarge):
		limit.What, last = "the package directory", true
	default:
		reason := err
		for p := (*fs.PathError)(nil); errors.As(reason, &p); {
			reason = p.Err // the path is told already
		}
		fault.Rule, fault.Message, fault.Err = RuleUnreadable, "it cannot be read: "+clip(reason.Error()), err
		return nil, fault, false
	}
	fault.Message, fault.Err = limit.Error(), limit
	return nil, fault, last
}

// errFileTooLarge says that a file alone is larger than all may be together.
var errFileTooLarge = errors.New("the file is too large")

// errChanged says that a file is not one consistent version.
var errChanged = errors.New("it changed while it was read")

// readFile reads a whole file of at most left bytes, and at most limit at any
// time, as it is at one time.
func readFile(ctx context.Context, root *os.Root, name string, left, limit int64) (text []byte, err error) {
	f, err := root.Open(filepath.FromSlash(name))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	before, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, errors.New("it is not a regular file")
	}
	if before.Size() > limit {
		return nil, errFileTooLarge
	}
	if before.Size() > left {
		return nil, yamlstream.ErrStreamTooLarge
	}
	text = make([]byte, before.Size()+1) // one more, to see that it has not grown
	n, err := io.ReadFull(contextReader{ctx, f}, text)
	if !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
		return nil, cmp.Or(err, errChanged)
	}
	after, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if int64(n) != before.Size() || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime()) {
		return nil, errChanged
	}
	return text[:n:n], nil
}
