package install_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// digestOf returns the n-th digest of the tests; all differ in their first
// digits, which name revisions.
func digestOf(n int) string { return fmt.Sprintf("sha256:%04x%s", n, strings.Repeat("0", 60)) }

// rev is the name of the revision of the n-th digest for the package p.
func rev(n int) string { return fmt.Sprintf("p-%04x00000000", n) }

func parent(policy install.ActivationPolicy, limit int64) install.Parent {
	return install.Parent{
		Ref:          install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Name: "p", UID: "u1"},
		Activation:   policy,
		HistoryLimit: &limit,
	}
}

func owned() []install.OwnerReference {
	return []install.OwnerReference{{
		Ref:        install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Name: "p", UID: "u1"},
		Controller: ptr(true), BlockOwnerDeletion: ptr(true),
	}}
}

// revision is one that an earlier plan left in a state.
func revision(n int, number int64, state install.State) install.Revision {
	return install.Revision{Name: rev(n), Digest: digestOf(n), Number: number, Desired: state, Observed: state, Owners: owned()}
}

// brief says what a plan does and what there is afterwards, such as "deactivate
// p-…; create p-…" and "p-…=2 Active".
func brief(p *install.Plan) (actions, after []string) {
	for _, a := range p.Actions {
		actions = append(actions, string(a.Op)+" "+a.Revision.Name)
	}
	for _, r := range p.History.Revisions {
		after = append(after, fmt.Sprintf("%s=%d %s", r.Name, r.Number, r.Desired))
	}
	return actions, after
}

