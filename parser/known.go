package parser

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Known reports whether the document is of an API version and kind that some
// release of Crossplane reads in packages: a metadata object, or an object that a
// package of some kind may hold. Others are kept like any document. Whether this
// package may hold the object is the linter's business.
// See the specification, "package.yaml Contents".
func (d *Document) Known() bool {
	if meta.IsMeta(d.APIVersion) {
		return isPackageKind(d.Kind)
	}
	group, version := meta.SplitAPIVersion(d.APIVersion)
	switch group + " " + d.Kind {
	case groupKubernetes + " " + meta.DefinitionCRD:
		return slices.Contains([]string{"v1", "v1beta1"}, version)
	case groupCrossplane + " " + meta.DefinitionXRD:
		return slices.Contains([]string{"v2", "v1", "v1beta1", "v1alpha1"}, version)
	case groupCrossplane + " " + kindComposition:
		return slices.Contains([]string{"v1", "v1beta1", "v1alpha1"}, version)
	case groupCrossplane + " " + meta.DefinitionMRD, groupCrossplane + " ManagedResourceActivationPolicy",
		groupOperations + " Operation", groupOperations + " CronOperation", groupOperations + " WatchOperation":
		return version == "v1alpha1"
	case groupAdmission + " ValidatingWebhookConfiguration", groupAdmission + " MutatingWebhookConfiguration":
		return version == "v1"
	}
	return false
}
