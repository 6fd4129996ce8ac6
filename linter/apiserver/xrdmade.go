package apiserver

import (
	"bytes"
	"encoding/json"
	"maps"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

const (
	xrdV1 = "apiextensions.crossplane.io/v1"
	xrdV2 = "apiextensions.crossplane.io/v2"
)

// making is a definition that Crossplane makes.
type making struct {
	definition map[string]any
	names      string // the field that its names are of
}

// What Crossplane itself defines of the spec and the status of what it makes, in so
// far as a rule of the author can speak of it.
const (
	compositionFields = `"compositionRef": {"type": "object", "properties": {"name": {"type": "string"}}},
		"compositionSelector": {"type": "object", "properties": {"matchLabels": {"type": "object", "additionalProperties": {"type": "string"}}}},
		"compositionRevisionRef": {"type": "object", "properties": {"name": {"type": "string"}}},
		"compositionRevisionSelector": {"type": "object", "properties": {"matchLabels": {"type": "object", "additionalProperties": {"type": "string"}}}},
		"compositionUpdatePolicy": {"type": "string"}`
	resourceFields = `"resourceRefs": {"type": "array", "items": {"type": "object", "properties": {
		"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"}, "namespace": {"type": "string"}}}}`
	secretFields = `"publishConnectionDetailsTo": {"type": "object", "properties": {"name": {"type": "string"}}},
		"writeConnectionSecretToRef": {"type": "object", "properties": {"name": {"type": "string"}, "namespace": {"type": "string"}}}`
	compositeFields = compositionFields + "," + resourceFields + "," + secretFields + `,
		"claimRef": {"type": "object", "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"}, "namespace": {"type": "string"}}}`
	claimFields = compositionFields + "," + secretFields + `,
		"compositeDeletePolicy": {"type": "string"},
		"resourceRef": {"type": "object", "properties": {"apiVersion": {"type": "string"}, "kind": {"type": "string"}, "name": {"type": "string"}}}`
	namespacedFields = `"crossplane": {"type": "object", "properties": {` + compositionFields + "," + resourceFields + `}}`
	statusFields     = `"conditions": {"type": "array", "items": {"type": "object", "properties": {"lastTransitionTime": {"type": "string", "format": "date-time"},
			"message": {"type": "string"}, "reason": {"type": "string"}, "status": {"type": "string"}, "type": {"type": "string"}}}},
		"claimConditionTypes": {"type": "array", "items": {"type": "string"}},
		"connectionDetails": {"type": "object", "properties": {"lastPublishedTime": {"type": "string", "format": "date-time"}}}`
)

func forComposite(xrd map[string]any) making {
	spec, _ := xrd["spec"].(map[string]any)
	scope, fields := "Cluster", compositeFields
	if xrd["apiVersion"] == xrdV2 && spec["scope"] != "LegacyCluster" {
		scope, fields = "Namespaced", namespacedFields
		if spec["scope"] == "Cluster" {
			scope = "Cluster"
		}
	}
	names, _ := spec["names"].(map[string]any)
	return making{definition(xrd, names, valueAt(xrd, "metadata", "name"), scope, fields), "names"}
}

func forClaim(xrd, names map[string]any) making {
	plural, _ := names["plural"].(string)
	group, _ := valueAt(xrd, "spec", "group").(string)
	return making{definition(xrd, names, plural+"."+group, "Namespaced", claimFields), "claimNames"}
}

// definition makes the definition of composite resources or of claims.
func definition(xrd, names map[string]any, name any, scope, fields string) map[string]any {
	var versions []any
	for _, v := range listAt(xrd, "spec", "versions") {
		version := map[string]any{"schema": map[string]any{"openAPIV3Schema": schemaOf(v, fields)}, "storage": valueAt(v, "referenceable")}
		for _, key := range []string{"name", "served", "deprecated", "deprecationWarning", "additionalPrinterColumns"} {
			version[key] = valueAt(v, key)
		}
		version["subresources"] = map[string]any{"status": map[string]any{}}
		versions = append(versions, version)
	}
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"group": valueAt(xrd, "spec", "group"), "names": names, "scope": scope, "versions": versions,
			"conversion": valueAt(xrd, "spec", "conversion"),
		},
	}
}

// schemaOf makes the schema of a version: of the author's, what is said of spec and
// status.
func schemaOf(version any, fields string) map[string]any {
	author := valueAt(version, "schema", "openAPIV3Schema")
	text := map[string]any{"type": "string"}
	return map[string]any{
		"type": "object", "required": []any{"spec"},
		"properties": map[string]any{
			"apiVersion": text, "kind": text,
			"metadata": map[string]any{"type": "object", "properties": map[string]any{"name": text}},
			"spec":     half(valueAt(author, "properties", "spec"), fields),
			"status":   half(valueAt(author, "properties", "status"), statusFields),
		},
	}
}

// half makes the schema of spec or status, of what the author says of it and the fields
// that Crossplane defines.
func half(author any, fields string) map[string]any {
	made, properties := map[string]any{"type": "object"}, map[string]any{}
	for _, key := range []string{"required", "x-kubernetes-validations", "x-kubernetes-preserve-unknown-fields", "oneOf", "description"} {
		if v := valueAt(author, key); v != nil {
			made[key] = v
		}
	}
	if own, ok := valueAt(author, "properties").(map[string]any); ok {
		maps.Copy(properties, own)
	}
	if defined, err := decode([]byte("{" + fields + "}")); err == nil {
		maps.Copy(properties, defined.(map[string]any))
	}
	made["properties"] = properties
	return made
}

// concerns reports whether a fault is of what the author wrote, and not told of by
// the rules that hold a composite resource definition itself to its form.
func (m *making) concerns(path []any, f *field.Error) bool {
	if len(path) < 2 || path[0] != "spec" {
		return false
	}
	switch path[1] {
	case "versions":
		return len(path) > 3
	case "names", "group":
		return f.Type != field.ErrorTypeRequired
	}
	return path[1] == "conversion"
}

// source returns the path that a field of the definition comes from.
func (m *making) source(path []any) []any {
	if path[1] == "names" {
		path[1] = m.names
	}
	return path
}

// valueAt returns the value at keys; nil when there is none.
func valueAt(v any, keys ...string) any {
	for _, key := range keys {
		v = child(v, key)
	}
	return v
}

func listAt(v any, keys ...string) []any {
	list, _ := valueAt(v, keys...).([]any)
	return list
}

// decode reads JSON with the digits of its numbers as they are.
func decode(raw []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	return v, err
}
