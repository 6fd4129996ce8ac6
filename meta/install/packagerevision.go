package install

import (
	"encoding/json"
	"reflect"

	"github.com/xpkg-go/sdk/meta"
)

// A PackageRevision is one version of a Package that may or may not be active.
// It is cluster scoped, named after the digest of its image, and controlled by
// its Package. (packages v2 design, PackageRevision API)
//
// The metadata about the package that its predecessor held in spec (title,
// maintainers, license …) is held in annotations.
type PackageRevision struct {
	APIVersion string                 `json:"apiVersion"`
	Kind       string                 `json:"kind"`
	Metadata   Metadata               `json:"metadata,omitempty"`
	Spec       PackageRevisionSpec    `json:"spec,omitempty"`
	Status     *PackageRevisionStatus `json:"status,omitempty"`
	Unknown    Fields                 `json:"-"`
}

// PackageRevisionSpec says what a revision installs, and in which state it is
// wanted.
type PackageRevisionSpec struct {
	CustomResourceDefinitions  []TypeReference `json:"customResourceDefinitions,omitempty"`
	InfrastructureDefinitions  []TypeReference `json:"infrastructureDefinitions,omitempty"`
	InfrastructurePublications []TypeReference `json:"infrastructurePublications,omitempty"`
	Compositions               []TypeReference `json:"compositions,omitempty"`
	Controller                 ControllerSpec  `json:"controller,omitempty"`
	// InstallJobRef is the Job that unpacked the package, whose output holds
	// the objects to install.
	InstallJobRef *ObjectReference `json:"installJobRef,omitempty"`
	// Permissions are what the controller asks for beyond its own kinds.
	// Dependencies give no permission.
	Permissions  PermissionsSpec `json:"permissions,omitempty"`
	DependsOn    []Dependency    `json:"dependsOn,omitempty"`
	DesiredState State           `json:"desiredState"`
	// Revision is the number of this revision among those of its Package, from
	// 1.
	Revision int64  `json:"revision"`
	Unknown  Fields `json:"-"`
}

// Dependency is what a PackageRevision depends on. Exactly one of Package, CRD
// and Crossplane is set. (packages v2 design, PackageRevision API,
// spec.dependsOn)
type Dependency struct {
	// Package is an image reference without tag and digest; Version says which
	// versions of it will do.
	Package string `json:"package,omitempty"`
	// CRD is a group, version and kind, or all kinds of a group, as
	// meta.ParseCRDRef reads it.
	CRD string `json:"crd,omitempty"`
	// Crossplane is a range of the versions of Crossplane that will do.
	Crossplane string `json:"crossplane,omitempty"`
	// Version is a range that goes with Package, or a tag: the packages of the
	// design's time have either, and a bare word is that tag (see
	// meta.ParseDependencyConstraint).
	Version string `json:"version,omitempty"`
	Unknown Fields `json:"-"`
}

// ControllerSpec describes the controller that a revision brings, if it brings
// one.
type ControllerSpec struct {
	ServiceAccount *ServiceAccountOptions `json:"serviceAccount,omitempty"`
	Deployment     *ControllerDeployment  `json:"deployment,omitempty"`
	Unknown        Fields                 `json:"-"`
}

// ControllerDeployment is the Deployment of a controller. The design uses the
// type without a listing: name and spec are what it held in the
// packages.crossplane.io/v1alpha1 API that the design starts from.
type ControllerDeployment struct {
	Name string `json:"name,omitempty"`
	// Spec is a Kubernetes DeploymentSpec, carried as JSON.
	Spec    json.RawMessage `json:"spec,omitempty"`
	Unknown Fields          `json:"-"`
}

// PermissionsSpec holds the permissions that a revision's controller requires.
type PermissionsSpec struct {
	Rules   []Rule `json:"rules,omitempty"`
	Unknown Fields `json:"-"`
}

// Rule is an RBAC policy rule. PolicyRule turns it into the type that package
// metadata uses.
type Rule struct {
	Verbs           []string `json:"verbs"`
	APIGroups       []string `json:"apiGroups,omitempty"`
	Resources       []string `json:"resources,omitempty"`
	ResourceNames   []string `json:"resourceNames,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
	Unknown         Fields   `json:"-"`
}

// PackageRevisionStatus is what the package manager observed of a
// PackageRevision.
type PackageRevisionStatus struct {
	ConditionedStatus *ConditionedStatus `json:"conditionedStatus,omitempty"`
	// ControllerRef is the Deployment that runs the controller.
	ControllerRef *ObjectReference `json:"controllerRef,omitempty"`
	Unknown       Fields           `json:"-"`
}

// DecodePackageRevision reads a PackageRevision. The error is meta.FieldErrors
// with every fault, those of Validate included; the value is nil only when data
// is not one JSON object that is a PackageRevision of GroupDesign.
func DecodePackageRevision(data []byte) (*PackageRevision, error) {
	r := new(PackageRevision)
	faults, ok := decode(data, r)
	if !ok {
		return nil, faults
	}
	faults = merge(faults, r.validate())
	if groupOf(r.APIVersion) != GroupDesign || r.Kind != KindPackageRevision {
		return nil, faults
	}
	return r, orNil(faults)
}

// Encode returns the PackageRevision as one line of JSON, unknown fields
// included. It does not validate.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (r *PackageRevision) Encode() ([]byte, error) { return encode(r) }

// MarshalJSON is Encode, with its errors.
func (r PackageRevision) MarshalJSON() ([]byte, error) { return encode(r) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (r *PackageRevision) UnmarshalJSON(data []byte) error { return unmarshal(data, r) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (r *PackageRevision) UnknownFields() []meta.Unknown {
	return unknownFields(nil, reflect.ValueOf(r))
}

// Validate returns every fault at once, as meta.FieldErrors.
func (r *PackageRevision) Validate() error { return orNil(r.validate()) }
