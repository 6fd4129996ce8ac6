package install

import (
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A Ref names an object of a cluster.
type Ref struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	// UID is what the API server gave the object. It is carried, and never
	// compared: see Is.
	UID string `json:"uid"`
}

// Is says whether two references are to the same object: of one kind and one
// name. The UID is not looked at, since an object that was restored from a
// backup has another one; nor is the version of the API. Groups are compared
// when both are known. (packages v2 design, A Note on Backup and Restore)
func (r Ref) Is(other Ref) bool {
	if r.Kind != other.Kind || r.Name != other.Name {
		return false
	}
	return r.APIVersion == "" || other.APIVersion == "" || groupOf(r.APIVersion) == groupOf(other.APIVersion)
}

// String is such as: ProviderRevision "provider-gcp-0123456789ab".
func (r Ref) String() string { return clip(r.Kind) + " " + quote(r.Name) }

// OwnerReference says that an object belongs to another one, and goes when its
// last owner goes.
type OwnerReference struct {
	Ref `json:",inline"`
	// Controller marks the one owner that may change the object.
	Controller         *bool  `json:"controller,omitempty"`
	BlockOwnerDeletion *bool  `json:"blockOwnerDeletion,omitempty"`
	Unknown            Fields `json:"-"`
}

// IsController says whether the owner controls the object.
func (o OwnerReference) IsController() bool { return o.Controller != nil && *o.Controller }

// controllersOf returns the owners that control. Kubernetes allows for one, and
// what was not read from it may have more.
func controllersOf(owners []OwnerReference) []Ref {
	var controllers []Ref
	for _, o := range owners {
		if o.IsController() {
			controllers = append(controllers, o.Ref)
		}
	}
	return controllers
}

// withOwner returns owners with r among them, as their controller or as one
// that is not. A reference to the same object is replaced, also under another
// UID; every other owner stays. It reports whether anything differs.
func withOwner(owners []OwnerReference, r Ref, controls bool) ([]OwnerReference, bool) {
	var all []OwnerReference
	placed, changed := false, false
	for _, o := range owners {
		if !o.Is(r) {
			all = append(all, o)
			continue
		}
		if placed { // the same owner, from before a restore
			changed = true
			continue
		}
		placed = true
		if o.IsController() != controls {
			o.Controller, o.BlockOwnerDeletion, changed = flag(controls), flag(controls), true
		}
		if r.UID != "" && o.UID != r.UID {
			o.UID, changed = r.UID, true
		}
		all = append(all, o)
	}
	if !placed {
		all, changed = append(all, OwnerReference{Ref: r, Controller: flag(controls), BlockOwnerDeletion: flag(controls)}), true
	}
	return all, changed
}

// flag leaves out what is false: Kubernetes writes no controller field for
// plain owners.
func flag(b bool) *bool {
	if !b {
		return nil
	}
	return &b
}

// isCRD and makesCRDs tell objects that define API kinds from those that end in
// such objects. The latter bear four names: today's two, and those of the
// packages v2 design.
func isCRD(r Ref) bool { return r.Kind == meta.DefinitionCRD }

func makesCRDs(r Ref) bool {
	switch r.Kind {
	case meta.DefinitionXRD, meta.DefinitionMRD, "InfrastructureDefinition", "InfrastructurePublication":
		return true
	}
	return false
}

// lowerKind is a kind as it stands in the middle of a sentence.
func lowerKind(kind string) string { return strings.ToLower(clip(kind)) }
