package install

import (
	"reflect"

	"github.com/xpkg-go/sdk/meta"
)

// A Manifest is the object that asks Crossplane to install a package: a
// Provider, Configuration or Function of Group, or a Provider or Configuration
// of GroupIBM. It is cluster scoped. (packages guide, Installing a Package)
//
// It must not be confused with the object of the same kind in meta.Group that a
// package carries (meta.Package).
type Manifest struct {
	APIVersion string          `json:"apiVersion"`
	Kind       meta.Kind       `json:"kind"`
	Metadata   Metadata        `json:"metadata"`
	Spec       ManifestSpec    `json:"spec"`
	Status     *ManifestStatus `json:"status,omitempty"`
	Unknown    Fields          `json:"-"`
}

// ManifestSpec is what a user may say about the installation of one package.
// Absent fields mean the documented defaults: OrDefault of the policies and the
// methods of ManifestSpec return what is in effect.
type ManifestSpec struct {
	// Package is the image reference of the package. With PullNever it may also
	// be the name of a package that was loaded into the cache by hand:
	// "mycoolpkg" for mycoolpkg.xpkg, of letters, digits and . _ -. (packages guide, spec.package and Pre-Populating the
	// Package Cache)
	Package           string     `json:"package"`
	PackagePullPolicy PullPolicy `json:"packagePullPolicy,omitempty"`
	// PackagePullSecrets name Secrets in the namespace of the package manager.
	// See Manifest.PullSecrets for who gets them.
	PackagePullSecrets       []LocalReference `json:"packagePullSecrets,omitempty"`
	RevisionActivationPolicy ActivationPolicy `json:"revisionActivationPolicy,omitempty"`
	// RevisionHistoryLimit is the number of Inactive revisions to keep: nil is
	// DefaultHistoryLimit, 0 keeps all.
	RevisionHistoryLimit        *int64 `json:"revisionHistoryLimit,omitempty"`
	SkipDependencyResolution    *bool  `json:"skipDependencyResolution,omitempty"`
	IgnoreCrossplaneConstraints *bool  `json:"ignoreCrossplaneConstraints,omitempty"`
	// ControllerConfigRef names a ControllerConfig. Providers only.
	ControllerConfigRef *LocalReference `json:"controllerConfigRef,omitempty"`
	Unknown             Fields          `json:"-"`
}

// ManifestStatus is what the package manager observed.
type ManifestStatus struct {
	Conditions []Condition `json:"conditions,omitempty"`
	// CurrentRevision is the name of the current revision, see History.Current.
	CurrentRevision string `json:"currentRevision,omitempty"`
	Unknown         Fields `json:"-"`
}

// New returns the manifest that the guide's command line creates for "install
// KIND REF": named after the reference (see meta.ShortName), with
// packagePullPolicy, revisionActivationPolicy and revisionHistoryLimit at their
// defaults, and nothing else. The error is meta.FieldErrors. (packages guide,
// Installing a Package)
func New(kind meta.Kind, ref string) (*Manifest, error) {
	m := &Manifest{APIVersion: Group + "/v1", Kind: kind, Spec: ManifestSpec{Package: ref}}
	if faults := append(validateKind(m.APIVersion, kind), m.Spec.validatePackage()...); len(faults) > 0 {
		return nil, faults
	}
	r, err := meta.ParseReference(ref)
	if err != nil {
		return nil, err // validatePackage has let nothing else through
	}
	m.Metadata.Name = meta.ShortName(r.Source)
	limit := int64(DefaultHistoryLimit)
	m.Spec.PackagePullPolicy = PullIfNotPresent
	m.Spec.RevisionActivationPolicy = ActivateAutomatic
	m.Spec.RevisionHistoryLimit = &limit
	return m, nil
}

// DecodeManifest reads an install manifest. The error is meta.FieldErrors with
// every fault, those of Validate included; the manifest is nil only when data
// is not one JSON object whose apiVersion and kind are those of an install
// manifest of some version, else it holds everything that could be read. Null
// counts as absent.
func DecodeManifest(data []byte) (*Manifest, error) {
	m := new(Manifest)
	faults, ok := decode(data, m)
	if !ok {
		return nil, faults
	}
	own := isManifest(m.APIVersion, m.Kind)
	faults = merge(faults, m.validate())
	if !own {
		return nil, faults
	}
	return m, orNil(faults)
}

// Encode returns the manifest as one line of JSON. The error is
// meta.FieldErrors: an unknown field that bears the name of a known one or
// holds no JSON. Encode does not validate.
func (m *Manifest) Encode() ([]byte, error) { return encode(m) }

// MarshalJSON is Encode, with its errors, so that encoding/json keeps the unknown fields.
func (m Manifest) MarshalJSON() ([]byte, error) { return encode(m) }

// UnmarshalJSON replaces the manifest by the one in data. Unlike DecodeManifest
// it leaves validation to Validate: the error is meta.FieldErrors, of what is no JSON or of
// another type than its field.
func (m *Manifest) UnmarshalJSON(data []byte) error { return unmarshal(data, m) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (m *Manifest) UnknownFields() []meta.Unknown { return unknownFields(nil, reflect.ValueOf(m)) }

// Default writes out the documented default of every absent field that has one.
// It changes no field that is there.
func (m *Manifest) Default() {
	s := &m.Spec
	s.PackagePullPolicy = s.PackagePullPolicy.OrDefault()
	s.RevisionActivationPolicy = s.RevisionActivationPolicy.OrDefault()
	if s.RevisionHistoryLimit == nil {
		limit := int64(DefaultHistoryLimit)
		s.RevisionHistoryLimit = &limit
	}
	if s.SkipDependencyResolution == nil {
		s.SkipDependencyResolution = new(bool)
	}
	if s.IgnoreCrossplaneConstraints == nil {
		s.IgnoreCrossplaneConstraints = new(bool)
	}
}

// HistoryLimit returns the number of Inactive revisions to keep; all is true
// when they are all kept. (packages guide, spec.revisionHistoryLimit)
func (s *ManifestSpec) HistoryLimit() (n int64, all bool) {
	return historyLimit(s.RevisionHistoryLimit)
}

// ResolvesDependencies says whether the package's dependencies are looked at.
// (packages guide, spec.skipDependencyResolution)
func (s *ManifestSpec) ResolvesDependencies() bool {
	return s.SkipDependencyResolution == nil || !*s.SkipDependencyResolution
}

// IgnoresCrossplane says whether the package is installed whatever the version
// of Crossplane. (packages guide, spec.ignoreCrossplaneConstraints)
func (s *ManifestSpec) IgnoresCrossplane() bool {
	return s.IgnoreCrossplaneConstraints != nil && *s.IgnoreCrossplaneConstraints
}

func historyLimit(limit *int64) (n int64, all bool) {
	if limit == nil {
		return DefaultHistoryLimit, false
	}
	return *limit, *limit == 0
}
