package mirror

import (
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// ItemError says that one package could not be copied, or not all that belongs to it.
// It matches what Err matches.
type ItemError struct {
	Ref string // of the package, as it was declared
	Err error
}

// Error implements error.
func (e *ItemError) Error() string {
	cause := e.Err.Error()
	repository, _, _ := strings.Cut(e.Ref, "@")
	if i := strings.LastIndexByte(repository, ':'); i > strings.LastIndexByte(repository, '/') {
		repository = repository[:i]
	}
	for _, name := range []string{e.Ref, repository} { // that the cause names too
		cause = strings.TrimPrefix(cause, name+": ")
	}
	return e.Ref + ": " + cause
}

// Unwrap returns the cause.
func (e *ItemError) Unwrap() error { return e.Err }

// ErrNoRule says that no rule tells where a package is to be kept. It matches
// meta.ErrInvalid.
var ErrNoRule error = invalid("no rule says where it is kept in the mirror")

// ClashError says that two packages would be kept under one name. It matches
// meta.ErrInvalid.
type ClashError struct {
	Mirrored      string // the repository in the mirror
	First, Second string // the repositories that were declared
}

// Error implements error.
func (e *ClashError) Error() string {
	return fmt.Sprintf("%s and %s would both be %s in the mirror", e.First, e.Second, e.Mirrored)
}

// Is reports whether target is meta.ErrInvalid.
func (e *ClashError) Is(target error) bool { return target == meta.ErrInvalid }

// MovedError says that one name was asked for with two contents. It matches
// meta.ErrInvalid.
type MovedError struct {
	Name          string
	First, Second string // digests
}

// Error implements error.
func (e *MovedError) Error() string {
	return fmt.Sprintf("%s is wanted as %s and as %s, and a name can have one content", e.Name, e.First, e.Second)
}

// Is reports whether target is meta.ErrInvalid.
func (e *MovedError) Is(target error) bool { return target == meta.ErrInvalid }

// WrittenError says that a registry has something else under a name than what was
// written there last. It matches meta.ErrDigest.
type WrittenError struct {
	Name      string // in the mirror
	Want, Got string // digests
}

// Error implements error.
func (e *WrittenError) Error() string {
	return fmt.Sprintf("%s was written as %s, and the registry has %s", e.Name, e.Want, e.Got)
}

// Is reports whether target is meta.ErrDigest.
func (e *WrittenError) Is(target error) bool { return target == meta.ErrDigest }

// ManifestError says that a manifest cannot be copied, since it does not say what it
// consists of. It matches meta.ErrInvalid.
type ManifestError struct {
	Digest string
	Reason string // what was found and what was expected
	Err    error  // the cause, or nil
}

// Error implements error.
func (e *ManifestError) Error() string {
	s := "manifest " + e.Digest + ": " + e.Reason
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause, which may be nil.
func (e *ManifestError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *ManifestError) Is(target error) bool { return target == meta.ErrInvalid }

// invalid is a cause that lies in what was asked for.
type invalid string

// Error implements error.
func (e invalid) Error() string { return string(e) }

// Is reports whether target is meta.ErrInvalid.
func (e invalid) Is(target error) bool { return target == meta.ErrInvalid }

// canceled is the end of a context. It matches meta.ErrCanceled and what the context
// says.
func canceled(err error) error { return fmt.Errorf("%w: %w", meta.ErrCanceled, err) }
