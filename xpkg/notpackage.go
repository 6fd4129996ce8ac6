package xpkg

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// Reason is why an image is not a package.
type Reason string

// The reasons of NotPackageError.
const (
	// ReasonNoManifest: the index lists nothing.
	ReasonNoManifest Reason = "no-manifest"
	// ReasonOnlyAttestations: the index lists nothing but attestations.
	ReasonOnlyAttestations Reason = "only-attestations"
	// ReasonUnsupported: the manifest is of a kind that is no image, such as docker
	// schema 1.
	ReasonUnsupported Reason = "unsupported-manifest"
	// ReasonNoImage: the file or directory holds no image, or several.
	ReasonNoImage Reason = "no-image"
	// ReasonNoLayers: the image has no layers.
	ReasonNoLayers Reason = "no-layers"
	// ReasonMissing: there is no package.yaml at the root.
	ReasonMissing Reason = "package-yaml-missing"
	// ReasonLegacy: there is no package.yaml at the root, and a directory .registry is: this
	// is a package of the v1 format, which package meta/legacy reads from Image.FS.
	ReasonLegacy Reason = "v1-package"
	// ReasonNotAFile: package.yaml is a directory, a device, a fifo.
	ReasonNotAFile Reason = "package-yaml-not-a-file"
	// ReasonEmpty: package.yaml has no content.
	ReasonEmpty Reason = "package-yaml-empty"
	// ReasonDuplicate: one layer holds package.yaml twice.
	ReasonDuplicate Reason = "package-yaml-duplicate"
	// ReasonBadLink: package.yaml is a link that leads out of the image, to nothing,
	// or in a circle.
	ReasonBadLink Reason = "package-yaml-bad-link"
)

// NotPackageError says that an image holds no package, and what was looked at.
// It matches meta.ErrNotPackage. See the specification, "Layers".
type NotPackageError struct {
	Ref    string
	Reason Reason
	// Detail is Reason as a sentence about this image.
	Detail string
	// Layers are the digests of the layers that were searched, top layer first;
	// in docker tars the names of their files.
	Layers []string
	// Entries is how many tar entries they hold.
	Entries int64
	// NearMisses are paths that look like a package.yaml that is misplaced or
	// misspelt, at most eight, in the order in which they were met.
	NearMisses []string
	// Hint is what the image seems to be, or empty: "a runtime image", "a v1
	// package".
	Hint string
}

// Error implements error.
func (e *NotPackageError) Error() string {
	var b strings.Builder
	b.WriteString(e.Ref + ": not a package: " + e.Detail)
	if len(e.Layers) > 0 {
		fmt.Fprintf(&b, " (searched %s in %s: %s)", count(e.Entries, "entry", "entries"),
			count(int64(len(e.Layers)), "layer", "layers"), list(e.Layers))
	}
	if len(e.NearMisses) > 0 {
		near := make([]string, len(e.NearMisses))
		for i, path := range e.NearMisses {
			near[i] = shown(path)
		}
		b.WriteString("; found " + list(near))
	}
	if e.Hint != "" {
		b.WriteString("; this looks like " + e.Hint)
	}
	return b.String()
}

// Is reports whether target is meta.ErrNotPackage.
func (e *NotPackageError) Is(target error) bool { return target == meta.ErrNotPackage }

func count(n int64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.FormatInt(n, 10) + " " + many
}
