package install_test

import (
	"errors"
	"fmt"
	"time"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

// The object that asks for a Provider, as the guide's command line would create it.
func ExampleNew() {
	m, err := install.New(meta.Provider, "crossplane/provider-gcp:v0.12.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	data, err := m.Encode()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(data))
	// Output: {"apiVersion":"pkg.crossplane.io/v1","kind":"Provider","metadata":{"name":"provider-gcp"},"spec":{"package":"crossplane/provider-gcp:v0.12.0","packagePullPolicy":"IfNotPresent","revisionActivationPolicy":"Automatic","revisionHistoryLimit":1}}
}

// Every fault of a manifest comes at once, with its path, and the manifest comes with them.
func ExampleDecodeManifest_faults() {
	m, err := install.DecodeManifest([]byte(`{
		"apiVersion": "pkg.crossplane.io/v1",
		"kind": "Configuration",
		"metadata": {"name": "my-org-infra"},
		"spec": {
			"package": "crossplane/my-org-infra:latest",
			"packagePullPolicy": "Automatic",
			"revisionHistoryLimit": -1,
			"controllerConfigRef": {"name": "aws-config"}
		}
	}`))
	var faults meta.FieldErrors
	if errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Println(f)
		}
	}
	fmt.Println(m.Metadata.Name)
	// Output:
	// spec.controllerConfigRef: only a Provider has this field, and the object is a Configuration
	// spec.packagePullPolicy: "Automatic" is not a pull policy: IfNotPresent, Always or Never (it is a revisionActivationPolicy)
	// spec.revisionHistoryLimit: the number -1 is not a number of revisions from 0 (0 keeps all)
	// my-org-infra
}

// What a pull policy means for a reference.
func ExampleBehavior() {
	ref, err := meta.ParseReference("crossplane/provider-gcp:latest")
	if err != nil {
		fmt.Println(err)
		return
	}
	b, err := install.Behavior(install.ReferenceKindOf(ref), install.PullAlways)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("downloaded:", b.Downloaded)
	fmt.Println("if the cache is lost:", b.CacheLost)
	fmt.Println("upgrade safety:", b.Safety)
	fmt.Println("two minutes after the last check:", b.Next(true, 2*time.Minute))
	// Output:
	// downloaded: when not in the cache, or when the tag has moved
	// if the cache is lost: the package will frequently be upgraded
	// upgrade safety: Very Weak
	// two minutes after the last check: check
}

// An upgrade: the new revision replaces the active one, and the oldest inactive one goes.
func ExamplePlanRevisions() {
	m, err := install.New(meta.Provider, "example.org/provider-gcp:v1.5.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	*m.Spec.RevisionHistoryLimit = 3
	history := install.History{
		Revisions: []install.Revision{
			{Name: "provider-gcp-111111111111", Number: 1, Desired: install.Inactive},
			{Name: "provider-gcp-222222222222", Number: 2, Desired: install.Inactive},
			{Name: "provider-gcp-333333333333", Number: 3, Desired: install.Inactive},
			{Name: "provider-gcp-444444444444", Number: 4, Desired: install.Active},
		},
		Current: "provider-gcp-444444444444",
	}
	plan, err := install.PlanRevisions(m.Parent(), history, install.Resolution{Digest: digest})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, a := range plan.Actions {
		if a.Op != install.OpAdopt {
			fmt.Printf("%s %s (%s)\n", a.Op, a.Revision.Name, a.Reason)
		}
	}
	for _, r := range plan.History.Revisions {
		fmt.Println(r.Number, r.Name, r.Desired)
	}
	// Output:
	// deactivate provider-gcp-444444444444 (another revision is the active one)
	// create provider-gcp-0123456789ab (the package resolves to a new digest)
	// collect provider-gcp-111111111111 (it is outside the history limit of 3)
	// 2 provider-gcp-222222222222 Inactive
	// 3 provider-gcp-333333333333 Inactive
	// 4 provider-gcp-444444444444 Inactive
	// 5 provider-gcp-0123456789ab Active
}

// A pull failed, and since then a secret was added: it is worth another try.
func ExamplePlanRevisions_failedPull() {
	m, err := install.New(meta.Provider, "example.org/private/provider:v1.0.0")
	if err != nil {
		fmt.Println(err)
		return
	}
	failed := m.Parent().Pull
	m.Spec.PackagePullSecrets = []install.LocalReference{{Name: "credentials"}}
	plan, err := install.PlanRevisions(m.Parent(), install.History{}, install.Resolution{Failed: &failed})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(plan.Actions), plan.Retry)
	// Output: 0 [pull secrets]
}

