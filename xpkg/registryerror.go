package xpkg

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/xpkg-go/sdk/meta"
)

// RegistryError says that a registry could not be asked or did not give what was
// asked for. It matches one of meta.ErrUnauthorized (status 401 and 403),
// meta.ErrNotFound (404) and meta.ErrUnavailable (everything else: the host
// cannot be reached, its certificate is not trusted, it asks for patience, it
// fails, it breaks off, it redirects more than nine times). The end of a context is not a RegistryError.
type RegistryError struct {
	// Host is the registry, with its port when the reference has one.
	Host string
	// Ref is the reference, as it was given, or the repository for a list.
	Ref string
	// Status is the HTTP status of the answer, 0 when there was none.
	Status int
	// Err is the cause, of go-containerregistry or of the network.
	Err error
}

// Error implements error.
func (e *RegistryError) Error() string {
	what := "cannot be reached or breaks off"
	switch {
	case errors.Is(e.Err, errRedirects):
		what = "redirects without end"
	case e.Status == http.StatusUnauthorized || e.Status == http.StatusForbidden:
		what = "refuses access with these credentials"
	case e.Status == http.StatusNotFound:
		what = "does not have it"
	case e.Status == http.StatusTooManyRequests:
		what = "limits the rate of requests"
	case e.Status != 0:
		what = "fails"
	}
	return fmt.Sprintf("%s: registry %s %s: %s", e.Ref, e.Host, what, e.cause())
}

// cause is the text of Err, without the body that a registry chose to send.
func (e *RegistryError) cause() string {
	var answer *transport.Error
	if !errors.As(e.Err, &answer) {
		return e.Err.Error()
	}
	text := fmt.Sprintf("status %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	var said []string
	for _, d := range answer.Errors {
		said = append(said, strings.TrimSuffix(string(d.Code)+": "+d.Message, ": "))
	}
	if len(said) > 0 {
		text += ", it says " + quote(strings.Join(said, "; "))
	}
	return text
}

// Unwrap returns the cause.
func (e *RegistryError) Unwrap() error { return e.Err }

// Is reports whether target is the category.
func (e *RegistryError) Is(target error) bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return target == meta.ErrUnauthorized
	case http.StatusNotFound:
		return target == meta.ErrNotFound
	}
	return target == meta.ErrUnavailable
}

// registryError turns an error of a request into one of ours.
func registryError(host, ref string, err error) error {
	var credentials *CredentialsError
	if errors.As(err, &credentials) {
		return credentials
	}
	var limit *meta.LimitError
	if errors.As(err, &limit) {
		return limit
	}
	e := &RegistryError{Host: host, Ref: ref, Err: err}
	var answer *transport.Error
	if errors.As(err, &answer) {
		e.Status = answer.StatusCode
	}
	return e
}
