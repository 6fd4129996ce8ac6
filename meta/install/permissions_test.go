package install_test

import (
	"testing"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/meta/install"
)

func TestPermissionsOf(t *testing.T) {
	system := []string{"get", "list", "watch", "update", "patch", "create"}
	basics := meta.PermissionRequest{APIGroups: []string{""}, Resources: []string{"secrets", "configmaps", "events"}, Verbs: []string{"*"}}
	compositions := meta.PermissionRequest{
		APIGroups: []string{"apiextensions.crossplane.io"}, Resources: []string{"compositions"},
		Verbs: []string{"get", "list", "create", "update", "patch", "watch"},
	}
	two := meta.PermissionRequest{APIGroups: []string{"apps", "rbac.authorization.k8s.io"}, Resources: []string{"*"}, Verbs: []string{"*"}}
	all := meta.PermissionRequest{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"*"}}
	url := meta.PermissionRequest{NonResourceURLs: []string{"/metrics"}, Verbs: []string{"get"}}
	provider := func(requests ...meta.PermissionRequest) *meta.Package {
		return &meta.Package{Kind: meta.Provider, Controller: &meta.Controller{PermissionRequests: requests}}
	}
	for name, tc := range map[string]struct {
		reason   string
		pkg      *meta.Package
		provides *meta.Provides
		refused  []string
		want     install.Permissions
		errs     []string
	}{
		"Implied": {
			reason: "packages guide, Provider Packages: all types that its package installs, as well as Secrets, ConfigMaps, and Events",
			pkg:    provider(),
			provides: &meta.Provides{Kinds: []meta.ProvidedKind{
				{Group: "s3.example.org", Plural: "buckets"}, {Group: "ec2.example.org", Plural: "vpcs"}, {Group: "s3.example.org", Plural: "acls"},
			}},
			want: install.Permissions{Implied: []meta.PermissionRequest{
				{APIGroups: []string{"ec2.example.org"}, Resources: []string{"vpcs", "vpcs/status"}, Verbs: system},
				{APIGroups: []string{"ec2.example.org"}, Resources: []string{"vpcs/finalizers"}, Verbs: []string{"update"}},
				{APIGroups: []string{"s3.example.org"}, Resources: []string{"acls", "acls/status", "buckets", "buckets/status"}, Verbs: system},
				{APIGroups: []string{"s3.example.org"}, Resources: []string{"acls/finalizers", "buckets/finalizers"}, Verbs: []string{"update"}},
				basics,
			}},
		},
		"Requested": {
			reason: "packages guide, Provider Packages: any additional permissions must be explicitly requested",
			pkg:    provider(compositions, url),
			want:   install.Permissions{Implied: []meta.PermissionRequest{basics}, Requested: []meta.PermissionRequest{compositions, url}},
		},
		"Refused": {
			reason:  "packages guide, Provider Packages: permissions for API groups that are configured to be rejected; the package will fail to be installed",
			pkg:     provider(compositions, two, all),
			refused: []string{"rbac.authorization.k8s.io"},
			want: install.Permissions{
				Implied: []meta.PermissionRequest{basics}, Requested: []meta.PermissionRequest{compositions},
				Refused: []install.RefusedPermission{
					{Request: two, Path: meta.Path{"spec", "controller", "permissionRequests", 1}, Groups: []string{"rbac.authorization.k8s.io"}},
					{Request: all, Path: meta.Path{"spec", "controller", "permissionRequests", 2}, Groups: []string{"*"}},
				},
			},
			errs: []string{
				`spec.controller.permissionRequests[1].apiGroups[1]: permissions for the API group "rbac.authorization.k8s.io" are refused by the configuration of Crossplane`,
				`spec.controller.permissionRequests[2].apiGroups[0]: permissions for the API group "*" are refused by the configuration of Crossplane`,
			},
		},
		"AllRefused": {
			reason:  "packages guide, Provider Packages: the RBAC manager may reject everything; URLs belong to no group",
			pkg:     provider(compositions, url),
			refused: []string{"*"},
			want: install.Permissions{
				Implied: []meta.PermissionRequest{basics}, Requested: []meta.PermissionRequest{url},
				Refused: []install.RefusedPermission{{
					Request: compositions, Path: meta.Path{"spec", "controller", "permissionRequests", 0}, Groups: []string{"apiextensions.crossplane.io"},
				}},
			},
			errs: []string{`spec.controller.permissionRequests[0].apiGroups[0]: permissions for the API group "apiextensions.crossplane.io" are refused by the configuration of Crossplane`},
		},
		"FormatV2": {
			reason:  "package format v2, The Packaged Format: the requests are at spec.permissionRequests; the package manager may or may not allow them",
			pkg:     &meta.Package{Kind: meta.Provider, Controller: &meta.Controller{Image: "i"}, PermissionRequests: []meta.PermissionRequest{compositions}},
			refused: []string{"apiextensions.crossplane.io"},
			want: install.Permissions{
				Implied: []meta.PermissionRequest{basics},
				Refused: []install.RefusedPermission{{
					Request: compositions, Path: meta.Path{"spec", "permissionRequests", 0}, Groups: []string{"apiextensions.crossplane.io"},
				}},
			},
			errs: []string{`spec.permissionRequests[0].apiGroups[0]: permissions for the API group "apiextensions.crossplane.io" are refused by the configuration of Crossplane`},
		},
		"Dependencies": {
			reason: "packages v2 design, PackageRevision API, spec.dependsOn: no longer used to drive RBAC generation",
			pkg:    &meta.Package{Kind: meta.Provider, DependsOn: dependsOn(t, `[{"crd":"bucket.s3.example.org/v1"}]`)},
			want:   install.Permissions{Implied: []meta.PermissionRequest{basics}},
		},
		"Configuration": {
			reason:   "packages guide, Configuration Packages: a Configuration has no controller",
			pkg:      &meta.Package{Kind: meta.Configuration, PermissionRequests: []meta.PermissionRequest{compositions}},
			provides: &meta.Provides{Kinds: []meta.ProvidedKind{{Group: "example.org", Plural: "xnets"}}},
		},
		"Function": {
			reason:   "xpkg specification 2026, Function Package Requirements: the CRDs of a Function are not created",
			pkg:      &meta.Package{Kind: meta.Function},
			provides: &meta.Provides{Kinds: []meta.ProvidedKind{{Group: "example.org", Plural: "inputs"}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := install.PermissionsOf(tc.pkg, tc.provides, tc.refused...)
			diff(t, tc.reason, tc.want, got)
			diff(t, tc.reason, tc.errs, texts(t, got.Err()))
		})
	}
}

