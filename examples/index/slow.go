package main

import (
	"context"
	"fmt"
	"time"

	"github.com/xpkg-go/sdk/meta"
)

// slowError says that a reference took too long.
type slowError struct {
	reference string
	limit     time.Duration
}

// Error names the reference and the time.
func (e *slowError) Error() string {
	return fmt.Sprintf("%.200q was not read within %s", e.reference, e.limit)
}

// Is reports whether target is meta.ErrUnavailable.
func (e *slowError) Is(target error) bool { return target == meta.ErrUnavailable }

// within asks for something that a reference is about, for so long.
func within[T any](ctx context.Context, limit time.Duration, reference string, ask func(context.Context) (T, error)) (T, error) {
	own, end := context.WithTimeout(ctx, limit)
	defer end()
	v, err := ask(own)
	if err != nil && own.Err() != nil && ctx.Err() == nil {
		err = &slowError{reference, limit}
	}
	return v, err
}
