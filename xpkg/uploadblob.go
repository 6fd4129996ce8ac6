package xpkg

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"sync"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// upload is a blob on its way to a registry. go-containerregistry's needs a request more,
// and hashes nothing, so that what is sent would have to be hashed beside it.
type upload struct {
	ctx    context.Context
	digest v1.Hash
	size   int64
	ref    string
	source func() (io.ReadCloser, error)

	mu     sync.Mutex // a registry may answer before the body is sent
	opened bool
	fault  error // of the content, and not of the registry
}

func (u *upload) failed(err error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.fault = err
}

func (u *upload) outcome() (opened bool, fault error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.opened, u.fault
}

// send writes the blob where it is not there.
func (u *upload) send(rt http.RoundTripper, place name.Repository) error {
	has, err := hasBlob(u.ctx, rt, place, u.digest)
	if has || err != nil {
		return err
	}
	location, err := beginUpload(u.ctx, rt, place, nil)
	if err != nil {
		return err
	}
	if location == "" {
		return badAnswer("it begins an upload with status 201, expected 202 and where to send the blob")
	}
	to, err := url.Parse(location)
	if err != nil {
		return badAnswer("it begins an upload with the header Location: " + quote(location) + ", expected a URL")
	}
	query := to.Query() // which is the registry's own
	query.Set("digest", u.digest.String())
	to.RawQuery = query.Encode()
	body, err := u.open()
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(context.WithValue(u.ctx, uploading{}, true), http.MethodPut, to.String(), body)
	if err != nil {
		_ = body.Close()
		return err
	}
	req.ContentLength, req.GetBody = u.size, u.open
	req.Header.Set("Content-Type", "application/octet-stream")
	resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	return transport.CheckError(resp, http.StatusCreated)
}

// uploading marks the context of a request that sends a blob: how much of it has arrived
// when it fails nobody knows, so that the upload has to begin anew.
type uploading struct{}

// hasBlob asks for a blob.
func hasBlob(ctx context.Context, rt http.RoundTripper, place name.Repository, h v1.Hash) (bool, error) {
	resp, err := ask(ctx, rt, http.MethodHead, place, "blobs/"+h.String(), nil, http.StatusOK)
	var answer *transport.Error
	if errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, resp.Body.Close()
}

// beginUpload begins an upload and returns where to send it, or "" where the registry
// took the blob over from where the query says.
func beginUpload(ctx context.Context, rt http.RoundTripper, place name.Repository, query url.Values) (location string, err error) {
	u := apiURL(place, "blobs/uploads/")
	if len(query) > 0 {
		u += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u, nil)
	if err != nil {
		return "", err
	}
	resp, err := (&http.Client{Transport: rt, CheckRedirect: anyRedirect}).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	if err := transport.CheckError(resp, http.StatusCreated, http.StatusAccepted); err != nil {
		return "", err
	}
	if resp.StatusCode == http.StatusCreated {
		return "", nil
	}
	to, err := resp.Location()
	if err != nil {
		return "", badAnswer("it begins an upload without a header Location that says where to send the blob")
	}
	if asked := resp.Request.URL.Hostname(); to.Hostname() != asked && isInternal(to.Hostname()) && !isInternal(asked) {
		return "", errInternal
	}
	return to.String(), nil
}

// open opens the content, whose last byte comes only after all of it was held
// against the digest: no registry can take the wrong bytes for the whole.
func (u *upload) open() (io.ReadCloser, error) {
	u.mu.Lock()
	u.opened = true
	u.mu.Unlock()
	rc, err := u.source()
	if err != nil {
		u.failed(err)
		return nil, err
	}
	want := descriptor{Digest: u.digest, Size: u.size}
	if b, ok := rc.(*BlobReader); !ok || !b.verifies(&want) {
		v, err := newVerifyReader(rc, u.ref, "blob", want)
		if err != nil {
			_ = rc.Close()
			return nil, err
		}
		rc = v
	}
	return &lastByte{u: u, rc: newContextReader(u.ctx, rc, u.ref), before: u.size - 1}, nil
}

// lastByte yields the last byte of a blob when its reader has ended well.
type lastByte struct {
	u      *upload
	rc     io.ReadCloser
	before int64 // bytes to come before the last
}

// Read implements io.Reader.
func (l *lastByte) Read(p []byte) (n int, err error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case l.before > 0:
		n, err = l.rc.Read(p[:min(int64(len(p)), l.before)])
		l.before -= int64(n)
	default:
		var last [2]byte
		if n, err = io.ReadFull(l.rc, last[:]); err == io.ErrUnexpectedEOF {
			p[0], err = last[0], io.EOF
		}
	}
	if err != nil && err != io.EOF {
		l.u.failed(err)
		return 0, err
	}
	return n, err
}

// Close implements io.Closer.
func (l *lastByte) Close() error { return l.rc.Close() }