// Two packages that bring the same kind: the second takes control of nothing.
func ExampleTakeControl_conflict() {
	crd := install.Ref{APIVersion: "apiextensions.k8s.io/v1", Kind: "CustomResourceDefinition", Name: "buckets.s3.example.org"}
	first := install.Claimant{Package: "provider-a", Ref: install.Ref{Kind: "ProviderRevision", Name: "provider-a-111111111111"}}
	second := install.Claimant{Package: "provider-b", Ref: install.Ref{Kind: "ProviderRevision", Name: "provider-b-222222222222"}}
	wanted := []install.Object{{Ref: crd}}

	writes, err := install.TakeControl(first, wanted, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	existing := []install.Object{writes[0].Object}
	_, err = install.TakeControl(second, wanted, existing, []install.Claimant{first, second})
	fmt.Println(err)
	var conflict *install.ConflictError
	fmt.Println(errors.As(err, &conflict), conflict.Conflicts[0].Cedes())
	// Output:
	// ProviderRevision "provider-b-222222222222" of package "provider-b" cannot take control: customresourcedefinition "buckets.s3.example.org" is controlled by ProviderRevision "provider-a-111111111111" of package "provider-a"
	// true false
}

// The lock makes exactly one of two rivals win: whoever writes it first.
func ExamplePackageLock_Claim() {
	lock := &install.PackageLock{APIVersion: install.DesignAPIVersion, Kind: install.KindPackageLock}
	lock.Metadata = install.Metadata{Name: "packages", ResourceVersion: "41"}

	next, err := lock.Claim(install.Claim{
		Package: "provider-a", Image: "example.org/provider-a:v1.0.0", CRDs: []string{"buckets.s3.example.org"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("write it if the newest version is", next.Metadata.ResourceVersion)
	_, err = next.Claim(install.Claim{
		Package: "provider-b", Image: "example.org/provider-b:v1.0.0", CRDs: []string{"buckets.s3.example.org"},
	})
	fmt.Println(err)
	// Output:
	// write it if the newest version is 41
	// package "provider-b" cannot take control: customresourcedefinition "buckets.s3.example.org" is controlled by package "provider-a"
}

// A package that asks for permissions that are not to be had cannot be installed.
func ExamplePermissionsOf() {
	pkg, err := meta.Decode([]byte(`{
		"apiVersion": "meta.pkg.crossplane.io/v1",
		"kind": "Provider",
		"metadata": {"name": "provider-gcp"},
		"spec": {"controller": {"permissionRequests": [
			{"apiGroups": ["apps"], "resources": ["deployments"], "verbs": ["get"]},
			{"apiGroups": ["rbac.authorization.k8s.io"], "resources": ["roles"], "verbs": ["*"]}
		]}}
	}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	p := install.PermissionsOf(pkg, nil, "rbac.authorization.k8s.io")
	fmt.Println(len(p.Implied), len(p.Requested), len(p.Refused))
	fmt.Println(p.Err())
	// Output:
	// 1 1 1
	// spec.controller.permissionRequests[1].apiGroups[0]: permissions for the API group "rbac.authorization.k8s.io" are refused by the configuration of Crossplane
}

// A controller comes to a state in steps.
func ExampleSteps() {
	for _, s := range install.Steps("ProviderRevision", install.Active, install.Inactive) {
		fmt.Println(s.Verb, s.Resource)
	}
	// Output:
	// delete Deployment
	// delete RBAC
	// delete ServiceAccount
	// own package objects
}
