package build

import "github.com/xpkg-go/sdk/meta"

// JudgeError says that Options.Judge refused the package. It matches what Err
// matches, and meta.ErrInvalid when Err is of no category.
type JudgeError struct{ Err error }

func (e *JudgeError) Error() string { return "the package is refused: " + e.Err.Error() }

// Unwrap returns what the judge returned.
func (e *JudgeError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *JudgeError) Is(target error) bool {
	return target == meta.ErrInvalid && meta.Code(e.Err) == "internal"
}
