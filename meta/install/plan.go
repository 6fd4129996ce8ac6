package install

// Op is what an Action does to a revision.
type Op string

// The operations, in the order in which a plan lists them: whoever carries it
// out from the front never has two Active revisions, and never deletes what
// something still stands on.
const (
	// OpDeactivate makes a revision Inactive.
	OpDeactivate Op = "deactivate"
	// OpCreate makes a revision that is not there, in the state that it says.
	OpCreate Op = "create"
	// OpActivate makes a revision Active, under the highest number.
	OpActivate Op = "activate"
	// OpAdopt writes the reference to the package that controls the revision,
	// which is not there or bears an old UID.
	OpAdopt Op = "adopt"
	// OpCollect deletes an Inactive revision that is outside the history limit.
	OpCollect Op = "collect"
)

// An Action is one thing to do to one revision.
type Action struct {
	Op Op `json:"op"`
	// Revision is as it is to be afterwards; for OpCollect, as it was.
	Revision Revision `json:"revision"`
	// Reason says why, in words.
	Reason string `json:"reason"`
	// Steps are what the revision itself does when the action takes effect.
	Steps []Step `json:"steps,omitempty"`
}

// A Plan is what to do about the revisions of one package.
type Plan struct {
	// Actions are to be done in this order. There are none when everything is
	// as it should be.
	Actions []Action `json:"actions,omitempty"`
	// History is how things are once all is done; planning again from it
	// changes nothing.
	History History `json:"history"`
	// CurrentImage is the full image name of the revision History.Current: the
	// source as it was declared, and the digest. A PackageRevision does not hold
	// it: of one that was read from a cluster it is known as long as the package
	// resolves to it, or the History that was given has it as Current or as the
	// Image of the revision. Else it is empty, and History.Current serves.
	CurrentImage string `json:"currentImage,omitempty"`
	// Retry lists what changed since the pull failed, in which case it is worth
	// another try at once.
	Retry []Change `json:"retry,omitempty"`
}

// PlanRevisions tells what to do about the revisions of a package, given what
// it now resolves to. It changes neither the history nor the cluster. The
// rules, from the packages guide (spec.revisionActivationPolicy,
// spec.revisionHistoryLimit) and the packages v2 design (Package Controller):
//
//   - A digest without a revision gets one, numbered one above all others, with
//     the package's annotations and controlled by the package. It is created
//     Active under ActivateAutomatic and Inactive under ActivateManual.
//   - Under ActivateAutomatic the revision that the package resolves to is the
//     Active one. Under ActivateManual, and as long as nothing is resolved, it
//     is the one that a user activated last.
//   - Every other revision is Inactive. At most one is ever Active.
//   - A revision that becomes Active again is numbered one above all others.
//   - Of the Inactive revisions those with the highest numbers are kept, as
//     many as the history limit says, and the others are collected: never the
//     Active one, and never the one that the package resolves to, which would
//     have to be created again at once. So under ActivateManual the revision
//     that was Active can be collected as soon as a newer one takes over.
//   - After a failed pull no revision is created, and what is Active stays
//     Active.
//
// Where Observed is empty, a revision is taken to have been Active when it is
// desired to be and is the current one, or when there is no current one. That
// cannot tell a revision that was just activated from one that long was, if it
// is both current and Manual; it keeps its number then.
//
// What the resolution or History.Current tells of an existing revision, its
// digest and its image, is in the history that comes back.
//
// The error is meta.FieldErrors for a history or a resolution that contradicts
// itself: a number below zero, two revisions of one name, number or digest, what
// is no digest, an image that has another digest than it is said to have. It is a
// *ConflictError for a revision that another package controls. There is no plan
// then.
func PlanRevisions(parent Parent, h History, r Resolution) (*Plan, error) {
	p := planner{parent: parent, resolution: r, highest: h.Highest}
	for _, rev := range h.Revisions {
		rev = rev.clone()
		if rev.Digest == "" {
			rev.Digest = rev.imageDigest()
		}
		p.revisions = append(p.revisions, rev)
	}
	if faults := p.validate(); len(faults) > 0 {
		return nil, sorted(faults)
	}
	for _, rev := range p.revisions {
		p.highest = max(p.highest, rev.Number)
	}
	if err := p.foreign(); err != nil {
		return nil, err
	}
	p.sort()
	p.settle(h.Current)
	p.activate()
	p.adopt()
	p.collect()
	return p.plan(), nil
}
