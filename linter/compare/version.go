package compare

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// A kindDiff compares one API kind of two definitions.
type kindDiff struct {
	*diff
	old, new *definition
	kind     meta.ProvidedKind // as the old definition has it
}

func (d *kindDiff) subject(version string, old, new meta.Path) subject {
	apiVersion := d.kind.Group
	if version != "" {
		apiVersion += "/" + version
	}
	return subject{api: API{APIVersion: apiVersion, Kind: d.kind.Kind}, old: old, new: new}
}

// versions compares the versions of the kind, and the schemas of those that both
// definitions serve.
func (d *kindDiff) versions() {
	for _, was := range d.old.versions {
		if was.name == "" {
			continue
		}
		at := slices.IndexFunc(d.new.versions, func(v version) bool { return v.name == was.name })
		if at < 0 {
			d.goneVersion(was)
			continue
		}
		is := d.new.versions[at]
		about := func(field string) subject {
			return d.subject(was.name, below(was.path, field), below(is.path, field))
		}
		if was.served && !is.served {
			d.add(RuleVersionNotServed, linter.Error, about("served"), "%s is not served any more", d.api(was))
		}
		if !was.deprecated && is.deprecated && is.served {
			d.add(RuleVersionDeprecated, linter.Info, about("deprecated"), "%s is deprecated now", d.api(was))
		}
		if was.storage && !is.storage {
			d.stored(was, is)
		}
		if was.served && is.served {
			d.extras(was, is)
			d.schema(was, is)
		}
	}
}

func (d *kindDiff) api(v version) API { return d.subject(v.name, nil, nil).api }

// goneVersion reports a version that the new definition does not have. A cluster that
// has stored objects in it refuses the definition: status.storedVersions must be
// versions that there are.
func (d *kindDiff) goneVersion(v version) {
	versions := below(d.new.path, "versions")
	if v.served {
		d.add(RuleVersionRemoved, linter.Error, d.subject(v.name, v.path, versions), "%s is gone (%s)", d.api(v), servedBy(d.new))
	} else {
		d.add(RuleVersionRemoved, linter.Info, d.subject(v.name, v.path, versions), "%s is gone, which was not served", d.api(v))
	}
	if v.storage {
		d.add(RuleStorageRemoved, linter.Error, d.subject(v.name, v.path, versions),
			"objects are stored as %s, which is gone: the API server refuses the new definition for as long as status.storedVersions names %s", d.api(v), quote(v.name))
		d.referenceable(v, versions)
	}
}

// servedBy says which versions there are.
func servedBy(def *definition) string {
	var list []string
	for _, v := range def.versions {
		if v.served {
			list = append(list, v.name)
		}
	}
	if len(list) == 0 {
		return "no version is served"
	}
	return "served: " + enumerate(list, plain)
}

// stored reports that another version is the one that objects are stored in.
func (d *kindDiff) stored(was, is version) {
	field := "storage"
	if d.old.xrd {
		field = "referenceable"
	}
	if !d.old.xrd {
		d.add(RuleStorageChanged, linter.Info, d.subject(was.name, below(was.path, field), below(is.path, field)), "objects are not stored as %s any more", d.api(was))
	}
	d.referenceable(was, below(is.path, "referenceable"))
}

// referenceable reports that Compositions must name another version: those of
// others, which are in no package that is compared, name the old one.
func (d *kindDiff) referenceable(was version, path meta.Path) {
	if !d.old.xrd || !d.new.xrd {
		return
	}
	for _, v := range d.new.versions {
		if v.storage {
			d.add(RuleReferenceable, linter.Error, d.subject(was.name, below(was.path, "referenceable"), path),
				"Compositions had to name %s and have to name version %s now", d.api(was), quote(v.name))
			return
		}
	}
}

// extras compares what a version has besides its schema.
func (d *kindDiff) extras(was, is version) {
	about := func(name string) subject {
		return d.subject(was.name, below(was.path, name), below(is.path, name))
	}
	if !d.old.xrd && !d.new.xrd {
		had, has := d.old.part(was, "subresources"), d.new.part(is, "subresources")
		for _, name := range []string{"scale", "status"} {
			_, had := had[name]
			_, has := has[name]
			switch {
			case had && !has:
				d.add(RuleSubresource, linter.Error, about("subresources"), "%s: the subresource %s is gone", d.api(was), name)
			case has && !had && name == "status":
				d.add(RuleSubresource, linter.Warning, about("subresources"), "%s: status is a subresource now, and is not written with the object any more", d.api(was))
			}
		}
	}
	missing := func(name, key string) []string {
		has := map[string]bool{}
		for _, o := range d.new.columns(is, name) {
			has[strings.ToLower(o.text(key))] = true
		}
		var gone []string
		for _, o := range d.old.columns(was, name) {
			if s := o.text(key); s != "" && !has[strings.ToLower(s)] {
				gone = append(gone, s)
			}
		}
		return gone
	}
	if gone := missing("selectableFields", "jsonPath"); len(gone) > 0 {
		d.add(RuleSelectableField, linter.Error, about("selectableFields"), "%s: objects cannot be selected by %s any more", d.api(was), enumerate(gone, quote))
	}
	if gone := missing("additionalPrinterColumns", "name"); len(gone) > 0 {
		d.add(RulePrinterColumn, linter.Info, about("additionalPrinterColumns"), "%s: columns are gone: %s", d.api(was), enumerate(gone, quote))
	}
}

// part is a field of a version, or of spec, where versions may have it in common.
func (def *definition) part(v version, name string) object {
	if o := v.fields.object(name); o != nil {
		return o
	}
	return def.spec.object(name)
}

func (def *definition) columns(v version, name string) []object {
	if l := v.fields.objects(name); l != nil {
		return l
	}
	return def.spec.objects(name)
}

// schema compares the schemas of a version.
func (d *kindDiff) schema(was, is version) {
	s := &schemaDiff{diff: d.diff, api: d.api(was)}
	var old, new node
	old, s.oldOpen = d.old.root(was)
	new, s.newOpen = d.new.root(is)
	_, subresource := d.new.part(is, "subresources")["status"]
	s.ownStatus = subresource || d.new.xrd
	if s.oldOpen && !s.newOpen { // told once, and not again for each mapping
		d.add(RuleFieldsRefused, linter.Error, d.subject(was.name, below(d.old.path, "preserveUnknownFields"), new.path), "%s: fields of any name were accepted anywhere and are not any more", d.api(was))
		s.oldOpen = false
	}
	s.compare(old, new, spot{sure: true})
}
