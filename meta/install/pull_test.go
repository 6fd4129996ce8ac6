package install_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

func TestReferenceKindOf(t *testing.T) {
	for ref, tc := range map[string]struct {
		reason string
		want   install.ReferenceKind
	}{
		"a/b:v1.3.0":           {"packages guide, spec.packagePullPolicy: Semver Tag (e.g. v1.3.0)", install.ReferenceSemverTag},
		"a/b:1.3.0-rc.1":       {"a pre-release is a full semantic version", install.ReferenceSemverTag},
		"a/b@" + digest:        {"packages guide, spec.packagePullPolicy: Digest (e.g. @sha256:28b6...)", install.ReferenceDigest},
		"a/b:v1.3.0@" + digest: {"with a digest the tag is not looked at", install.ReferenceDigest},
		"a/b:latest":           {"packages guide, spec.packagePullPolicy: Channel Tag (e.g. latest)", install.ReferenceChannelTag},
		"a/b":                  {"no tag is the tag latest", install.ReferenceChannelTag},
		"a/b:v1":               {"a partial tag follows the newest release", install.ReferenceChannelTag},
		"a/b:v1.3":             {"a partial tag follows the newest release", install.ReferenceChannelTag},
		"a/b:master":           {"packages guide, Installing a Package: a branch", install.ReferenceChannelTag},
	} {
		r, err := meta.ParseReference(ref)
		if err != nil {
			t.Fatal(err)
		}
		if got := install.ReferenceKindOf(r); got != tc.want {
			t.Errorf("%s: ReferenceKindOf(%s) = %q, want %q", tc.reason, ref, got, tc.want)
		}
	}
}

// The nine cells of the table in the packages guide, spec.packagePullPolicy.
func TestBehavior(t *testing.T) {
	const (
		never   = install.TriggerNone
		missing = install.TriggerMissing
		moved   = install.TriggerMissingOrMoved
		minute  = install.TriggerInterval
	)
	for _, tc := range []struct {
		reason string
		want   install.PullBehavior
	}{
		{
			"downloaded when initially installed; if the cache is lost and a new version was pushed for the tag, inadvertently upgraded. Strong",
			install.PullBehavior{
				Reference: install.ReferenceSemverTag, Policy: install.PullIfNotPresent, Downloaded: missing, Checked: never,
				CacheLost: install.LossMayUpgrade, Safety: install.SafetyStrong,
			},
		},
		{
			"checked every minute; new content would have to be pushed for the same tag. Weak",
			install.PullBehavior{
				Reference: install.ReferenceSemverTag, Policy: install.PullAlways, Downloaded: moved, Checked: minute,
				CacheLost: install.LossMayUpgrade, Safety: install.SafetyWeak,
			},
		},
		{
			"never downloaded; must manually load the image in the cache. Strongest",
			install.PullBehavior{
				Reference: install.ReferenceSemverTag, Policy: install.PullNever, Downloaded: never, Checked: never,
				CacheLost: install.LossReloads, Safety: install.SafetyStrongest,
			},
		},
		{
			"if the cache is lost, an image with this digest is downloaded again; never upgraded. Very Strong",
			install.PullBehavior{
				Reference: install.ReferenceDigest, Policy: install.PullIfNotPresent, Downloaded: missing, Checked: never,
				CacheLost: install.LossSame, Safety: install.SafetyVeryStrong,
			},
		},
		{
			"because a digest is used, new content will never be downloaded; so it is not asked for either. Strong",
			install.PullBehavior{
				Reference: install.ReferenceDigest, Policy: install.PullAlways, Downloaded: missing, Checked: never,
				CacheLost: install.LossSame, Safety: install.SafetyStrong,
			},
		},
		{
			"never downloaded; must manually load the image in the cache. Strongest",
			install.PullBehavior{
				Reference: install.ReferenceDigest, Policy: install.PullNever, Downloaded: never, Checked: never,
				CacheLost: install.LossReloads, Safety: install.SafetyStrongest,
			},
		},
		{
			"if the cache is lost the latest version is downloaded, which will frequently differ. Weak",
			install.PullBehavior{
				Reference: install.ReferenceChannelTag, Policy: install.PullIfNotPresent, Downloaded: missing, Checked: never,
				CacheLost: install.LossOftenUpgrades, Safety: install.SafetyWeak,
			},
		},
		{
			"checked every minute; new content is downloaded and gets a new revision. Very Weak",
			install.PullBehavior{
				Reference: install.ReferenceChannelTag, Policy: install.PullAlways, Downloaded: moved, Checked: minute,
				CacheLost: install.LossOftenUpgrades, Safety: install.SafetyVeryWeak,
			},
		},
		{
			"never downloaded; must manually load the image in the cache. Strongest",
			install.PullBehavior{
				Reference: install.ReferenceChannelTag, Policy: install.PullNever, Downloaded: never, Checked: never,
				CacheLost: install.LossReloads, Safety: install.SafetyStrongest,
			},
		},
	} {
		got, err := install.Behavior(tc.want.Reference, tc.want.Policy)
		if err != nil {
			t.Fatal(err)
		}
		diff(t, tc.reason, tc.want, got)
	}

	byDefault, err := install.Behavior(install.ReferenceDigest, "")
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "packages guide, spec.packagePullPolicy: default IfNotPresent", install.PullIfNotPresent, byDefault.Policy)

	_, err = install.Behavior(install.ReferenceDigest, "Automatic")
	diff(t, "the slip of the guide is no policy", []string{`"Automatic" is not a pull policy: IfNotPresent, Always or Never (it is a revisionActivationPolicy)`}, one(err))
	_, err = install.Behavior("branch", install.PullAlways)
	diff(t, "a kind of reference that is none", []string{`"branch" is not a kind of reference: semver tag, digest, channel tag`}, one(err))
}

