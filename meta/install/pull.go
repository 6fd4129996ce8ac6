package install

import (
	"fmt"
	"time"

	"github.com/xpkg-go/sdk/meta"
)

// CheckInterval is how often a package is looked for in its registry when its
// pull policy says that it is at all. (packages guide, spec.packagePullPolicy:
// "Crossplane will check every minute")
const CheckInterval = time.Minute

// ReferenceKind is the kind of image reference by which the guide's table tells
// what a pull policy means.
type ReferenceKind string

const (
	// ReferenceSemverTag is a full semantic version, such as v1.3.0: a tag that
	// is not expected to move, and can.
	ReferenceSemverTag ReferenceKind = "semver tag"
	// ReferenceDigest is content named by its hash. A reference with tag and
	// digest counts as one: the tag is not looked at.
	ReferenceDigest ReferenceKind = "digest"
	// ReferenceChannelTag is any other tag, expected to move: latest, master,
	// and v1 or v1.3, which follow the newest release.
	ReferenceChannelTag ReferenceKind = "channel tag"
)

// ReferenceKindOf tells the kind of a reference. One without tag and digest
// means the tag latest.
func ReferenceKindOf(r meta.Reference) ReferenceKind {
	if r.Digest != "" {
		return ReferenceDigest
	}
	switch meta.Classify(r.Tag) {
	case meta.ClassRelease, meta.ClassPrerelease:
		return ReferenceSemverTag
	}
	return ReferenceChannelTag
}

// Safety ranks how unlikely it is that a package changes without its user's
// asking. A greater value is safer.
type Safety int

// The guide's five levels of upgrade safety.
const (
	SafetyVeryWeak Safety = iota + 1
	SafetyWeak
	SafetyStrong
	SafetyVeryStrong
	SafetyStrongest
)

// String returns the guide's words.
func (s Safety) String() string {
	switch s {
	case SafetyVeryWeak:
		return "Very Weak"
	case SafetyWeak:
		return "Weak"
	case SafetyStrong:
		return "Strong"
	case SafetyVeryStrong:
		return "Very Strong"
	case SafetyStrongest:
		return "Strongest"
	}
	return fmt.Sprintf("Safety(%d)", int(s))
}

// MarshalText returns the guide's words, so that JSON says "Very Weak" instead
// of 1. There is no error.
func (s Safety) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// Trigger says what makes something happen to the cached contents of a package.
type Trigger string

const (
	// TriggerNone : it never happens.
	TriggerNone Trigger = "never"
	// TriggerMissing : it happens when the contents are not in the cache: on
	// installing, and after the cache was lost.
	TriggerMissing Trigger = "when not in the cache"
	// TriggerMissingOrMoved : as TriggerMissing, and when a check finds that
	// the tag names something else.
	TriggerMissingOrMoved Trigger = "when not in the cache, or when the tag has moved"
	// TriggerInterval : it happens every CheckInterval.
	TriggerInterval Trigger = "every minute"
)

// CacheLoss says what becomes of a package whose cached contents are lost.
type CacheLoss string

const (
	// LossReloads : it must be loaded into the cache by hand again.
	LossReloads CacheLoss = "must be loaded by hand again"
	// LossSame : the same contents are downloaded again, if the registry still
	// has them.
	LossSame CacheLoss = "the same contents are downloaded again"
	// LossMayUpgrade : what the tag names by then is downloaded: the same,
	// unless somebody pushed the version again.
	LossMayUpgrade CacheLoss = "the package may be upgraded inadvertently"
	// LossOftenUpgrades : what the tag names by then is downloaded, and that
	// frequently differs.
	LossOftenUpgrades CacheLoss = "the package will frequently be upgraded"
)

// PullBehavior is one cell of the guide's table. (packages guide,
// spec.packagePullPolicy)
type PullBehavior struct {
	Reference ReferenceKind `json:"reference"`
	Policy    PullPolicy    `json:"policy"`
	// Downloaded says when contents are fetched, Checked when the registry is
	// asked what the reference names.
	Downloaded Trigger   `json:"downloaded"`
	Checked    Trigger   `json:"checked"`
	CacheLost  CacheLoss `json:"cacheLost"`
	Safety     Safety    `json:"upgradeSafety"`
}

// Behavior returns the cell of the guide's table for a reference kind and a
// policy; the empty policy means PullIfNotPresent. The error matches
// meta.ErrInvalid: a policy or reference kind that is none.
//
// In one cell this package says less than the guide: Always with a digest is
// told to check every minute and never to find anything new. A digest cannot
// name anything new, so nothing is asked once the contents are cached.
func Behavior(r ReferenceKind, p PullPolicy) (PullBehavior, error) {
	b := PullBehavior{Reference: r, Policy: p.OrDefault(), Downloaded: TriggerMissing, Checked: TriggerNone}
	if !p.Valid() {
		return PullBehavior{}, pullPolicyFault(nil, p)
	}
	if r != ReferenceSemverTag && r != ReferenceDigest && r != ReferenceChannelTag {
		return PullBehavior{}, referenceKindFault(r)
	}
	switch {
	case b.Policy == PullNever:
		b.Downloaded, b.CacheLost, b.Safety = TriggerNone, LossReloads, SafetyStrongest
	case r == ReferenceDigest && b.Policy == PullIfNotPresent:
		b.CacheLost, b.Safety = LossSame, SafetyVeryStrong
	case r == ReferenceDigest:
		b.CacheLost, b.Safety = LossSame, SafetyStrong
	case r == ReferenceSemverTag && b.Policy == PullIfNotPresent:
		b.CacheLost, b.Safety = LossMayUpgrade, SafetyStrong
	case r == ReferenceSemverTag:
		b.Downloaded, b.Checked, b.CacheLost, b.Safety = TriggerMissingOrMoved, TriggerInterval, LossMayUpgrade, SafetyWeak
	case b.Policy == PullIfNotPresent:
		b.CacheLost, b.Safety = LossOftenUpgrades, SafetyWeak
	default:
		b.Downloaded, b.Checked, b.CacheLost, b.Safety = TriggerMissingOrMoved, TriggerInterval, LossOftenUpgrades, SafetyVeryWeak
	}
	return b, nil
}

// Fetch is what is to be done now to get a package's contents.
type Fetch string

const (
	// FetchNothing : take what is cached; no request is made.
	FetchNothing Fetch = "use the cache"
	// FetchDigest : ask the registry which digest the reference names, and
	// download only when it is another one.
	FetchDigest Fetch = "check"
	// FetchContents : fetch the contents.
	FetchContents Fetch = "download"
	// FetchRefused : the contents are not cached, and nothing may be fetched;
	// no request is made.
	FetchRefused Fetch = "refuse"
)

// Next tells what to do now: cached says whether the contents are in the cache,
// sinceCheck how long ago the registry was last asked (negative when it never
// was).
func (b PullBehavior) Next(cached bool, sinceCheck time.Duration) Fetch {
	switch {
	case !cached && b.Downloaded == TriggerNone:
		return FetchRefused
	case !cached:
		return FetchContents
	case b.Checked == TriggerInterval && (sinceCheck < 0 || sinceCheck >= CheckInterval):
		return FetchDigest
	}
	return FetchNothing
}
