package xpkg

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"syscall"
	"time"
)

// attempts is how often a request, or a push, is made before its failure counts.
const attempts = 3

// pause waits before the attempt after the nth, from 0, three times as long each
// time. It reports false, at once, when ctx ends.
func pause(ctx context.Context, first time.Duration, n int) bool {
	for range n {
		first *= 3
	}
	t := time.NewTimer(first)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}

// retrying repeats requests that read when the answer says that the same request
// may succeed later. Those of go-containerregistry sleep on when the context has
// ended.
type retrying struct{ rt http.RoundTripper }

func (t retrying) RoundTrip(r *http.Request) (*http.Response, error) {
	for n := 0; ; n++ {
		resp, err := t.rt.RoundTrip(r)
		last := n == attempts-1 || r.Body != nil && r.Body != http.NoBody
		if last || err == nil && !slices.Contains(passing, resp.StatusCode) || err != nil && !isTemporary(err) {
			return resp, err
		}
		if !pause(r.Context(), 100*time.Millisecond, n) {
			return resp, err
		}
		if resp != nil {
			// What is left of a short answer lets the connection be used again.
			_, _ = io.CopyN(io.Discard, resp.Body, 4<<10)
			_ = resp.Body.Close()
		}
	}
}

// passing are the statuses that a registry may not answer with next time.
var passing = []int{
	http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
	http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout,
}

// isTemporary reports whether a request that failed may succeed later.
func isTemporary(err error) bool {
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return false
	}
	var temporary interface{ Temporary() bool }
	return errors.As(err, &temporary) && temporary.Temporary()
}

// isBroken reports whether the connection broke off while something was sent.
func isBroken(err error) bool {
	for _, cause := range []error{io.ErrUnexpectedEOF, io.EOF, syscall.EPIPE, syscall.ECONNRESET, net.ErrClosed} {
		if errors.Is(err, cause) {
			return true
		}
	}
	return false
}
