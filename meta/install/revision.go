package install

import (
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A Revision is what planning must know of one revision of a package: a
// ProviderRevision, ConfigurationRevision, FunctionRevision, or a
// PackageRevision of the packages v2 design.
type Revision struct {
	Name string `json:"name"`
	// Digest is that of the package's image; empty when it is not known. Then
	// that in Image counts, and without one the name alone tells which revision
	// it is.
	Digest string `json:"digest,omitempty"`
	// Image is the package's image, with its digest.
	Image string `json:"image,omitempty"`
	// Number orders the revisions of a package by when they were last
	// activated, or else created. The lowest goes first.
	Number int64 `json:"revision"`
	// Desired is spec.desiredState: what the planner decided, or a user since
	// then.
	Desired State `json:"desiredState"`
	// Observed is the state that the last plan left the revision in; a
	// difference to Desired is a user's edit. Empty means that nobody
	// remembers, and then History.Current tells (see PlanRevisions).
	Observed State `json:"observedState,omitempty"`
	// Annotations are those of the package's metadata.
	Annotations map[string]string `json:"annotations,omitempty"`
	Owners      []OwnerReference  `json:"ownerReferences,omitempty"`
}

func (r Revision) clone() Revision {
	r.Annotations = maps.Clone(r.Annotations)
	r.Owners = slices.Clone(r.Owners)
	return r
}

// imageDigest is the digest in the name of the image, or "".
func (r Revision) imageDigest() string {
	// What is no reference is the name of a cached file, which has no digest.
	image, _ := meta.ParseReference(r.Image)
	return image.Digest
}

// fullImage is the name of the image with its digest, as far as both are known.
func (r Revision) fullImage() string {
	image, err := meta.ParseReference(r.Image)
	if err != nil || image.Digest != "" || r.Digest == "" {
		return r.Image
	}
	return image.Source.WithDigest(r.Digest).String()
}

// A History is what became of a package's revisions so far. The zero value is
// that of a package nobody has planned yet.
type History struct {
	// Revisions are those that exist, in any order; plans return them sorted by
	// number.
	Revisions []Revision `json:"revisions,omitempty"`
	// Current is status.currentRevision: the name of the revision that the
	// package stands for. The design also calls it the "full image name" of
	// that revision, which is read here too, by its digest if it has one; see
	// Plan.CurrentImage. With
	// ActivateManual it stays on the previous revision until a user activates a
	// newer one.
	Current string `json:"currentRevision,omitempty"`
	// Highest is the highest number that was ever given, when somebody keeps
	// it: without it, numbers of revisions that users deleted may be given
	// again. Zero when unknown.
	Highest int64 `json:"highest,omitempty"`
}

// A Parent is a package in the cluster as far as planning its revisions needs
// it.
type Parent struct {
	// Ref is the install manifest, which controls its revisions.
	Ref Ref `json:"ref"`
	// Source is the repository that the package comes from. Only the names of
	// PackageRevisions depend on it.
	Source       meta.Source      `json:"-"`
	Activation   ActivationPolicy `json:"revisionActivationPolicy,omitempty"`
	HistoryLimit *int64           `json:"revisionHistoryLimit,omitempty"`
	// Pull is how the package would be pulled now.
	Pull Attempt `json:"pull"`
}

// Parent returns what planning needs of a manifest, which must be valid.
func (m *Manifest) Parent() Parent {
	return Parent{
		Ref:          Ref{APIVersion: m.APIVersion, Kind: string(m.Kind), Name: m.Metadata.Name, UID: m.Metadata.UID},
		Source:       sourceOf(m.Spec.Package),
		Activation:   m.Spec.RevisionActivationPolicy,
		HistoryLimit: m.Spec.RevisionHistoryLimit,
		Pull: Attempt{
			Package:     m.Spec.Package,
			PullPolicy:  m.Spec.PackagePullPolicy,
			PullSecrets: names(m.Spec.PackagePullSecrets),
		},
	}
}

// Parent returns what planning needs of a Package, which must be valid.
func (p *Package) Parent() Parent {
	return Parent{
		Ref:          Ref{APIVersion: p.APIVersion, Kind: p.Kind, Name: p.Metadata.Name, UID: p.Metadata.UID},
		Source:       sourceOf(p.Spec.Package),
		Activation:   p.Spec.ActivationPolicy(),
		HistoryLimit: p.Spec.RevisionHistoryLimit,
		Pull: Attempt{
			Package:     p.Spec.Package,
			PullPolicy:  p.Spec.ImagePullPolicy,
			PullSecrets: names(p.Spec.ImagePullSecrets),
		},
	}
}

func sourceOf(ref string) meta.Source {
	// A name that is no reference is that of a cached file, which has no
	// source.
	r, _ := meta.ParseReference(ref)
	return r.Source
}

// RevisionName returns the name of the revision for a digest: NAME-<12
// hexadecimal digits>, or that of a digest for a PackageRevision (see
// meta.RevisionName and meta.DigestName). The error matches meta.ErrInvalid.
func (p Parent) RevisionName(digest string) (string, error) {
	if p.Ref.Kind == KindPackage {
		return meta.DigestName(p.Source, digest)
	}
	return meta.RevisionName(p.Ref.Name, digest)
}

// RevisionKind returns the kind of the package's revisions.
func (p Parent) RevisionKind() string { return RevisionKind(p.Ref.Kind) }

// RevisionRef returns a reference to a revision of the package.
func (p Parent) RevisionRef(r Revision) Ref {
	return Ref{APIVersion: p.Ref.APIVersion, Kind: p.RevisionKind(), Name: r.Name}
}
