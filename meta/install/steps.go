package install

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Verb is what a Step does.
type Verb string

// The verbs of steps.
const (
	// VerbControl takes control of objects, creating those that are not there,
	// all or none. See TakeControl.
	VerbControl Verb = "control"
	// VerbOwn keeps an owner reference without control. See TakeOwnership.
	VerbOwn Verb = "own"
	// VerbEnsure creates an object or updates it.
	VerbEnsure Verb = "ensure"
	// VerbDelete deletes an object, if it is there.
	VerbDelete Verb = "delete"
)

// Resource is what a Step is about.
type Resource string

// The resources of steps.
const (
	// ResourceObjects are what is in the package: CRDs, XRDs, Compositions and
	// so on.
	ResourceObjects Resource = "package objects"
	// ResourceServiceAccount is the one that the controller runs as.
	ResourceServiceAccount Resource = "ServiceAccount"
	// ResourceRBAC are the roles of the ServiceAccount and their binding, see
	// Permissions.
	ResourceRBAC Resource = "RBAC"
	// ResourceDeployment is the one that runs the controller.
	ResourceDeployment Resource = "Deployment"
	// ResourceInstallJob is the Job that unpacked the package, of the packages
	// v2 design.
	ResourceInstallJob Resource = "Job"
)

// A Step is one thing that a revision does in the cluster when it comes to a
// state.
type Step struct {
	Verb     Verb     `json:"verb"`
	Resource Resource `json:"resource"`
}

// Steps tells what a revision of a kind (ProviderRevision and so on, or
// KindPackageRevision) does when it comes from one state to another, in this
// order; from is empty for a revision that was just created.
//
// An Active one takes control of its objects before it starts a controller,
// which needs the kinds to be there. One that becomes Inactive stops its
// controller before it gives control up; it stays an owner, and the Job that
// unpacked it is cleaned up. One that is created Inactive performs no auxiliary
// action at all.
//
// Configurations have no controller. That of a Function gets no RBAC: no kinds
// are installed for it to reconcile. A PackageRevision may have none; its steps
// are those of one that has. A revision that is deleted takes no steps, see
// GarbageCollect.
//
// (packages v2 design, Package Controller and PackageRevision Controller;
// packages guide, spec.revisionActivationPolicy)
func Steps(revisionKind string, from, to State) []Step {
	var auxiliary []Resource
	switch revisionKind {
	case RevisionKind(string(meta.Provider)), KindPackageRevision:
		auxiliary = []Resource{ResourceServiceAccount, ResourceRBAC, ResourceDeployment}
	case RevisionKind(string(meta.Function)):
		auxiliary = []Resource{ResourceServiceAccount, ResourceDeployment}
	}
	var steps []Step
	switch {
	case to == Active:
		steps = append(steps, Step{VerbControl, ResourceObjects})
		for _, r := range auxiliary {
			steps = append(steps, Step{VerbEnsure, r})
		}
	case from == Active:
		for _, r := range slices.Backward(auxiliary) {
			steps = append(steps, Step{VerbDelete, r})
		}
		steps = append(steps, Step{VerbOwn, ResourceObjects})
		if revisionKind == KindPackageRevision {
			steps = append(steps, Step{VerbDelete, ResourceInstallJob})
		}
	default:
		steps = append(steps, Step{VerbOwn, ResourceObjects})
	}
	return steps
}
