package xpkg

import (
	"encoding/json"
	"mime"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

// RawManifest is a manifest of any kind, of an image, an index or something else,
// as it is kept.
type RawManifest struct {
	Digest    string // of Raw, such as sha256:…
	MediaType string // what it calls itself or, if it does not, what it was served as
	Raw       []byte // its bytes; not to be modified
}

// NewRawManifest is the manifest of some bytes. mediaType is what they are called
// where they come from, and may be empty. The bytes are not looked into; there is an error
// only when they cannot be hashed, which does not happen.
func NewRawManifest(raw []byte, mediaType string) (*RawManifest, error) {
	h, err := hashOf(raw)
	if err != nil {
		return nil, err
	}
	return &RawManifest{Digest: h.String(), MediaType: mediaTypeOf(raw, mediaType), Raw: raw}, nil
}

// mediaTypeOf is what a manifest is to be called.
func mediaTypeOf(raw []byte, called string) string {
	var said struct {
		MediaType json.RawMessage `json:"mediaType"`
		Manifests json.RawMessage `json:"manifests"`
	}
	// What is no JSON says nothing of itself.
	_ = json.Unmarshal(raw, &said)
	if t := optionalText(said.MediaType); t != "" {
		return t
	}
	if t, _, err := mime.ParseMediaType(called); err == nil && t != "application/json" && t != "text/plain" && t != "application/octet-stream" {
		return t
	}
	if said.Manifests != nil {
		return string(types.OCIImageIndex)
	}
	return string(types.OCIManifestSchema1)
}