func TestPlanRevisions(t *testing.T) {
	const (
		guideActivation = "packages guide, spec.revisionActivationPolicy: "
		guideLimit      = "packages guide, spec.revisionHistoryLimit: "
		designCreated   = "packages v2 design, Package Controller, Package Created: "
		designModified  = "packages v2 design, Package Controller, Existing Package Modified: "
		designGarbage   = "packages v2 design, Package Controller, Garbage Collecting Old PackageRevisions: "
	)
	edited := func(r install.Revision, desired install.State) install.Revision {
		r.Desired = desired
		return r
	}
	forgotten := func(r install.Revision) install.Revision {
		r.Observed = ""
		return r
	}
	for name, tc := range map[string]struct {
		reason  string
		parent  install.Parent
		history install.History
		res     install.Resolution
		actions []string
		after   []string
		current string
	}{
		"CreatedAutomatic": {
			reason:  designCreated + "Automatic: create a revision that is Active, and set status.currentRevision",
			parent:  parent(install.ActivateAutomatic, 1),
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"create " + rev(1)},
			after:   []string{rev(1) + "=1 Active"},
			current: rev(1),
		},
		"CreatedManual": {
			reason:  designCreated + "Manual: create a revision that is Inactive, and set status.currentRevision",
			parent:  parent(install.ActivateManual, 1),
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"create " + rev(1)},
			after:   []string{rev(1) + "=1 Inactive"},
			current: rev(1),
		},
		"ModifiedAutomatic": {
			reason:  designModified + "Automatic: mark the Active revision Inactive, and create the new one Active",
			parent:  parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{revision(1, 1, install.Active)}, Current: rev(1)},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"deactivate " + rev(1), "create " + rev(2)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=2 Active"},
			current: rev(2),
		},
		"ModifiedManual": {
			reason:  designModified + "Manual: create the new revision Inactive, and wait for the user",
			parent:  parent(install.ActivateManual, 1),
			history: install.History{Revisions: []install.Revision{revision(1, 1, install.Active)}, Current: rev(1)},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"create " + rev(2)},
			after:   []string{rev(1) + "=1 Active", rev(2) + "=2 Inactive"},
			current: rev(1),
		},
		"ActivatedManually": {
			reason: designModified + "Manual: once the user set the new one Active, mark the existing one Inactive and set status.currentRevision",
			parent: parent(install.ActivateManual, 1),
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Active), edited(revision(2, 2, install.Inactive), install.Active)},
				Current:   rev(1),
			},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"deactivate " + rev(1), "activate " + rev(2)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=3 Active"},
			current: rev(2),
		},
		"ActivatedManuallyUnobserved": {
			reason: designModified + "the same from a cluster, which does not remember what was observed: the current revision is the old one",
			parent: parent(install.ActivateManual, 1),
			history: install.History{
				Revisions: []install.Revision{
					forgotten(revision(1, 1, install.Active)), forgotten(edited(revision(2, 2, install.Inactive), install.Active)),
				},
				Current: rev(1),
			},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"deactivate " + rev(1), "activate " + rev(2)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=3 Active"},
			current: rev(2),
		},
		"ReactivatedByPackage": {
			reason: "packages v2 design, PackageRevision API, spec.revision: an existing revision that becomes Active gets one more than the greatest number",
			parent: parent(install.ActivateAutomatic, 3),
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Inactive), revision(2, 2, install.Inactive), revision(3, 3, install.Active)},
				Current:   rev(3),
			},
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"deactivate " + rev(3), "activate " + rev(1)},
			after:   []string{rev(2) + "=2 Inactive", rev(3) + "=3 Inactive", rev(1) + "=4 Active"},
			current: rev(1),
		},
		"ReactivatedByUser": {
			reason: guideLimit + "when a revision transitions from Inactive to Active its number is set to one greater than the largest",
			parent: parent(install.ActivateManual, 3),
			history: install.History{
				Revisions: []install.Revision{edited(revision(1, 1, install.Inactive), install.Active), revision(2, 2, install.Inactive), revision(3, 3, install.Active)},
				Current:   rev(3),
			},
			res:     install.Resolution{Digest: digestOf(3)},
			actions: []string{"deactivate " + rev(3), "activate " + rev(1)},
			after:   []string{rev(2) + "=2 Inactive", rev(3) + "=3 Inactive", rev(1) + "=4 Active"},
			current: rev(1),
		},
		"WorkedExample": {
			reason: guideLimit + "limit 3, three old Inactive and one Active: upgrading gives the new one the highest number, makes the Active one Inactive, and collects the oldest Inactive one",
			parent: parent(install.ActivateAutomatic, 3),
			history: install.History{
				Revisions: []install.Revision{
					revision(1, 1, install.Inactive), revision(2, 2, install.Inactive), revision(3, 3, install.Inactive), revision(4, 4, install.Active),
				},
				Current: rev(4),
			},
			res:     install.Resolution{Digest: digestOf(5)},
			actions: []string{"deactivate " + rev(4), "create " + rev(5), "collect " + rev(1)},
			after:   []string{rev(2) + "=2 Inactive", rev(3) + "=3 Inactive", rev(4) + "=4 Inactive", rev(5) + "=5 Active"},
			current: rev(5),
		},
		"ManualWarning": {
			reason: guideLimit + "Manual, upgraded often and never activated: activating a newer revision could cause the previously Active one to be collected immediately",
			parent: parent(install.ActivateManual, 2),
			history: install.History{
				Revisions: []install.Revision{
					revision(1, 1, install.Active), revision(2, 2, install.Inactive), revision(3, 3, install.Inactive),
					edited(revision(4, 4, install.Inactive), install.Active),
				},
				Current: rev(1),
			},
			res:     install.Resolution{Digest: digestOf(4)},
			actions: []string{"deactivate " + rev(1), "activate " + rev(4), "collect " + rev(1)},
			after:   []string{rev(2) + "=2 Inactive", rev(3) + "=3 Inactive", rev(4) + "=5 Active"},
			current: rev(4),
		},
		"ManualNeverCollectsActive": {
			reason: designGarbage + "a revision that is Active is not collected, however low its number",
			parent: parent(install.ActivateManual, 1),
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Active), revision(2, 2, install.Inactive)},
				Current:   rev(1),
			},
			res:     install.Resolution{Digest: digestOf(3)},
			actions: []string{"create " + rev(3), "collect " + rev(2)},
			after:   []string{rev(1) + "=1 Active", rev(3) + "=3 Inactive"},
			current: rev(1),
		},
		"LimitZero": {
			reason: guideLimit + "0 disables collection",
			parent: parent(install.ActivateAutomatic, 0),
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Inactive), revision(2, 2, install.Inactive), revision(3, 3, install.Active)},
				Current:   rev(3),
			},
			res:     install.Resolution{Digest: digestOf(3)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=2 Inactive", rev(3) + "=3 Active"},
			current: rev(3),
		},
		"LimitDefault": {
			reason: guideLimit + "default 1",
			parent: install.Parent{Ref: parent("", 0).Ref},
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Inactive), revision(2, 2, install.Inactive), revision(3, 3, install.Active)},
				Current:   rev(3),
			},
			res:     install.Resolution{Digest: digestOf(3)},
			actions: []string{"collect " + rev(1)},
			after:   []string{rev(2) + "=2 Inactive", rev(3) + "=3 Active"},
			current: rev(3),
		},
		"LimitLowered": {
			reason: guideLimit + "a lower limit collects from the lowest number",
			parent: parent(install.ActivateAutomatic, 1),
			history: install.History{
				Revisions: []install.Revision{
					revision(9, 3, install.Inactive), revision(8, 1, install.Inactive), revision(7, 2, install.Inactive), revision(1, 4, install.Active),
				},
				Current: rev(1),
			},
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"collect " + rev(8), "collect " + rev(7)},
			after:   []string{rev(9) + "=3 Inactive", rev(1) + "=4 Active"},
			current: rev(1),
		},
		"ResolvedIsKept": {
			reason: "the revision that the package resolves to is not collected: it would be created again at once",
			parent: parent(install.ActivateManual, 1),
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Inactive), revision(2, 2, install.Active), revision(3, 3, install.Inactive)},
				Current:   rev(2),
			},
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"collect " + rev(3)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=2 Active"},
			current: rev(2),
		},
		"Settled": {
			reason:  "nothing is done when everything is as it should be",
			parent:  parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{forgotten(revision(1, 7, install.Active))}},
			res:     install.Resolution{Digest: digestOf(1)},
			after:   []string{rev(1) + "=7 Active"},
			current: rev(1),
		},
		"AutomaticOverrulesUser": {
			reason: guideActivation + "Automatic: what the package resolves to is Active, and old revisions are Inactive",
			parent: parent(install.ActivateAutomatic, 1),
			history: install.History{
				Revisions: []install.Revision{edited(revision(1, 1, install.Inactive), install.Active), revision(2, 2, install.Active)},
				Current:   rev(2),
			},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"deactivate " + rev(1)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=2 Active"},
			current: rev(2),
		},
		"AutomaticReactivates": {
			reason:  guideActivation + "Automatic: a revision that a user made Inactive becomes Active again, which is a transition",
			parent:  parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{edited(revision(2, 2, install.Active), install.Inactive)}, Current: rev(2)},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"activate " + rev(2)},
			after:   []string{rev(2) + "=3 Active"},
			current: rev(2),
		},
		"DeactivatedManually": {
			reason:  "packages v2 design, PackageRevision Controller, Modified to be Inactive: a user may leave no revision Active",
			parent:  parent(install.ActivateManual, 1),
			history: install.History{Revisions: []install.Revision{edited(revision(1, 1, install.Active), install.Inactive)}, Current: rev(1)},
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"deactivate " + rev(1)},
			after:   []string{rev(1) + "=1 Inactive"},
			current: rev(1),
		},
		"TwoActivatedAtOnce": {
			reason: guideActivation + "of two revisions that a user activated at once, the one with the higher number wins",
			parent: parent(install.ActivateManual, 0),
			history: install.History{
				Revisions: []install.Revision{
					edited(revision(1, 1, install.Inactive), install.Active), edited(revision(2, 2, install.Inactive), install.Active), revision(3, 3, install.Active),
				},
				Current: rev(3),
			},
			res:     install.Resolution{Digest: digestOf(3)},
			actions: []string{"deactivate " + rev(1), "deactivate " + rev(3), "activate " + rev(2)},
			after:   []string{rev(1) + "=1 Inactive", rev(3) + "=3 Inactive", rev(2) + "=4 Active"},
			current: rev(2),
		},
		"ActivatedWhileUpgrading": {
			reason: guideLimit + "a new revision and an activation at once: the Active one has the highest number",
			parent: parent(install.ActivateManual, 2),
			history: install.History{
				Revisions: []install.Revision{revision(1, 1, install.Active), edited(revision(2, 2, install.Inactive), install.Active)},
				Current:   rev(1),
			},
			res:     install.Resolution{Digest: digestOf(3)},
			actions: []string{"deactivate " + rev(1), "create " + rev(3), "activate " + rev(2)},
			after:   []string{rev(1) + "=1 Inactive", rev(3) + "=3 Inactive", rev(2) + "=4 Active"},
			current: rev(2),
		},
		"PullFailed": {
			reason:  designModified + "a failed pull creates nothing, and what is Active stays Active",
			parent:  parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{revision(1, 1, install.Active)}, Current: rev(1)},
			res:     install.Resolution{Digest: digestOf(2), Failed: &install.Attempt{Package: "a/b:v2"}},
			after:   []string{rev(1) + "=1 Active"},
			current: rev(1),
		},
		"NothingYet": {
			reason: "a package that nobody has asked a registry for has no revision",
			parent: parent(install.ActivateAutomatic, 1),
		},
		"Restored": {
			reason: "packages v2 design, A Note on Backup and Restore: ownership of revisions even if the UID differs",
			parent: parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{{
				Name: rev(1), Number: 1, Desired: install.Active,
				Owners: []install.OwnerReference{{Ref: install.Ref{Kind: "Provider", Name: "p", UID: "before"}, Controller: ptr(true)}},
			}}},
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"adopt " + rev(1)},
			after:   []string{rev(1) + "=1 Active"},
			current: rev(1),
		},
		"Orphan": {
			reason:  "packages v2 design, Package Controller, Package Deleted: every revision should have a controller reference to its Package",
			parent:  parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{{Name: rev(1), Number: 1, Desired: install.Active}}},
			res:     install.Resolution{Digest: digestOf(1)},
			actions: []string{"adopt " + rev(1)},
			after:   []string{rev(1) + "=1 Active"},
			current: rev(1),
		},
		"OtherName": {
			reason: "a revision of the same digest that was named by another rule serves",
			parent: parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{
				{Name: "old-name", Digest: digestOf(1), Number: 1, Desired: install.Active, Owners: owned()},
			}},
			res:     install.Resolution{Digest: digestOf(1)},
			after:   []string{"old-name=1 Active"},
			current: "old-name",
		},
		"CurrentIsImage": {
			reason: designCreated + "status.currentRevision may be the full image name",
			parent: parent(install.ActivateManual, 1),
			history: install.History{
				Revisions: []install.Revision{
					{Name: rev(1), Image: "r/p@" + digestOf(1), Number: 1, Desired: install.Active, Owners: owned()},
					{Name: rev(2), Image: "r/p@" + digestOf(2), Number: 2, Desired: install.Active, Owners: owned()},
				},
				Current: "r/p@" + digestOf(1),
			},
			res:     install.Resolution{Digest: digestOf(2)},
			actions: []string{"deactivate " + rev(1), "activate " + rev(2)},
			after:   []string{rev(1) + "=1 Inactive", rev(2) + "=3 Active"},
			current: rev(2),
		},
		"HighestIsKept": {
			reason:  "packages v2 design, PackageRevision API, spec.revision: strictly incrementing, although a user deleted the highest",
			parent:  parent(install.ActivateAutomatic, 1),
			history: install.History{Revisions: []install.Revision{revision(1, 1, install.Inactive)}, Highest: 6},
			res:     install.Resolution{Digest: digestOf(9)},
			actions: []string{"create " + rev(9)},
			after:   []string{rev(1) + "=1 Inactive", rev(9) + "=7 Active"},
			current: rev(9),
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := install.PlanRevisions(tc.parent, tc.history, tc.res)
			if err != nil {
				t.Fatalf("%s: %v", tc.reason, err)
			}
			actions, after := brief(plan)
			diff(t, tc.reason, tc.actions, actions)
			diff(t, tc.reason, tc.after, after)
			diff(t, tc.reason, tc.current, plan.History.Current)
			again, err := install.PlanRevisions(tc.parent, plan.History, tc.res)
			if err != nil {
				t.Fatal(err)
			}
			diff(t, "planning twice changes nothing", &install.Plan{
				History: plan.History, CurrentImage: plan.CurrentImage, Retry: plan.Retry,
			}, again)
		})
	}
}

