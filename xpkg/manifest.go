package xpkg

import (
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
	index     bool
	manifests []descriptor
	layers    []descriptor
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
	MediaType   string       `json:"mediaType"`
	Artifact    string       `json:"artifactType"`
	Digest      v1.Hash      `json:"digest"`
	Size        int64        `json:"size"`
	Annotations annotations  `json:"annotations"`
	Platform    *v1.Platform `json:"platform"`
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
		MediaType     string          `json:"mediaType"`
		Manifests     *[]descriptor   `json:"manifests"`
		Layers        *[]descriptor   `json:"layers"`
		FSLayers      json.RawMessage `json:"fsLayers"`
		Blobs         json.RawMessage `json:"blobs"`
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return nil, fail("not the JSON of a manifest", jsonCause(err))
	}
	if m.MediaType != "" {
		mediaType = m.MediaType
	}
	unsupported := func(what string) error {
		return &NotPackageError{Ref: ref, Reason: ReasonUnsupported, Detail: "manifest " + digestName(digest) + " is " + what + ", which is not supported"}
	}
	switch {
	case m.Manifests != nil && m.Layers != nil:
		// Two tools could read two different things out of it (CVE-2021-41190).
		return nil, fail("it lists both manifests and layers, expected one of them", nil)
	case m.Manifests != nil:
		return checked(&manifest{digest: digest, index: true, manifests: *m.Manifests}, fail)
	case m.Layers != nil:
		return checked(&manifest{digest: digest, layers: *m.Layers}, fail)
	case string(m.SchemaVersion) == "1" || m.FSLayers != nil || isSchema1(mediaType):
		return nil, unsupported("a docker schema 1 manifest")
	case m.Blobs != nil || strings.Contains(mediaType, "artifact.manifest"):
		return nil, unsupported("an artifact manifest")
	case isIndexType(mediaType):
		return &manifest{digest: digest, index: true}, nil
	case isImageType(mediaType) || mediaType == "":
		return &manifest{digest: digest}, nil
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
