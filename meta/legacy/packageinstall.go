package legacy

import (
	"errors"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// DefaultSource is the registry that the package manager takes packages from where nothing
// else is said. (packages v1, Installation Flow)
const DefaultSource = "registry.crossplane.io"

// A PackageInstall asks for a package: for a namespace, or, of kind ClusterPackageInstall, for
// the cluster. (packages v1, ClusterPackageInstall and PackageInstall CRDs)
type PackageInstall struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Meta       ObjectMeta           `json:"metadata"`
	Spec       PackageInstallSpec   `json:"spec"`
	Status     PackageInstallStatus `json:"status,omitzero"`
}

// PackageInstallSpec says which package is wanted, and what is to be changed in it.
type PackageInstallSpec struct {
	// Source is the registry of the package and of its controller's image; "" for the default
	// one. It may have a path.
	Source string `json:"source,omitempty"`
	// Package is an image, such as crossplane/provider-gcp:v0.1.0. Exactly one of Package and
	// CRD is given.
	Package string `json:"package,omitempty"`
	// CRD names a kind whose package is wanted, such as
	// wordpressinstances.wordpress.samples.packages.crossplane.io/v1alpha1.
	CRD string `json:"crd,omitempty"`

	// ImagePullSecrets and ImagePullPolicy are for the package and for its controller.
	ImagePullSecrets []SecretReference `json:"imagePullSecrets,omitempty"`
	ImagePullPolicy  string            `json:"imagePullPolicy,omitempty"`
	// ServiceAccount has annotations for that of the controller.
	ServiceAccount *ServiceAccount `json:"serviceAccount,omitempty"`
}

// A SecretReference names a Secret of the same namespace.
type SecretReference struct {
	Name string `json:"name"`
}

// PackageInstallStatus says how far the package manager has come.
type PackageInstallStatus struct {
	// Conditions are where the document's examples have them. The packages v2 design has them in
	// ConditionedStatus.
	Conditions        []Condition        `json:"conditions,omitempty"`
	ConditionedStatus *ConditionedStatus `json:"conditionedStatus,omitempty"`
	// InstallJob is the Job that unpacks the package, and PackageRecord what became of it.
	InstallJob    *ObjectReference `json:"installJob,omitempty"`
	PackageRecord *ObjectReference `json:"packageRecord,omitempty"`
}

// A ConditionedStatus has conditions.
type ConditionedStatus struct {
	Conditions []Condition `json:"conditions,omitempty"`
}

// An ObjectReference names an object.
type ObjectReference struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Namespace  string `json:"namespace,omitempty"`
	Name       string `json:"name,omitempty"`
	UID        string `json:"uid,omitempty"`
}

// A Condition is one of a status, such as Ready with the status True.
type Condition struct {
	Type               string `json:"type"`
	Status             string `json:"status"`
	LastTransitionTime string `json:"lastTransitionTime,omitempty"`
	Reason             string `json:"reason,omitempty"`
	Message            string `json:"message,omitempty"`
}

// DecodePackageInstall reads a PackageInstall or ClusterPackageInstall, and what these were
// called before (see [Current]), whose names of today the result has.
//
// It returns both: what could be read, never nil, and a parser.ErrorList of every fault with its
// place: fields that are unknown or of a wrong type, and those that
// [PackageInstall.Validate] tells.
func DecodePackageInstall(doc *parser.Document) (*PackageInstall, error) {
	i := &PackageInstall{}
	var faults parser.ErrorList
	var list parser.ErrorList
	if err := doc.Decode(i); errors.As(err, &list) {
		faults = append(faults, list...)
	}
	i.APIVersion, i.Kind = Current(i.APIVersion, i.Kind)
	for _, f := range i.faults() {
		faults = append(faults, doc.Fault(parser.RuleMetadataInvalid, f))
	}
	if len(faults) == 0 {
		return i, nil
	}
	faults.Sort()
	return i, faults
}

// Validate tells every fault of the object: meta.FieldErrors, or nil.
func (i *PackageInstall) Validate() error {
	if faults := i.faults(); len(faults) > 0 {
		return faults
	}
	return nil
}

func (i *PackageInstall) faults() meta.FieldErrors {
	var faults meta.FieldErrors
	fail := func(fault meta.Fault, found, want string, err error, path ...any) {
		faults = append(faults, &meta.FieldError{Path: path, Fault: fault, Found: found, Want: want, Err: err})
	}
	if i.APIVersion != APIVersion {
		fail(meta.FaultKind, foundText(i.APIVersion), APIVersion, nil, "apiVersion")
	}
	if i.Kind != KindPackageInstall && i.Kind != KindClusterPackageInstall {
		fail(meta.FaultKind, foundText(i.Kind), KindPackageInstall+" or "+KindClusterPackageInstall, nil, "kind")
	}
	s := i.Spec
	switch {
	case s.Package == "" && s.CRD == "":
		fail(meta.FaultRequired, "", "one of package and crd", nil, "spec")
	case s.Package != "" && s.CRD != "":
		fail(meta.FaultExclusive, "", "", errors.New("package is there as well, and exactly one of the two may be"), "spec", "crd")
	}
	if _, err := meta.ParseReference(s.Package); s.Package != "" && err != nil {
		fail(FaultImage, "", "", err, "spec", "package")
	}
	if _, err := meta.ParseCRDRef(s.CRD); s.CRD != "" && err != nil {
		fail(meta.FaultCRD, "", "", err, "spec", "crd")
	}
	if s.Source != "" && !isSource(s.Source) {
		fail(meta.FaultSource, quote(s.Source), "a registry, such as "+DefaultSource, nil, "spec", "source")
	}
	switch s.ImagePullPolicy {
	case "", "Always", "IfNotPresent", "Never":
	default:
		fail(FaultEnum, quote(s.ImagePullPolicy), "a pull policy (want Always, IfNotPresent, Never)", nil, "spec", "imagePullPolicy")
	}
	for n, secret := range s.ImagePullSecrets {
		if secret.Name == "" {
			fail(meta.FaultRequired, "", "the name of a Secret", nil, "spec", "imagePullSecrets", n, "name")
		}
	}
	return faults
}

// foundText describes a text that may be missing.
func foundText(s string) string {
	if s == "" {
		return ""
	}
	return quote(s)
}

// isSource reports whether a text can stand before the name of an image as its registry.
func isSource(source string) bool {
	s, err := meta.ParseSource(strings.TrimSuffix(source, "/") + "/image")
	return err == nil && s.HasRegistry()
}

// Image is the image of the package that is asked for by its name, in the registry that is
// asked for: spec.source, or else defaultSource, or else [DefaultSource]. It is "" for one
// that is asked for by a kind; see [Index.Find]. A name that has a registry keeps it.
func (i *PackageInstall) Image(defaultSource string) string {
	return i.imageOf(i.Spec.Package, defaultSource)
}

func (i *PackageInstall) imageOf(name, defaultSource string) string {
	source := i.Spec.Source
	if source == "" {
		source = defaultSource
	}
	if source == "" {
		source = DefaultSource
	}
	return withSource(source, name)
}

// withSource puts a registry before the name of an image that has none. (packages v1, Example
// install.yaml)
func withSource(source, image string) string {
	ref, err := meta.ParseReference(image)
	if source == "" || image == "" || err != nil || ref.Source.HasRegistry() {
		return image
	}
	return strings.TrimSuffix(source, "/") + "/" + image
}
