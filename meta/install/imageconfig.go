package install

import (
	"encoding/json"
	"reflect"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// An ImageConfig says how the images of packages whose references begin with a
// prefix are pulled: from which mirror, with which credentials, and whose
// signature they need. It is cluster scoped. No document of the format has it;
// the source is Crossplane's own API, pkg.crossplane.io/v1beta1, and the page
// Image Configs of its documentation.
type ImageConfig struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   Metadata        `json:"metadata"`
	Spec       ImageConfigSpec `json:"spec"`
	Unknown    Fields          `json:"-"`
}

// ImageConfigSpec says which images are meant, and what holds for them.
type ImageConfigSpec struct {
	// MatchImages are the images that are meant: those that one of them matches.
	MatchImages []ImageMatch `json:"matchImages"`
	// RewriteImage says where they are pulled from; nil is where they say.
	RewriteImage *ImageRewrite `json:"rewriteImage,omitempty"`
	// Registry says with which credentials they are pulled.
	Registry *ImageRegistry `json:"registry,omitempty"`
	// Verification says whose signature they need; nil is nobody's.
	Verification *ImageVerification `json:"verification,omitempty"`
	Unknown      Fields             `json:"-"`
}

// MatchPrefix is the only type of ImageMatch.
const MatchPrefix = "Prefix"

// ImageMatch matches the images whose references begin with Prefix. It is a
// prefix of text: end it with a slash to keep it from matching half of a path
// element.
type ImageMatch struct {
	Type    string `json:"type,omitempty"` // MatchPrefix, which it also is when it is empty
	Prefix  string `json:"prefix"`
	Unknown Fields `json:"-"`
}

// ImageRewrite puts Prefix in the place of the prefix that matched.
type ImageRewrite struct {
	Prefix  string `json:"prefix"`
	Unknown Fields `json:"-"`
}

// ImageRegistry holds what concerns the registry of the images.
type ImageRegistry struct {
	Authentication *ImageAuthentication `json:"authentication,omitempty"`
	Unknown        Fields               `json:"-"`
}

// ImageAuthentication names the Secret, of the type
// kubernetes.io/dockerconfigjson and in the namespace of Crossplane, that holds
// the credentials.
type ImageAuthentication struct {
	PullSecretRef LocalReference `json:"pullSecretRef"`
	Unknown       Fields         `json:"-"`
}

// ProviderCosign is the only verification provider that there is.
const ProviderCosign = "Cosign"

// ImageVerification says how signatures are verified. What the provider is told
// is kept as JSON.
type ImageVerification struct {
	Provider string          `json:"provider"` // ProviderCosign
	Cosign   json.RawMessage `json:"cosign,omitempty"`
	Unknown  Fields          `json:"-"`
}

// DecodeImageConfig reads an ImageConfig. The error is meta.FieldErrors with
// every fault; the value is nil only when data is not one JSON object that is an
// ImageConfig of Group.
func DecodeImageConfig(data []byte) (*ImageConfig, error) {
	c := new(ImageConfig)
	faults, ok := decode(data, c)
	if !ok {
		return nil, faults
	}
	faults = merge(faults, c.validate())
	if groupOf(c.APIVersion) != Group || c.Kind != KindImageConfig {
		return nil, faults
	}
	return c, orNil(faults)
}

// Encode returns the ImageConfig as one line of JSON, unknown fields included.
// The error is meta.FieldErrors: unknown fields that bear the name of a known one, or are
// no JSON.
func (c *ImageConfig) Encode() ([]byte, error) { return encode(c) }

// MarshalJSON is Encode, with its errors.
func (c ImageConfig) MarshalJSON() ([]byte, error) { return encode(c) }

// UnmarshalJSON replaces the value by the one in data, without validation. The error is
// meta.FieldErrors: what is no JSON, or of another type than its field.
func (c *ImageConfig) UnmarshalJSON(data []byte) error { return unmarshal(data, c) }

// UnknownFields lists every field that this package has no name for, with its
// path. All are kept by Encode.
func (c *ImageConfig) UnknownFields() []meta.Unknown { return unknownFields(nil, reflect.ValueOf(c)) }

// Validate returns every fault at once, as meta.FieldErrors.
func (c *ImageConfig) Validate() error { return orNil(c.validate()) }

func (c *ImageConfig) validate() meta.FieldErrors {
	var faults meta.FieldErrors
	if c.APIVersion != ImageConfigAPIVersion || c.Kind != KindImageConfig {
		faults = append(faults, kindFault(c.APIVersion, c.Kind, ImageConfigAPIVersion+" "+KindImageConfig))
	}
	faults = append(faults, validateName(meta.Path{"metadata", "name"}, c.Metadata.Name)...)
	at := func(path ...any) meta.Path { return append(meta.Path{"spec"}, path...) }
	if len(c.Spec.MatchImages) == 0 {
		faults = append(faults, missing(at("matchImages"), "one match at least"))
	}
	for i, m := range c.Spec.MatchImages {
		if m.Type != "" && m.Type != MatchPrefix {
			faults = append(faults, &meta.FieldError{
				Path: at("matchImages", i, "type"), Fault: FaultMatchType, Found: quote(m.Type), Want: "a type of match: " + MatchPrefix,
			})
		}
		if m.Prefix == "" {
			// Crossplane takes the longest prefix that is longer than none.
			faults = append(faults, missing(at("matchImages", i, "prefix"), "a prefix, without which nothing matches"))
		}
	}
	if r := c.Spec.RewriteImage; r != nil && r.Prefix == "" {
		faults = append(faults, missing(at("rewriteImage", "prefix"), "the prefix that takes the place of the one that matched"))
	}
	if r := c.Spec.Registry; r != nil && r.Authentication != nil {
		faults = append(faults, validateName(at("registry", "authentication", "pullSecretRef", "name"), r.Authentication.PullSecretRef.Name)...)
	}
	if v := c.Spec.Verification; v != nil {
		p := at("verification", "provider")
		switch v.Provider {
		case ProviderCosign:
		case "":
			faults = append(faults, missing(p, "a provider: "+ProviderCosign))
		default:
			faults = append(faults, &meta.FieldError{Path: p, Fault: FaultVerification, Found: quote(v.Provider), Want: "a provider: " + ProviderCosign})
		}
	}
	return sorted(faults)
}

// PullSecret returns the name of the Secret with the credentials, or "".
func (c *ImageConfig) PullSecret() string {
	if r := c.Spec.Registry; r != nil && r.Authentication != nil {
		return r.Authentication.PullSecretRef.Name
	}
	return ""
}

// Rewrites returns a rule for each prefix that the ImageConfig rewrites, in the
// order of spec.matchImages and each once, or nothing when it rewrites none.
// Prefixes that are empty match nothing and have no rule.
//
// [meta.Registries] applies them as Crossplane does, the longest prefix first,
// but for one thing: it looks at the name with its registry. Crossplane matches
// the reference as it is written, so that there no rule for xpkg.crossplane.io
// applies to a package that names no registry.
func (c *ImageConfig) Rewrites() []meta.Rewrite {
	if c.Spec.RewriteImage == nil || c.Spec.RewriteImage.Prefix == "" {
		return nil
	}
	var rules []meta.Rewrite
	for _, m := range c.Spec.MatchImages {
		rule := meta.Rewrite{From: m.Prefix, To: c.Spec.RewriteImage.Prefix}
		if m.Prefix != "" && !slices.Contains(rules, rule) {
			rules = append(rules, rule)
		}
	}
	return rules
}
