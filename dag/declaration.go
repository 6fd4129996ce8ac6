package dag

import (
	"encoding/json"
	"errors"

	"github.com/xpkg-go/sdk/meta"
)

// A declaration is what an entry of a catalog file says of a version's metadata.
type declaration struct {
	kind       string
	crossplane json.RawMessage
	dependsOn  []json.RawMessage
}

// hinted is an entry of dependsOn whose kind may stand without the apiVersion that
// metadata has beside it.
func hinted(raw json.RawMessage) json.RawMessage {
	var keys map[string]json.RawMessage
	if err := json.Unmarshal(raw, &keys); err != nil || keys["package"] == nil || keys["kind"] == nil || keys["apiVersion"] != nil {
		return raw
	}
	return append([]byte(`{"apiVersion":"`+meta.InstallGroup+`/v1",`), raw[1:]...)
}

// declare reads a declaration as the metadata that it is taken from, so that there is
// one reader of dependencies, and gives what it found to the release. The faults are
// those of metadata, with the paths of the file.
func (d *catalogDecoder) declare(r *meta.Release, path meta.Path, said declaration) {
	// A catalog need not say the kind; what metadata is made of must.
	kind := said.kind
	if kind == "" {
		kind = string(meta.Configuration)
	}
	type object map[string]any
	spec := object{}
	if said.crossplane != nil {
		spec["crossplane"] = object{"version": said.crossplane}
	}
	if said.dependsOn != nil {
		spec["dependsOn"] = said.dependsOn
	}
	data, err := json.Marshal(object{
		"apiVersion": meta.Group + "/v1", "kind": kind, "metadata": object{"name": "catalog"}, "spec": spec,
	})
	if err != nil { // every part of it was read as JSON before
		d.fail(path, meta.FaultSyntax, "the version", "JSON", err)
		return
	}
	p, err := meta.Decode(data)
	var faults meta.FieldErrors
	errors.As(err, &faults)
	for _, f := range faults {
		placed := *f
		placed.Path = catalogPath(path, f.Path)
		d.add(&placed)
	}
	if p == nil {
		return
	}
	for _, u := range p.Unknown {
		d.unknown(catalogPath(path, u.Path))
	}
	r.Kind, r.Crossplane, r.DependsOn = meta.Kind(said.kind), p.Crossplane, p.DependsOn
}

// catalogPath is where a field of metadata stands in an entry of a catalog file.
func catalogPath(entry, field meta.Path) meta.Path {
	if len(field) > 1 && field[0] == "spec" {
		field = field[1:]
		if field[0] == "crossplane" {
			field = field[:1]
		}
	}
	return join(entry, field...)
}
