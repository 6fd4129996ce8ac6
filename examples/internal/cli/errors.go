package cli

import (
	"errors"
	"io/fs"

	"github.com/xpkg-go/sdk/meta"
)

// UsageError says that the program was called in a way that it does not
// understand.
type UsageError struct{ Err error }

// Error implements error.
func (e *UsageError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong with the call.
func (e *UsageError) Unwrap() error { return e.Err }

// Fault is an error as JSON has it.
type Fault struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// NewFault tells an error.
func NewFault(err error) *Fault { return &Fault{Code: Code(err), Message: err.Error()} }

// Code returns the stable code of an error for JSON: the library's, "usage", or
// that of a file that does not exist or may not be read.
func Code(err error) string {
	if usage := (*UsageError)(nil); errors.As(err, &usage) {
		return "usage"
	}
	code := meta.Code(err)
	if code != "internal" {
		return code
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return meta.Code(meta.ErrNotFound)
	case errors.Is(err, fs.ErrPermission):
		return meta.Code(meta.ErrUnauthorized)
	}
	return code
}
