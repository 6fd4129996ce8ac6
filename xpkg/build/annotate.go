package build

import (
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Annotate sets annotations of an image's manifest. Nothing else of the image changes,
// and with annotations that it has already its digest does not either. The image may
// be of any builder.
//
// Errors: *xpkg.ManifestError and *xpkg.DigestError for an image that cannot be read,
// and a *meta.FieldError for none. img is not changed.
func Annotate(img v1.Image, annotations map[string]string) (v1.Image, error) {
	e, err := editOf(img)
	if err != nil {
		return nil, err
	}
	if err := merge(e.manifest, "annotations", annotations); err != nil {
		return nil, err
	}
	return e.image()
}

// Relabel sets labels of an image's configuration. Nothing else of the image changes
// but the digest of the configuration, which the manifest holds. The labels that
// mark layers, io.crossplane.xpkg:DIGEST, are refused with a *meta.FieldError:
// Append and Repair set them. Errors are those of Annotate.
func Relabel(img v1.Image, labels map[string]string) (v1.Image, error) {
	e, err := editOf(img)
	if err != nil {
		return nil, err
	}
	for key := range labels {
		if strings.HasPrefix(key, xpkg.AnnotationKey+":") {
			return nil, &meta.FieldError{Path: meta.Path{"labels", key}, Found: "a mark of a layer", Want: "a label that says something else"}
		}
	}
	if err := merge(e.settings, "Labels", labels); err != nil {
		return nil, err
	}
	return e.image()
}
