package xpkg

import (
	"crypto/x509"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
)

// hint returns what may help against an error, or "". s is the session that it
// happened in, or nil.
func (c *Client) hint(e *RegistryError, s *session) string {
	switch e.Reason {
	case RegistryUnauthorized, RegistryDenied:
		return c.credentialsHint(e.Host, s)
	case RegistryNotFound:
		return "check the repository and the tag, and the credentials: private registries also say so of what they hide"
	case RegistryRateLimited:
		hint := "try again later"
		if e.RetryAfter > 0 {
			hint = "try again in " + e.RetryAfter.Round(time.Second).String()
		}
		if s != nil && s.auth == authn.Anonymous {
			hint += ", or with credentials, for which the limit may be higher"
		}
		return hint
	case RegistryTLS:
		return tlsHint(e.Err)
	case RegistryPlainHTTP:
		return "list " + e.Host + " in Client.PlainHTTP if it is to be spoken to without TLS"
	case RegistryUnreachable:
		if e.Status == http.StatusProxyAuthRequired {
			return "the proxy of HTTP_PROXY or HTTPS_PROXY wants credentials"
		}
		return "check the name of the host, and the proxy (HTTPS_PROXY, HTTP_PROXY, NO_PROXY)"
	case RegistryBadAnswer:
		return "check that " + e.Host + " is a registry, and that no portal or proxy answers in its place"
	}
	return ""
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

func tlsHint(err error) string {
	var authority x509.UnknownAuthorityError
	var hostname x509.HostnameError
	var invalid x509.CertificateInvalidError
	switch {
	case errors.As(err, &authority):
		return "add the authority that signed its certificate to Client.CACerts, or to the certificates of the system (on Linux, those of SSL_CERT_FILE)"
	case errors.As(err, &hostname):
		return "its certificate is for another host: check the name"
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired:
		return "its certificate is not valid now: check it, and the clock"
	}
	return ""
}
