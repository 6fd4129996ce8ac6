package build

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/xpkg"
)

// object is a JSON object whose fields stay as they are unless they are set.
type object map[string]json.RawMessage

// set sets a field. What is set here has a JSON form.
func (o object) set(name string, v any) { o[name], _ = json.Marshal(v) }

// get decodes a field; one that is not there leaves v alone.
func (o object) get(name string, v any) error {
	if raw, ok := o[name]; ok {
		return json.Unmarshal(raw, v)
	}
	return nil
}

// edit is an image that is being changed: its manifest and its configuration with all
// that they say, known here or not.
type edit struct {
	ref      string // what errors call the image
	manifest object
	layers   []object // the descriptors, bottom first
	config   object
	settings object // the configuration's config
	blobs    []v1.Layer
	from     v1.Image // that has the other layers, or nil
}

// newEdit returns an edit of an image without layers.
func newEdit() *edit {
	e := &edit{ref: "image", manifest: object{}, config: object{}, settings: object{}}
	e.manifest.set("schemaVersion", 2)
	e.manifest.set("mediaType", types.OCIManifestSchema1)
	// Packages have no platform. The configuration must name one, and this is
	// the one that Crossplane looks for in an index.
	e.config.set("architecture", "amd64")
	e.config.set("os", "linux")
	return e
}

// editOf returns an edit of an image.
func editOf(img v1.Image) (*edit, error) {
	const ref = "image"
	bad := func(reason string, err error) error { return &xpkg.ManifestError{Ref: ref, Reason: reason, Err: err} }
	if img == nil {
		return nil, missingImage("img")
	}
	checked := &verified{img, ref}
	raw, err := checked.RawManifest()
	if err != nil {
		return nil, err
	}
	e := &edit{ref: ref, from: checked}
	if err := json.Unmarshal(raw, &e.manifest); err != nil {
		return nil, bad("it is not the JSON of an image", err)
	}
	if err := e.manifest.get("layers", &e.layers); err != nil {
		return nil, bad("its layers are not a list", err)
	}
	if raw, err = checked.RawConfigFile(); err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, &e.config); err != nil {
		return nil, bad("its configuration is not the JSON of one", err)
	}
	if err := e.config.get("config", &e.settings); err != nil {
		return nil, bad("its configuration is not the JSON of one", err)
	}
	for _, o := range []*object{&e.manifest, &e.config, &e.settings} {
		if *o == nil {
			*o = object{}
		}
	}
	return e, nil
}

// descriptor returns what is known of the descriptor of a layer.
func (e *edit) descriptor(i int) (d v1.Descriptor, err error) {
	raw, err := json.Marshal(e.layers[i])
	if err == nil {
		err = json.Unmarshal(raw, &d)
	}
	if err != nil {
		err = &xpkg.ManifestError{Ref: e.ref, Reason: "a layer's descriptor is none", Err: err}
	}
	return d, err
}

// annotations returns a map of strings that is a field of o.
func annotations(o object, field string) (map[string]string, error) {
	m := map[string]string{}
	if err := o.get(field, &m); err != nil {
		return nil, &xpkg.ManifestError{Ref: "image", Reason: "its " + strings.ToLower(field) + " are not texts", Err: err}
	}
	if m == nil {
		m = map[string]string{}
	}
	return m, nil
}

// merge sets entries of a map of strings that is a field of o.
func merge(o object, field string, add map[string]string) error {
	if len(add) == 0 {
		return nil
	}
	m, err := annotations(o, field)
	if err != nil {
		return err
	}
	for k, v := range add {
		m[k] = v
	}
	o.set(field, m)
	return nil
}

// append puts a layer on top, with a mark unless that is "", and a line for the
// history of the image.
func (e *edit) append(l v1.Layer, mark string, history v1.History) error {
	d, err := partial.Descriptor(l)
	if err != nil {
		return err
	}
	diffID, err := l.DiffID()
	if err != nil {
		return err
	}
	described := object{}
	described.set("mediaType", e.mediaType(d.MediaType))
	described.set("size", d.Size)
	described.set("digest", d.Digest)
	if mark != "" {
		described.set("annotations", map[string]string{xpkg.AnnotationKey: mark})
		// The one of the archive survives tools that compress layers anew.
		labels := map[string]string{label(d.Digest): mark, label(diffID): mark}
		if err := merge(e.settings, "Labels", labels); err != nil {
			return err
		}
	}
	rootfs := object{}
	var diffIDs []v1.Hash
	err = e.config.get("rootfs", &rootfs)
	if err == nil {
		err = rootfs.get("diff_ids", &diffIDs)
	}
	var past []json.RawMessage
	if err == nil {
		err = e.config.get("history", &past)
	}
	if err != nil {
		return &xpkg.ManifestError{Ref: e.ref, Reason: "its configuration is not the JSON of one", Err: err}
	}
	rootfs.set("type", "layers")
	rootfs.set("diff_ids", append(diffIDs, diffID))
	e.config.set("rootfs", rootfs)
	line, err := json.Marshal(history)
	if err != nil {
		return err
	}
	e.config.set("history", append(past, line))
	e.layers = append(e.layers, described)
	e.blobs = append(e.blobs, l)
	return nil
}

// label is the key of a label that marks a layer where no annotation can.
func label(h v1.Hash) string { return xpkg.AnnotationKey + ":" + h.String() }

