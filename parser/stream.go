package parser

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"sync/atomic"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/meta"
)

// Stream reads the documents of r in order. name is the File of their ranges,
// such as "package.yaml".
//
// While a document above 4 KiB is looked at, those behind it are read ahead and
// looked at on other cores: four for each core, and none any more once they have
// 2 MiB together. A document that is ready is yielded before more is
// read. Others are not held, unless the caller holds them. r is read in the
// goroutine that ranges, up to its end or a limit, and never closed. The sequence
// may be ranged over once; a second time it yields an error that says so. Breaking
// off leaves nothing running, and r wherever it is.
//
// The sequence yields a document with a nil error, or a nil document with an
// *[Error]. A document that is a mapping is always yielded; faults that leave it
// readable, such as a missing kind or a key that is there twice, follow it as
// errors with its Index. A document that cannot be read yields only an error,
// and the sequence goes on. Only three errors end it: a failure of r, a
// context that ended, and a limit of the stream. The context is looked at before
// every document, every read and every MiB of what is no document, but not while a
// single document is parsed.
func Stream(ctx context.Context, name string, r io.Reader, o *Options) iter.Seq2[*Document, error] {
	opts := o.withDefaults()
	return once(func(yield yield) {
		read := newReader(ctx, opts, yield)
		limits := yamlstream.Limits{Stream: opts.MaxBytes, Document: opts.MaxDocumentBytes}
		read.stream(name, yamlstream.New(contextReader{ctx, r}, limits))
	})
}

// Bytes reads the documents of b, as [Stream] does from a reader. The documents
// refer to b, which must not change any more.
func Bytes(name string, b []byte, o *Options) iter.Seq2[*Document, error] {
	opts := o.withDefaults()
	return once(func(yield yield) {
		read := newReader(context.Background(), opts, yield)
		limits := yamlstream.Limits{Stream: opts.MaxBytes, Document: opts.MaxDocumentBytes}
		read.stream(name, yamlstream.NewBytes(b, limits))
	})
}

// yield is what a range loop gives to a sequence.
type yield = func(*Document, error) bool

// once makes a sequence that yields an error when it is ranged over again.
func once(seq iter.Seq2[*Document, error]) iter.Seq2[*Document, error] {
	var used atomic.Bool
	return func(yield yield) {
		if used.Swap(true) {
			yield(nil, &Error{Rule: RuleUnreadable, Index: -1, Message: "the documents were read before: the sequence may be ranged over once"})
			return
		}
		seq(yield)
	}
}

// A contextReader fails when its context has ended.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p[:min(len(p), 1<<20)]) // so that it is asked again soon
}

// ended returns the error of a sequence that err ends at a place.
func ended(err error, at Range, opts *Options) *Error {
	e := &Error{Rule: RuleUnreadable, Range: at, Index: -1, Err: err}
	var foreign *yamlstream.ForeignError
	var broken *fileError
	switch {
	case errors.As(err, &broken):
		start := Position{Line: 1, Column: 1}
		e.Range, e.Message, e.Err = Range{at.File, start, start}, unreadable(broken.err), broken.err
	case errors.As(err, &foreign):
		e.Rule, e.Err = RuleSyntax, nil
		e.Message = "this is " + foreign.What + ", not YAML"
		if foreign.Encoding {
			e.Rule = RuleNotUTF8
			e.Message = "this is " + foreign.What + "; package files are UTF-8 or UTF-16"
		}
	case errors.Is(err, yamlstream.ErrStreamTooLarge):
		e.Rule, e.Err = RuleLimit, &meta.LimitError{What: "the package stream", Limit: opts.MaxBytes}
	case errors.Is(err, yamlstream.ErrDocumentTooLarge):
		e.Rule, e.Err = RuleLimit, &meta.LimitError{What: "the document that begins here", Limit: opts.MaxDocumentBytes}
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Err = fmt.Errorf("%w: %w", meta.ErrCanceled, err)
	}
	if e.Message == "" {
		e.Message = clip(e.Err.Error())
	}
	return e
}
