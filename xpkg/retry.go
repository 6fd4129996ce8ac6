package xpkg

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// passing are the statuses that a registry may not answer with next time.
var passing = []int{
	http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// retrying repeats requests that may succeed later: after an answer that says so,
// and after a connection that broke. Those of go-containerregistry sleep on when
// the context has ended, and do not look at Retry-After.
type retrying struct {
	rt     http.RoundTripper
	client *Client
}

// RoundTrip implements http.RoundTripper.
func (t retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	for b := (backoff{client: t.client}); ; {
		resp, err := t.rt.RoundTrip(r)
		failure := passingFailure(r, resp, err)
		if failure == nil || r.Context().Err() != nil {
			return resp, err
		}
		if sendsBlob(r) {
			// How much of it has arrived nobody knows: the upload has to begin
			// anew, which is for Client.anew to do.
			failure.anew = failure.wait <= maxPause
			return nil, failure
		}
		gone := r.Body != nil && r.Body != http.NoBody && r.GetBody == nil
		name := r.Method + " " + bareURL(r.URL)
		if gone || !b.again(r.Context(), name, failure, func() error { return registryError(r.URL.Host, name, failure) }) {
			return nil, failure
		}
		if r, err = again(r); err != nil {
			return nil, err
		}
	}
}

// sendsBlob reports whether a request sends a blob, of ours or of go-containerregistry.
func sendsBlob(r *http.Request) bool {
	return r.Method == http.MethodPatch || r.Context().Value(uploading{}) != nil
}

// again returns a request to be made after r, with the same body.
func again(r *http.Request) (*http.Request, error) {
	if r.GetBody == nil {
		return r, nil
	}
	body, err := r.GetBody()
	if err != nil {
		return nil, err
	}
	next := *r
	next.Body = body
	return &next, nil
}

// passingError is a failure that may pass: an answer, as a *transport.Error, or
// an error of the network.
type passingError struct {
	err    error
	wait   time.Duration // that the registry wants before the next attempt
	wanted bool          // whether it wants any
	anew   bool          // the upload that failed may be begun anew
}

// Error implements error.
func (e *passingError) Error() string { return e.err.Error() }

// Unwrap returns the cause.
func (e *passingError) Unwrap() error { return e.err }

// passingFailure returns how a request failed, when that may pass. It reads and
// closes the answer then.
func passingFailure(r *http.Request, resp *http.Response, err error) *passingError {
	if err != nil {
		if !isTemporary(err) && !isBroken(err) {
			return nil
		}
		return &passingError{err: err}
	}
	// An upload whose token has expired: what renews the token would send the
	// rest of the body for the whole.
	expired := sendsBlob(r) && resp.StatusCode == http.StatusUnauthorized
	if !slices.Contains(passing, resp.StatusCode) && !expired {
		return nil
	}
	e := new(passingError)
	e.wait, e.wanted = retryAfter(resp.Header)
	e.err = transport.CheckError(resp)
	// What is left of a short answer lets the connection be used again.
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
	_ = resp.Body.Close()
	return e
}

// retryAfter reads how long a registry wants to be left alone: a number of
// seconds, or a date.
func retryAfter(h http.Header) (time.Duration, bool) {
	text := h.Get("Retry-After")
	if text == "" {
		return 0, false
	}
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second, true
	}
	date, err := http.ParseTime(text)
	if err != nil {
		return 0, false
	}
	return max(0, time.Until(date)), true
}

// bareURL is a URL without what may be a secret.
func bareURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// isTemporary reports whether a request that failed may succeed later. Who has
// not answered a dial in the time that the transport gives it, half a minute by
// default, is not dialed again.
func isTemporary(err error) bool {
	var dial *net.OpError
	var lookup *net.DNSError
	if errors.As(err, &dial) && dial.Op == "dial" && dial.Timeout() && !errors.As(err, &lookup) {
		return false
	}
	var temporary interface{ Temporary() bool }
	return errors.As(err, &temporary) && temporary.Temporary()
}

// isBroken reports whether the connection broke off.
func isBroken(err error) bool {
	for _, cause := range []error{io.ErrUnexpectedEOF, io.EOF, syscall.EPIPE, syscall.ECONNRESET, syscall.ECONNABORTED, net.ErrClosed} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
