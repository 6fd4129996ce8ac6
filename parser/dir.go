package parser

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"

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
// so is a file that changes while it is read, or that is alone larger than a limit
// allows, or no text. Of a file that changes no document is yielded, save that one above
// 4 MiB is not held: of that, the error follows the documents that had been read by then.
// MaxBytes counts all other files together, and Index runs on from file to file. In all
// else it is as for [Stream]: files are read ahead as documents are, and none any more once
// they have 4 MiB together. Documents refer to the bytes of their file, those of one above
// 4 MiB to a copy of their own.
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
		defer f.close()
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
	size int                  // of its bytes that are held as a whole
	cuts *yamlstream.Splitter // cuts the file, or nil
	open *file                // that is read while it is cut, or nil
}

// take takes the next step, and returns false when there are no more.
func (f *files) take() bool {
	if f.cuts != nil {
		if !f.cut(f.name, f.cuts, f.size) {
			f.cuts = nil
			f.close()
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
	if fault, last := f.begin(e); fault != nil {
		f.ahead.add(0, func() bool {
			if err := f.ctx.Err(); err != nil { // since then
				fault, last = ended(err, fault.Range, &f.opts), true
			}
			return f.yield(nil, fault) && !last
		})
		return !last
	}
	return true
}

// largeFile is how many bytes of a file are held while it is cut.
const largeFile = 4 << 20

// begin makes the file of an entry the one that is cut. last says that the fault ends
// the sequence.
func (f *files) begin(e entry) (fault *Error, last bool) {
	start := Position{Line: 1, Column: 1}
	at := Range{e.path, start, start}
	err := cmp.Or(f.ctx.Err(), e.err)
	if err == nil {
		err = f.openFile(e.path)
	}
	if ctxErr := f.ctx.Err(); ctxErr != nil {
		return ended(ctxErr, at, &f.opts), true
	}
	fault = &Error{Rule: RuleLimit, Range: at, Index: -1}
	limit := &meta.LimitError{What: "the file", Limit: f.opts.MaxBytes}
	switch {
	case err == nil:
		return nil, false
	case errors.Is(err, errFileTooLarge), errors.As(err, &limit):
	case errors.Is(err, yamlstream.ErrStreamTooLarge):
		limit.What, last = "the package directory", true
	default:
		fault.Rule, fault.Message, fault.Err = RuleUnreadable, unreadable(err), err
		return fault, false
	}
	fault.Message, fault.Err = limit.Error(), limit
	return fault, last
}

// unreadable says why a file cannot be read.
func unreadable(reason error) string {
	for p := (*fs.PathError)(nil); errors.As(reason, &p); {
		reason = p.Err // the path is told already
	}
	return "it cannot be read: " + clip(reason.Error())
}

// openFile makes a file the one that is cut. A large one is read while it is.
func (f *files) openFile(name string) error {
	opened, err := openFile(f.root, name, f.left, f.opts.MaxBytes)
	if err != nil {
		return err
	}
	limits := yamlstream.Limits{Stream: opened.size, Document: f.opts.MaxDocumentBytes}
	f.name, f.size = name, 0
	if opened.size > largeFile {
		f.open, f.cuts = opened, yamlstream.New(contextReader{f.ctx, opened}, limits)
	} else {
		text, err := opened.whole(f.ctx)
		if err != nil {
			return err
		}
		f.size, f.cuts = len(text), yamlstream.NewBytes(text, limits)
	}
	f.left -= opened.size
	f.cuts.Canceled = f.ctx.Err
	return nil
}

// close closes the file that is read while it is cut.
func (f *files) close() {
	if f.open != nil {
		_ = f.open.f.Close() // of which nothing more is wanted
		f.open = nil
	}
}
