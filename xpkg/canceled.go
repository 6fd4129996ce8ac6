package xpkg

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/meta"
)

// canceledError is the end of a context, with the image that was being read.
// It matches meta.ErrCanceled and what the context says: context.Canceled or
// context.DeadlineExceeded, and the cause that the caller gave.
type canceledError struct {
	ref string
	err error
}

// Error implements error.
func (e *canceledError) Error() string { return e.ref + ": " + e.err.Error() }

// Unwrap returns the cause.
func (e *canceledError) Unwrap() error { return e.err }

// Is reports whether target is meta.ErrCanceled.
func (e *canceledError) Is(target error) bool { return target == meta.ErrCanceled }

// canceled wraps the error of a context that is done.
func canceled(ctx context.Context, ref string) error {
	err := ctx.Err()
	if cause := context.Cause(ctx); cause != err {
		err = fmt.Errorf("%w: %w", err, cause)
	}
	return &canceledError{ref: ref, err: err}
}
