package xpkg

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"

	"github.com/xpkg-go/sdk/meta"
)

// PlatformError says that an index lists images and none of them can be chosen.
// It matches meta.ErrNotFound.
type PlatformError struct {
	Ref  string
	Want string // the platform that was asked for, such as linux/amd64
	// Have are the platforms that there are, without duplicates, in the index's
	// order; "" for images without one.
	Have []string
	// Attestations is the number of entries that were passed over because they
	// are attestations.
	Attestations int
	// Ambiguous is set when no image has a platform and they are not known to hold
	// one package; Digests are those of the images.
	Ambiguous bool
	Digests   []string

	unmarked bool // nothing tells the base layers, so that packages may be equal
}

// Error implements error.
func (e *PlatformError) Error() string {
	var b strings.Builder
	if e.Ambiguous {
		what := "different base layers"
		if e.unmarked {
			what = "different layers, of which not all are marked as base layers"
		}
		fmt.Fprintf(&b, "%s: the index lists %d images without a platform that have %s: %s", e.Ref, len(e.Digests), what, list(e.Digests))
	} else {
		have := slices.Clone(e.Have)
		for i, p := range have {
			if have[i] = shown(p); p == "" {
				have[i] = "no platform"
			}
		}
		fmt.Fprintf(&b, "%s: the index has no image for %s; it has %s", e.Ref, e.Want, list(have))
	}
	if e.Attestations > 0 {
		b.WriteString("; passed over " + count(int64(e.Attestations), "attestation", "attestations"))
	}
	return b.String()
}

// Is reports whether target is meta.ErrNotFound.
func (e *PlatformError) Is(target error) bool { return target == meta.ErrNotFound }

// ChildError says that a manifest that an index lists could not be had. It
// matches what Err matches, and meta.ErrNotFound when Err is that of a missing
// file or the answer 404 of a registry.
type ChildError struct {
	Ref    string
	Digest string // of the manifest
	Err    error
}

// Error implements error.
func (e *ChildError) Error() string {
	return fmt.Sprintf("%s: manifest %s, which the index lists: %s", e.Ref, e.Digest, causeOf(e.Ref, e.Err))
}

// Unwrap returns the cause.
func (e *ChildError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrNotFound.
func (e *ChildError) Is(target error) bool {
	if target != meta.ErrNotFound {
		return false
	}
	var answer *transport.Error
	return errors.Is(e.Err, fs.ErrNotExist) || errors.As(e.Err, &answer) && answer.StatusCode == http.StatusNotFound
}

// platformName is a platform as messages call it; "" when there is none.
func platformName(p *v1.Platform) string {
	if p == nil || p.Equals(v1.Platform{}) {
		return ""
	}
	named := *p
	if named.OS == "" {
		named.OS = "*"
	}
	return named.String()
}
