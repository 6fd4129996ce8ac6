package install

import (
	"reflect"

	"github.com/xpkg-go/sdk/meta"
)

// KindLock is the kind of the record of installed packages.
const KindLock = "Lock"

// A Lock records the packages that are installed in a cluster and what each
// depends on. Crossplane keeps one, with the name "lock", and resolves dependencies by
// it. v1beta1 and v1alpha1 hold the same. (packages guide, Configuration Packages:
// dependency resolution depends on the Lock API; the fields are those of
// Crossplane's own API)
type Lock struct {
	APIVersion string             `json:"apiVersion"`
	Kind       string             `json:"kind"`
	Metadata   Metadata           `json:"metadata,omitempty"`
	Packages   []LockPackage      `json:"packages,omitempty"`
	Status     *ConditionedStatus `json:"status,omitempty"`
	Unknown    Fields             `json:"-"`
}

// LockPackage is one installed package.
type LockPackage struct {
	// Name is the name of the package's revision.
	Name string `json:"name"`
	// APIVersion and Kind are those of the package's install manifest. Locks of
	// older releases have Type in their place.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	// Type is the older spelling: Provider, Configuration or Function. Both may be
	// there, and must then name the same kind.
	Type string `json:"type,omitempty"`
	// Source is the image repository.
	Source string `json:"source"`
	// Version is the tag or the digest that is installed, or tag@digest.
	Version string `json:"version"`
	// Dependencies are in the order in which Crossplane resolves them. The list has to
	// be there, if only empty.
	Dependencies []LockDependency `json:"dependencies"`
	Unknown      Fields           `json:"-"`
}

// LockDependency is a package that an installed package depends on.
type LockDependency struct {
	// Package is the image repository.
	Package string `json:"package"`
	// APIVersion and Kind, or Type, are as in LockPackage.
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Type       string `json:"type,omitempty"`
	// Constraints is a range of versions or a digest.
	Constraints string `json:"constraints"`
	// SkipDependencyResolution takes the package as it is: what it depends on is
	// not followed.
	SkipDependencyResolution *bool  `json:"skipDependencyResolution,omitempty"`
	Unknown                  Fields `json:"-"`
}

// PackageKind is the kind of the package in either spelling; empty when there is
// none.
func (p LockPackage) PackageKind() string { return eitherKind(p.Kind, p.Type) }

// PackageKind is the kind of the package in either spelling; empty when there is
// none.
func (d LockDependency) PackageKind() string { return eitherKind(d.Kind, d.Type) }

func eitherKind(kind, typ string) string {
	if kind != "" {
		return kind
	}
	return typ
}

// DecodeLock reads a Lock. The error is meta.FieldErrors with every fault, those of
// Validate included; the value is nil only when data is not one JSON object that
// is a Lock of Group.
func DecodeLock(data []byte) (*Lock, error) {
	l := new(Lock)
	faults, ok := decode(data, l)
	if !ok {
		return nil, faults
	}
	faults = merge(faults, l.validate())
	if groupOf(l.APIVersion) != Group || l.Kind != KindLock {
		return nil, faults
	}
	return l, orNil(faults)
}

// Encode returns the Lock as one line of JSON, unknown fields included. It does
// not validate.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (l *Lock) Encode() ([]byte, error) { return encode(l) }

// MarshalJSON is Encode, with its errors.
func (l Lock) MarshalJSON() ([]byte, error) { return encode(l) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (l *Lock) UnmarshalJSON(data []byte) error { return unmarshal(data, l) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (l *Lock) UnknownFields() []meta.Unknown { return unknownFields(nil, reflect.ValueOf(l)) }

// Validate returns every fault at once, as meta.FieldErrors. That a package is there
// twice is none: a graph of the lock tells it.
func (l *Lock) Validate() error { return orNil(l.validate()) }

// Unchanged says whether the lock is still the one whose metadata.resourceVersion
// was given: ask it of the lock as it is now, before what was planned by the older
// one is carried out. The error is a [*StaleLockError].
func (l *Lock) Unchanged(resourceVersion string) error {
	if l.Metadata.ResourceVersion == resourceVersion {
		return nil
	}
	return &StaleLockError{Name: l.Metadata.Name, Planned: resourceVersion, Current: l.Metadata.ResourceVersion}
}

// A StaleLockError says that a lock was changed after something was planned by
// it. It matches meta.ErrInvalid: plan again.
type StaleLockError struct {
	// Name is the name of the lock.
	Name string
	// Planned and Current are the resource versions then and now.
	Planned, Current string
}

// Error names the lock and both resource versions.
func (e *StaleLockError) Error() string {
	return "the lock " + quote(e.Name) + " has changed: the plan is for resource version " + quote(e.Planned) +
		", and it is at " + quote(e.Current)
}

// Is reports whether target is meta.ErrInvalid.
func (e *StaleLockError) Is(target error) bool { return target == meta.ErrInvalid }
