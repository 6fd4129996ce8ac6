package rules

import (
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// schemaCheck holds schemas against what API servers take. What they refuse has no
// severity of its own; what they pass over is a warning or less.
type schemaCheck struct{ findings }

// schema looks at the schema of a value and at all within it.
func (c *schemaCheck) schema(path meta.Path, s *value) {
	if !c.isSchema(path, s) {
		return
	}
	c.keywords(path, s)
	c.kind(path, s)
	c.bounds(path, s)
	c.values(path, s)
	c.required(path, s)
	c.extensions(path, s)
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		items, _ := s.get(name).asList()
		for i, item := range items {
			c.junctor(below(path, name, i), item, isTrue(s.get("x-kubernetes-int-or-string")))
		}
	}
	c.junctor(below(path, "not"), s.get("not"), false)
	properties := s.get("properties")
	for _, name := range sortedFields(properties) {
		c.schema(below(path, "properties", name), properties.fields[name])
	}
	if items := s.get("items"); items.form != list {
		c.schema(below(path, "items"), items)
	}
	if rest := s.get("additionalProperties"); rest.form == mapping {
		c.schema(below(path, "additionalProperties"), rest)
	}
}

// isSchema reports whether there is a schema, and what is there instead.
func (c *schemaCheck) isSchema(path meta.Path, s *value) bool {
	if s.form != mapping && !s.isAbsent() {
		c.addf(path, "found %s, expected a schema", s.found())
	}
	return s.form == mapping
}

// kind looks at what a value is.
func (c *schemaCheck) kind(path meta.Path, s *value) {
	kind, ok := s.get("type").asText()
	open := isTrue(s.get("x-kubernetes-int-or-string")) || isTrue(s.get("x-kubernetes-preserve-unknown-fields"))
	items, properties, rest := s.get("items"), s.get("properties"), s.get("additionalProperties")
	switch {
	case !ok:
	case kind == "" && !open:
		c.addf(below(path, "type"), "there is no type (%s)", orList(schemaTypes))
	case kind != "" && !slices.Contains(schemaTypes, kind):
		near := nearestType(kind)
		c.add(fault{path: below(path, "type"), rewrite: near}, "%s is not a type%s", quote(kind), didYouMean(near))
	case kind == "array" && items.isAbsent():
		c.addf(path, "a list says of what (items is expected)")
	case kind != "array" && kind != "" && !items.isAbsent():
		c.add(fault{path: below(path, "items"), key: true, severity: linter.Warning}, "a value of type %s has no items", kind)
	case kind != "object" && kind != "" && (!properties.isAbsent() || !rest.isAbsent()):
		name := "properties"
		if properties.isAbsent() {
			name = "additionalProperties"
		}
		c.add(fault{path: below(path, name), key: true, severity: linter.Warning}, "a value of type %s has no fields", kind)
	}
	if rest.form == boolean && rest.text == "false" && len(properties.fields) > 0 {
		c.add(fault{path: below(path, "additionalProperties")}, "other fields cannot be forbidden; the API server drops them unless it is told otherwise")
	}
	if rest.form == mapping && len(properties.fields) > 0 {
		c.add(fault{path: below(path, "additionalProperties"), key: true}, "there are properties and a schema for all others (one of them is expected)")
	}
}

// required looks for fields that a value must have and cannot.
func (c *schemaCheck) required(path meta.Path, s *value) {
	names, _ := s.get("required").asList()
	properties, rest := s.get("properties"), s.get("additionalProperties")
	closed := rest.isAbsent() && !isOpen(s) && (properties.form == mapping || properties.isAbsent())
	if kind, _ := s.get("type").asText(); kind != "object" {
		closed = false
	}
	known := map[string]*shape{}
	for name := range properties.fields {
		known[name] = nil
	}
	seen := map[string]bool{}
	for i, v := range names {
		name, ok := v.asText()
		at := fault{path: below(path, "required", i), severity: linter.Warning}
		switch {
		case !ok || v.isAbsent():
			at.severity = 0
			c.add(at, "found %s, expected the name of a field", v.found())
		case seen[name]:
			c.add(at, "field %s is required twice", quote(name))
		case closed && !inSet(known, name) && (c.only == nil || c.only(at.severity)) && !c.full():
			near := nearest(name, known)
			if !slices.ContainsFunc(names, func(v *value) bool { return v.text == near }) {
				at.rewrite = sure(name, near)
			}
			c.add(at, "field %s is required, and there is none%s", quote(name), didYouMean(near))
		}
		seen[name] = true
	}
}

// junctor looks at what allOf, anyOf, oneOf and not hold, which may constrain values and
// may not say what they are.
func (c *schemaCheck) junctor(path meta.Path, s *value, intOrString bool) {
	if !c.isSchema(path, s) {
		return
	}
	c.keywords(path, s)
	c.bounds(path, s)
	for _, name := range []string{
		"additionalProperties", "default", "description", "nullable", "title", "type", "x-kubernetes-embedded-resource",
		"x-kubernetes-int-or-string", "x-kubernetes-preserve-unknown-fields",
	} {
		if !s.get(name).isAbsent() && !(intOrString && name == "type") {
			c.add(fault{path: below(path, name), key: true}, "%s does not belong in allOf, anyOf, oneOf or not, but around them", name)
		}
	}
	for _, name := range []string{"allOf", "anyOf", "oneOf"} {
		items, _ := s.get(name).asList()
		for i, item := range items {
			c.junctor(below(path, name, i), item, intOrString)
		}
	}
	c.junctor(below(path, "not"), s.get("not"), false)
	properties := s.get("properties")
	for _, name := range sortedFields(properties) {
		c.junctor(below(path, "properties", name), properties.fields[name], false)
	}
	c.junctor(below(path, "items"), s.get("items"), false)
}
