package install

// Metadata is the part of a Kubernetes object's metadata that installing
// packages reads or writes. Every other field, such as generation or
// managedFields, is kept in Unknown.
type Metadata struct {
	Name        string            `json:"name"`
	UID         string            `json:"uid,omitempty"`
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	// ResourceVersion is what the API server compares on a write: a writer
	// whose version is not the newest fails. The PackageLock relies on it, see
	// PackageLock.Claim.
	ResourceVersion string           `json:"resourceVersion,omitempty"`
	Finalizers      []string         `json:"finalizers,omitempty"`
	OwnerReferences []OwnerReference `json:"ownerReferences,omitempty"`
	Unknown         Fields           `json:"-"`
}

// LocalReference names an object in the namespace of the package manager, such
// as a pull secret.
type LocalReference struct {
	Name    string `json:"name"`
	Unknown Fields `json:"-"`
}

// TypeReference names an API type: the TypeMeta of the design's lists.
type TypeReference struct {
	APIVersion string `json:"apiVersion,omitempty"`
	Kind       string `json:"kind,omitempty"`
	Unknown    Fields `json:"-"`
}

// ObjectReference names an object anywhere in the cluster, as in Kubernetes'
// core/v1.
type ObjectReference struct {
	APIVersion      string `json:"apiVersion,omitempty"`
	Kind            string `json:"kind,omitempty"`
	Namespace       string `json:"namespace,omitempty"`
	Name            string `json:"name,omitempty"`
	UID             string `json:"uid,omitempty"`
	ResourceVersion string `json:"resourceVersion,omitempty"`
	FieldPath       string `json:"fieldPath,omitempty"`
	Unknown         Fields `json:"-"`
}

// Condition is one observation about an object, such as Installed or Healthy.
type Condition struct {
	Type   string `json:"type"`
	Status string `json:"status"`
	// LastTransitionTime is the text of the time (RFC 3339), as it was read.
	LastTransitionTime string `json:"lastTransitionTime,omitempty"`
	Reason             string `json:"reason,omitempty"`
	Message            string `json:"message,omitempty"`
	Unknown            Fields `json:"-"`
}

// ConditionedStatus is the block of conditions in the statuses of the packages
// v2 design.
type ConditionedStatus struct {
	Conditions []Condition `json:"conditions,omitempty"`
	Unknown    Fields      `json:"-"`
}
