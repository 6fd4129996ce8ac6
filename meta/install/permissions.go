package install

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Permissions are what the controller of a package may do in the cluster, and
// what it asked for in vain. (packages guide, Provider Packages; package format
// v2, The Packaged Format)
type Permissions struct {
	// Implied are given without being asked for: the kinds that the package
	// installs, and Secrets, ConfigMaps and Events.
	Implied []meta.PermissionRequest
	// Requested are what the package asks for and may have.
	Requested []meta.PermissionRequest
	// Refused are what it asks for and may not have. A package with any of
	// these cannot be installed.
	Refused []RefusedPermission
}

// A RefusedPermission is a request that names API groups that are not allowed.
type RefusedPermission struct {
	Request meta.PermissionRequest
	// Path leads to the request in the package's metadata.
	Path meta.Path
	// Groups are the requested API groups that are refused, in the order of the
	// request. "*" asks for all groups, and is refused if any group is.
	Groups []string
}

// PermissionsOf tells what the controller of a package gets. provides is what
// the package brings, refusedGroups are the API groups for which Crossplane's
// RBAC manager is configured to reject requests; "*" refuses all.
//
// Only a Provider's controller gets anything, and none does whose metadata is
// nil. Dependencies give none: to depend
// on a kind is not to reconcile it. The rules for the package's own kinds are
// those of Crossplane's RBAC manager: everything but deleting them, their
// status, and setting their finalizers; one rule per API group, groups and
// kinds sorted. (packages v2 design, PackageRevision API, spec.dependsOn)
func PermissionsOf(pkg *meta.Package, provides *meta.Provides, refusedGroups ...string) Permissions {
	var p Permissions
	if pkg == nil || pkg.Kind != meta.Provider {
		return p
	}
	p.Implied = impliedPermissions(provides)
	for i, request := range pkg.Permissions() {
		var refused []string
		for _, group := range request.APIGroups {
			if isRefused(group, refusedGroups) {
				refused = append(refused, group)
			}
		}
		if len(refused) == 0 {
			p.Requested = append(p.Requested, request)
			continue
		}
		p.Refused = append(p.Refused, RefusedPermission{Request: request, Path: permissionPath(pkg, i), Groups: refused})
	}
	return p
}

// Err returns meta.FieldErrors with every group that is refused, or nil: then
// the package may be installed.
func (p Permissions) Err() error {
	var faults meta.FieldErrors
	for _, r := range p.Refused {
		for _, group := range r.Groups {
			faults = append(faults, &meta.FieldError{
				Path:  join(r.Path, "apiGroups", slices.Index(r.Request.APIGroups, group)),
				Fault: FaultRefusedGroup,
				Err:   fmt.Errorf("permissions for the API group %s %w", quote(group), errRefused),
			})
		}
	}
	return orNil(faults)
}

var errRefused = errors.New("are refused by the configuration of Crossplane")

func isRefused(group string, refused []string) bool {
	if len(refused) == 0 {
		return false
	}
	return group == "*" || slices.Contains(refused, group) || slices.Contains(refused, "*")
}

// permissionPath leads to a request in whichever of its two places the package
// has them.
func permissionPath(pkg *meta.Package, i int) meta.Path {
	if pkg.Controller != nil && len(pkg.Controller.PermissionRequests) > 0 {
		return meta.Path{"spec", "controller", "permissionRequests", i}
	}
	return meta.Path{"spec", "permissionRequests", i}
}

func impliedPermissions(provides *meta.Provides) []meta.PermissionRequest {
	resources := make(map[string][]string)
	if provides != nil {
		for _, k := range provides.Kinds {
			resources[k.Group] = append(resources[k.Group], k.Plural)
		}
	}
	var rules []meta.PermissionRequest
	for _, group := range slices.Sorted(maps.Keys(resources)) {
		plurals := slices.Compact(slices.Sorted(slices.Values(resources[group])))
		var kinds, finalizers []string
		for _, plural := range plurals {
			kinds = append(kinds, plural, plural+"/status")
			finalizers = append(finalizers, plural+"/finalizers")
		}
		rules = append(rules,
			meta.PermissionRequest{
				APIGroups: []string{group}, Resources: kinds,
				Verbs: []string{"get", "list", "watch", "update", "patch", "create"},
			},
			meta.PermissionRequest{APIGroups: []string{group}, Resources: finalizers, Verbs: []string{"update"}},
		)
	}
	return append(rules, meta.PermissionRequest{
		APIGroups: []string{""}, Resources: []string{"secrets", "configmaps", "events"}, Verbs: []string{"*"},
	})
}
