package compare

import (
	"maps"
	"slices"
)

// Fields of composite resources and claims that Crossplane puts in place of those of
// a definition.
var (
	legacyFields = object{
		"spec": names("claimRef", "compositeDeletePolicy", "compositionRef", "compositionRevisionRef", "compositionRevisionSelector",
			"compositionSelector", "compositionUpdatePolicy", "environmentConfigRefs", "publishConnectionDetailsTo", "resourceRef",
			"resourceRefs", "writeConnectionSecretToRef"),
		"status": names("claimConditionTypes", "conditions", "connectionDetails"),
	}
	modernFields = object{"spec": names("crossplane"), "status": names("conditions", "crossplane")}
)

func names(list ...string) map[string]any {
	set := map[string]any{}
	for _, name := range list {
		set[name] = true
	}
	return set
}

// root returns the schema that objects of a version have, and whether unknown fields
// are kept wherever they are.
func (def *definition) root(v version) (n node, open bool) {
	schema := v.fields.object("schema").object("openAPIV3Schema")
	n = node{path: below(v.path, "schema", "openAPIV3Schema")}
	if len(v.path) > 1 && v.path[len(v.path)-1] == "version" {
		n.path = below(def.path, "validation", "openAPIV3Schema")
	}
	if def.xrd {
		n.schema = def.composite(schema)
		return n, false
	}
	n.schema = withKnown(schema, schema)
	// The default of v1beta1 is to keep them.
	_, said := def.spec["preserveUnknownFields"]
	old := def.doc.APIVersion == groupKubernetes+"/v1beta1"
	return n, schema == nil || def.spec.truth("preserveUnknownFields") || old && !said
}

// withKnown is a root schema in which the fields that every object has are what the
// API server makes of them: of the author's metadata, names are what counts.
func withKnown(schema, author object) object {
	root := object(maps.Clone(map[string]any(schema)))
	if root == nil {
		root = object{}
	}
	root["type"] = "object"
	fields := object(maps.Clone(map[string]any(root.object("properties"))))
	if fields == nil {
		fields = object{}
	}
	for _, name := range []string{"apiVersion", "kind"} {
		fields[name] = map[string]any{"type": "string"}
	}
	limits := author.object("properties").object("metadata").object("properties").object("name")
	name := object(maps.Clone(map[string]any(limits)))
	if name == nil {
		name = object{}
	}
	name["type"] = "string"
	delete(name, "default")
	fields["metadata"] = map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any(name)}}
	root["properties"] = map[string]any(fields)
	required := slices.DeleteFunc(slices.Clone(root.list("required")), func(v any) bool {
		return v == "apiVersion" || v == "kind" || v == "metadata"
	})
	root["required"] = required
	return root
}

// composite is the schema that Crossplane makes of that of a definition: of its
// root, it takes spec and status, and of these some keywords only.
func (def *definition) composite(schema object) object {
	reserved := modernFields
	if def.isLegacy() {
		reserved = legacyFields
	}
	parts := map[string]any{}
	for _, part := range []struct {
		name     string
		keywords []string
	}{
		{"spec", []string{"required", "x-kubernetes-validations", "oneOf", "x-kubernetes-preserve-unknown-fields"}},
		{"status", []string{"required", "x-kubernetes-validations", "oneOf"}},
	} {
		author := schema.object("properties").object(part.name)
		out := map[string]any{"type": "object"}
		for _, keyword := range part.keywords {
			if v, set := author[keyword]; set {
				out[keyword] = v
			}
		}
		fields := map[string]any{}
		for name, field := range author.object("properties") {
			if reserved.object(part.name)[name] == nil {
				fields[name] = field
			}
		}
		out["properties"] = fields
		parts[part.name] = out
	}
	return withKnown(object{"properties": parts, "required": []any{"spec"}}, schema)
}