func TestSteps(t *testing.T) {
	const (
		active   = "packages v2 design, PackageRevision Created as Active: control, ServiceAccount and RBAC, Deployment"
		inactive = "packages v2 design, PackageRevision Modified to be Inactive: delete Deployment, ServiceAccount and RBAC, then give control up"
		created  = "packages guide, spec.revisionActivationPolicy: an Inactive revision will not perform any auxiliary actions"
		none     = "packages guide, Configuration Packages: a Configuration has no controller"
		function = "xpkg specification 2026, Function Package Requirements: no kinds are installed for a Function's controller"
		job      = "packages v2 design, Existing Package Modified: clean up the Job of a revision that became Inactive, and not that of one that waits"
	)
	control := install.Step{Verb: install.VerbControl, Resource: install.ResourceObjects}
	own := install.Step{Verb: install.VerbOwn, Resource: install.ResourceObjects}
	ensure := func(r install.Resource) install.Step { return install.Step{Verb: install.VerbEnsure, Resource: r} }
	drop := func(r install.Resource) install.Step { return install.Step{Verb: install.VerbDelete, Resource: r} }
	start := []install.Step{control, ensure(install.ResourceServiceAccount), ensure(install.ResourceRBAC), ensure(install.ResourceDeployment)}
	stop := []install.Step{drop(install.ResourceDeployment), drop(install.ResourceRBAC), drop(install.ResourceServiceAccount), own}
	for _, tc := range []struct {
		reason   string
		kind     string
		from, to install.State
		want     []install.Step
	}{
		{active, "ProviderRevision", "", install.Active, start},
		{active, "ProviderRevision", install.Inactive, install.Active, start},
		{inactive, "ProviderRevision", install.Active, install.Inactive, stop},
		{created, "ProviderRevision", "", install.Inactive, []install.Step{own}},
		{created, "ProviderRevision", install.Inactive, install.Inactive, []install.Step{own}},
		{none, "ConfigurationRevision", "", install.Active, []install.Step{control}},
		{none, "ConfigurationRevision", install.Active, install.Inactive, []install.Step{own}},
		{function, "FunctionRevision", "", install.Active, []install.Step{control, ensure(install.ResourceServiceAccount), ensure(install.ResourceDeployment)}},
		{function, "FunctionRevision", install.Active, install.Inactive, []install.Step{drop(install.ResourceDeployment), drop(install.ResourceServiceAccount), own}},
		{active, "PackageRevision", "", install.Active, start},
		{job, "PackageRevision", install.Active, install.Inactive, append(stop[:len(stop):len(stop)], drop(install.ResourceInstallJob))},
		{job, "PackageRevision", "", install.Inactive, []install.Step{own}},
	} {
		diff(t, tc.reason+": "+tc.kind, tc.want, install.Steps(tc.kind, tc.from, tc.to))
	}
}

func TestPermissionsOfNothing(t *testing.T) {
	diff(t, "metadata that nobody knows gives no permission", install.Permissions{}, install.PermissionsOf(nil, nil, "*"))
}
