package xpkg

import (
	"errors"
	"net/http"
	"net/netip"
	"strings"
)

// maxRedirects bounds the redirects that one request follows, as net/http does
// where it is not told otherwise.
const maxRedirects = 10

// The redirects that are not followed. They are the cause of a RegistryError.
var (
	errRedirects = errors.New("stopped after 10 redirects")
	errPlain     = errors.New("redirects from https to http, which is followed for layers only")
	errInternal  = errors.New("redirects to an address of a private network")
	errToken     = errors.New("redirects a request with credentials to another host")
)

// checkRedirect refuses a redirect that is not to be followed. Credentials are
// not its business but for one: they are added to a request below http.Client
// and for the registry's host and scheme alone, so that none is redirected, but
// a token is renewed by a form, which http.Client sends again.
//
// It is done here because the clients of go-containerregistry follow redirects
// without end, and follow one of /v2/ to http by sending all else there too.
func checkRedirect(r *http.Request) error {
	first, from := r, (*http.Request)(nil)
	for first.Response != nil && first.Response.Request != nil {
		if from == nil {
			from = first.Response.Request
		}
		first = first.Response.Request
	}
	switch {
	case redirects(r) >= maxRedirects:
		return errRedirects
	case from == nil:
		return nil
	case from.URL.Scheme == "https" && r.URL.Scheme == "http" && !isBlob(first):
		return errPlain
	case isInternal(r.URL.Hostname()) && !isInternal(first.URL.Hostname()):
		return errInternal
	case r.URL.Host != first.URL.Host && r.Header.Get("Content-Type") == "application/x-www-form-urlencoded":
		return errToken
	}
	return nil
}

// isBlob reports whether a request reads what is held against its digest.
func isBlob(r *http.Request) bool {
	return r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/blobs/")
}

// isInternal reports whether a host is an address that a stranger has no
// business with: metadata services of clouds and the like. What a name resolves
// to is not known here.
func isInternal(host string) bool {
	// As resolvers read it: without case, and with a dot behind it or none.
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		// An address in a spelling that some resolvers know, such as 0x7f.1: no
		// name ends with an element that begins with a digit.
		last := host[strings.LastIndexByte(host, '.')+1:]
		return last != "" && last[0] >= '0' && last[0] <= '9'
	}
	a = a.Unmap().WithZone("")
	for _, p := range internal {
		if p.Contains(a) {
			return true
		}
	}
	return a.IsLoopback() || a.IsPrivate() || a.IsLinkLocalUnicast() || a.IsLinkLocalMulticast() || a.IsUnspecified()
}

// internal are the prefixes of such addresses that package netip does not name.
var internal = []netip.Prefix{
	netip.MustParsePrefix("100.64.0.0/10"), // behind a provider's NAT, and in clouds (RFC 6598)
	netip.MustParsePrefix("64:ff9b::/96"),  // any of IPv4, behind a NAT64 (RFC 6052)
}

// redirects counts the redirects that led to a request: an http.Client hands the
// answer on that made it ask again, and the bodies of answers are ours.
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
