package xpkg

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-containerregistry/pkg/v1/remote"

	"github.com/xpkg-go/sdk/meta"
)

// roundTripper returns what makes the requests of every call.
func (c *Client) roundTripper() (http.RoundTripper, error) {
	c.once.Do(func() { c.rt, c.rtErr = c.newRoundTripper() })
	return c.rt, c.rtErr
}

func (c *Client) newRoundTripper() (http.RoundTripper, error) {
	rt := c.Transport
	if rt == nil {
		rt = remote.DefaultTransport
	}
	if c.CACerts == nil {
		return rt, nil
	}
	fault := func(err error) error { return &meta.FieldError{Path: meta.Path{"CACerts"}, Err: err} }
	certs, err := certificates(c.CACerts)
	if err != nil {
		return nil, fault(err)
	}
	t, ok := rt.(*http.Transport)
	if !ok {
		return nil, fault(errors.New("they can be added to a Transport of package net/http only; add them to this one yourself"))
	}
	//lint:ignore SA1019 package net/http still looks at DialTLS
	if t.DialTLSContext != nil || t.DialTLS != nil {
		return nil, fault(errors.New("the Transport makes TLS connections itself; add them there"))
	}
	t = t.Clone()
	if t.TLSClientConfig == nil {
		t.TLSClientConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	pool := t.TLSClientConfig.RootCAs
	if pool == nil {
		if pool, err = x509.SystemCertPool(); err != nil {
			return nil, fmt.Errorf("certificates of the system: %w", err)
		}
	}
	pool = pool.Clone()
	for _, cert := range certs {
		pool.AddCert(cert)
	}
	t.TLSClientConfig.RootCAs = pool
	return t, nil
}

// certificates reads PEM. Other blocks, and text between them, are passed over.
func certificates(data []byte) ([]*x509.Certificate, error) {
	var certs []*x509.Certificate
	for n := 1; ; n++ {
		block, rest := pem.Decode(data)
		if block == nil {
			break
		}
		data = rest
		if block.Type != "CERTIFICATE" {
			continue
		}
		cert, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("PEM block %d is no certificate: %w", n, err)
		}
		certs = append(certs, cert)
	}
	if len(certs) == 0 {
		return nil, errors.New("there is no certificate in it, expected PEM")
	}
	return certs, nil
}
