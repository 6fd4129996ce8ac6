package build

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/meta"
)

// canceled returns the error of a context that is done, and nil for one that is
// not. It matches meta.ErrCanceled, what the context says and its cause.
func canceled(ctx context.Context) error {
	err := ctx.Err()
	if err == nil {
		return nil
	}
	if cause := context.Cause(ctx); cause != err {
		return fmt.Errorf("%w: %w (%w)", meta.ErrCanceled, err, cause)
	}
	return fmt.Errorf("%w: %w", meta.ErrCanceled, err)
}

// JudgeError says that Options.Judge refused the package. It matches what Err
// matches, and meta.ErrInvalid when Err is of no category.
type JudgeError struct{ Err error }

// Error implements error.
func (e *JudgeError) Error() string { return "the package is refused: " + e.Err.Error() }

// Unwrap returns what the judge returned.
func (e *JudgeError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *JudgeError) Is(target error) bool {
	return target == meta.ErrInvalid && meta.Code(e.Err) == "internal"
}