func TestPlanCreates(t *testing.T) {
	m, err := install.New(meta.Provider, "example.org/a/p:v1.0.0")
	if err != nil {
		t.Fatal(err)
	}
	m.Metadata.UID = "u1"
	pkg := &meta.Package{Annotations: map[string]string{"company": "Upbound"}}
	plan, err := install.PlanRevisions(m.Parent(), install.History{}, install.Resolved(digestOf(1), pkg))
	if err != nil {
		t.Fatal(err)
	}
	create := plan.Actions[0]
	diff(t, "packages guide, spec.revisionHistoryLimit; package format v2, Consuming The Packaged Format: annotations are propagated to the revision; "+
		"packages v2 design, Package Deleted: the package controls the revision", install.Revision{
		Name: rev(1), Digest: digestOf(1), Image: "example.org/a/p@" + digestOf(1), Number: 1,
		Desired: install.Active, Observed: install.Active,
		Annotations: map[string]string{"company": "Upbound"}, Owners: owned(),
	}, create.Revision)
	diff(t, "the package resolved to something new", "the package resolves to a new digest", create.Reason)
	diff(t, "packages v2 design, Package Created: the full image name", "example.org/a/p@"+digestOf(1), plan.CurrentImage)
	diff(t, "packages v2 design, PackageRevision Created as Active", install.Steps("ProviderRevision", "", install.Active), create.Steps)

	object, err := install.NewRevisionManifest(m.Parent(), create.Revision).Encode()
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "packages guide, spec.package: a ProviderRevision", `{"apiVersion":"pkg.crossplane.io/v1","kind":"ProviderRevision","metadata":{"name":"`+rev(1)+
		`","annotations":{"company":"Upbound"},"ownerReferences":[{"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","name":"p","uid":"u1",`+
		`"controller":true,"blockOwnerDeletion":true}]},"spec":{"desiredState":"Active","image":"example.org/a/p@`+digestOf(1)+`","revision":1}}`, string(object))

	back, err := install.DecodeRevision(object)
	if err != nil {
		t.Fatal(err)
	}
	create.Revision.Observed = ""
	diff(t, "what is in the cluster can be planned again", create.Revision, back)
}

