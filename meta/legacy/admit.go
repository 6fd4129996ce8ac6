package legacy

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// preserve is the field that lets a schema keep, at one place, whatever it does not
// name.
const preserve = "x-kubernetes-preserve-unknown-fields"

// AdmitCRD returns a CustomResourceDefinition of apiextensions.k8s.io/v1, given as JSON,
// with what an API server demands of that version when it creates one, and did not
// demand of v1beta1: that every version has a schema, that the schema is structural, and
// that unknown fields are not kept everywhere. A place at which the schema does not say
// what may stand there gets x-kubernetes-preserve-unknown-fields, and so does an object
// without any fields of a definition that kept unknown ones, since everything in it would
// be dropped; an anyOf of integer and string gets x-kubernetes-int-or-string. An alternative
// (allOf, anyOf, oneOf, not) that a structural schema may not have is taken out: the
// result accepts every value that the definition accepted, save null for an integer or a
// string. Objects in a set get x-kubernetes-map-type: atomic, and a set or map of which
// version v1 demands more, such as keys that every item has, is made an ordinary list. The status
// is taken out too, since nobody but a cluster knows it.
//
// Each change is a note. What v1beta1 refused as well, such as a name that does not fit,
// stays as it is. The errors are those of ConvertCRD.
func AdmitCRD(data []byte) ([]byte, []Note, error) {
	crd, err := decodeValue(data)
	if err != nil {
		return nil, nil, err
	}
	var a admission
	a.crd(crd)
	return crd.appendJSON(nil), a.notes, nil
}

// admission is one definition that is made one which a server accepts.
type admission struct {
	notes notes

	// keeps is set when the definition kept unknown fields.
	keeps bool

	// depth is the length of the path to the root of the schema.
	depth int
}

func (a *admission) crd(crd *value) {
	if crd.remove("status") != nil {
		a.notes.add(meta.Path{"status"}, "the status of a definition is made by the cluster, and a package has none")
	}
	spec := crd.get("spec")
	if spec == nil || spec.kind != isObject {
		return
	}
	if keeps := spec.get("preserveUnknownFields"); keeps != nil && keeps.text == "true" {
		a.keeps = true
		spec.remove("preserveUnknownFields")
		a.notes.add(meta.Path{"spec", "preserveUnknownFields"}, "version v1 cannot keep unknown fields everywhere: those that the schema does not name are dropped")
	}
	versions := spec.get("versions")
	if versions == nil || versions.kind != isArray {
		return
	}
	for i, m := range versions.members {
		if m.value.kind == isObject {
			a.version(meta.Path{"spec", "versions", i, "schema"}, m.value)
		}
	}
}

func (a *admission) version(path meta.Path, version *value) {
	schema := version.get("schema")
	if schema == nil {
		schema = objectValue()
		version.set("schema", schema)
	}
	if schema.kind != isObject {
		return
	}
	path = to(path, "openAPIV3Schema")
	a.depth = len(path)
	root := schema.get("openAPIV3Schema")
	if root == nil {
		schema.set("openAPIV3Schema", objectValue(member{"type", textValue("object")}, member{preserve, boolValue(true)}))
		a.notes.add(path, "there is no schema and version v1 demands one: it has got one that takes everything ("+preserve+")")
		return
	}
	if root.kind != isObject {
		return
	}
	a.root(path, root)
	a.schema(path, root)
}

// root makes the top of a schema one that speaks of a whole resource.
func (a *admission) root(path meta.Path, root *value) {
	a.knownType(path, root)
	if root.get("type") == nil {
		root.set("type", textValue("object"))
		a.notes.add(to(path, "type"), "missing at the root: a resource is an object")
	}
	if root.remove("additionalProperties") != nil {
		root.set(preserve, boolValue(true))
		a.notes.add(to(path, "additionalProperties"), "not allowed at the root: "+preserve+" takes its place")
	}
	properties := root.get("properties")
	properties.fill()
	for _, name := range []string{"apiVersion", "kind"} {
		if p := properties.get(name); p != nil && p.kind == isObject && p.str("type") != "string" {
			p.set("type", textValue("string"))
			a.notes.add(to(path, "properties", name, "type"), "made string, which is what it always is")
		}
	}
	if metadata := properties.get("metadata"); metadata != nil && metadata.kind == isObject {
		a.metadata(to(path, "properties", "metadata"), metadata)
	}
}

