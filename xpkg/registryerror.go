package xpkg

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
	"unicode"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/xpkg-go/sdk/meta"
)

// RegistryReason is why a registry did not give what was asked for.
type RegistryReason string

// The reasons of RegistryError.
const (
	// RegistryUnauthorized: it wants credentials, or others (status 401).
	RegistryUnauthorized RegistryReason = "unauthorized"
	// RegistryDenied: the credentials do not reach so far (403).
	RegistryDenied RegistryReason = "denied"
	// RegistryNotFound: there is no such repository, tag, manifest or blob (404).
	RegistryNotFound RegistryReason = "not-found"
	// RegistryRateLimited: it has been asked too often (429).
	RegistryRateLimited RegistryReason = "rate-limited"
	// RegistryFailed: it answers with another status that is an error.
	RegistryFailed RegistryReason = "failed"
	// RegistryBadAnswer: what it answers is not what registries answer.
	RegistryBadAnswer RegistryReason = "bad-answer"
	// RegistryRedirects: it redirects without end, or to where redirects are not
	// followed.
	RegistryRedirects RegistryReason = "redirects"
	// RegistryTLS: its certificate is not trusted, or no TLS connection comes
	// about.
	RegistryTLS RegistryReason = "tls"
	// RegistryPlainHTTP: it speaks HTTP where TLS is expected.
	RegistryPlainHTTP RegistryReason = "plain-http"
	// RegistryUnreachable: its name is not known, nobody listens there, or nobody
	// answers in time.
	RegistryUnreachable RegistryReason = "unreachable"
	// RegistryBrokenOff: the connection broke off.
	RegistryBrokenOff RegistryReason = "broken-off"
)

// RegistryError says that a registry could not be asked or did not give what was
// asked for. It matches one of meta.ErrUnauthorized (RegistryUnauthorized and
// RegistryDenied), meta.ErrNotFound (RegistryNotFound) and meta.ErrUnavailable
// (all other reasons). The end of a context is not a RegistryError.
//
// Its text is one line and holds no credentials, and of addresses neither user
// nor query, which may be a signature.
type RegistryError struct {
	// Host is the registry, with its port when the reference has one.
	Host string
	// Ref is the reference, as it was given, or the repository for a list.
	Ref string
	// Reason is what went wrong.
	Reason RegistryReason
	// Status is the HTTP status of the answer, 0 when there was none.
	Status int
	// RetryAfter is how long the registry wants to be left alone, when it says so.
	RetryAfter time.Duration
	// Hint is what may help.
	Hint string
	// Err is the cause, of go-containerregistry or of the network.
	Err error
}

