package xpkg

// PackageError says that the package.yaml of an image has faults. It matches
// what they match; errors.As finds the parser.ErrorList.
type PackageError struct {
	Ref string // the reference or path of the image, as it was given
	Err error
}

// Error implements error.
func (e *PackageError) Error() string { return e.Ref + ": " + e.Err.Error() }

// Unwrap returns the faults.
func (e *PackageError) Unwrap() error { return e.Err }