// metadata leaves of the schema of metadata what a server lets a definition say of it:
// restrictions of the name.
func (a *admission) metadata(path meta.Path, metadata *value) {
	for _, m := range slices.Clone(metadata.members) {
		if m.key != "type" && m.key != "properties" {
			metadata.remove(m.key)
			a.notes.add(to(path, m.key), "not allowed: a definition may say of metadata how names look, and nothing else")
		}
	}
	if metadata.str("type") != "object" {
		metadata.set("type", textValue("object"))
		a.notes.add(to(path, "type"), "made object, which is what it always is")
	}
	properties := metadata.get("properties")
	if properties == nil || properties.kind != isObject {
		return
	}
	for _, m := range slices.Clone(properties.members) {
		if m.key != "name" && m.key != "generateName" {
			properties.remove(m.key)
			a.notes.add(to(path, "properties", m.key), "not allowed: a definition may say of metadata how names look, and nothing else")
		}
	}
}

// types are what a schema may call a type.
var types = [...]string{"string", "number", "integer", "boolean", "array", "object"}

// knownType takes out a type that is none.
func (a *admission) knownType(path meta.Path, s *value) {
	t := s.get("type")
	if t == nil || t.kind == isText && slices.Contains(types[:], t.text) {
		return
	}
	s.remove("type")
	if t.kind == isText || t.kind == isNumber {
		a.notes.add(to(path, "type"), "taken out, there is no type "+quoteShort(t.text))
	} else {
		a.notes.add(to(path, "type"), "taken out, "+t.found()+" is no type")
	}
}

// schema makes a schema structural, with all below it. Depth is bounded by that of the
// document.
func (a *admission) schema(path meta.Path, s *value) {
	s.get("properties").fill()
	a.knownType(path, s)
	if s.get("type") == nil && s.get(preserve) == nil && s.get("x-kubernetes-int-or-string") == nil && isIntOrString(s) {
		s.set("x-kubernetes-int-or-string", boolValue(true))
		a.notes.add(path, "has got x-kubernetes-int-or-string, since it has no type and may be an integer or a string")
	}
	opaque := isOpaque(s) // as its author wrote it
	a.alternatives(path, s)
	for _, key := range []string{"items", "additionalProperties"} {
		if below := s.get(key); below != nil && below.kind == isObject {
			a.schema(to(path, key), below)
		}
	}
	if properties := s.get("properties"); properties != nil && properties.kind == isObject {
		for _, m := range properties.members {
			isMetadata := m.key == "metadata" && len(path) == a.depth
			if m.value.kind == isObject && !isMetadata {
				a.schema(to(path, "properties", m.key), m.value)
			}
		}
	}
	a.open(path, s, opaque)
	a.list(path, s)
}

// open lets a schema keep what stands at a place of which it says nothing; an opaque one
// is that of an object whose fields it does not name.
func (a *admission) open(path meta.Path, s *value, opaque bool) {
	if s.get(preserve) != nil || s.get("x-kubernetes-int-or-string") != nil {
		return
	}
	switch t := s.str("type"); {
	case t == "":
		s.set(preserve, boolValue(true))
		a.notes.add(path, "has got "+preserve+", since it has no type")
	case t == "array" && s.get("items") == nil:
		s.set("items", objectValue(member{preserve, boolValue(true)}))
		a.notes.add(to(path, "items"), "missing: the items have got "+preserve)
	case t == "object" && a.keeps && opaque:
		s.set(preserve, boolValue(true))
		a.notes.add(path, "has got "+preserve+", since it names no fields and all in it would be dropped")
	}
}

// isOpaque reports whether the schema of an object names no field.
func isOpaque(s *value) bool {
	p := s.get("properties")
	return (p == nil || len(p.members) == 0) && s.get("additionalProperties") == nil
}
