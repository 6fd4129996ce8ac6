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
// The function must be safe for concurrent use and must not use the Pass. Results and error
// come back together: a document whose call fails has the zero value for a result, all
// others are looked at, and the error names the first that failed, in stream order, with
// its error, which wraps a *PanicError when it panicked. When the context is done there
// are no results, and the error is its own.
func EachDocument[T any](ctx context.Context, p *Pass, f func(*parser.Document) (T, error)) ([]T, error) {
	docs := slices.Collect(p.Package.Documents())
	results, errs := make([]T, len(docs)), make([]error, len(docs))
	var next atomic.Int64
	work := func() {
		for ctx.Err() == nil {
			i := int(next.Add(1)) - 1
			if i >= len(docs) {
				return
			}
			results[i], errs[i] = guarded(docs[i], f)
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
	return results, firstOf(docs, errs)
}

// firstOf returns the first error with its document, and how many more there are.
func firstOf(docs []*parser.Document, errs []error) error {
	first, failed := -1, 0
	for i, err := range errs {
		if err == nil {
			continue
		}
		if failed++; first < 0 {
			first = i
		}
	}
	switch failed {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("%s: %w", docs[first].Ref(), errs[first])
	}
	return fmt.Errorf("%s, and %d more: %w", docs[first].Ref(), failed-1, errs[first])
}

// guarded calls f and makes an error of its panic, which in a goroutine of its own would
// end the program.
func guarded[T any](d *parser.Document, f func(*parser.Document) (T, error)) (result T, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &PanicError{Value: v, Stack: debug.Stack()}
		}
	}()
	if result, err = f(d); err != nil {
		var none T
		return none, err
	}
	return result, nil
}
