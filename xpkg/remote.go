package xpkg

import (
	"errors"
	"fmt"
	"io"
	"net/url"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// remoteError gives the error of somebody's image the category that it has when
// it comes from a registry.
func remoteError(ref, what string, err error) error {
	if e := fromRegistry(ref, "", err); e != nil {
		return e
	}
	return fmt.Errorf("%s: %s: %w", ref, what, err)
}

// fromRegistry returns the error of go-containerregistry's requests as one of
// ours, or nothing when err is another. host is that of the registry, or empty
// when only the error can tell.
func fromRegistry(ref, host string, err error) error {
	var answer *transport.Error
	var request *url.Error
	switch {
	case errors.As(err, &answer):
		if host == "" && answer.Request != nil {
			host = answer.Request.URL.Host
		}
	case errors.As(err, &request):
		if u, err := url.Parse(request.URL); err == nil && host == "" {
			host = u.Host
		}
	case host == "" || !isBroken(err) && !isNetwork(err):
		return nil
	}
	return registryError(host, ref, err)
}

// openRemote opens a layer of somebody's image.
func openRemote(l v1.Layer) (io.ReadCloser, error) {
	const ref = "image"
	host := ""
	if m, ok := l.(*remote.MountableLayer); ok { // what remote.Image gives
		host = m.Reference.Context().RegistryStr()
	}
	rc, err := l.Compressed()
	if err != nil {
		if e := fromRegistry(ref, host, err); e != nil {
			return nil, e
		}
		return nil, err
	}
	if host == "" {
		return rc, nil
	}
	return readCloser{remoteReader{rc, ref, host}, rc.Close}, nil
}

// remoteReader reads a layer from a registry that another library talks to.
type remoteReader struct {
	io.Reader
	ref, host string
}

// Read implements io.Reader.
func (r remoteReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		if e := fromRegistry(r.ref, r.host, err); e != nil {
			err = e
		}
	}
	return n, err
}
