package install

// PullPolicy says when the image of a package is looked for in a registry. The
// empty policy is PullIfNotPresent. What each policy means for each kind of
// reference is told by PullBehavior. (packages guide, spec.packagePullPolicy)
type PullPolicy string

// The pull policies. The guide once writes "packagePullPolicy: Automatic"; that
// is a slip (Automatic is an ActivationPolicy), and Validate refuses it.
const (
	PullIfNotPresent PullPolicy = "IfNotPresent"
	PullAlways       PullPolicy = "Always"
	PullNever        PullPolicy = "Never"
)

// OrDefault returns the policy, and PullIfNotPresent for the empty one.
func (p PullPolicy) OrDefault() PullPolicy {
	if p == "" {
		return PullIfNotPresent
	}
	return p
}

// Valid says whether the policy is one of the three, or empty.
func (p PullPolicy) Valid() bool {
	switch p.OrDefault() {
	case PullIfNotPresent, PullAlways, PullNever:
		return true
	}
	return false
}

// ActivationPolicy says who makes a new revision the active one. The empty
// policy is ActivateAutomatic. (packages guide, spec.revisionActivationPolicy)
type ActivationPolicy string

const (
	// ActivateAutomatic makes a new revision Active when it is created, and all
	// others Inactive.
	ActivateAutomatic ActivationPolicy = "Automatic"
	// ActivateManual creates a new revision Inactive: a user edits it to
	// Active.
	ActivateManual ActivationPolicy = "Manual"
)

// OrDefault returns the policy, and ActivateAutomatic for the empty one.
func (p ActivationPolicy) OrDefault() ActivationPolicy {
	if p == "" {
		return ActivateAutomatic
	}
	return p
}

// Valid says whether the policy is one of the two, or empty.
func (p ActivationPolicy) Valid() bool {
	switch p.OrDefault() {
	case ActivateAutomatic, ActivateManual:
		return true
	}
	return false
}

// State is what a package revision is wanted to be. (packages v2 design,
// PackageRevision API, spec.desiredState)
type State string

const (
	// Active revisions try to control everything that they install, and run
	// their controller.
	Active State = "Active"
	// Inactive revisions own what they install, beside others, and run nothing.
	Inactive State = "Inactive"
)

// Valid says whether the state is one of the two. Unlike a policy, a state has
// no default.
func (s State) Valid() bool { return s == Active || s == Inactive }

// DefaultHistoryLimit is the number of Inactive revisions that are kept when
// spec.revisionHistoryLimit is absent.
const DefaultHistoryLimit = 1
