package install

import (
	"reflect"

	"github.com/xpkg-go/sdk/meta"
)

// A PackageLock records which package owns which CRD and Composition of a
// cluster, and what each depends on. There is one per cluster; see Claim for
// how it makes exactly one of two rivals win. (packages v2 design, PackageLock
// API)
type PackageLock struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   Metadata           `json:"metadata,omitempty"`
	Spec       PackageLockSpec    `json:"spec,omitempty"`
	Status     *PackageLockStatus `json:"status,omitempty"`
	Unknown    Fields             `json:"-"`
}

// PackageLockSpec is the record. InfrastructureDefinitions,
// InfrastructurePublications and today's CompositeResourceDefinitions are not
// listed: they end in CRDs, and it is those that must be unique.
type PackageLockSpec struct {
	Packages []PackageDependencies `json:"packages,omitempty"`
	// Compositions and CustomResourceDefinitions lead from an object's name to
	// the name of the package that owns it.
	Compositions              map[string]string `json:"compositions,omitempty"`
	CustomResourceDefinitions map[string]string `json:"customResourceDefinitions,omitempty"`
	Unknown                   Fields            `json:"-"`
}

// PackageDependencies is one installed package.
type PackageDependencies struct {
	// Name is the name of the package's install manifest.
	Name string `json:"name,omitempty"`
	// Image is the image reference that is installed, or the name of a cached
	// package (see ManifestSpec.Package).
	Image string `json:"image,omitempty"`
	// Dependencies are what the package depends on: image references without
	// tag and digest.
	Dependencies []string `json:"dependencies,omitempty"`
	Unknown      Fields   `json:"-"`
}

// PackageLockStatus is empty in the design: it uses the type and lists no
// fields.
type PackageLockStatus struct {
	Unknown Fields `json:"-"`
}

// DecodePackageLock reads a PackageLock. The error is meta.FieldErrors with
// every fault, those of Validate included; the value is nil only when data is
// not one JSON object that is a PackageLock of GroupDesign.
func DecodePackageLock(data []byte) (*PackageLock, error) {
	l := new(PackageLock)
	faults, ok := decode(data, l)
	if !ok {
		return nil, faults
	}
	faults = merge(faults, l.validate())
	if groupOf(l.APIVersion) != GroupDesign || l.Kind != KindPackageLock {
		return nil, faults
	}
	return l, orNil(faults)
}

// Encode returns the PackageLock as one line of JSON, unknown fields included.
// It does not validate.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (l *PackageLock) Encode() ([]byte, error) { return encode(l) }

// MarshalJSON is Encode, with its errors.
func (l PackageLock) MarshalJSON() ([]byte, error) { return encode(l) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (l *PackageLock) UnmarshalJSON(data []byte) error { return unmarshal(data, l) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (l *PackageLock) UnknownFields() []meta.Unknown { return unknownFields(nil, reflect.ValueOf(l)) }

// Validate returns every fault at once, as meta.FieldErrors.
func (l *PackageLock) Validate() error { return orNil(l.validate()) }
