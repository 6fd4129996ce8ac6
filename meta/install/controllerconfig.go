package install

import (
	"encoding/json"
	"maps"
	"reflect"

	"github.com/xpkg-go/sdk/meta"
)

// A ControllerConfig overrides defaults of the Deployment that runs a
// Provider's controller. A Provider's spec.controllerConfigRef names it.
// (packages guide, spec.controllerConfigRef; an alpha API, later replaced)
type ControllerConfig struct {
	APIVersion string               `json:"apiVersion"`
	Kind       string               `json:"kind"`
	Metadata   Metadata             `json:"metadata"`
	Spec       ControllerConfigSpec `json:"spec,omitempty"`
	Unknown    Fields               `json:"-"`
}

// ControllerConfigSpec holds what is overridden. Fields of types that
// Kubernetes defines are carried as JSON.
type ControllerConfigSpec struct {
	// PodMetadata is added to the controller's Pods.
	PodMetadata *PodMetadata `json:"metadata,omitempty"`
	// Replicas is the number of Pods: nil is 1, 0 runs none.
	Replicas           *int32            `json:"replicas,omitempty"`
	Image              string            `json:"image,omitempty"`
	ImagePullPolicy    PullPolicy        `json:"imagePullPolicy,omitempty"`
	ImagePullSecrets   []LocalReference  `json:"imagePullSecrets,omitempty"`
	ServiceAccountName string            `json:"serviceAccountName,omitempty"`
	NodeName           string            `json:"nodeName,omitempty"`
	NodeSelector       map[string]string `json:"nodeSelector,omitempty"`
	PriorityClassName  string            `json:"priorityClassName,omitempty"`
	RuntimeClassName   string            `json:"runtimeClassName,omitempty"`
	Args               []string          `json:"args,omitempty"`
	Affinity           json.RawMessage   `json:"affinity,omitempty"`
	Tolerations        json.RawMessage   `json:"tolerations,omitempty"`
	PodSecurityContext json.RawMessage   `json:"podSecurityContext,omitempty"`
	SecurityContext    json.RawMessage   `json:"securityContext,omitempty"`
	Resources          json.RawMessage   `json:"resources,omitempty"`
	Env                json.RawMessage   `json:"env,omitempty"`
	EnvFrom            json.RawMessage   `json:"envFrom,omitempty"`
	Ports              json.RawMessage   `json:"ports,omitempty"`
	Volumes            json.RawMessage   `json:"volumes,omitempty"`
	VolumeMounts       json.RawMessage   `json:"volumeMounts,omitempty"`
	Unknown            Fields            `json:"-"`
}

// PodMetadata is added to the Pods of a controller.
type PodMetadata struct {
	Labels      map[string]string `json:"labels,omitempty"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Unknown     Fields            `json:"-"`
}

// DecodeControllerConfig reads a ControllerConfig. The error is
// meta.FieldErrors with every fault; the value is nil only when data is not one
// JSON object that is a ControllerConfig of Group.
func DecodeControllerConfig(data []byte) (*ControllerConfig, error) {
	c := new(ControllerConfig)
	faults, ok := decode(data, c)
	if !ok {
		return nil, faults
	}
	faults = merge(faults, c.validate())
	if groupOf(c.APIVersion) != Group || c.Kind != KindControllerConfig {
		return nil, faults
	}
	return c, orNil(faults)
}

// Encode returns the ControllerConfig as one line of JSON, unknown fields
// included.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (c *ControllerConfig) Encode() ([]byte, error) { return encode(c) }

// MarshalJSON is Encode, with its errors.
func (c ControllerConfig) MarshalJSON() ([]byte, error) { return encode(c) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (c *ControllerConfig) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (c *ControllerConfig) UnknownFields() []meta.Unknown {
	return unknownFields(nil, reflect.ValueOf(c))
}

// Validate returns every fault at once, as meta.FieldErrors.
func (c *ControllerConfig) Validate() error { return orNil(c.validate()) }

// ServiceAccountAnnotations returns the annotations that the controller's
// ServiceAccount gets: those of the ControllerConfig itself. (packages guide,
// spec.controllerConfigRef: the example of IAM roles for service accounts)
func (c *ControllerConfig) ServiceAccountAnnotations() map[string]string {
	return maps.Clone(c.Metadata.Annotations)
}
