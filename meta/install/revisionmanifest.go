package install

import (
	"reflect"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A RevisionManifest is a revision in the cluster: a ProviderRevision,
// ConfigurationRevision or FunctionRevision of Group or GroupIBM. The guide
// names these kinds and what the package manager does with them; of their
// fields, those that it speaks of have names here. (packages guide,
// spec.package)
type RevisionManifest struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   Metadata             `json:"metadata"`
	Spec       RevisionManifestSpec `json:"spec"`
	Unknown    Fields               `json:"-"`
}

// RevisionManifestSpec says which image a revision is of, and in which state it
// is wanted.
type RevisionManifestSpec struct {
	DesiredState State `json:"desiredState"`
	// Image is the reference of the package's image.
	Image    string `json:"image"`
	Revision int64  `json:"revision"`
	Unknown  Fields `json:"-"`
}

// NewRevisionManifest returns the object that OpCreate makes in the cluster for
// a package of the guide. For a Package of the design, see NewPackageRevision.
func NewRevisionManifest(p Parent, r Revision) *RevisionManifest {
	return &RevisionManifest{
		APIVersion: p.Ref.APIVersion,
		Kind:       p.RevisionKind(),
		Metadata:   r.metadata(),
		Spec:       RevisionManifestSpec{DesiredState: r.Desired, Image: r.Image, Revision: r.Number},
	}
}

// NewPackageRevision returns the object that OpCreate makes in the cluster for
// a Package of the design: with the ServiceAccount options of the Package, and
// the requested permissions and the dependencies of the package's metadata,
// spec.crossplane first, as a dependency on Crossplane. Metadata may be nil when
// only the digest is known. What the revision installs, and its Deployment, are
// left to the caller, who has unpacked the package.
//
// The object is valid if package, revision and metadata are. What is at fault in
// the metadata is written as it was declared, for Validate to tell.
func NewPackageRevision(p *Package, r Revision, pkg *meta.Package) *PackageRevision {
	rev := &PackageRevision{
		APIVersion: p.APIVersion,
		Kind:       KindPackageRevision,
		Metadata:   r.metadata(),
		Spec:       PackageRevisionSpec{DesiredState: r.Desired, Revision: r.Number},
	}
	rev.Spec.Controller.ServiceAccount = p.Spec.ServiceAccount
	if pkg == nil {
		return rev
	}
	for _, request := range pkg.Permissions() {
		rev.Spec.Permissions.Rules = append(rev.Spec.Permissions.Rules, Rule{
			Verbs: request.Verbs, APIGroups: request.APIGroups, Resources: request.Resources,
			ResourceNames: request.ResourceNames, NonResourceURLs: request.NonResourceURLs,
		})
	}
	if c := pkg.Crossplane; !c.IsZero() {
		rev.Spec.DependsOn = append(rev.Spec.DependsOn, Dependency{Crossplane: c.String()})
	}
	for _, d := range pkg.DependsOn {
		rev.Spec.DependsOn = append(rev.Spec.DependsOn, dependencyOf(d))
	}
	return rev
}

func dependencyOf(d meta.Dependency) Dependency {
	switch {
	case d.Spelling == meta.SpellingCrossplane:
		return Dependency{Crossplane: d.Constraint.String()}
	case !d.CRD.IsZero():
		return Dependency{CRD: d.CRD.String(), Version: d.Constraint.String()}
	}
	return Dependency{Package: d.Package.String(), Version: versionOf(d.Constraint)}
}

// versionOf writes a constraint so that parseVersion reads what was meant: a
// range that would read as a tag, such as v1 from a package of today, gets the
// "=" that such a range is short for.
func versionOf(c meta.Constraint) string {
	text := c.String()
	if _, exact := c.Exact(); exact || c.Err() != nil {
		return text
	}
	read, err := parseVersion(text)
	if v, exact := read.Exact(); err == nil && exact && !v.IsFull() {
		return "=" + text
	}
	return text
}

// parseVersion reads Dependency.Version.
func parseVersion(s string) (meta.Constraint, error) {
	return meta.ParseDependencyConstraint(meta.Group+"/v1alpha1", s)
}

func (r Revision) metadata() Metadata {
	r = r.clone()
	return Metadata{Name: r.Name, Annotations: r.Annotations, OwnerReferences: r.Owners}
}

// DecodeRevision reads a revision of any of the four kinds, for planning.
// Observed is not to be had from a cluster, and stays empty. The error is
// meta.FieldErrors with every fault; there is no revision then.
func DecodeRevision(data []byte) (Revision, error) {
	var m RevisionManifest
	faults, ok := decode(data, &m)
	if !ok {
		return Revision{}, faults
	}
	faults = merge(faults, m.validate())
	if len(faults) > 0 {
		return Revision{}, faults
	}
	return m.Revision(), nil
}

// Revision returns what planning must know of the revision. Its digest is that
// in the name of its image.
func (m *RevisionManifest) Revision() Revision {
	r := Revision{
		Name: m.Metadata.Name, Image: m.Spec.Image, Number: m.Spec.Revision, Desired: m.Spec.DesiredState,
		Annotations: m.Metadata.Annotations, Owners: m.Metadata.OwnerReferences,
	}.clone()
	r.Digest = r.imageDigest()
	return r
}

// Encode returns the revision as one line of JSON, unknown fields included. It
// does not validate.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (m *RevisionManifest) Encode() ([]byte, error) { return encode(m) }

// MarshalJSON is Encode, with its errors.
func (m RevisionManifest) MarshalJSON() ([]byte, error) { return encode(m) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (m *RevisionManifest) UnmarshalJSON(data []byte) error { return unmarshal(data, m) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (m *RevisionManifest) UnknownFields() []meta.Unknown {
	return unknownFields(nil, reflect.ValueOf(m))
}

// Validate returns every fault at once, as meta.FieldErrors.
func (m *RevisionManifest) Validate() error { return orNil(m.validate()) }

func (m *RevisionManifest) validate() meta.FieldErrors {
	var faults meta.FieldErrors
	parent, isRevision := strings.CutSuffix(m.Kind, "Revision")
	design := m.Kind == KindPackageRevision && groupOf(m.APIVersion) == GroupDesign
	if !design && (!isRevision || !knownVersion(m.APIVersion, meta.Kind(parent))) {
		faults = append(faults, kindFault(m.APIVersion, m.Kind, "a revision of a package"))
	}
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, m.Metadata.Name)...)
	if s := m.Spec.DesiredState; !s.Valid() {
		faults = append(faults, stateFault(meta.Path{"spec", "desiredState"}, s))
	}
	if n := m.Spec.Revision; n < 1 || n > maxNumber {
		faults = append(faults, rangeFault(meta.Path{"spec", "revision"}, n, "the number of a revision, from 1"))
	}
	return sorted(faults)
}