func TestPlanDesign(t *testing.T) {
	p := &install.Package{
		APIVersion: install.DesignAPIVersion, Kind: install.KindPackage, Metadata: install.Metadata{Name: "p"},
		Spec: install.PackageSpec{Package: "example.org/a/p:v1", PackageControllerOptions: install.PackageControllerOptions{
			ServiceAccount: &install.ServiceAccountOptions{Annotations: map[string]string{"role": "x"}},
		}},
	}
	pkg, err := meta.Decode([]byte(`{"apiVersion":"meta.pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"p"},"spec":{` +
		`"controller":{"permissionRequests":[{"apiGroups":["apps"],"resources":["deployments"],"verbs":["get"]}]},` +
		`"dependsOn":[{"provider":"a/b","version":">=v1"},{"crossplane":">=v0.13.0"},{"crd":"bucket.s3.example.org/v1"}]}}`))
	if err != nil {
		t.Fatal(err)
	}
	plan, err := install.PlanRevisions(p.Parent(), install.History{}, install.Resolved(digestOf(1), pkg))
	if err != nil {
		t.Fatal(err)
	}
	r := plan.Actions[0].Revision
	name, err := meta.DigestName(p.Parent().Source, digestOf(1))
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "packages v2 design, Proposal: PackageRevision instances are named the sha256 hash of the image", name, r.Name)
	got, err := install.NewPackageRevision(p, r, pkg).Encode()
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "packages v2 design, PackageRevision API: permissions come from the package and not from its dependencies", value(t, []byte(
		`{"apiVersion":"packages.crossplane.io/v1beta1","kind":"PackageRevision","metadata":{"name":"`+name+`","ownerReferences":[`+
			`{"apiVersion":"packages.crossplane.io/v1beta1","kind":"Package","name":"p","uid":"","controller":true,"blockOwnerDeletion":true}]},`+
			`"spec":{"controller":{"serviceAccount":{"annotations":{"role":"x"}}},`+
			`"permissions":{"rules":[{"verbs":["get"],"apiGroups":["apps"],"resources":["deployments"]}]},`+
			`"dependsOn":[{"package":"a/b","version":">=v1"},{"crossplane":">=v0.13.0"},{"crd":"bucket.s3.example.org/v1"}],`+
			`"desiredState":"Active","revision":1}}`)), value(t, got))
	back, err := install.DecodeRevision(got)
	if err != nil {
		t.Fatal(err)
	}
	again, err := install.PlanRevisions(p.Parent(), install.History{Revisions: []install.Revision{back}, Current: back.Name}, install.Resolved(digestOf(1), pkg))
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "a PackageRevision is recognised by its name", 0, len(again.Actions))
}

