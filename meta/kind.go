package meta

import "strings"

// A Kind is what a package is. Its text is the kind of the metadata object.
type Kind string

// The kinds of packages.
const (
	Provider      Kind = "Provider"
	Configuration Kind = "Configuration"
	Function      Kind = "Function"
)

// The API groups of metadata objects.
const (
	// Group is the group of the xpkg specification.
	Group = "meta.pkg.crossplane.io"

	// GroupIBM is the group of package format v2, which alone rules the packages
	// that use it.
	GroupIBM = "meta.pkg.ibm.crossplane.io"
)

// The API groups of the custom resources by which packages are installed, and
// which a dependency names.
const (
	// InstallGroup is the group of what is installed from metadata in [Group].
	InstallGroup = "pkg.crossplane.io"

	// InstallGroupIBM is the group of what is installed from metadata in
	// [GroupIBM].
	InstallGroupIBM = "pkg.ibm.crossplane.io"
)

// Kinds are the kinds of packages, in the order of the specification.
func Kinds() []Kind { return []Kind{Provider, Configuration, Function} }

// IsMeta reports whether an object of this apiVersion is the metadata of a
// package: its group is [Group] or [GroupIBM], whatever the version and the kind.
func IsMeta(apiVersion string) bool {
	group, version := SplitAPIVersion(apiVersion)
	return version != "" && (group == Group || group == GroupIBM)
}

// Versions are the known API versions of the metadata of a kind in a group,
// newest first; none if the group has no such kind.
func Versions(group string, k Kind) []string {
	switch {
	case group == Group && (k == Provider || k == Configuration):
		return []string{"v1", "v1beta1", "v1alpha1"}
	case group == Group && k == Function:
		// Functions came with v1beta1.
		return []string{"v1", "v1beta1"}
	case group == GroupIBM && (k == Provider || k == Configuration):
		return []string{"v1alpha1"}
	default:
		return nil
	}
}

// SplitAPIVersion takes an apiVersion apart: "apps/v1" is group "apps", version
// "v1", and "v1" is version "v1" of the group without a name.
func SplitAPIVersion(apiVersion string) (group, version string) {
	if i := strings.LastIndexByte(apiVersion, '/'); i >= 0 {
		return apiVersion[:i], apiVersion[i+1:]
	}
	return "", apiVersion
}

// tagsAreExact reports whether a bare version in the dependencies of metadata of
// this apiVersion is a tag: in package format v2 a version "is currently treated
// as a specific version tag", and v1alpha1 is the API of that format.
func tagsAreExact(apiVersion string) bool {
	group, version := SplitAPIVersion(apiVersion)
	return group == GroupIBM || version == "v1alpha1"
}
