package xpkg

import (
	"crypto/x509"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
)

// hint returns what may help against an error.
func hint(e *RegistryError) string {
	switch e.Reason {
	case RegistryUnauthorized, RegistryDenied:
		return "check the credentials for " + e.Host + ", and what they allow"
	case RegistryNotFound:
		return "check the repository and the tag, and the credentials: private registries also say so of what they hide"
	case RegistryRateLimited:
		if e.RetryAfter > 0 {
			return "try again in " + e.RetryAfter.Round(time.Second).String()
		}
		return "try again later"
	case RegistryFailed:
		switch {
		case e.Status == http.StatusNotImplemented:
			return e.Host + " does not do what it was asked for: check that it is a registry of OCI images"
		case e.Status >= http.StatusInternalServerError:
			return "try again later, or ask those who run " + e.Host
		}
		return "check the reference, and that " + e.Host + " is a registry of OCI images"
	case RegistryRedirects:
		if isEndless(e.Err) {
			return "check how " + e.Host + " is set up, and the proxy in front of it: they do not agree on its address"
		}
		return "check how " + e.Host + " is set up, or use the address that it redirects to"
	case RegistryTLS:
		return tlsHint(e)
	case RegistryPlainHTTP:
		return "list " + e.Host + " in Client.PlainHTTP if it is to be spoken to without TLS"
	case RegistryUnreachable:
		if e.Status == http.StatusProxyAuthRequired {
			return "the proxy of HTTP_PROXY or HTTPS_PROXY wants credentials"
		}
		return "check the name of the host, and the proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)"
	case RegistryBrokenOff:
		return "try again; if it goes on, check the network and what stands between here and " + e.Host
	}
	return "check that " + e.Host + " is a registry, and that no portal or proxy answers in its place"
}

// addHint says more, of what only the client and the session know that the error
// happened in. s may be nil.
func (c *Client) addHint(e *RegistryError, s *session) {
	switch e.Reason {
	case RegistryUnauthorized, RegistryDenied:
		if h := c.credentialsHint(e.Host, s); h != "" {
			e.Hint = h
		}
	case RegistryRateLimited:
		if s != nil && s.auth == authn.Anonymous {
			e.Hint += ", or with credentials, for which the limit may be higher"
		}
	}
}

// credentialsHint says where credentials came from, or where they were looked
// for.
func (c *Client) credentialsHint(host string, s *session) string {
	if s == nil {
		return ""
	}
	if found, ok := s.auth.(*fileCredentials); ok {
		return "they are from " + found.from + ": log in again if they are old"
	}
	switch {
	case s.auth != authn.Anonymous:
		return "they are from Client.Keychain"
	case c.Keychain != nil:
		return "Client.Keychain has none for " + host
	}
	var looked []string
	for _, source := range credentialSources() {
		looked = append(looked, source.name)
	}
	return "there are none for " + host + " in " + strings.Join(looked, ", ") + ": use docker login or podman login"
}

func tlsHint(e *RegistryError) string {
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(e.Err, &authority):
		return "add the authority that signed its certificate to Client.CACerts, or to the certificates of the system (on Linux, those of SSL_CERT_FILE)"
	case errors.As(e.Err, &hostname):
		return "its certificate is for another host: check the name"
	case errors.As(e.Err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate is not valid now: check it, and the clock"
	}
	return "check that " + e.Host + " speaks TLS 1.2 or later on this port, and that no proxy stands in between"
}
