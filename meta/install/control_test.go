package install_test

import (
	"errors"
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// revisionOf is a claimant: a revision of a package.
func revisionOf(pkg, revision, uid string) install.Claimant {
	return install.Claimant{Package: pkg, Ref: install.Ref{
		APIVersion: "pkg.crossplane.io/v1", Kind: "ProviderRevision", Name: revision, UID: uid,
	}}
}

func crd(name string, owners ...install.OwnerReference) install.Object {
	return install.Object{
		Ref:    install.Ref{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: name},
		Owners: owners,
	}
}

func xrd(name string, makes []string, owners ...install.OwnerReference) install.Object {
	return install.Object{
		Ref:   install.Ref{APIVersion: "apiextensions.crossplane.io/v1", Kind: "CompositeResourceDefinition", Name: name},
		Makes: makes, Owners: owners,
	}
}

func controlledBy(c install.Claimant) install.OwnerReference {
	return install.OwnerReference{Ref: c.Ref, Controller: ptr(true), BlockOwnerDeletion: ptr(true)}
}

func ownedBy(c install.Claimant) install.OwnerReference { return install.OwnerReference{Ref: c.Ref} }

func TestRefIs(t *testing.T) {
	r := install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Name: "a", UID: "1"}
	for name, tc := range map[string]struct {
		reason string
		other  install.Ref
		want   bool
	}{
		"OtherUID":     {"packages v2 design, A Note on Backup and Restore: ownership without matching UID", install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Name: "a", UID: "2"}, true},
		"OtherVersion": {"an object is the same in all versions of its API", install.Ref{APIVersion: "pkg.crossplane.io/v1beta1", Kind: "Provider", Name: "a"}, true},
		"NoVersion":    {"kind and name tell", install.Ref{Kind: "Provider", Name: "a"}, true},
		"OtherGroup":   {"two groups may have a kind of the same name", install.Ref{APIVersion: "pkg.ibm.crossplane.io/v1", Kind: "Provider", Name: "a", UID: "1"}, false},
		"OtherKind":    {"kind and name tell", install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Configuration", Name: "a", UID: "1"}, false},
		"OtherName":    {"kind and name tell", install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Name: "b", UID: "1"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			diff(t, tc.reason, tc.want, r.Is(tc.other))
			diff(t, tc.reason, tc.want, tc.other.Is(r))
		})
	}
}