func TestPlanRetry(t *testing.T) {
	const reason = "packages v2 design, Existing Package Modified: a failed pull is retried with the new pull secrets"
	m := &install.Manifest{
		APIVersion: "pkg.crossplane.io/v1", Kind: meta.Provider, Metadata: install.Metadata{Name: "p"},
		Spec: install.ManifestSpec{Package: "a/b:v1", PackagePullSecrets: []install.LocalReference{{Name: "new"}}},
	}
	plan, err := install.PlanRevisions(m.Parent(), install.History{}, install.Resolution{Failed: &install.Attempt{Package: "a/b:v1"}})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, reason, []install.Change{install.PullSecretsChanged}, plan.Retry)
	same := m.Parent().Pull
	plan, err = install.PlanRevisions(m.Parent(), install.History{}, install.Resolution{Failed: &same, Digest: digestOf(1)})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "a digest that is known now is another reason", []install.Change{install.DigestChanged}, plan.Retry)
	plan, err = install.PlanRevisions(m.Parent(), install.History{}, install.Resolution{Failed: &same})
	if err != nil {
		t.Fatal(err)
	}
	diff(t, "nothing changed", []install.Change(nil), plan.Retry)
}

func TestPlanRefuses(t *testing.T) {
	clash := revision(1, 1, install.Active)
	clash.Digest = strings.Replace(clash.Digest, "00000000", "00000001", 1)
	clash.Digest = "sha256:" + clash.Name[2:] + strings.Repeat("f", 52)
	for name, tc := range map[string]struct {
		reason  string
		parent  install.Parent
		history install.History
		res     install.Resolution
		want    []string
	}{
		"Everything": {
			reason: "a history that contradicts itself gives no plan, and every contradiction is told",
			parent: install.Parent{Activation: "Sometimes", HistoryLimit: ptr(int64(-2))},
			history: install.History{
				Revisions: []install.Revision{
					{Name: "a", Number: -1, Desired: "active"}, {Name: "a", Desired: install.Active, Observed: "gone"}, {Number: 1<<63 - 1, Desired: install.Inactive},
				},
			},
			want: []string{
				`ref.name: missing, want the name of the package`,
				`revisionActivationPolicy: "Sometimes" is not an activation policy: Automatic or Manual`,
				`revisionHistoryLimit: the number -2 is not a number of revisions from 0 (0 keeps all)`,
				`revisions[0].desiredState: "active" is not a state: Active or Inactive`,
				`revisions[0].revision: the number -1 is not the number of a revision`,
				`revisions[1].name: there is another revision "a"`,
				`revisions[1].observedState: "gone" is not a state: Active or Inactive`,
				`revisions[2].name: missing, want the name of an object`,
				`revisions[2].revision: the number 9223372036854775807 is not the number of a revision`,
			},
		},
		"NoDigest": {
			reason: "what a package resolves to is a digest",
			parent: parent("", 1),
			res:    install.Resolution{Digest: "v1.0.0"},
			want:   []string{`digest: "v1.0.0" is not a digest (it is not "sha256:" and 64 hexadecimal digits)`},
		},
		"Contradictions": {
			reason: "numbers, digests and images tell revisions apart, and are what they say",
			parent: parent("", 1),
			history: install.History{
				Highest: -2,
				Revisions: []install.Revision{
					{Name: "a", Digest: digestOf(2), Number: 3, Desired: install.Inactive},
					{Name: "b", Image: "r/p@" + digestOf(2), Number: 3, Desired: install.Inactive},
					{Name: "c", Digest: "garbage", Number: 4, Desired: install.Inactive},
					{Name: "d", Digest: digestOf(3), Image: "r/p@" + digestOf(4), Number: 5, Desired: install.Inactive},
				},
			},
			res: install.Resolution{Digest: digestOf(1), Image: "Bad Image"},
			want: []string{
				`highest: the number -2 is not the number of a revision`,
				`image: "Bad Image" is not an image reference (its path may hold lower case letters, digits and _ - . / only)`,
				`revisions[1].digest: there is another revision of "` + digestOf(2)[:60] + `…"`,
				`revisions[1].revision: there is another revision with the number 3`,
				`revisions[2].digest: "garbage" is not a digest (it is not "sha256:" and 64 hexadecimal digits)`,
				`revisions[3].image: "` + ("r/p@" + digestOf(4))[:60] + `…" is not an image with the digest ` + digestOf(3),
			},
		},
		"OtherImage": {
			reason: "what a package resolves to is one image",
			parent: parent("", 1),
			res:    install.Resolution{Digest: digestOf(1), Image: "r/p@" + digestOf(2)},
			want:   []string{`image: "` + ("r/p@" + digestOf(2))[:60] + `…" is not an image with the digest ` + digestOf(1)},
		},
		"ImageWithoutDigest": {
			reason: "the image of a resolution has its digest",
			parent: parent("", 1),
			res:    install.Resolution{Digest: digestOf(1), Image: "r/p:v1"},
			want:   []string{`image: "r/p:v1" is not an image with the digest ` + digestOf(1)},
		},
		"ImageOfNoDigest": {
			reason: "an image that was resolved has a digest, though the pull failed",
			parent: parent("", 1),
			res:    install.Resolution{Image: "r/p@" + digestOf(2), Failed: &install.Attempt{}},
			want:   []string{`image: "` + ("r/p@" + digestOf(2))[:60] + `…" is not an image of a known digest`},
		},
		"FailedDigest": {
			reason: "what the registry told before a pull failed is a digest, too",
			parent: parent("", 1),
			res:    install.Resolution{Digest: "latest", Failed: &install.Attempt{}},
			want:   []string{`digest: "latest" is not a digest (it is not "sha256:" and 64 hexadecimal digits)`},
		},
		"SameName": {
			reason:  "two digests that begin alike give one name; that is told, and nothing is taken for the other",
			parent:  parent("", 1),
			history: install.History{Revisions: []install.Revision{clash}},
			res:     install.Resolution{Digest: digestOf(1)},
			want: []string{`revisions[0].digest: sha256:000100000000ffffffffffffffffffffffffffffffffffffffffffffffffffff is not ` +
				digestOf(1) + ` (both digests give the name "p-000100000000")`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			plan, err := install.PlanRevisions(tc.parent, tc.history, tc.res)
			if plan != nil {
				t.Errorf("%s: there is a plan: %v", tc.reason, plan)
			}
			diff(t, tc.reason, tc.want, texts(t, err))
		})
	}
}

func TestPlanForeignRevision(t *testing.T) {
	theirs := revision(1, 1, install.Inactive)
	theirs.Owners = []install.OwnerReference{{Ref: install.Ref{Kind: "Provider", Name: "other"}, Controller: ptr(true)}}
	both := revision(3, 2, install.Inactive)
	both.Owners = append(both.Owners, theirs.Owners...)
	_, err := install.PlanRevisions(parent("", 1), install.History{Revisions: []install.Revision{theirs, both}}, install.Resolution{Digest: digestOf(2)})
	var conflict *install.ConflictError
	if !errors.As(err, &conflict) || !errors.Is(err, meta.ErrInvalid) {
		t.Fatalf("error is %v, want a *ConflictError that matches meta.ErrInvalid", err)
	}
	diff(t, "a revision that another package controls is neither changed nor collected",
		`Provider "p" cannot take control: providerrevision "p-000100000000" is controlled by Provider "other"; `+
			`providerrevision "p-000300000000" is controlled by Provider "other"`, err.Error())
}
