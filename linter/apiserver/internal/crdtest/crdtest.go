// Package crdtest makes definitions to compare judges of them with: a table of
// faults with what is just right beside them, and mutants of any definition.
package crdtest

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Case is a definition that differs from Base in one thing.
type Case struct {
	// Reason says what the definition shows.
	Reason string
	// Refused says what an API server does with it.
	Refused bool
	// Definition, Version and Root are merge patches (RFC 7386) of the definition, of
	// its only version and of the schema of that version. Field is the schema of the
	// property field of the spec.
	Definition, Version, Root, Field string
}

// base is a definition with nothing against it.
const base = `{
 "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
 "metadata": {"name": "buckets.example.org"},
 "spec": {
  "group": "example.org", "scope": "Cluster",
  "names": {"kind": "Bucket", "listKind": "BucketList", "plural": "buckets", "singular": "bucket"},
  "versions": [{
   "name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
   "schema": {"openAPIV3Schema": {
    "type": "object", "description": "a bucket",
    "properties": {
     "apiVersion": {"type": "string"}, "kind": {"type": "string"}, "metadata": {"type": "object"},
     "spec": {"type": "object", "properties": {"field": {"type": "string"}, "policies": {"type": "array", "items": {"type": "string"}}}},
     "status": {"type": "object", "properties": {"replicas": {"type": "integer"}}}}}}}]}}`

// JSON returns the definition of the case.
func (c *Case) JSON() ([]byte, error) {
	d, err := object(base)
	if err != nil {
		return nil, err
	}
	spec := d["spec"].(map[string]any)
	version := spec["versions"].([]any)[0].(map[string]any)
	schema := version["schema"].(map[string]any)
	root := schema["openAPIV3Schema"].(map[string]any)
	if c.Field != "" {
		field, err := object(`{"field": ` + c.Field + `}`)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Reason, err)
		}
		root["properties"].(map[string]any)["spec"].(map[string]any)["properties"].(map[string]any)["field"] = field["field"]
	}
	for _, p := range []struct {
		patch  string
		target map[string]any
	}{{c.Root, root}, {c.Version, version}, {c.Definition, d}} {
		if p.patch == "" {
			continue
		}
		patch, err := object(p.patch)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Reason, err)
		}
		merge(p.target, patch)
	}
	return json.Marshal(d)
}

// object reads an object, with the digits of its numbers as they are.
func object(text string) (map[string]any, error) {
	var o map[string]any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	err := d.Decode(&o)
	return o, err
}

// merge carries out a merge patch.
func merge(target, patch map[string]any) {
	for k, v := range patch {
		within, isObject := v.(map[string]any)
		switch old, wasObject := target[k].(map[string]any); {
		case v == nil:
			delete(target, k)
		case isObject && wasObject:
			merge(old, within)
		default:
			target[k] = v
		}
	}
}
