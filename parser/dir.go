package parser

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/meta"
)

// Dir reads the documents of a package directory: of every file below root
// whose name ends in .yaml or .yml, in any case, sorted by slash-separated path
// (byte by byte, so a.yaml comes before a/b.yaml). Only the directory examples
// at the root is left out. root is not closed, and must stay open while the
// sequence is ranged over.
//
// Symbolic links are not followed. They, and files that nearly have the right
// name, are told to Options.Event. A file or directory that cannot be read is
// an error, and the sequence goes on; so is a file that changes while it is
// read, of which no document is yielded, or that is alone larger than a limit
// allows, or no text in UTF-8. MaxBytes counts all other files together, and
// Index runs on from file to file. In all else it is as for [Stream], but one
// file is held at a time, and its documents refer to its bytes.
func Dir(ctx context.Context, root *os.Root, o *Options) iter.Seq2[*Document, error] {
	opts := o.withDefaults()
	return once(func(yield yield) {
		read := newReader(ctx, opts, yield)
		read.inDir = true
		entries, err := walk(ctx, root)
		if err != nil {
			yield(nil, ended(err, Range{}, &opts))
			return
		}
		left := opts.MaxBytes
		for _, e := range entries {
			if e.event != "" {
				opts.Event(Event{e.event, e.path})
				continue
			}
			if !read.file(root, e, &left) {
				return
			}
		}
	})
}

// An entry is something that the walk through a directory came by.
type entry struct {
	path  string    // slash-separated
	event EventKind // not read, for this reason
	err   error     // cannot be read, for this reason
}

const examplesDir = "examples"

// walk lists the files to read and what else there is to tell, sorted by path.
// The error is the context's.
func walk(ctx context.Context, root *os.Root) ([]entry, error) {
	var list []entry
	err := fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		e := entry{path: name, err: err}
		switch {
		case err != nil:
		case d.IsDir() && name == examplesDir:
			list = append(list, entry{path: name, event: SkippedExamples})
			return fs.SkipDir
		case d.IsDir():
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			e.event = SkippedLink
		case strings.EqualFold(path.Ext(name), ".json"):
			e.event = SkippedNearMiss
		case !isYAML(name):
			return nil
		case !d.Type().IsRegular():
			e.event = SkippedFile
		}
		list = append(list, e)
		return nil
	})
	slices.SortFunc(list, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
	return list, err
}

func isYAML(name string) bool {
	ext := path.Ext(name)
	return strings.EqualFold(ext, ".yaml") || strings.EqualFold(ext, ".yml")
}

// file yields the documents of one file, and reports whether the sequence goes
// on. left is what MaxBytes still allows.
func (r *reader) file(root *os.Root, e entry, left *int64) bool {
	start := Position{Line: 1, Column: 1}
	at := Range{e.path, start, start}
	if err := r.ctx.Err(); err != nil {
		r.yield(nil, ended(err, at, &r.opts))
		return false
	}
	var text []byte
	err := e.err
	if err == nil {
		text, err = readFile(root, e.path, *left, r.opts.MaxBytes)
	}
	if errors.Is(err, errFileTooLarge) {
		limit := &meta.LimitError{What: "the file", Limit: r.opts.MaxBytes}
		return r.yield(nil, &Error{Rule: RuleLimit, Range: at, Index: -1, Message: limit.Error(), Err: limit})
	}
	if errors.Is(err, yamlstream.ErrStreamTooLarge) {
		limit := &meta.LimitError{What: "the package directory", Limit: r.opts.MaxBytes}
		r.yield(nil, &Error{Rule: RuleLimit, Range: at, Index: -1, Message: limit.Error(), Err: limit})
		return false
	}
	if err != nil {
		reason := err
		for p := (*fs.PathError)(nil); errors.As(reason, &p); {
			reason = p.Err // the path is told already
		}
		return r.yield(nil, &Error{
			Rule: RuleUnreadable, Range: at, Index: -1,
			Message: "it cannot be read: " + clip(reason.Error()), Err: err,
		})
	}
	*left -= int64(len(text))
	limits := yamlstream.Limits{Stream: int64(len(text)), Document: r.opts.MaxDocumentBytes}
	return r.stream(e.path, yamlstream.NewBytes(text, limits))
}

// errFileTooLarge says that a file alone is larger than all may be together.
var errFileTooLarge = errors.New("the file is too large")

// errChanged says that a file is not one consistent version.
var errChanged = errors.New("it changed while it was read")

// readFile reads a whole file of at most left bytes, and at most limit at any
// time, as it is at one time.
func readFile(root *os.Root, name string, left, limit int64) (text []byte, err error) {
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
		return nil, fmt.Errorf("it is not a regular file any more")
	}
	if before.Size() > limit {
		return nil, errFileTooLarge
	}
	if before.Size() > left {
		return nil, yamlstream.ErrStreamTooLarge
	}
	text = make([]byte, before.Size()+1) // one more, to see that it has not grown
	n, err := io.ReadFull(f, text)
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
