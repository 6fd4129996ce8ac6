package xpkg

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// ErrUnverified is what the Close of a stream returns when the stream was left
// before its end: what was read of it has not been checked and must not be
// used. It matches meta.ErrDigest.
var ErrUnverified error = unverified{}

type unverified struct{}

// Error implements error.
func (unverified) Error() string { return "stream closed before all of it was verified" }

// Is reports whether target is meta.ErrDigest.
func (unverified) Is(target error) bool { return target == meta.ErrDigest }

// DigestError says that bytes are not the ones that were named: a blob, a
// manifest or the content of a layer has another digest or size than what
// refers to it says; of manifests that an index lists only the digest counts. It
// matches meta.ErrDigest.
type DigestError struct {
	// Ref is the reference or path of the image, as it was given.
	Ref string
	// What was read, or was to be pushed ("image"): "layer", "manifest", "configuration", "cache entry" (in an
	// Event or a BrokenEntry only), "file" (by Cache.Add only) or, where the digest is that of the decompressed bytes (docker
	// tars), "layer content".
	What string
	// Want and Got are digests such as sha256:…; Got is empty when reading
	// stopped because there was more than WantSize, and for an entry of the cache
	// that was right and changed while it was read.
	Want, Got string
	// WantSize and GotSize are in bytes. WantSize is negative where only the
	// digest is known. GotSize is what was read before it was clear.
	WantSize, GotSize int64
}

// Error implements error.
func (e *DigestError) Error() string {
	prefix := e.Ref + ": " + e.What + " " + e.Want
	switch {
	case e.WantSize >= 0 && e.GotSize > e.WantSize:
		return prefix + " is longer than the " + strconv.FormatInt(e.WantSize, 10) + " bytes that it should have"
	case e.WantSize >= 0 && e.GotSize < e.WantSize:
		return fmt.Sprintf("%s ends after %d bytes, expected %d", prefix, e.GotSize, e.WantSize)
	case e.Got == "":
		return prefix + " changed while it was read"
	}
	return prefix + " has the digest " + e.Got
}

// Is reports whether target is meta.ErrDigest.
func (e *DigestError) Is(target error) bool { return target == meta.ErrDigest }

// LayerError says that a layer cannot be read. When it is the layer that was
// asked for, and its compression is broken or it is no tar archive, the error
// matches meta.ErrInvalid. Otherwise what opens or yields the layer failed, and
// the error matches what Err matches.
type LayerError struct {
	Ref    string
	Digest string // of the compressed layer; in docker tars the file's name
	Index  int    // from 0, in the manifest's order
	Err    error

	content bool // the fault is in the layer
}

// Error implements error.
func (e *LayerError) Error() string {
	return fmt.Sprintf("%s: layer %d (%s): %s", e.Ref, e.Index, e.Digest, causeOf(e.Ref, e.Err))
}

// Unwrap returns the cause.
func (e *LayerError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid and the fault in the layer.
func (e *LayerError) Is(target error) bool { return target == meta.ErrInvalid && e.content }

// ManifestError says that a manifest or an index cannot be understood. It
// matches meta.ErrInvalid.
type ManifestError struct {
	Ref    string
	Digest string // empty for the index.json or manifest.json of a file
	Reason string // what was found and what was expected
	Err    error  // the cause, or nil
}

// Error implements error.
func (e *ManifestError) Error() string {
	var b strings.Builder
	b.WriteString(e.Ref + ": manifest")
	if e.Digest != "" {
		b.WriteString(" " + e.Digest)
	}
	b.WriteString(": " + e.Reason)
	if e.Err != nil {
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

// Unwrap returns the cause, which may be nil.
func (e *ManifestError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *ManifestError) Is(target error) bool { return target == meta.ErrInvalid }

// MultipleBaseLayersError says that more than one layer is marked as the base
// layer, where the specification allows one ("Manifests"). It matches
// meta.ErrNotPackage.
type MultipleBaseLayersError struct {
	Ref     string
	Digests []string // of the marked layers, in the manifest's order
}

// Error implements error.
func (e *MultipleBaseLayersError) Error() string {
	return fmt.Sprintf("%s: %d layers are marked %s=%s, at most one may be: %s",
		e.Ref, len(e.Digests), AnnotationKey, BaseAnnotation, list(e.Digests))
}

// Is reports whether target is meta.ErrNotPackage.
func (e *MultipleBaseLayersError) Is(target error) bool { return target == meta.ErrNotPackage }

// causeOf is the text of a cause without the reference that it begins with, which
// the error around it has named.
func causeOf(ref string, err error) string { return strings.TrimPrefix(err.Error(), ref+": ") }

// jsonCause says what is wrong with JSON in its own terms and not in those of Go.
func jsonCause(err error) error {
	var t *json.UnmarshalTypeError
	if !errors.As(err, &t) {
		return err
	}
	if t.Field == "" {
		return errors.New("found " + t.Value + ", expected an object")
	}
	return errors.New(shown(t.Field) + " is of the JSON type " + t.Value)
}

// list joins names for a message, the first eight of them.
func list(names []string) string {
	const most = 8
	if len(names) > most {
		return strings.Join(names[:most], ", ") + " and " + strconv.Itoa(len(names)-most) + " more"
	}
	return strings.Join(names, ", ")
}

// shown is a name of the input as messages show it: as it is, or quoted when it
// holds what a terminal would take for more than text.
func shown(name string) string {
	if q := strconv.Quote(name); q[1:len(q)-1] != name {
		return quote(name)
	}
	return name
}

// quote quotes text of the input for a message, its first 80 bytes.
func quote(s string) string {
	const most = 80
	if len(s) > most {
		return strconv.Quote(s[:most]) + "…"
	}
	return strconv.Quote(s)
}
