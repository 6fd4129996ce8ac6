package install

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// The API groups of objects that live in a cluster. What a package says about
// itself lives in meta.Group and meta.GroupIBM instead.
const (
	// Group is the group of Provider, Configuration, Function, their revisions,
	// ControllerConfig (packages guide), and ImageConfig.
	Group = meta.InstallGroup
	// GroupIBM is the group of Provider and Configuration for packages whose
	// metadata is in meta.GroupIBM. (package format v2, The Packaged Format)
	GroupIBM = meta.InstallGroupIBM
	// GroupDesign is the group of Package, PackageRevision and PackageLock.
	// (packages v2 design, PackageRevision API: the type that serves as their
	// basis is packages.crossplane.io)
	GroupDesign = "packages.crossplane.io"
)

// DesignAPIVersion is the version that the packages v2 design introduces
// Package and PackageRevision at. The design names none for PackageLock; it is
// taken to be the same.
const DesignAPIVersion = GroupDesign + "/v1beta1"

// ControllerConfigAPIVersion is the only version that ControllerConfig ever
// had. (packages guide, spec.controllerConfigRef)
const ControllerConfigAPIVersion = Group + "/v1alpha1"

// ImageConfigAPIVersion is the only version that ImageConfig has.
const ImageConfigAPIVersion = Group + "/v1beta1"

// Kinds of the packages v2 design, and of the objects that configure a
// Provider's controller and the images of packages.
const (
	KindPackage          = "Package"
	KindPackageRevision  = "PackageRevision"
	KindPackageLock      = "PackageLock"
	KindControllerConfig = "ControllerConfig"
	KindImageConfig      = "ImageConfig"
)

// APIVersions returns the versions of a kind's install manifest in a group,
// newest first, and nothing when the group has no such kind. Package format v2
// names its group without a version: v1alpha1 is the version of its metadata,
// v1 that of the guide's manifests, and both are read.
func APIVersions(group string, k meta.Kind) []string {
	switch {
	case group == Group && (k == meta.Provider || k == meta.Configuration):
		return []string{Group + "/v1", Group + "/v1beta1", Group + "/v1alpha1"}
	case group == Group && k == meta.Function:
		return []string{Group + "/v1", Group + "/v1beta1"}
	case group == GroupIBM && (k == meta.Provider || k == meta.Configuration):
		return []string{GroupIBM + "/v1", GroupIBM + "/v1alpha1"}
	}
	return nil
}

// RevisionKind returns the kind of a package's revisions: ProviderRevision for
// Provider, and so on. It takes the kind of an install manifest or KindPackage.
func RevisionKind(kind string) string { return kind + "Revision" }

// isManifest says whether an object is an install manifest, whatever its
// version.
func isManifest(apiVersion string, k meta.Kind) bool {
	return len(APIVersions(groupOf(apiVersion), k)) > 0
}

func knownVersion(apiVersion string, k meta.Kind) bool {
	return slices.Contains(APIVersions(groupOf(apiVersion), k), apiVersion)
}

func groupOf(apiVersion string) string {
	group, _ := meta.SplitAPIVersion(apiVersion)
	return group
}
