package xpkg

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// progressBytes are what has to come of a blob for the count of attempts to begin
// anew.
const progressBytes = 1 << 20

// blobBody yields a blob. When the connection breaks off, it asks for the rest, if
// the registry gives parts of blobs; who reads does not notice, since whatever
// comes is held against the digest of the whole. Otherwise, and after as many
// attempts as for requests, the error is a *RegistryError.
type blobBody struct {
	ctx    context.Context
	client *Client
	ref    string
	repo   name.Repository
	digest v1.Hash

	rc      io.ReadCloser
	n       int64 // bytes so far
	at      int64 // where it broke off last
	backoff backoff
	err     error
}

// open asks for the blob, or for what is left of it.
func (b *blobBody) open(want int) (rc io.ReadCloser, err error) {
	// Without it, package net/http would ask for a compressed blob and
	// decompress it.
	header := http.Header{"Accept-Encoding": {"identity"}}
	if want == http.StatusPartialContent {
		header.Set("Range", fmt.Sprintf("bytes=%d-", b.n))
	}
	err = b.client.reading(b.ctx, b.ref, b.ref, b.repo, func(rt http.RoundTripper) error {
		resp, err := ask(b.ctx, rt, http.MethodGet, b.repo, "blobs/"+b.digest.String(), header, want)
		if err != nil {
			return err
		}
		if from := fmt.Sprintf("bytes %d-", b.n); want == http.StatusPartialContent && !strings.HasPrefix(resp.Header.Get("Content-Range"), from) {
			_ = resp.Body.Close()
			return badAnswer("it answers with another part than was asked for")
		}
		rc = resp.Body
		return nil
	})
	return rc, err
}

// Read implements io.Reader.
func (b *blobBody) Read(p []byte) (int, error) {
	for b.err == nil {
		n, err := b.rc.Read(p)
		b.n += int64(n)
		if err == io.EOF {
			return n, err
		}
		if err != nil {
			b.err = b.resume(err)
		}
		if n > 0 || len(p) == 0 {
			return n, nil
		}
	}
	return 0, b.err
}

// resume puts the rest of the blob in the place of what broke, or returns the
// error about that.
func (b *blobBody) resume(broken error) error {
	fail := func() error {
		return b.client.failed(b.ctx, b.ref, b.ref, b.repo, nil, broken)
	}
	// What comes on is not what fails: a large layer may break off often.
	if b.n-b.at >= progressBytes {
		b.backoff.failed = 0
	}
	b.at = b.n
	if !b.backoff.again(b.ctx, b.digest.String(), &passingError{err: broken}, fail) {
		return fail()
	}
	rc, err := b.open(http.StatusPartialContent)
	if err != nil {
		return fail()
	}
	_ = b.rc.Close()
	b.rc = rc
	return nil
}

// Close implements io.Closer.
func (b *blobBody) Close() error { return b.rc.Close() }