func one(err error) []string {
	if err == nil {
		return nil
	}
	return []string{err.Error()}
}

func TestSafety(t *testing.T) {
	const reason = "packages guide, spec.packagePullPolicy: Very Weak to Strongest"
	order := []install.Safety{install.SafetyVeryWeak, install.SafetyWeak, install.SafetyStrong, install.SafetyVeryStrong, install.SafetyStrongest}
	for i := 1; i < len(order); i++ {
		if order[i-1] >= order[i] {
			t.Errorf("%s: %v is not less than %v", reason, order[i-1], order[i])
		}
	}
	text, err := json.Marshal(order)
	if err != nil {
		t.Fatal(err)
	}
	diff(t, reason, `["Very Weak","Weak","Strong","Very Strong","Strongest"]`, string(text))
	diff(t, "other values print as such", "Safety(0)", install.Safety(0).String())
}

func TestNext(t *testing.T) {
	const never = time.Duration(-1)
	for name, tc := range map[string]struct {
		reason string
		ref    install.ReferenceKind
		policy install.PullPolicy
		cached bool
		since  time.Duration
		want   install.Fetch
	}{
		"InstallTag":         {"downloaded when initially installed", install.ReferenceSemverTag, install.PullIfNotPresent, false, never, install.FetchContents},
		"PresentTag":         {"as long as it is present in the cache, it will not be downloaded again", install.ReferenceSemverTag, install.PullIfNotPresent, true, time.Hour, install.FetchNothing},
		"PresentChannel":     {"as long as it is present in the cache, it will not be downloaded again", install.ReferenceChannelTag, install.PullIfNotPresent, true, never, install.FetchNothing},
		"AlwaysFirst":        {"nobody has ever asked", install.ReferenceChannelTag, install.PullAlways, true, never, install.FetchDigest},
		"AlwaysSoon":         {"checks every minute, and no more often", install.ReferenceChannelTag, install.PullAlways, true, 59 * time.Second, install.FetchNothing},
		"AlwaysMinute":       {"checks every minute", install.ReferenceChannelTag, install.PullAlways, true, time.Minute, install.FetchDigest},
		"AlwaysSemver":       {"checks every minute", install.ReferenceSemverTag, install.PullAlways, true, time.Hour, install.FetchDigest},
		"AlwaysLost":         {"what is not cached is downloaded, and not only checked", install.ReferenceSemverTag, install.PullAlways, false, time.Second, install.FetchContents},
		"AlwaysDigest":       {"Always with a digest makes no request once cached", install.ReferenceDigest, install.PullAlways, true, never, install.FetchNothing},
		"AlwaysDigestHour":   {"Always with a digest makes no request once cached", install.ReferenceDigest, install.PullAlways, true, time.Hour, install.FetchNothing},
		"AlwaysDigestLost":   {"if the cache is lost the digest is downloaded again", install.ReferenceDigest, install.PullAlways, false, time.Second, install.FetchContents},
		"NeverCached":        {"never downloads content", install.ReferenceChannelTag, install.PullNever, true, never, install.FetchNothing},
		"NeverNotCached":     {"must manually load the package image in the cache", install.ReferenceChannelTag, install.PullNever, false, never, install.FetchRefused},
		"NeverDigestNotHere": {"must manually load the package image in the cache", install.ReferenceDigest, install.PullNever, false, time.Hour, install.FetchRefused},
	} {
		t.Run(name, func(t *testing.T) {
			b, err := install.Behavior(tc.ref, tc.policy)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, "packages guide, spec.packagePullPolicy: "+tc.reason, tc.want, b.Next(tc.cached, tc.since))
		})
	}
}

