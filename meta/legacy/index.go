package legacy

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// An Index tells which packages bring a kind, and which kinds a package brings, as the
// registry of the v1 era did. (packages v1, Terminology and Dependency Resolution) The zero
// Index is empty.
type Index struct {
	Entries []IndexEntry `json:"packages"`
}

// An IndexEntry is a package of an [Index].
type IndexEntry struct {
	// Package is its image, such as crossplane/provider-gcp:v0.1.0.
	Package string `json:"package"`
	// Kinds are what it brings.
	Kinds []meta.ProvidedKind `json:"kinds"`
}

// Add adds a package, by the name of its image. One that is there by that name is replaced.
func (x *Index) Add(image string, p *Package) {
	entry := IndexEntry{Package: image}
	for _, c := range p.CRDs {
		if c.Provides.Kind != "" {
			entry.Kinds = append(entry.Kinds, c.Provides)
		}
	}
	x.Entries = slices.DeleteFunc(x.Entries, func(e IndexEntry) bool { return e.Package == image })
	x.Entries = append(x.Entries, entry)
}

// Packages are the packages that bring a kind, or one of those that a glob stands for: their
// images, sorted.
func (x *Index) Packages(crd meta.CRDRef) []string {
	var images []string
	for _, e := range x.Entries {
		if slices.ContainsFunc(e.Kinds, crd.Matches) {
			images = append(images, e.Package)
		}
	}
	slices.Sort(images)
	return slices.Compact(images)
}

// Kinds are what a package brings; nil when it is not in the index.
func (x *Index) Kinds(image string) []meta.ProvidedKind {
	for _, e := range x.Entries {
		if e.Package == image {
			return e.Kinds
		}
	}
	return nil
}

// Find is the image of the package that is asked for, by its name or by a kind that it
// brings, in the registry that is asked for: see [PackageInstall.Image]. The error is an
// *OwnerError when not exactly one package brings the kind, or what [PackageInstall.Validate]
// says of a kind that is none. The index may be nil where a package is asked for by its name.
func (x *Index) Find(i *PackageInstall, defaultSource string) (string, error) {
	if i.Spec.CRD == "" {
		return i.Image(defaultSource), nil
	}
	ref, err := meta.ParseCRDRef(i.Spec.CRD)
	if err != nil {
		return "", err
	}
	var images []string
	if x != nil {
		images = x.Packages(ref)
	}
	if len(images) != 1 {
		return "", &OwnerError{CRD: i.Spec.CRD, Packages: images}
	}
	return i.imageOf(images[0], defaultSource), nil
}

// An OwnerError says that no package brings a kind, or that several do. It matches
// meta.ErrNotFound or meta.ErrInvalid.
type OwnerError struct {
	CRD      string
	Packages []string // those that bring it, sorted
}

// Error is such as: no package of the index brings "mytype.example.org/v1alpha1".
func (e *OwnerError) Error() string {
	if len(e.Packages) == 0 {
		return "no package of the index brings " + quote(e.CRD)
	}
	var names []string
	for i, p := range e.Packages {
		if i == maxListed {
			names = append(names, "…")
			break
		}
		names = append(names, quote(p))
	}
	return "several packages of the index bring " + quote(e.CRD) + ": " + strings.Join(names, ", ")
}

// maxListed is how many packages a message lists.
const maxListed = 10

// Is reports whether target is meta.ErrNotFound, or meta.ErrInvalid where there are several.
func (e *OwnerError) Is(target error) bool {
	if len(e.Packages) == 0 {
		return target == meta.ErrNotFound
	}
	return target == meta.ErrInvalid
}