// Error implements error.
func (e *RegistryError) Error() string {
	s := e.Ref + ": registry " + e.Host + " " + e.what()
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

func (e *RegistryError) what() string {
	switch e.reason() {
	case RegistryUnauthorized:
		return "wants credentials, or others"
	case RegistryDenied:
		return "refuses access with these credentials"
	case RegistryNotFound:
		return "does not have it"
	case RegistryRateLimited:
		return "limits the rate of requests"
	case RegistryBadAnswer:
		return "gives no proper answer"
	case RegistryRedirects:
		if isEndless(e.Err) {
			return "redirects without end"
		}
		return "redirects to where is not followed"
	case RegistryTLS:
		return "cannot be trusted"
	case RegistryPlainHTTP:
		return "speaks no TLS"
	case RegistryUnreachable:
		return "cannot be reached"
	case RegistryBrokenOff:
		return "breaks off"
	}
	return "fails"
}

// Unwrap returns the cause.
func (e *RegistryError) Unwrap() error { return e.Err }

// Is reports whether target is the category.
func (e *RegistryError) Is(target error) bool {
	switch e.reason() {
	case RegistryUnauthorized, RegistryDenied:
		return target == meta.ErrUnauthorized
	case RegistryNotFound:
		return target == meta.ErrNotFound
	}
	return target == meta.ErrUnavailable
}

func (e *RegistryError) reason() RegistryReason {
	if e.Reason != "" {
		return e.Reason
	}
	return statusReason(e.Status)
}

func statusReason(status int) RegistryReason {
	switch status {
	case http.StatusUnauthorized:
		return RegistryUnauthorized
	case http.StatusForbidden:
		return RegistryDenied
	case http.StatusNotFound:
		return RegistryNotFound
	case http.StatusTooManyRequests:
		return RegistryRateLimited
	case http.StatusProxyAuthRequired:
		return RegistryUnreachable
	}
	return RegistryFailed
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
	var field *meta.FieldError
	if errors.As(err, &field) { // a field of the Client
		return field
	}
	e := &RegistryError{Host: host, Ref: ref, Err: &requestError{err: err, text: requestCause(host, err)}}
	var answer *transport.Error
	var bad badAnswer
	var broken *bodyError
	switch {
	case isTLS(err):
		// Comes first: a host that may be spoken to without TLS is tried both
		// ways, and what a TLS server answers to HTTP is beside the point.
		e.Reason = RegistryTLS
	case errors.As(err, &answer):
		e.Status = answer.StatusCode
		e.Reason = statusReason(answer.StatusCode)
	case isRedirect(err):
		e.Reason = RegistryRedirects
	case errors.Is(err, http.ErrSchemeMismatch):
		e.Reason = RegistryPlainHTTP
	case errors.As(err, &bad):
		e.Reason = RegistryBadAnswer
	case errors.As(err, &broken), isBroken(err):
		e.Reason = RegistryBrokenOff
	case isNetwork(err):
		e.Reason = RegistryUnreachable
	default:
		e.Reason = RegistryBadAnswer
	}
	if p := (*passingError)(nil); errors.As(err, &p) && p.wanted {
		e.RetryAfter = p.wait
	}
	e.Hint = hint(e)
	return e
}

func isTLS(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	if errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &hostname) || errors.As(err, &invalid) {
		return true
	}
	// Most errors of a handshake have no type.
	var request *url.Error
	return errors.As(err, &request) && strings.Contains(request.Err.Error(), "tls: ")
}

func isRedirect(err error) bool {
	for _, cause := range []error{errPlain, errInternal, errToken} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return isEndless(err)
}

// isEndless reports whether an error is that about redirects without end: ours,
// or that of an http.Client with the default bound, which has no type.
func isEndless(err error) bool {
	return errors.Is(err, errRedirects) || err != nil && strings.HasSuffix(err.Error(), errRedirects.Error())
}

// isNetwork reports whether err came out of a request, and not of what was made
// of the answer.
func isNetwork(err error) bool {
	var network net.Error // *url.Error is one
	return errors.As(err, &network)
}

// requestError is the cause of a RegistryError with a text that may be shown. It
// does not match the ends of contexts: time limits of the network look like
// them, and would be taken for the caller's.
type requestError struct {
	err  error
	text string
}

// Error implements error.
func (e *requestError) Error() string { return e.text }

// As finds what the request failed with.
func (e *requestError) As(target any) bool { return errors.As(e.err, target) }

// Is reports whether target is what the request failed with.
func (e *requestError) Is(target error) bool {
	return target != context.Canceled && target != context.DeadlineExceeded && errors.Is(e.err, target)
}

// requestCause is the text of a cause on one line and without secrets: nothing of
// a body that a registry chose to send but the fields that are for it.
func requestCause(host string, err error) string {
	var answer *transport.Error
	if errors.As(err, &answer) && !isTLS(err) {
		text := fmt.Sprintf("status %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
		var said []string
		for _, d := range answer.Errors {
			said = append(said, strings.TrimSuffix(string(d.Code)+": "+d.Message, ": "))
		}
		if len(said) > 0 {
			text += ", it says " + quote(bare(strings.Join(said, "; ")))
		}
		return text
	}
	text := err.Error()
	if request, ok := err.(*url.Error); ok {
		text = request.Err.Error()
		if u, err := url.Parse(request.URL); err == nil && u.Host != host {
			text = u.Host + ": " + text
		}
	}
	return oneLine(bare(text))
}

// addresses finds addresses with their user and query.
var addresses = regexp.MustCompile(`(https?://)(?:[^/\s"'@]*@)?([^\s"'?]*)(?:\?[^\s"']*)?`)

// bare takes out of the addresses in a text what may be a secret.
func bare(text string) string { return addresses.ReplaceAllString(text, "$1$2") }

// oneLine is the first line of a text as a message shows it: not too long, and
// without what a terminal would take for more than text.
func oneLine(text string) string {
	const most = 300
	text, _, _ = strings.Cut(text, "\n")
	text = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, text)
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}
