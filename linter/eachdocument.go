package linter

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/xpkg-go/sdk/parser"
)

// EachDocument calls a function with every document of the package, on all cores, and
// returns what it returned, in stream order. It is for the part of a rule, or of a Fact,
// that takes long for one document and needs to know no other, such as decoding it:
// what comes of the results is for the rule to say, in its own goroutine.
//
// The function must be safe for concurrent use and must not use the Pass. After its
// first error no further documents are begun; the error is that of the first document
// that has one, in stream order, and wraps a *PanicError when it panicked. When the context is done
// the error is its own. There are no results beside an error.
func EachDocument[T any](ctx context.Context, p *Pass, f func(*parser.Document) (T, error)) ([]T, error) {
	docs := slices.Collect(p.Package.Documents())
	results := make([]T, len(docs))
	errs := make([]error, len(docs))
	var next atomic.Int64
	var failed atomic.Bool
	work := func() {
		for ctx.Err() == nil && !failed.Load() {
			// The numbers are given out in order, so all documents before one that
			// fails are looked at, whatever the others do.
			i := int(next.Add(1)) - 1
			if i >= len(docs) {
				return
			}
			results[i], errs[i] = guarded(docs[i], f)
			if errs[i] != nil {
				failed.Store(true)
			}
		}
	}
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(docs)) - 1 {
		workers.Go(work)
	}
	work()
	workers.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// guarded calls f and makes an error of its panic, which in a goroutine of its own would
// end the program.
func guarded[T any](d *parser.Document, f func(*parser.Document) (T, error)) (result T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("%s: %w", d.Ref(), &PanicError{Value: v, Stack: debug.Stack()})
		}
	}()
	return f(d)
}
