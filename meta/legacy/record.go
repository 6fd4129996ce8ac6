package legacy

// Group and kinds of what the package manager of the v1 era kept in a cluster. (packages v1,
// Revisions)
const (
	APIVersion = "packages.crossplane.io/v1alpha1"

	KindPackage               = "Package"
	KindPackageInstall        = "PackageInstall"
	KindClusterPackageInstall = "ClusterPackageInstall"
	KindStackDefinition       = "StackDefinition"
)

// Current gives an apiVersion and kind of an earlier revision of the document the names of
// this one: what was a StackInstall, a ClusterStackInstall or a Stack of stacks.crossplane.io is
// a PackageInstall, a ClusterPackageInstall or a Package. (packages v1, Revisions) So is a
// LegacyPackage, the name that the packages v2 design gives it. Others stay as they are.
func Current(apiVersion, kind string) (string, string) {
	if apiVersion == APIVersion && kind == "LegacyPackage" {
		return APIVersion, KindPackage
	}
	if apiVersion != "stacks.crossplane.io/v1alpha1" {
		return apiVersion, kind
	}
	switch kind {
	case "StackInstall":
		return APIVersion, KindPackageInstall
	case "ClusterStackInstall":
		return APIVersion, KindClusterPackageInstall
	case "Stack":
		return APIVersion, KindPackage
	case KindStackDefinition:
		return APIVersion, kind
	}
	return apiVersion, kind
}

// A Record is the object of kind Package that says that a package is installed: what its
// files say, in one. (packages v1, Package CRD)
type Record struct {
	APIVersion string       `json:"apiVersion"`
	Kind       string       `json:"kind"`
	Meta       ObjectMeta   `json:"metadata"`
	Spec       RecordSpec   `json:"spec"`
	Status     RecordStatus `json:"status,omitzero"`
}

// RecordStatus is the status of a [Record]. (packages v2 design, PackageRevision API)
type RecordStatus struct {
	ConditionedStatus *ConditionedStatus `json:"conditionedStatus,omitempty"`
	ControllerRef     *ObjectReference   `json:"controllerRef,omitempty"`
}

// RecordSpec is the spec of a [Record].
type RecordSpec struct {
	Metadata
	// Icons are those of the package as a whole, the preferred one first.
	Icons []RecordIcon `json:"icons,omitempty"`
	// CRDs are the kinds that the package brings.
	CRDs        []TypeMeta        `json:"customresourcedefinitions,omitempty"`
	Controller  Controller        `json:"controller"`
	Permissions RecordPermissions `json:"permissions"`
}

// A RecordIcon is an icon in a [Record].
type RecordIcon struct {
	Base64Data string `json:"base64data"`
	MediaType  string `json:"mediatype"`
}

// TypeMeta names a kind.
type TypeMeta struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
}

// A Controller is what implements a package.
type Controller struct {
	// Deployment runs it; nil for a package that only brings types.
	Deployment *Deployment `json:"deployment,omitempty"`
	// ServiceAccount is what it runs as; nil where nothing is said of it. The document's example
	// has it beside the controller; the packages v2 design, which rules, has it here.
	ServiceAccount *ServiceAccount `json:"serviceAccount,omitempty"`
}

// A Deployment is the name and the spec of one.
type Deployment struct {
	Name string `json:"name,omitempty"`
	// Spec is that of the author's, as encoding/json has it; numbers are json.Number.
	Spec map[string]any `json:"spec"`
}

// A ServiceAccount is what is added to that of a controller.
type ServiceAccount struct {
	Annotations map[string]string `json:"annotations,omitempty"`
}

// RecordPermissions are what the controller may do.
type RecordPermissions struct {
	Rules []PolicyRule `json:"rules,omitempty"`
}

// A PolicyRule is a rule of Kubernetes' role-based access control.
type PolicyRule struct {
	APIGroups []string `json:"apiGroups"`
	Resources []string `json:"resources"`
	Verbs     []string `json:"verbs"`
}

// A StackDefinition is the object that takes the place of a [Record] for a package whose
// controller is made of templates. (packages v1, Modifying the Package via PackageInstall)
type StackDefinition struct {
	APIVersion string              `json:"apiVersion"`
	Kind       string              `json:"kind"`
	Meta       ObjectMeta          `json:"metadata"`
	Spec       StackDefinitionSpec `json:"spec"`
}

// StackDefinitionSpec is the spec of a [StackDefinition].
type StackDefinitionSpec struct {
	RecordSpec
	Behavior Behavior `json:"behavior"`
}

// ObjectMeta is the metadata of an object.
type ObjectMeta struct {
	Name            string            `json:"name,omitempty"`
	Namespace       string            `json:"namespace,omitempty"`
	UID             string            `json:"uid,omitempty"`
	Labels          map[string]string `json:"labels,omitempty"`
	Annotations     map[string]string `json:"annotations,omitempty"`
	OwnerReferences []OwnerReference  `json:"ownerReferences,omitempty"`
}

// An OwnerReference says that an object belongs to another one.
type OwnerReference struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Name       string `json:"name"`
	UID        string `json:"uid"`
}
