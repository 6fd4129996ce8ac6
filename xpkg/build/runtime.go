package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// RuntimeFile opens a file as an image of a program, for Options.Runtime: a docker
// tar (docker save, podman save) or an OCI layout, as a directory or a tar, of which o
// chooses the platform. For one of a registry take Client.Image and Image.V1.
//
// ctx governs reading the image for as long as it is used, and o may be nil. Errors are
// those of xpkg.OpenFile.
func RuntimeFile(ctx context.Context, path string, o *xpkg.Options) (v1.Image, error) {
	opened, err := xpkg.OpenFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	img, err := opened.V1(ctx)
	var none *xpkg.ManifestError
	if !errors.As(err, &none) || none.Digest != "" {
		return img, err
	}
	// A docker tar, which has no manifest: one is made for it.
	if img, err = tarball.ImageFromPath(path, nil); err != nil {
		return nil, &xpkg.FileError{Path: path, Err: err}
	}
	return img, nil
}

// onRuntime returns the edit that puts a package on its runtime image.
func onRuntime(o *Options) (*edit, error) {
	e, err := editOf(o.Runtime)
	if err != nil {
		return nil, err
	}
	if err := e.toOCI(); err != nil {
		return nil, err
	}
	refuse := func(found string) error {
		return &meta.FieldError{Path: meta.Path{"Runtime"}, Found: found, Want: "the image of a program"}
	}
	for i := range e.layers {
		d, err := e.descriptor(i)
		if err != nil {
			return nil, err
		}
		if mark, ok := d.Annotations[xpkg.AnnotationKey]; ok {
			return nil, refuse("an image with a layer marked " + shown(mark))
		}
	}
	labels, err := annotations(e.settings, "Labels")
	if err != nil {
		return nil, err
	}
	for key := range labels {
		if strings.HasPrefix(key, xpkg.AnnotationKey+":") {
			return nil, refuse("an image with the label " + shown(key))
		}
	}
	// They describe the program, and the image is a package from now on.
	delete(e.manifest, "annotations")
	delete(e.manifest, "subject")
	delete(e.manifest, "artifactType")
	var user string
	if err := e.settings.get("User", &user); err != nil {
		return nil, &xpkg.ManifestError{Ref: "image", Reason: "the user of its configuration is no text", Err: err}
	}
	if name, _, _ := strings.Cut(user, ":"); isRoot(name) {
		o.tell(Event{Kind: RunsAsRoot, Name: user})
	}
	return e, e.checkRootFS()
}

// isRoot reports whether a user is root for those who run containers: they read numbers as
// Atoi does, so that 00 is 0.
func isRoot(name string) bool {
	number, err := strconv.Atoi(name)
	return name == "" || name == "root" || err == nil && number == 0
}

// checkRootFS refuses an image whose configuration does not tell one diff ID for each layer:
// no tool could unpack what is put on it.
func (e *edit) checkRootFS() error {
	var rootfs struct {
		DiffIDs []json.RawMessage `json:"diff_ids"`
	}
	if err := e.config.get("rootfs", &rootfs); err != nil {
		return &xpkg.ManifestError{Ref: e.ref, Reason: "its configuration is not the JSON of one", Err: err}
	}
	if len(rootfs.DiffIDs) != len(e.layers) {
		return &xpkg.ManifestError{Ref: e.ref, Reason: fmt.Sprintf("it lists %d layers, and its configuration %d diff IDs", len(e.layers), len(rootfs.DiffIDs))}
	}
	return nil
}

// missingImage is the error for an image that a caller does not give.
func missingImage(name string) error {
	return &meta.FieldError{Path: meta.Path{name}, Found: "nil", Want: "an image"}
}