func TestTakeControl(t *testing.T) {
	const (
		active = "packages v2 design, PackageRevision Controller, Created as Active: "
		guide  = "packages guide, spec.revisionActivationPolicy: "
	)
	old, rival := revisionOf("a", "a-1", "u1"), revisionOf("a", "a-2", "u2")
	other := revisionOf("b", "b-1", "u3")
	known := []install.Claimant{old, rival, other}
	xrdOwner := install.OwnerReference{Ref: xrd("xs.example.org", nil).Ref, Controller: ptr(true)}
	for name, tc := range map[string]struct {
		reason   string
		wanted   []install.Object
		existing []install.Object
		want     []install.Write
		err      string
	}{
		"Create": {
			reason: active + "a net new object is created with the controller reference",
			wanted: []install.Object{crd("a.example.org")},
			want:   []install.Write{{Create: true, Object: crd("a.example.org", controlledBy(rival))}},
		},
		"TakeOver": {
			reason:   guide + "what an Inactive revision owns and nobody controls is taken over; owners stay",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", ownedBy(old))},
			want:     []install.Write{{Object: crd("a.example.org", ownedBy(old), controlledBy(rival))}},
		},
		"Promote": {
			reason:   guide + "an owner that becomes Active becomes the controller",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", ownedBy(rival), ownedBy(old))},
			want:     []install.Write{{Object: crd("a.example.org", controlledBy(rival), ownedBy(old))}},
		},
		"Unowned": {
			reason:   active + "set an owner reference with controller: true if one does not already exist",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org")},
			want:     []install.Write{{Object: crd("a.example.org", controlledBy(rival))}},
		},
		"Settled": {
			reason:   "an object that is controlled already is left alone",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", controlledBy(rival))},
		},
		"Restored": {
			reason:   "packages v2 design, A Note on Backup and Restore: objects are controlled under another UID",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", controlledBy(revisionOf("a", "a-2", "before")))},
			want:     []install.Write{{Object: crd("a.example.org", controlledBy(rival))}},
		},
		"RestoredTwice": {
			reason: "packages v2 design, A Note on Backup and Restore: references to one owner under several UIDs become one",
			wanted: []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org",
				controlledBy(revisionOf("a", "a-2", "before")), ownedBy(revisionOf("a", "a-2", "long before")))},
			want: []install.Write{{Object: crd("a.example.org", controlledBy(rival))}},
		},
		"AllOrNothing": {
			reason: "packages guide, Provider Packages: no CRD is installed unless all can be; every conflict is listed with both packages",
			wanted: []install.Object{crd("c.example.org"), crd("new.example.org"), crd("a.example.org"), crd("b.example.org")},
			existing: []install.Object{
				crd("a.example.org", controlledBy(other)), crd("b.example.org", ownedBy(other)), crd("c.example.org", controlledBy(other)),
			},
			err: `ProviderRevision "a-2" of package "a" cannot take control: ` +
				`customresourcedefinition "a.example.org" is controlled by ProviderRevision "b-1" of package "b"; ` +
				`customresourcedefinition "c.example.org" is controlled by ProviderRevision "b-1" of package "b"`,
		},
		"NotYetCeded": {
			reason:   active + "if another revision is in the process of becoming Inactive, the new one fails to establish control",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", controlledBy(old))},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "a.example.org" ` +
				`is controlled by ProviderRevision "a-1" of package "a", which has yet to give it up`,
		},
		"UnknownHolder": {
			reason:   "a controller whose package nobody knows is named all the same",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", install.OwnerReference{Ref: install.Ref{Kind: "HelmRelease", Name: "x"}, Controller: ptr(true)})},
			err:      `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "a.example.org" is controlled by HelmRelease "x"`,
		},
		"XRDMakesCRD": {
			reason:   "packages v2 design, PackageLock API: definitions count with the CRDs that they end in",
			wanted:   []install.Object{xrd("xs.example.org", []string{"xs.example.org", "s.example.org"})},
			existing: []install.Object{crd("s.example.org", controlledBy(other))},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "s.example.org" ` +
				`(made by compositeresourcedefinition "xs.example.org") is controlled by ProviderRevision "b-1" of package "b"`,
		},
		"CRDOfXRD": {
			reason: "packages v2 design, PackageLock API: the CRD of another package's XRD is that package's",
			wanted: []install.Object{crd("xs.example.org")},
			existing: []install.Object{
				crd("xs.example.org", xrdOwner), xrd("xs.example.org", []string{"xs.example.org"}, controlledBy(other)),
			},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "xs.example.org" ` +
				`is controlled by ProviderRevision "b-1" of package "b"`,
		},
		"CRDOfXRDToCome": {
			reason:   "packages v2 design, PackageLock API: the CRD that another package's XRD is about to make is that package's",
			wanted:   []install.Object{crd("xs.example.org")},
			existing: []install.Object{xrd("xs.example.org", []string{"xs.example.org"}, controlledBy(other))},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "xs.example.org" ` +
				`is controlled by ProviderRevision "b-1" of package "b"`,
		},
		"OwnXRD": {
			reason: "the CRDs of a package's own XRD are no conflict, and are left to the XRD",
			wanted: []install.Object{xrd("xs.example.org", []string{"xs.example.org"})},
			existing: []install.Object{
				xrd("xs.example.org", []string{"xs.example.org"}, ownedBy(old)), crd("xs.example.org", xrdOwner),
			},
			want: []install.Write{{Object: xrd("xs.example.org", []string{"xs.example.org"}, ownedBy(old), controlledBy(rival))}},
		},
		"CRDBesideItsXRD": {
			reason: "packages v2 design, PackageLock API: a definition counts with the CRDs that it ends in, which the same package cannot bring, too",
			wanted: []install.Object{crd("xs.example.org"), xrd("xs.example.org", []string{"xs.example.org"})},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "xs.example.org" ` +
				`is controlled by CompositeResourceDefinition "xs.example.org" of package "a"`,
		},
		"TwoXRDsOfOneCRD": {
			reason: "packages v2 design, PackageLock API: a CRD can be made by one definition only",
			wanted: []install.Object{xrd("xs.example.org", []string{"s.example.org"}), xrd("ys.example.org", []string{"s.example.org"})},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "s.example.org" ` +
				`(made by compositeresourcedefinition "ys.example.org") is controlled by CompositeResourceDefinition "xs.example.org" of package "a"`,
		},
		"CRDOfOwnXRD": {
			reason: guide + "one controller of a resource: a CRD that the revision's own XRD made is the XRD's",
			wanted: []install.Object{crd("xs.example.org")},
			existing: []install.Object{
				crd("xs.example.org", xrdOwner), xrd("xs.example.org", []string{"xs.example.org"}, controlledBy(rival)),
			},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "xs.example.org" ` +
				`is controlled by CompositeResourceDefinition "xs.example.org" of package "a"`,
		},
		"WantedTwice": {
			reason: active + "an object is created once",
			wanted: []install.Object{crd("a.example.org"), crd("b.example.org"), crd("a.example.org")},
			want: []install.Write{
				{Create: true, Object: crd("a.example.org", controlledBy(rival))}, {Create: true, Object: crd("b.example.org", controlledBy(rival))},
			},
		},
		"TwoControllers": {
			reason:   guide + "one controller of a resource: another one beside the revision is a conflict",
			wanted:   []install.Object{crd("a.example.org")},
			existing: []install.Object{crd("a.example.org", controlledBy(rival), controlledBy(other))},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "a.example.org" ` +
				`is controlled by ProviderRevision "b-1" of package "b"`,
		},
		"XRDOfNobody": {
			reason:   "a CRD whose XRD no package has is the XRD's",
			wanted:   []install.Object{crd("xs.example.org")},
			existing: []install.Object{crd("xs.example.org", xrdOwner)},
			err: `ProviderRevision "a-2" of package "a" cannot take control: customresourcedefinition "xs.example.org" ` +
				`is controlled by CompositeResourceDefinition "xs.example.org"`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := install.TakeControl(rival, tc.wanted, tc.existing, known)
			diff(t, tc.reason, tc.want, got)
			text := ""
			if err != nil {
				text = err.Error()
				var conflict *install.ConflictError
				if !errors.As(err, &conflict) || !errors.Is(err, meta.ErrInvalid) {
					t.Errorf("error is %T, want a *ConflictError that matches meta.ErrInvalid", err)
				}
			}
			diff(t, tc.reason, tc.err, text)
		})
	}
}

func TestTakeOwnership(t *testing.T) {
	const reason = "packages guide, spec.revisionActivationPolicy; packages v2 design, Modified to be Inactive: remove the controller reference, but keep the owner reference"
	self, other := revisionOf("a", "a-1", "u1"), revisionOf("b", "b-1", "u2")
	got := install.TakeOwnership(self.Ref,
		[]install.Object{crd("mine.example.org"), crd("theirs.example.org"), crd("settled.example.org"), crd("missing.example.org"), crd("mine.example.org")},
		[]install.Object{
			crd("mine.example.org", controlledBy(self)), crd("theirs.example.org", controlledBy(other)), crd("settled.example.org", ownedBy(self)),
		})
	diff(t, reason, []install.Write{
		{Object: crd("mine.example.org", ownedBy(self))},
		{Object: crd("theirs.example.org", controlledBy(other), ownedBy(self))},
	}, got)
}

// One controller at most, any number of owners, however revisions take over
// from each other.
func TestOneController(t *testing.T) {
	const reason = "packages guide, spec.revisionActivationPolicy: one controller of a resource, an arbitrary number of owners"
	wanted := []install.Object{crd("a.example.org"), crd("b.example.org")}
	var existing []install.Object
	apply := func(writes []install.Write) {
		for _, w := range writes {
			var kept []install.Object
			for _, o := range existing {
				if !o.Is(w.Object.Ref) {
					kept = append(kept, o)
				}
			}
			existing = append(kept, w.Object)
		}
	}
	for i, name := range []string{"a-1", "a-2", "a-3", "a-4"} {
		next := revisionOf("a", name, "")
		if i > 0 {
			if _, err := install.TakeControl(next, wanted, existing, nil); err == nil {
				t.Errorf("%s: %s takes control while another revision has it", reason, name)
			}
			apply(install.TakeOwnership(revisionOf("a", []string{"a-1", "a-2", "a-3"}[i-1], "").Ref, wanted, existing))
		}
		writes, err := install.TakeControl(next, wanted, existing, nil)
		if err != nil {
			t.Fatal(err)
		}
		apply(writes)
		for _, o := range existing {
			controllers := 0
			for _, owner := range o.Owners {
				if owner.IsController() {
					controllers++
				}
			}
			diff(t, reason, 1, controllers)
			diff(t, reason, i+1, len(o.Owners))
		}
	}
}

func TestObjectsOf(t *testing.T) {
	provides := &meta.Provides{
		Kinds: []meta.ProvidedKind{
			{Group: "example.org", Kind: "Bucket", Plural: "buckets", Definition: meta.DefinitionCRD, Name: "buckets.example.org"},
			{Group: "example.org", Kind: "Disk", Plural: "disks", Definition: meta.DefinitionMRD, Name: "disks.example.org"},
			{Group: "example.org", Kind: "XNet", Plural: "xnets", Definition: meta.DefinitionXRD, Name: "xnets.example.org"},
			{Group: "example.org", Kind: "Net", Plural: "nets", Definition: meta.DefinitionXRD, Name: "xnets.example.org", Claim: true},
		},
		Compositions: []meta.ProvidedComposition{{Name: "net"}, {Name: "net"}},
		Webhooks: []meta.ProvidedWebhook{
			{Kind: "ValidatingWebhookConfiguration", Configuration: "checks", Name: "a.example.org"},
			{Kind: "ValidatingWebhookConfiguration", Configuration: "checks", Name: "b.example.org"},
		},
	}
	webhooks := install.Object{Ref: install.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "ValidatingWebhookConfiguration", Name: "checks"}}
	composition := install.Object{Ref: install.Ref{APIVersion: "apiextensions.crossplane.io/v1", Kind: "Composition", Name: "net"}}
	mrd := install.Object{
		Ref:   install.Ref{APIVersion: "apiextensions.crossplane.io/v1alpha1", Kind: "ManagedResourceDefinition", Name: "disks.example.org"},
		Makes: []string{"disks.example.org"},
	}
	diff(t, "packages v2 design, PackageLock API: CRDs, what ends in CRDs, and Compositions; xpkg specification 2026: and webhook configurations",
		[]install.Object{crd("buckets.example.org"), mrd, xrd("xnets.example.org", []string{"xnets.example.org", "nets.example.org"}), composition, webhooks},
		install.ObjectsOf(meta.Provider, provides))
	diff(t, "xpkg specification 2026, Function Package Requirements: the CRDs of a Function are not created",
		[]install.Object(nil), install.ObjectsOf(meta.Function, provides))
	diff(t, "a package that brings nothing", []install.Object(nil), install.ObjectsOf(meta.Provider, nil))
}

func TestGarbageCollect(t *testing.T) {
	const (
		pkgDeleted = "packages v2 design, Package Deleted: all of its revisions are garbage collected by their owner being deleted"
		revDeleted = "packages v2 design, PackageRevision Deleted: if it is the sole owner of an object it is cleaned up"
	)
	pkg := install.Ref{APIVersion: "pkg.crossplane.io/v1", Kind: "Provider", Name: "a", UID: "now"}
	first, second, other := revisionOf("a", "a-1", ""), revisionOf("a", "a-2", ""), revisionOf("b", "b-1", "")
	byPackage := install.OwnerReference{Ref: pkg, Controller: ptr(true)}
	byPackage.UID = "before"
	objects := []install.Object{
		{Ref: first.Ref, Owners: []install.OwnerReference{byPackage}},
		{Ref: second.Ref, Owners: []install.OwnerReference{byPackage}},
		crd("old.example.org", ownedBy(first)),
		crd("both.example.org", ownedBy(first), controlledBy(second)),
		crd("shared.example.org", ownedBy(second), controlledBy(other)),
		crd("free.example.org"),
		{Ref: install.Ref{APIVersion: "apps/v1", Kind: "Deployment", Name: "a-2"}, Owners: []install.OwnerReference{controlledBy(second)}},
	}
	names := func(objects []install.Object) (all []string) {
		for _, o := range objects {
			all = append(all, o.Name)
			for _, owner := range o.Owners {
				all = append(all, "  owned by "+owner.Name)
			}
		}
		return all
	}
	for name, tc := range map[string]struct {
		reason     string
		deleted    []install.Ref
		gone, kept []string
	}{
		"Package": {
			reason:  pkgDeleted + "; packages v2 design, Package Controller: what only they own goes, and what another owns stays",
			deleted: []install.Ref{pkg},
			gone: []string{
				"a-1", "  owned by a", "a-2", "  owned by a", "old.example.org", "  owned by a-1",
				"both.example.org", "  owned by a-1", "  owned by a-2", "a-2", "  owned by a-2",
			},
			kept: []string{"shared.example.org", "  owned by b-1"},
		},
		"InactiveRevision": {
			reason:  revDeleted + "; an Inactive one takes what the newer one dropped",
			deleted: []install.Ref{first.Ref},
			gone:    []string{"old.example.org", "  owned by a-1"},
			kept:    []string{"both.example.org", "  owned by a-2"},
		},
		"ActiveRevision": {
			reason:  revDeleted + "; an Active one leaves what an older one owns",
			deleted: []install.Ref{second.Ref},
			gone:    []string{"a-2", "  owned by a-2"},
			kept:    []string{"both.example.org", "  owned by a-1", "shared.example.org", "  owned by b-1"},
		},
		"Both": {
			reason:  revDeleted,
			deleted: []install.Ref{first.Ref, second.Ref, first.Ref},
			gone: []string{
				"old.example.org", "  owned by a-1", "both.example.org", "  owned by a-1", "  owned by a-2", "a-2", "  owned by a-2",
			},
			kept: []string{"shared.example.org", "  owned by b-1"},
		},
		"Nothing": {reason: "nothing was deleted"},
	} {
		t.Run(name, func(t *testing.T) {
			gone, kept := install.GarbageCollect(objects, tc.deleted...)
			diff(t, tc.reason, tc.gone, names(gone))
			diff(t, tc.reason, tc.kept, names(kept))
		})
	}
}

func TestGarbageCollectCycle(t *testing.T) {
	a, b := install.Ref{Kind: "A", Name: "a"}, install.Ref{Kind: "B", Name: "b"}
	gone, kept := install.GarbageCollect([]install.Object{
		{Ref: a, Owners: []install.OwnerReference{{Ref: b}}},
		{Ref: b, Owners: []install.OwnerReference{{Ref: a}}},
	}, a)
	diff(t, "objects that own each other end", 1, len(gone))
	diff(t, "objects that own each other end", 0, len(kept))
}
