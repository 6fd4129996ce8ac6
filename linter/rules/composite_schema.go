package rules

import (
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// Fields of composite resources that Crossplane puts in place of those of a definition,
// by scope.
var (
	legacySpec = []string{
		"claimRef", "compositionRef", "compositionRevisionRef", "compositionRevisionSelector", "compositionSelector",
		"compositionUpdatePolicy", "environmentConfigRefs", "publishConnectionDetailsTo", "resourceRefs", "writeConnectionSecretToRef",
	}
	legacyStatus = []string{"claimConditionTypes", "conditions", "connectionDetails"}
	modernSpec   = []string{"crossplane"}
	modernStatus = []string{"conditions", "crossplane"}
)

// reserved is what Crossplane has in the spec and in the status of a composite
// resource. Of one whose scope is not known, that is everything.
func (def *definition) reserved() (spec, status []string) {
	switch scope, modern := def.scope(); {
	case scope == "":
		return slices.Concat(legacySpec, modernSpec), slices.Concat(legacyStatus, modernStatus)
	case modern:
		return modernSpec, modernStatus
	default:
		return legacySpec, legacyStatus
	}
}

// schemaOf is the schema of a version of a definition, and where it stands; nil if the
// definition has no such version, or if that has none.
func (def *definition) schemaOf(version string) (*value, meta.Path) {
	versions, _ := def.versions()
	for i, v := range versions {
		if name, _ := v.get("name").asText(); name != version {
			continue
		}
		if schema := v.get("schema", "openAPIV3Schema"); schema.form == mapping {
			return schema, meta.Path{"spec", "versions", i, "schema", "openAPIV3Schema"}
		}
	}
	return nil, nil
}

// findInComposite follows a path through the composite resource that Crossplane makes
// of a schema.
func (def *definition) findInComposite(schema *value, path []segment) *missing {
	if len(path) == 0 || path[0].isIndex || path[0].field == everyItem || isOpen(schema) {
		return nil
	}
	spec, status := def.reserved()
	names := map[string][]string{"spec": spec, "status": status}
	reserved, ok := names[path[0].field]
	switch first := path[0].field; {
	case first == "apiVersion" || first == "kind" || first == "metadata":
		return nil
	case !ok:
		return &missing{what: quote(first), nearest: nearest(first, map[string]*shape{"metadata": nil, "spec": nil, "status": nil})}
	case len(path) == 1 || slices.Contains(reserved, path[1].field):
		return nil
	}
	part := schema.get("properties", path[0].field)
	if part.isAbsent() {
		part = &value{form: mapping, fields: map[string]*value{}}
	}
	if part.form != mapping {
		return nil
	}
	// Crossplane makes a mapping of it whatever it says.
	object := &value{form: mapping, fields: maps.Clone(part.fields)}
	object.fields["type"] = &value{form: text, text: "object"}
	if object.get("properties").form != mapping {
		object.fields["properties"] = &value{form: mapping, fields: map[string]*value{}}
	}
	return findPath(object, path[1:])
}