func TestAttemptChanges(t *testing.T) {
	const design = "packages v2 design, Package Controller, Existing Package Modified: "
	failed := install.Attempt{Package: "a/b:v1", Digest: "sha256:1", PullSecrets: []string{"x", "y"}}
	with := func(change func(*install.Attempt)) install.Attempt {
		now := failed
		change(&now)
		return now
	}
	for name, tc := range map[string]struct {
		reason string
		now    install.Attempt
		want   []install.Change
	}{
		"Nothing":       {"the same attempt fails again", failed, nil},
		"Secrets":       {design + "retried with the new pull secrets", with(func(a *install.Attempt) { a.PullSecrets = []string{"x", "z"} }), []install.Change{install.PullSecretsChanged}},
		"Cause":         {"how the pull failed is told, and decides nothing", with(func(a *install.Attempt) { a.Cause = "unauthorized" }), nil},
		"SecretsGone":   {design + "secrets that were taken away are a change, too", with(func(a *install.Attempt) { a.PullSecrets = nil }), []install.Change{install.PullSecretsChanged}},
		"SecretsOrder":  {"the order of secrets says nothing", with(func(a *install.Attempt) { a.PullSecrets = []string{"y", "x", "y"} }), nil},
		"Policy":        {"a policy that lets the registry be asked", with(func(a *install.Attempt) { a.PullPolicy = install.PullAlways }), []install.Change{install.PullPolicyChanged}},
		"DefaultPolicy": {"writing the default out is no change", with(func(a *install.Attempt) { a.PullPolicy = install.PullIfNotPresent }), nil},
		"Digest":        {"the tag names something else now", with(func(a *install.Attempt) { a.Digest = "sha256:2" }), []install.Change{install.DigestChanged}},
		"DigestUnknown": {"nothing new was learned", with(func(a *install.Attempt) { a.Digest = "" }), nil},
		"All": {
			design + "another package is another attempt",
			install.Attempt{Package: "a/b:v2", Digest: "sha256:3", PullPolicy: install.PullNever},
			[]install.Change{install.PackageChanged, install.DigestChanged, install.PullPolicyChanged, install.PullSecretsChanged},
		},
	} {
		t.Run(name, func(t *testing.T) { diff(t, tc.reason, tc.want, failed.Changes(tc.now)) })
	}
}

func TestPullSecrets(t *testing.T) {
	const reason = "packages guide, spec.packagePullSecrets: passed along to a packaged controller if the package is a Provider, not to any dependencies"
	secrets := []install.LocalReference{{Name: "first"}, {Name: "second"}}
	for _, kind := range meta.Kinds() {
		m := install.Manifest{Kind: kind, Spec: install.ManifestSpec{PackagePullSecrets: secrets}}
		diff(t, reason, []string{"first", "second"}, m.PullSecrets(install.RecipientPuller))
		diff(t, reason, []string(nil), m.PullSecrets(install.RecipientDependency))
		var controller []string
		if kind == meta.Provider {
			controller = []string{"first", "second"}
		}
		diff(t, reason, controller, m.PullSecrets(install.RecipientController))
	}
}
