package meta

import (
	"errors"
	"strings"
)

// A Spelling is how a dependency was written: the key that names what the package
// depends on.
type Spelling string

// The spellings of dependencies.
const (
	// SpellingProvider, SpellingConfiguration and SpellingFunction name the source
	// of a package and hint at its kind. They are sugar: what kind it really is,
	// its own metadata says.
	SpellingProvider      Spelling = "provider"
	SpellingConfiguration Spelling = "configuration"
	SpellingFunction      Spelling = "function"

	// SpellingPackage names the source, and the apiVersion and kind of the custom
	// resource by which it is installed. The packages v2 design has it without
	// those.
	SpellingPackage Spelling = "package"

	// SpellingCRD names a kind that some package must bring (packages v2 design).
	SpellingCRD Spelling = "crd"

	// SpellingCrossplane is a dependency on Crossplane itself (packages v2 design).
	SpellingCrossplane Spelling = "crossplane"
)

func spellings() []Spelling {
	return []Spelling{SpellingProvider, SpellingConfiguration, SpellingFunction, SpellingPackage, SpellingCRD, SpellingCrossplane}
}

// kind is the kind that a spelling hints at.
func (s Spelling) kind() Kind {
	switch s {
	case SpellingProvider:
		return Provider
	case SpellingConfiguration:
		return Configuration
	case SpellingFunction:
		return Function
	default:
		return ""
	}
}

// A Dependency is an entry of spec.dependsOn: on a package, on a kind (CRD is
// set), or on Crossplane (Spelling says so).
type Dependency struct {
	// APIVersion and Kind are those of the custom resource by which the package is
	// installed. They are as declared, or implied by the spelling: "provider" is
	// kind Provider of pkg.crossplane.io/v1, in metadata of the IBM group of
	// pkg.ibm.crossplane.io/v1. They may be ones that this library has never heard
	// of. Either way they are a hint: the truth is in the package's own metadata.
	APIVersion, Kind string

	// Package is the source of the package; zero if CRD is set or the dependency is
	// on Crossplane.
	Package Source

	// Constraint is which versions will do, of the package or of Crossplane. It is
	// the zero Constraint, and any version will do, for a dependency without a
	// version, which is allowed except in the IBM group.
	Constraint Constraint

	// CRD is the kind that is needed; zero for other dependencies.
	CRD CRDRef

	// Spelling is how it was written. If it is empty in a dependency that was made
	// by hand, it is encoded with crd if it has a CRD, with apiVersion, kind and
	// package if it has an APIVersion, else by its kind. A dependency on Crossplane
	// says so here.
	Spelling Spelling

	// Index is the position in the spec.dependsOn that was decoded, from 0.
	Index int
}

// Path leads to the field of the dependency with that key, such as "version", or
// to the dependency itself for "".
func (d Dependency) Path(key string) Path {
	p := Path{"spec", "dependsOn", d.Index}
	if key != "" {
		p = append(p, key)
	}
	return p
}

// String is the dependency in a line: "provider example.org/x >=v1.0.0".
func (d Dependency) String() string {
	parts := []string{string(d.spelling())}
	switch {
	case d.spelling() == SpellingCrossplane:
	case !d.CRD.IsZero():
		parts = append(parts, d.CRD.String())
	case !d.Package.IsZero():
		parts = append(parts, d.Package.String())
	default:
		parts = append(parts, "without a name")
	}
	if !d.Constraint.IsZero() {
		parts = append(parts, d.Constraint.String())
	}
	return strings.Join(parts, " ")
}

// spelling is the Spelling, or the one that a dependency without it is encoded
// with.
func (d Dependency) spelling() Spelling {
	switch {
	case d.Spelling != "":
		return d.Spelling
	case !d.CRD.IsZero():
		return SpellingCRD
	case d.APIVersion == "" && d.Kind != "":
		for _, s := range spellings() {
			if string(s.kind()) == d.Kind {
				return s
			}
		}
		return SpellingPackage
	default:
		return SpellingPackage
	}
}

// A CRDRef names a kind that a package depends on, or all kinds of a group.
type CRDRef struct {
	// Name is the kind, or the name of its resource in lower case, as the author
	// wrote it; "*" for all of the group.
	Name string

	// Group is the API group.
	Group string

	// Version is the API version. It is "" for any, which metadata cannot say.
	Version string

	// object is set if it was declared as an object with apiVersion and kind.
	object bool
}

// ParseCRDRef reads what packages name kinds by: "The crd field should always be a
// GVK" (packages v2 design), that is the name of a kind, its group and its version,
// as in mytype.mygroup.example.org/v1alpha1. As in packages v1 the name may be "*",
// for all kinds of the group at that version. Nothing else is read: the parts are
// names as Kubernetes has them, a kind or resource of up to 63 letters, digits and
// hyphens, in either case, a group that is a DNS subdomain, and a version that is a
// DNS label. The error matches [ErrInvalid].
func ParseCRDRef(s string) (CRDRef, error) {
	names, version, _ := strings.Cut(s, "/")
	name, group, _ := strings.Cut(names, ".")
	r := CRDRef{Name: name, Group: group, Version: version}
	if name != "*" && !isKindName(name) || !r.isGroupVersion() {
		return CRDRef{}, &CRDRefError{Text: s}
	}
	return r, nil
}

// isGroupVersion reports whether the group and version of r are proper ones.
func (r CRDRef) isGroupVersion() bool {
	return CheckName(r.Group) == nil && isKindName(r.Version) && r.Version == strings.ToLower(r.Version)
}

// isKindName reports whether s is a DNS label that begins with a letter, in either
// case: so are kinds, the names of their resources, and, in lower case, versions.
func isKindName(s string) bool {
	lower := strings.ToLower(s)
	// Letters of other scripts may become ASCII in lower case, with fewer bytes.
	return isLabel(lower) && len(lower) == len(s) && len(s) <= maxLabel && lower[0] > '9'
}

// A CRDRefError says that a text does not name a kind. It matches [ErrInvalid].
type CRDRefError struct {
	Text string // what was to be read
}

// Error is such as: "mytype" is not the name of a kind (want …).
func (e *CRDRefError) Error() string {
	return quote(e.Text) + " is not the name of a kind (" + errCRDForm.Error() + ")"
}

// Is reports whether target is [ErrInvalid].
func (e *CRDRefError) Is(target error) bool { return target == ErrInvalid }

var errCRDForm = errors.New("write NAME.GROUP/VERSION, or *.GROUP/VERSION for all of a group")

// IsZero reports whether r names nothing.
func (r CRDRef) IsZero() bool { return r == CRDRef{} }

// String is the text that [ParseCRDRef] reads.
func (r CRDRef) String() string {
	if r.IsZero() {
		return ""
	}
	s := r.Name + "." + r.Group
	if r.Version != "" {
		s += "/" + r.Version
	}
	return s
}

// Matches reports whether k is a kind that r names. The name may be the kind, its
// singular or its plural, in either case.
func (r CRDRef) Matches(k ProvidedKind) bool {
	if r.Group != k.Group || r.IsZero() {
		return false
	}
	if r.Name != "*" && !strings.EqualFold(r.Name, k.Kind) && !strings.EqualFold(r.Name, k.Plural) &&
		(k.Singular == "" || !strings.EqualFold(r.Name, k.Singular)) {
		return false
	}
	if r.Version == "" {
		return true
	}
	for _, v := range k.Versions {
		if v.Name == r.Version {
			return true
		}
	}
	return false
}
