package install

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A planner holds a plan in the making. Its methods rely on being called in the
// order of PlanRevisions.
type planner struct {
	parent     Parent
	resolution Resolution
	revisions  []Revision
	highest    int64

	resolved string // name of the revision that the package resolves to, "" when nothing is resolved
	current  string // name of the current revision, "" when there is none
	actions  []Action
}

// foreign refuses to touch revisions that another package controls.
func (p *planner) foreign() error {
	var conflicts []Conflict
	for _, r := range p.revisions {
		for _, holder := range controllersOf(r.Owners) {
			if !holder.Is(p.parent.Ref) {
				conflicts = append(conflicts, Conflict{
					Object: p.parent.RevisionRef(r),
					Holder: Claimant{Package: holder.Name, Ref: holder},
					Rival:  Claimant{Package: p.parent.Ref.Name, Ref: p.parent.Ref},
				})
			}
		}
	}
	return conflictError(conflicts)
}

// sort puts revisions in the order of their numbers, and of their names where
// numbers are equal, which they should not be.
func (p *planner) sort() {
	slices.SortFunc(p.revisions, func(a, b Revision) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), cmp.Compare(a.Name, b.Name))
	})
}

// settle finds out which revisions the resolution and the history name, what
// these say of them, and what state all were left in.
func (p *planner) settle(current string) {
	if p.resolution.ok() {
		// A revision of the same digest under another name was named by another
		// rule, and serves as well.
		if r := p.revisionOf(p.resolution.Digest, p.parent.Source); r != nil {
			p.resolved = r.Name
			r.Digest, r.Image = p.resolution.Digest, cmp.Or(r.Image, p.resolvedImage())
		}
	}
	if r := p.named(current); r != nil {
		p.current = r.Name
	}
	for i := range p.revisions {
		if r := &p.revisions[i]; r.Observed == "" {
			r.Observed = Inactive
			if r.Desired == Active && (p.current == "" || p.current == r.Name) {
				r.Observed = Active
			}
		}
	}
}

// named returns the revision that status.currentRevision names, by its name or by
// that of its image, or nil.
func (p *planner) named(current string) *Revision {
	if r := p.find(current); r != nil {
		return r
	}
	image, err := meta.ParseReference(current)
	if err != nil {
		return nil
	}
	if image.Digest == "" {
		i := slices.IndexFunc(p.revisions, func(r Revision) bool { return r.Image == current })
		if i < 0 {
			return nil
		}
		return &p.revisions[i]
	}
	r := p.revisionOf(image.Digest, image.Source)
	if r == nil {
		r = p.revisionOf(image.Digest, p.parent.Source)
	}
	if r != nil {
		r.Digest, r.Image = image.Digest, cmp.Or(r.Image, current)
	}
	return r
}

// revisionOf returns the revision of an image: that which has its digest or, if
// its digest is not known, the name for it; or nil.
func (p *planner) revisionOf(digest string, source meta.Source) *Revision {
	for i := range p.revisions {
		if p.revisions[i].Digest == digest {
			return &p.revisions[i]
		}
	}
	parent := p.parent
	parent.Source = source
	if name, err := parent.RevisionName(digest); err == nil {
		if r := p.find(name); r != nil && r.Digest == "" {
			return r
		}
	}
	return nil
}

// resolvedImage is the image that the package resolves to.
func (p *planner) resolvedImage() string {
	if p.resolution.Image == "" && !p.parent.Source.IsZero() {
		return p.parent.Source.WithDigest(p.resolution.Digest).String()
	}
	return p.resolution.Image
}

// activate creates the revision that is missing, and makes one revision Active
// and all others Inactive.
func (p *planner) activate() {
	automatic := p.parent.Activation.OrDefault() == ActivateAutomatic
	create := p.resolution.ok() && p.find(p.resolved) == nil
	chosen, why := p.chosen(automatic)
	for i := range p.revisions {
		r := &p.revisions[i]
		if r.Name == chosen || r.Desired == Inactive && r.Observed == Inactive {
			continue
		}
		reason := "another revision is the active one"
		if r.Desired == Inactive {
			reason = "a user made it inactive"
		}
		r.Desired, r.Observed = Inactive, Inactive
		p.do(OpDeactivate, *r, reason)
	}
	if create {
		p.create(automatic)
	}
	// A revision that was made Inactive while it was the chosen one makes the
	// transition, too.
	if r := p.find(chosen); r != nil && (r.Observed != Active || r.Desired != Active) {
		r.Desired, r.Observed, r.Number = Active, Active, p.next()
		p.do(OpActivate, *r, why)
	}
	p.sort()
	switch {
	case chosen != "":
		p.current = chosen
	case p.current == "":
		p.current = p.resolved
	}
}

