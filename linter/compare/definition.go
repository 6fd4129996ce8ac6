package compare

import (
	"maps"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// A definition is an object that makes API kinds: a CustomResourceDefinition, a
// ManagedResourceDefinition or a CompositeResourceDefinition.
type definition struct {
	doc      *parser.Document
	outer    object    // spec
	spec     object    // what has group, names and versions: spec, or the one within it
	path     meta.Path // of that
	xrd      bool
	kinds    []meta.ProvidedKind
	versions []version
}

// A version is a version of the kinds of a definition.
type version struct {
	name                        string
	served, storage, deprecated bool
	path                        meta.Path
	fields                      object
}

// Groups of objects that packages hold.
const (
	groupKubernetes = "apiextensions.k8s.io"
	groupCrossplane = "apiextensions.crossplane.io"
	groupAdmission  = "admissionregistration.k8s.io"
)

// isDefinition says whether an object makes API kinds.
func isDefinition(d *parser.Document) bool {
	group, _ := meta.SplitAPIVersion(d.APIVersion)
	switch d.Kind {
	case meta.DefinitionCRD:
		return group == groupKubernetes
	case meta.DefinitionXRD, meta.DefinitionMRD:
		return group == groupCrossplane
	}
	return false
}

// readDefinition reads a definition. Of one that is faulty it holds what can be read.
func readDefinition(d *parser.Document) *definition {
	def := &definition{doc: d, xrd: d.Kind == meta.DefinitionXRD, path: meta.Path{"spec"}}
	def.outer = readObject(d).object("spec")
	def.spec = def.outer
	stored := "storage"
	if def.xrd {
		stored = "referenceable"
		if old := def.outer.object("crdSpecTemplate"); old != nil { // before Crossplane v0.14
			stored, def.spec, def.path = "storage", old, meta.Path{"spec", "crdSpecTemplate"}
		}
	}
	def.readVersions(stored)
	def.readKinds()
	return def
}

func (def *definition) readVersions(stored string) {
	spec, path := def.spec, def.path
	for i, v := range spec.objects("versions") {
		def.versions = append(def.versions, version{
			name: v.text("name"), served: v.truth("served"), storage: v.truth(stored), deprecated: v.truth("deprecated"),
			path: below(path, "versions", i), fields: v,
		})
	}
	if single := spec.text("version"); def.versions == nil && single != "" {
		def.versions = []version{{name: single, served: true, storage: true, path: below(path, "version")}}
	}
	// What versions have in common may be in spec.
	for i, v := range def.versions {
		if v.fields.object("schema") == nil && spec.object("validation") != nil {
			def.versions[i].fields = maps.Clone(v.fields)
			if v.fields == nil {
				def.versions[i].fields = object{}
			}
			def.versions[i].fields["schema"] = map[string]any(spec.object("validation"))
		}
	}
}

func (def *definition) readKinds() {
	namesOf := func(o object) meta.XRDNames {
		return meta.XRDNames{Kind: o.text("kind"), ListKind: o.text("listKind"), Plural: o.text("plural"), Singular: o.text("singular")}
	}
	group, scope, names := def.spec.text("group"), def.spec.text("scope"), namesOf(def.spec.object("names"))
	if def.xrd {
		x := meta.XRD{APIVersion: def.doc.APIVersion, Name: def.doc.Name, Group: group, Scope: scope, Names: names}
		if claim := def.outer.object("claimNames"); claim != nil {
			names := namesOf(claim)
			x.ClaimNames = &names
		}
		def.kinds = x.Kinds()
	} else {
		if scope == "" {
			scope = meta.ScopeNamespaced // the default of v1beta1
		}
		def.kinds = []meta.ProvidedKind{{Group: group, Kind: names.Kind, Plural: names.Plural, Singular: names.Singular, Scope: scope}}
	}
	def.kinds = slices.DeleteFunc(def.kinds, func(k meta.ProvidedKind) bool { return k.Group == "" || k.Kind == "" })
}

// isLegacy says whether composite resources have the fields that Crossplane put into
// their spec before it had a field of its own there.
func (def *definition) isLegacy() bool {
	_, v := meta.SplitAPIVersion(def.doc.APIVersion)
	return v == "v1" || strings.HasPrefix(v, "v1alpha") || strings.HasPrefix(v, "v1beta") || def.spec.text("scope") == "LegacyCluster"
}
