package xpkg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// manifest is what the specification looks at of an image manifest or an index:
// the descriptors. It is decoded here and not by v1.ParseManifest because
// nothing else in a manifest may refuse a package ("Manifests",
// "Configuration"): not a configuration without a digest, not an annotation
// that is no string.
type manifest struct {
	digest    v1.Hash
	raw       []byte
	mediaType string
	index     bool
	manifests []descriptor
	layers    []descriptor
	config    descriptor // of an image; without a digest when it names none
	artifact  string     // the artifactType, for those that are listed beside images
}

// attestation reports whether the layers say that the manifest describes another
// image: what buildkit writes, whether or not the index marks it.
func (m *manifest) attestation() bool {
	for _, l := range m.layers {
		if l.MediaType != inTotoType || l.Annotations[AnnotationKey] != "" {
			return false
		}
	}
	return len(m.layers) > 0
}

// inTotoType is the media type of the layers of attestations.
const inTotoType = "application/vnd.in-toto+json"

// foreign reports whether the manifest says that it is no image, which counts
// only where there are others to choose from.
func (m *manifest) foreign() bool {
	for _, l := range m.layers {
		if l.Annotations[AnnotationKey] != "" {
			return false
		}
	}
	return m.artifact != "" && !isConfigType(m.artifact) ||
		m.config.MediaType != "" && !isConfigType(m.config.MediaType)
}

// foreign reports whether an entry of an index says that it is no image: a
// signature, a chart, a blob. What says nothing may be one.
func (d *descriptor) foreign() bool {
	if d.MediaType != "" && !isImageType(d.MediaType) && !isIndexType(d.MediaType) && !isSchema1(d.MediaType) {
		return true
	}
	return d.Artifact != "" && !isConfigType(d.Artifact)
}

// isConfigType reports whether an artifact type is the media type of an image's
// configuration, which some tools put there.
func isConfigType(artifactType string) bool {
	return artifactType == "application/vnd.oci.image.config.v1+json" ||
		artifactType == "application/vnd.docker.container.image.v1+json"
}

func isSchema1(mediaType string) bool {
	return strings.Contains(mediaType, "docker.distribution.manifest.v1")
}

// descriptor names a blob or a manifest.
type descriptor struct {
	MediaType   string
	Artifact    string
	Digest      v1.Hash
	Size        int64
	Annotations annotations
	Platform    *v1.Platform
}

// UnmarshalJSON insists on what names the blob only. What is odd in the rest, a
// platform that is a string, say, counts as absent.
func (d *descriptor) UnmarshalJSON(b []byte) error {
	var in struct {
		MediaType   json.RawMessage `json:"mediaType"`
		Artifact    json.RawMessage `json:"artifactType"`
		Digest      v1.Hash         `json:"digest"`
		Size        int64           `json:"size"`
		Annotations annotations     `json:"annotations"`
		Platform    json.RawMessage `json:"platform"`
	}
	if err := json.Unmarshal(b, &in); err != nil {
		return err
	}
	*d = descriptor{Digest: in.Digest, Size: in.Size, Annotations: in.Annotations}
	d.MediaType, d.Artifact = optionalText(in.MediaType), optionalText(in.Artifact)
	d.Platform = optionalPlatform(in.Platform)
	return nil
}

// optionalPlatform is a platform without the fields of it that are none, or
// nothing when it is no object.
func optionalPlatform(raw json.RawMessage) *v1.Platform {
	var fields map[string]json.RawMessage
	if json.Unmarshal(raw, &fields) != nil || fields == nil {
		return nil
	}
	p := &v1.Platform{}
	for name, to := range map[string]any{
		"architecture": &p.Architecture, "os": &p.OS, "os.version": &p.OSVersion, "os.features": &p.OSFeatures,
		"variant": &p.Variant, "features": &p.Features,
	} {
		// What cannot be decoded leaves the field as it is.
		_ = json.Unmarshal(fields[name], to)
	}
	return p
}