// oci are the names that OCI has for docker's.
func oci(t types.MediaType) types.MediaType {
	switch t {
	case types.DockerManifestSchema2:
		return types.OCIManifestSchema1
	case types.DockerConfigJSON:
		return types.OCIConfigJSON
	case types.DockerLayer:
		return types.OCILayer
	case types.DockerUncompressedLayer:
		return types.OCIUncompressedLayer
	case types.DockerForeignLayer:
		return types.OCIRestrictedLayer
	}
	return t
}

// mediaType is the one of a layer in an image of this kind: an image does not mix
// the names of docker and of OCI.
func (e *edit) mediaType(t types.MediaType) types.MediaType {
	var manifest types.MediaType
	_ = e.manifest.get("mediaType", &manifest)
	if manifest == types.DockerManifestSchema2 {
		switch t {
		case types.OCILayer:
			return types.DockerLayer
		case types.OCIUncompressedLayer:
			return types.DockerUncompressedLayer
		}
		return t
	}
	return oci(t)
}

// toOCI gives the manifest and all that it names the media types of OCI.
func (e *edit) toOCI() error {
	e.manifest.set("mediaType", types.OCIManifestSchema1)
	config := object{}
	if err := e.manifest.get("config", &config); err != nil {
		return &xpkg.ManifestError{Ref: e.ref, Reason: "its configuration has no descriptor", Err: err}
	}
	for _, o := range append(slices.Clone(e.layers), config) {
		var t types.MediaType
		if err := o.get("mediaType", &t); err != nil {
			return &xpkg.ManifestError{Ref: e.ref, Reason: "a media type is no text", Err: err}
		}
		o.set("mediaType", oci(t))
	}
	e.manifest.set("config", config)
	return nil
}

// image returns what the edit has come to.
func (e *edit) image() (v1.Image, error) {
	if len(e.settings) > 0 {
		e.config.set("config", e.settings)
	}
	config, err := json.Marshal(e.config)
	if err != nil {
		return nil, err
	}
	if e.from != nil {
		// What did not change keeps its bytes, and so its digest.
		if raw, err := e.from.RawConfigFile(); err == nil && sameJSON(raw, config) {
			config = raw
		}
	}
	digest, size, err := v1.SHA256(bytes.NewReader(config))
	if err != nil {
		return nil, err
	}
	described := object{}
	if err := e.manifest.get("config", &described); err != nil {
		return nil, err
	}
	if _, ok := described["mediaType"]; !ok {
		described.set("mediaType", types.OCIConfigJSON)
	}
	described.set("digest", digest)
	described.set("size", size)
	delete(described, "data") // which would be that of the old one
	e.manifest.set("config", described)
	if e.layers == nil {
		e.layers = []object{}
	}
	e.manifest.set("layers", e.layers)
	manifest, err := json.Marshal(e.manifest)
	if err != nil {
		return nil, err
	}
	if e.from != nil {
		if raw, err := e.from.RawManifest(); err == nil && sameJSON(raw, manifest) {
			manifest = raw
		}
	}
	layers, err := e.byDigest()
	if err != nil {
		return nil, err
	}
	return partial.CompressedToImage(&edited{manifest: manifest, config: config, layers: layers, edit: e})
}

// byDigest returns all layers, each as its descriptor has it.
func (e *edit) byDigest() (map[v1.Hash]verifiedLayer, error) {
	have := map[v1.Hash]v1.Layer{}
	all := e.blobs
	if e.from != nil {
		old, err := e.from.Layers()
		if err != nil {
			return nil, err
		}
		all = append(slices.Clone(all), old...)
	}
	for _, l := range all {
		h, err := l.Digest()
		if err != nil {
			return nil, err
		}
		have[h] = l
	}
	layers := map[v1.Hash]verifiedLayer{}
	for i := range e.layers {
		d, err := e.descriptor(i)
		if err != nil {
			return nil, err
		}
		if l, ok := have[d.Digest]; ok {
			layers[d.Digest] = verifiedLayer{l, d, e.ref}
		}
	}
	return layers, nil
}

// sameJSON reports whether two texts of JSON objects say the same, in whatever order.
func sameJSON(a, b []byte) bool {
	x, ok := canonical(a)
	y, same := canonical(b)
	return ok && same && bytes.Equal(x, y)
}

// canonical returns JSON with the fields of all objects sorted and numbers as they are.
func canonical(text []byte) ([]byte, bool) {
	var v any
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil, false
	}
	out, err := json.Marshal(v)
	return out, err == nil
}

// edited is an image that was made here.
type edited struct {
	manifest, config []byte
	layers           map[v1.Hash]verifiedLayer
	edit             *edit
}

// RawManifest returns the manifest.
func (i *edited) RawManifest() ([]byte, error) { return i.manifest, nil }

// RawConfigFile returns the configuration.
func (i *edited) RawConfigFile() ([]byte, error) { return i.config, nil }

// MediaType returns the one of the manifest.
func (i *edited) MediaType() (types.MediaType, error) {
	t := types.OCIManifestSchema1
	err := i.edit.manifest.get("mediaType", &t)
	return t, err
}

// LayerByDigest returns a layer, as its descriptor describes it.
func (i *edited) LayerByDigest(h v1.Hash) (partial.CompressedLayer, error) {
	if l, ok := i.layers[h]; ok {
		return l, nil
	}
	return nil, &xpkg.ManifestError{Ref: i.edit.ref, Reason: "it lists no layer " + h.String()}
}
