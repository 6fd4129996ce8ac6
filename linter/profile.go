package linter

import "fmt"

// Profile says what a package is judged for: being installed, or being published.
type Profile string

const (
	// Install asks for what a package manager or an API server would refuse.
	Install Profile = "install"
	// Publish asks, beside that, for what a good registry wants of a package that
	// strangers read: a description, a licence, a source. It is the default.
	Publish Profile = "publish"
)

// ParseProfile reads "install" or "publish". Anything else is an error, which matches no
// category of meta.
func ParseProfile(s string) (Profile, error) {
	switch p := Profile(s); p {
	case Install, Publish:
		return p, nil
	default:
		return "", fmt.Errorf("%q is not a profile (install or publish)", clip(s))
	}
}
