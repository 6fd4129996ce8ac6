package install

import (
	"reflect"

	"github.com/xpkg-go/sdk/meta"
)

// A Package asks for a package to be present in the cluster: the packages v2
// design's only unit of installation, which became Provider and Configuration
// (see Manifest) when it was built. It is cluster scoped. (packages v2 design,
// Package API)
//
// Fields that the design removes from the type it starts from (spec.source,
// spec.crd, status.installJob, status.packageRecord) are unknown fields.
type Package struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Metadata   Metadata       `json:"metadata,omitempty"`
	Spec       PackageSpec    `json:"spec,omitempty"`
	Status     *PackageStatus `json:"status,omitempty"`
	Unknown    Fields         `json:"-"`
}

// PackageSpec says how a package is to be installed.
type PackageSpec struct {
	PackageControllerOptions `json:",inline"`
	// Package is an image reference. The design allows for a Git source too,
	// which Validate refuses (see IsGitSource).
	Package string `json:"package"`
	// RevisionActivationPolicy is ActivateAutomatic when nil.
	RevisionActivationPolicy *ActivationPolicy `json:"revisionActivationPolicy,omitempty"`
	// RevisionHistoryLimit is the number of Inactive revisions to keep: nil is
	// DefaultHistoryLimit, 0 keeps all.
	RevisionHistoryLimit *int64 `json:"revisionHistoryLimit,omitempty"`
	Unknown              Fields `json:"-"`
}

// PackageControllerOptions say how images are fetched, and how objects derived
// from the package are made.
type PackageControllerOptions struct {
	// ImagePullSecrets name Secrets in the namespace that the package manager
	// runs in. They serve to pull the package and its controller's image.
	ImagePullSecrets []LocalReference `json:"imagePullSecrets,omitempty"`
	// ImagePullPolicy holds for all images: that of the package and that of its
	// controller.
	ImagePullPolicy PullPolicy             `json:"imagePullPolicy,omitempty"`
	ServiceAccount  *ServiceAccountOptions `json:"serviceAccount,omitempty"`
}

// ServiceAccountOptions augment the ServiceAccount that is made for a
// controller.
type ServiceAccountOptions struct {
	Annotations map[string]string `json:"annotations,omitempty"`
	Unknown     Fields            `json:"-"`
}

// PackageStatus is what the package manager observed of a Package.
type PackageStatus struct {
	ConditionedStatus *ConditionedStatus `json:"conditionedStatus,omitempty"`
	// CurrentRevision is the name of the current revision, see History.Current.
	CurrentRevision string `json:"currentRevision,omitempty"`
	Unknown         Fields `json:"-"`
}

// DecodePackage reads a Package. The error is meta.FieldErrors with every
// fault, those of Validate included; the value is nil only when data is not one
// JSON object that is a Package of GroupDesign.
func DecodePackage(data []byte) (*Package, error) {
	p := new(Package)
	faults, ok := decode(data, p)
	if !ok {
		return nil, faults
	}
	faults = merge(faults, p.validate())
	if groupOf(p.APIVersion) != GroupDesign || p.Kind != KindPackage {
		return nil, faults
	}
	return p, orNil(faults)
}

// Encode returns the Package as one line of JSON, unknown fields included. It
// does not validate.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (p *Package) Encode() ([]byte, error) { return encode(p) }

// MarshalJSON is Encode, with its errors.
func (p Package) MarshalJSON() ([]byte, error) { return encode(p) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (p *Package) UnmarshalJSON(data []byte) error { return unmarshal(data, p) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (p *Package) UnknownFields() []meta.Unknown { return unknownFields(nil, reflect.ValueOf(p)) }

// Default writes out the documented default of every absent field that has one.
// The design names defaults for the activation policy and the history limit
// only: an absent imagePullPolicy is left to Kubernetes, whose default depends
// on the image's tag.
func (p *Package) Default() {
	if p.Spec.RevisionActivationPolicy == nil {
		policy := ActivateAutomatic
		p.Spec.RevisionActivationPolicy = &policy
	}
	if p.Spec.RevisionHistoryLimit == nil {
		limit := int64(DefaultHistoryLimit)
		p.Spec.RevisionHistoryLimit = &limit
	}
}

// Validate returns every fault at once, as meta.FieldErrors.
func (p *Package) Validate() error { return orNil(p.validate()) }

// ActivationPolicy returns the activation policy in effect.
func (s *PackageSpec) ActivationPolicy() ActivationPolicy {
	if s.RevisionActivationPolicy == nil {
		return ActivateAutomatic
	}
	return s.RevisionActivationPolicy.OrDefault()
}

// HistoryLimit returns the number of Inactive revisions to keep; all is true
// when they are all kept.
func (s *PackageSpec) HistoryLimit() (n int64, all bool) { return historyLimit(s.RevisionHistoryLimit) }
