package dag

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// DecodeCatalog reads a catalog file, given as JSON:
//
//	{"packages": [{"source": "acme.io/app", "versions": [{
//	  "version": "v1.0.0", "kind": "Configuration", "digest": "sha256:…", "crossplane": ">=v1.14.0",
//	  "dependsOn": [{"kind": "Provider", "package": "acme.io/provider", "version": ">=v0.2.0"}],
//	  "provides": ["App.acme.io/v1"], "images": ["acme.io/controller:v1.0.0"]}]}]}
//
// Only source and version are required. An entry of dependsOn is one as metadata has it,
// in any spelling; beside package, kind may be there without apiVersion. The entries
// of provides name kinds as those of dependsOn with crd do.
//
// It returns both: a catalog, nil only where data is no JSON object, and
// meta.FieldErrors with every fault, unknown fields and versions that are there twice
// among them. What a version declares and cannot be read, such as a range that is none, is
// in the release as it stands, so that the resolver refuses that version and does not
// take it for one without the demand. A version that no registry can have is left out.
func DecodeCatalog(data []byte) (*StaticCatalog, error) {
	d := &catalogDecoder{catalog: NewStaticCatalog()}
	if !json.Valid(data) {
		var v json.RawMessage
		d.fail(nil, meta.FaultSyntax, "the document", "JSON", json.Unmarshal(data, &v))
		return nil, d.faults
	}
	if !d.object(nil, data, func(key string, path meta.Path, raw json.RawMessage) bool {
		if key != "packages" {
			return false
		}
		d.list(path, raw, d.entry)
		return true
	}) {
		return nil, d.faults
	}
	return d.catalog, d.sorted()
}

// A catalogDecoder collects the releases and the faults of one file.
type catalogDecoder struct {
	jsonReader
	catalog *StaticCatalog
}

func (d *catalogDecoder) entry(path meta.Path, raw json.RawMessage) {
	var source meta.Source
	var named bool
	var versions json.RawMessage
	if !d.object(path, raw, func(key string, path meta.Path, raw json.RawMessage) bool {
		switch key {
		case "source":
			named = true
			if s, ok := d.text(path, raw); ok {
				source = d.source(path, s)
			}
		case "versions":
			versions = raw
		default:
			return false
		}
		return true
	}) {
		return
	}
	if !named {
		d.fail(join(path, "source"), meta.FaultRequired, "", "an image repository", nil)
	}
	if !source.IsZero() {
		d.catalog.listed(source)
	}
	if versions != nil {
		d.list(join(path, "versions"), versions, func(path meta.Path, raw json.RawMessage) { d.version(source, path, raw) })
	}
}

// version takes one published version. What it declares is read as metadata is.
func (d *catalogDecoder) version(source meta.Source, path meta.Path, raw json.RawMessage) {
	r := &meta.Release{Source: source}
	var declared declaration
	tagged := false
	if !d.object(path, raw, func(key string, path meta.Path, raw json.RawMessage) bool {
		switch key {
		case "version":
			tagged = true
			if s, ok := d.text(path, raw); ok {
				r.Version = d.tag(path, s)
			}
		case "digest":
			if s, ok := d.text(path, raw); ok && s != "" {
				if r.Digest = s; !meta.IsDigest(s) {
					d.fail(path, FaultDigest, found(s), "a digest", nil)
				}
			}
		case "kind":
			declared.kind, _ = d.text(path, raw)
		case "crossplane":
			if s, ok := d.text(path, raw); ok && s != "" {
				declared.crossplane = raw
			}
		case "dependsOn":
			d.list(path, raw, func(_ meta.Path, raw json.RawMessage) {
				declared.dependsOn = append(declared.dependsOn, hinted(raw))
			})
		case "provides":
			d.list(path, raw, func(path meta.Path, raw json.RawMessage) { d.provided(r, path, raw) })
		case "images":
			d.list(path, raw, func(path meta.Path, raw json.RawMessage) {
				if s, ok := d.text(path, raw); ok {
					provides(r).Images = append(provides(r).Images, meta.ImageCall{Image: s})
				}
			})
		default:
			return false
		}
		return true
	}) {
		return
	}
	if !tagged {
		d.fail(join(path, "version"), meta.FaultRequired, "", "a tag or a digest", nil)
	}
	d.declare(r, path, declared)
	if source.IsZero() || r.Version.IsZero() {
		return
	}
	switch written := r.Version.Digest(); {
	case r.Digest == "":
		r.Digest = written
	case written != "" && written != r.Digest:
		d.fail(join(path, "digest"), FaultDigest, found(r.Digest), "the digest that is in the version, "+written, nil)
	}
	if !d.catalog.add(r) {
		d.fail(join(path, "version"), meta.FaultDuplicate, "", "",
			fmt.Errorf("version %s of %s is there twice", found(r.Version.String()), source))
	}
}

// provides are the things that a release provides; from now on they are known.
func provides(r *meta.Release) *meta.Provides {
	if r.Provides == nil {
		r.Provides = &meta.Provides{}
	}
	return r.Provides
}

// provided takes a kind that a version brings.
func (d *catalogDecoder) provided(r *meta.Release, path meta.Path, raw json.RawMessage) {
	s, ok := d.text(path, raw)
	if !ok {
		return
	}
	ref, err := meta.ParseCRDRef(s)
	if err != nil || ref.Name == "*" {
		d.fail(path, meta.FaultCRD, found(s), "the name of a kind", errors.New("write NAME.GROUP/VERSION"))
		return
	}
	p := provides(r)
	v := meta.ProvidedVersion{Name: ref.Version, Served: true}
	at := slices.IndexFunc(p.Kinds, func(k meta.ProvidedKind) bool { return k.Group == ref.Group && k.Kind == ref.Name })
	if at < 0 {
		at = len(p.Kinds)
		p.Kinds = append(p.Kinds, meta.ProvidedKind{Group: ref.Group, Kind: ref.Name})
	}
	p.Kinds[at].Versions = append(p.Kinds[at].Versions, v)
}