// optionalText is a string, or "" for what is none.
func optionalText(raw json.RawMessage) string {
	var s string
	if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

func (d *descriptor) name() string {
	if d.Digest == (v1.Hash{}) {
		return "of no digest"
	}
	return d.Digest.String()
}

// annotations leaves out values that are no strings, which the OCI
// specification does not know and other tools write.
type annotations map[string]string

// UnmarshalJSON implements json.Unmarshaler.
func (a *annotations) UnmarshalJSON(b []byte) error {
	var raw map[string]json.RawMessage
	if json.Unmarshal(b, &raw) != nil {
		return nil
	}
	*a = annotations{}
	for key, value := range raw {
		var s string
		if json.Unmarshal(value, &s) == nil {
			(*a)[key] = s
		}
	}
	return nil
}

// parseManifest decodes a manifest whose digest has been checked. mediaType is
// what the descriptor or the registry calls it and may be empty.
func parseManifest(ref string, digest v1.Hash, mediaType string, raw []byte) (*manifest, error) {
	fail := func(reason string, err error) error {
		return &ManifestError{Ref: ref, Digest: digestName(digest), Reason: reason, Err: err}
	}
	var m struct {
		SchemaVersion json.RawMessage `json:"schemaVersion"`
		MediaType     json.RawMessage `json:"mediaType"`
		Artifact      json.RawMessage `json:"artifactType"`
		Config        json.RawMessage `json:"config"`
		Manifests     *[]descriptor   `json:"manifests"`
		Layers        *[]descriptor   `json:"layers"`
		FSLayers      json.RawMessage `json:"fsLayers"`
		Blobs         json.RawMessage `json:"blobs"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fail("not the JSON of a manifest", jsonCause(err))
	}
	if string(bytes.TrimSpace(raw)) == "null" {
		return nil, fail("found null, expected an object", nil)
	}
	if said := optionalText(m.MediaType); said != "" {
		mediaType = said
	}
	whole := manifest{digest: digest, raw: raw, mediaType: mediaType, artifact: optionalText(m.Artifact)}
	// A configuration that is none is the business of who asks for it.
	_ = json.Unmarshal(m.Config, &whole.config)
	unsupported := func(what string) error {
		return &NotPackageError{Ref: ref, Reason: ReasonUnsupported, Detail: strings.TrimSpace("manifest "+digestName(digest)) + " is " + what + ", which is not supported"}
	}
	switch {
	case m.Manifests != nil && m.Layers != nil:
		// Two tools could read two different things out of it (CVE-2021-41190).
		return nil, fail("it lists both manifests and layers, expected one of them", nil)
	case m.Manifests != nil:
		whole.index, whole.manifests = true, *m.Manifests
		return checked(&whole, fail)
	case m.Layers != nil:
		whole.layers = *m.Layers
		return checked(&whole, fail)
	case string(m.SchemaVersion) == "1" || m.FSLayers != nil || isSchema1(mediaType):
		return nil, unsupported("a docker schema 1 manifest")
	case m.Blobs != nil || strings.Contains(mediaType, "artifact.manifest"):
		return nil, unsupported("an artifact manifest")
	case isIndexType(mediaType) && optionalText(m.MediaType) == "":
		// The header alone calls it one.
		return nil, fail("it lists no manifests", nil)
	case isIndexType(mediaType):
		whole.index = true
		return &whole, nil
	case whole.config.Digest == (v1.Hash{}) && (isImageType(mediaType) || mediaType == ""):
		return nil, fail("it lists neither manifests nor layers", nil)
	case isImageType(mediaType) || mediaType == "":
		return &whole, nil
	}
	return nil, unsupported("of the media type " + quote(mediaType))
}

// checked refuses descriptors that name nothing.
func checked(m *manifest, fail func(string, error) error) (*manifest, error) {
	for _, list := range []struct {
		field       string
		descriptors []descriptor
	}{{"manifests", m.manifests}, {"layers", m.layers}} {
		for i, d := range list.descriptors {
			if d.Digest == (v1.Hash{}) {
				return nil, fail(fmt.Sprintf("%s[%d] has no digest", list.field, i), nil)
			}
			if d.Size < 0 {
				return nil, fail(fmt.Sprintf("%s[%d] has the size %d", list.field, i, d.Size), nil)
			}
		}
	}
	return m, nil
}

// checkManifest holds raw against the digest that it was asked for by and
// against the limit, and decodes it.
func checkManifest(ref string, want v1.Hash, mediaType string, raw []byte, o *Options) (*manifest, error) {
	if size := int64(len(raw)); size > o.MaxManifestBytes {
		return nil, &meta.LimitError{What: "the manifest", Limit: o.MaxManifestBytes, Got: size, Where: ref}
	}
	if err := verifyBytes(raw, ref, "manifest", want); err != nil {
		return nil, err
	}
	return parseManifest(ref, want, mediaType, raw)
}

func digestName(h v1.Hash) string {
	if h == (v1.Hash{}) {
		return ""
	}
	return h.String()
}

func isIndexType(mediaType string) bool {
	return mediaType == "application/vnd.oci.image.index.v1+json" ||
		mediaType == "application/vnd.docker.distribution.manifest.list.v2+json"
}

func isImageType(mediaType string) bool {
	return mediaType == "application/vnd.oci.image.manifest.v1+json" ||
		mediaType == "application/vnd.docker.distribution.manifest.v2+json"
}
