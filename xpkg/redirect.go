package xpkg

import (
	"errors"
	"net/http"
)

// maxRedirects bounds the redirects that one request follows, as net/http does
// where it is not told otherwise.
const maxRedirects = 10

// errRedirects is the cause of a RegistryError about redirects without end.
var errRedirects = errors.New("stopped after 10 redirects")

// redirects counts the redirects that led to a request: an http.Client hands the
// answer on that made it ask again, and the bodies of answers are ours. It is
// done here because go-containerregistry's clients have no bound.
func redirects(r *http.Request) int {
	if r.Response == nil {
		return 0
	}
	if b, ok := r.Response.Body.(*body); ok {
		return b.redirects + 1
	}
	return 1
}

// anyRedirect leaves the counting to the transport.
func anyRedirect(*http.Request, []*http.Request) error { return nil }