// chosen returns the name of the revision that is to be Active, and why. It may
// be one that does not exist yet.
func (p *planner) chosen(automatic bool) (name, why string) {
	if automatic && p.resolution.ok() {
		return p.resolved, "the package resolves to it"
	}
	var settled, fresh string
	for _, r := range p.revisions { // by number: the last one wins
		switch {
		case r.Desired != Active:
		case r.Observed == Active:
			settled = r.Name
		default:
			fresh = r.Name
		}
	}
	if fresh != "" {
		return fresh, "a user activated it"
	}
	return settled, ""
}

func (p *planner) create(active bool) {
	r := Revision{
		Name:        p.resolved,
		Digest:      p.resolution.Digest,
		Image:       p.resolvedImage(),
		Number:      p.next(),
		Desired:     Inactive,
		Annotations: p.resolution.Annotations,
	}
	reason := "the package resolves to a new digest; a user must activate it"
	if active {
		r.Desired, reason = Active, "the package resolves to a new digest"
	}
	r.Observed = r.Desired
	r.Owners, _ = withOwner(nil, p.parent.Ref, true)
	p.revisions = append(p.revisions, r)
	p.do(OpCreate, r, reason)
}

// adopt makes the package the controller of revisions that have none, and of
// those that knew it under another UID.
func (p *planner) adopt() {
	for i := range p.revisions {
		r := &p.revisions[i]
		if owners, changed := withOwner(r.Owners, p.parent.Ref, true); changed {
			r.Owners = owners
			p.do(OpAdopt, *r, "the package controls its revisions")
		}
	}
}

// collect removes the Inactive revisions that are outside the history limit,
// the lowest number first.
func (p *planner) collect() {
	limit, all := historyLimit(p.parent.HistoryLimit)
	if all {
		return
	}
	var inactive int64
	for _, r := range p.revisions {
		if r.Desired == Inactive {
			inactive++
		}
	}
	var kept []Revision
	for _, r := range p.revisions {
		if inactive <= limit || r.Desired == Active || r.Name == p.resolved {
			kept = append(kept, r)
			continue
		}
		inactive--
		p.drop(r.Name)
		p.do(OpCollect, r, fmt.Sprintf("it is outside the history limit of %d", limit))
		if r.Name == p.current {
			p.current = p.resolved
		}
	}
	p.revisions = kept
}

// drop forgets that a revision was to be adopted: it is about to go.
func (p *planner) drop(name string) {
	p.actions = slices.DeleteFunc(p.actions, func(a Action) bool { return a.Op == OpAdopt && a.Revision.Name == name })
}

func (p *planner) plan() *Plan {
	plan := &Plan{Actions: p.actions, History: History{Revisions: p.revisions, Current: p.current, Highest: p.highest}}
	if r := p.find(p.current); r != nil {
		plan.CurrentImage = r.fullImage()
	}
	if failed := p.resolution.Failed; failed != nil {
		now := p.parent.Pull
		now.Digest = cmp.Or(p.resolution.Digest, now.Digest)
		plan.Retry = failed.Changes(now)
	}
	return plan
}

func (p *planner) do(op Op, r Revision, reason string) {
	p.actions = append(p.actions, Action{Op: op, Revision: r.clone(), Reason: reason, Steps: p.steps(op, r)})
}

func (p *planner) steps(op Op, r Revision) []Step {
	switch kind := p.parent.RevisionKind(); op {
	case OpCreate:
		return Steps(kind, "", r.Desired)
	case OpActivate:
		return Steps(kind, Inactive, Active)
	case OpDeactivate:
		return Steps(kind, Active, Inactive)
	}
	return nil
}

func (p *planner) find(name string) *Revision {
	for i := range p.revisions {
		if p.revisions[i].Name == name {
			return &p.revisions[i]
		}
	}
	return nil
}

func (p *planner) next() int64 {
	p.highest++
	return p.highest
}
