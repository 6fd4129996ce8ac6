package xpkg

import (
	"context"
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

// How requests are repeated. The pauses are a quarter, a half, one and two
// seconds; a registry that names another pause gets it.
const (
	// attempts is how often a request is made before its failure counts.
	attempts = 5
	// firstPause is doubled each time.
	firstPause = 250 * time.Millisecond
	// maxPause bounds each pause. A registry that asks for a longer one is not
	// asked again.
	maxPause = time.Minute
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
	rt      http.RoundTripper
	retried func(*http.Request, *passingError)
}

func (t retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := t.rt.RoundTrip(r)
		failure := passingFailure(r, resp, err, n)
		if failure == nil || r.Context().Err() != nil {
			return resp, err
		}
		if r.Method == http.MethodPatch {
			// How much of it has arrived nobody knows: the upload has to begin
			// anew, which is for Client.push to do.
			failure.anew = failure.wait <= maxPause
			return nil, failure
		}
		gone := r.Body != nil && r.Body != http.NoBody && r.GetBody == nil
		if gone || n == attempts-1 || failure.wait > maxPause {
			return nil, failure
		}
		t.retried(r, failure)
		if !pause(r.Context(), failure.wait) {
			return nil, failure
		}
		if r, err = again(r); err != nil {
			return nil, err
		}
	}
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
	wait   time.Duration // before the next attempt
	wanted bool          // by the registry
	anew   bool          // the upload that failed may be begun anew
}

func (e *passingError) Error() string { return e.err.Error() }
func (e *passingError) Unwrap() error { return e.err }

// passingFailure returns how the attempt n, from 0, failed, when it may pass. It
// reads and closes the answer then.
func passingFailure(r *http.Request, resp *http.Response, err error, n int) *passingError {
	if err != nil {
		if !isTemporary(err) && !isBroken(err) {
			return nil
		}
		return &passingError{err: err, wait: firstPause << n}
	}
	// An upload whose token has expired: what renews the token would send the
	// rest of the body for the whole.
	expired := r.Method == http.MethodPatch && resp.StatusCode == http.StatusUnauthorized
	if !slices.Contains(passing, resp.StatusCode) && !expired {
		return nil
	}
	e := &passingError{wait: firstPause << n}
	if wait, ok := retryAfter(resp.Header); ok {
		e.wait, e.wanted = wait, true
	}
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

// pause reports false, at once, when ctx ends.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// retried tells that a request will be repeated.
func (c *Client) retried(r *http.Request, failure *passingError) {
	if c.Event == nil {
		return
	}
	name := r.Method + " " + bareURL(r.URL)
	c.Event(Event{Kind: Retried, Name: name, Err: registryError(r.URL.Host, name, failure), Wait: failure.wait})
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
