package cli

import (
	"errors"

	"github.com/xpkg-go/sdk/meta"
)

// UsageError says that the program was called in a way that it does not
// understand.
type UsageError struct{ Err error }

func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong with the call.
func (e *UsageError) Unwrap() error { return e.Err }

// Code returns the stable code of an error for JSON: the library's, or "usage".
func Code(err error) string {
	if usage := (*UsageError)(nil); errors.As(err, &usage) {
		return "usage"
	}
	return meta.Code(err)
}
