package mirror

import (
	"encoding/json"
	"fmt"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// descriptor names a blob or a manifest, as far as copying it needs to know.
type descriptor struct {
	MediaType string   `json:"mediaType"`
	Digest    string   `json:"digest"`
	Size      int64    `json:"size"`
	URLs      []string `json:"urls"`
}

// parts are what a manifest consists of.
type parts struct {
	manifests []descriptor
	blobs     []descriptor
}

// partsOf reads what a manifest consists of. It is not read as an image's: what is
// copied may be anything that has descriptors.
func partsOf(m *xpkg.RawManifest) (*parts, error) {
	fail := func(reason string, err error) (*parts, error) {
		return nil, &ManifestError{Digest: m.Digest, Reason: reason, Err: err}
	}
	var in struct {
		SchemaVersion json.RawMessage `json:"schemaVersion"`
		Config        *descriptor     `json:"config"`
		Layers        *[]descriptor   `json:"layers"`
		Blobs         *[]descriptor   `json:"blobs"` // of the artifact manifests of OCI 1.1's drafts
		Manifests     *[]descriptor   `json:"manifests"`
		FSLayers      json.RawMessage `json:"fsLayers"`
	}
	if err := json.Unmarshal(m.Raw, &in); err != nil {
		return fail("not the JSON of a manifest", jsonCause(err))
	}
	p := &parts{}
	add := func(field string, to *[]descriptor, list *[]descriptor) error {
		if list == nil {
			return nil
		}
		for i, d := range *list {
			if err := d.check(); err != nil {
				return fmt.Errorf("%s[%d] %w", field, i, err)
			}
			if !d.elsewhere() {
				*to = append(*to, d)
			}
		}
		return nil
	}
	switch {
	case string(in.SchemaVersion) == "1" || in.FSLayers != nil:
		return fail("a docker schema 1 manifest, which cannot be copied", nil)
	case in.Manifests != nil && (in.Layers != nil || in.Config != nil):
		// Two tools could read two different things out of it (CVE-2021-41190).
		return fail("it lists both manifests and layers, expected one of them", nil)
	case in.Manifests == nil && in.Layers == nil && in.Config == nil && in.Blobs == nil:
		return fail("it lists neither manifests nor layers", nil)
	}
	config := []descriptor{}
	if in.Config != nil {
		config = append(config, *in.Config)
	}
	for _, list := range []struct {
		field    string
		to, from *[]descriptor
	}{{"manifests", &p.manifests, in.Manifests}, {"config", &p.blobs, &config}, {"layers", &p.blobs, in.Layers}, {"blobs", &p.blobs, in.Blobs}} {
		if err := add(list.field, list.to, list.from); err != nil {
			return fail(err.Error(), nil)
		}
	}
	return p, nil
}

// check refuses a descriptor that names nothing that could be copied.
func (d *descriptor) check() error {
	if _, err := v1.NewHash(d.Digest); err != nil || !meta.IsDigest(d.Digest) {
		return fmt.Errorf("has the digest %s, expected one such as sha256:…", quote(d.Digest))
	}
	if d.Size < 0 {
		return fmt.Errorf("has the size %d", d.Size)
	}
	return nil
}

// elsewhere reports whether a layer is one that registries do not keep.
func (d *descriptor) elsewhere() bool {
	return len(d.URLs) > 0 && (strings.Contains(d.MediaType, ".nondistributable.") || strings.Contains(d.MediaType, ".foreign."))
}

// isIndex reports whether a media type is that of an index.
func isIndex(mediaType string) bool {
	return mediaType == "application/vnd.oci.image.index.v1+json" ||
		mediaType == "application/vnd.docker.distribution.manifest.list.v2+json"
}

// jsonCause says what is wrong with JSON in its own terms and not in those of Go.
func jsonCause(err error) error {
	if t, ok := err.(*json.UnmarshalTypeError); ok {
		where := ""
		if t.Field != "" {
			where = quote(t.Field) + " "
		}
		return fmt.Errorf("%sis of the JSON type %s", where, t.Value)
	}
	return err
}
