package rules

import (
	"context"
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

const structuralURL = "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#specifying-a-structural-schema"

func xrdSchema() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-schema",
		Doc: "The schema of a composite resource is one that the API server takes in the CustomResourceDefinition that Crossplane " +
			"makes of it: structural, with a type for every value, patterns that compile, defaults that are valid. Expressions " +
			"in CEL are not looked at.",
		Bad:      exampleXRD + goodXRDSpec + schemaHead + "              size:\n" + "                minimum: 1\n",
		Good:     exampleXRD + goodXRDSpec + schemaHead + "              size:\n" + "                type: integer\n                minimum: 1\n",
		URL:      structuralURL,
		Severity: linter.Error,
		Run:      eachSchema(func(s linter.Severity) bool { return s == 0 }),
	}
}

func xrdSchemaMeaning() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-schema-meaning",
		Doc: "What the schema of a composite resource says has a meaning. The API server takes, and passes over, keywords that " +
			"there are not, required fields that there are not and bounds that no value is within; Crossplane leaves out what " +
			"is neither in spec nor in status. Fields that Crossplane has itself are for information.",
		Bad:      exampleXRD + goodXRDSpec + schemaHead + "              size:\n" + "                type: integer\n                minimun: 1\n",
		Good:     exampleXRD + goodXRDSpec + schemaHead + "              size:\n" + "                type: integer\n                minimum: 1\n",
		URL:      structuralURL,
		Severity: linter.Warning,
		Run:      eachSchema(func(s linter.Severity) bool { return s != 0 }),
	}
}

// eachSchema makes the Run function of a rule for a part of what a schemaCheck finds.
func eachSchema(only func(linter.Severity) bool) func(context.Context, *linter.Pass) error {
	return eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
		versions, _ := def.versions()
		c := schemaCheck{findings{pass: p, doc: def.doc, only: only}}
		for i, v := range versions {
			if schema := v.get("schema", "openAPIV3Schema"); schema.form == mapping {
				c.root(meta.Path{"spec", "versions", i, "schema", "openAPIV3Schema"}, schema, def)
			}
		}
		c.done()
	})
}

// schemaCheck holds schemas against what API servers take. What they refuse has no
// severity of its own; what they pass over is a warning or less.
type schemaCheck struct{ findings }

// root looks at the schema of a composite resource, of which Crossplane takes the
// description, and what is in spec and in status.
func (c *schemaCheck) root(path meta.Path, s *value, def *definition) {
	c.keywords(path, s)
	spec, status := def.reserved()
	known := map[string]*shape{"apiVersion": nil, "kind": nil, "metadata": nil, "spec": nil, "status": nil}
	properties := s.get("properties")
	for _, name := range sortedFields(properties) {
		at := below(path, "properties", name)
		field := properties.fields[name]
		switch {
		case !inSet(known, name):
			near := nearest(name, known)
			if properties.fields[near] != nil {
				near = ""
			}
			c.add(fault{path: at, key: true, severity: linter.Warning, rewrite: near},
				"it is neither in spec nor in status, so Crossplane leaves it out%s", didYouMean(near))
		case name == "spec":
			c.part(at, field, name, spec)
		case name == "status":
			c.part(at, field, name, status)
		}
	}
	c.required(path, s)
}

// part looks at spec or status. Crossplane makes a mapping of it and takes over which
// fields it has, which of them are required, what is checked and what oneOf says.
func (c *schemaCheck) part(path meta.Path, s *value, name string, reserved []string) {
	if s.form != mapping {
		c.schema(path, s)
		return
	}
	taken := &value{form: mapping, fields: map[string]*value{"type": {form: text, text: "object"}}}
	for keyword, v := range s.fields {
		switch keyword {
		case "description", "oneOf", "properties", "required", "x-kubernetes-validations":
			taken.fields[keyword] = v
		default:
			if schemaKeywords[keyword] == nil && !slices.Contains(refusedKeywords, keyword) {
				taken.fields[keyword] = v // it may be one of these, misspelt
			}
		}
	}
	c.schema(path, withFields(taken, reserved))
	for _, r := range reserved {
		if !s.get("properties", r).isAbsent() {
			c.add(fault{path: below(path, "properties", r), key: true, severity: linter.Info},
				"there is a field %s.%s of Crossplane's own, which takes the place of this one", name, r)
		}
	}
}

// withFields is the schema of a mapping with more fields, of which nothing is said.
func withFields(s *value, names []string) *value {
	properties := s.get("properties")
	if properties.form != mapping && !properties.isAbsent() {
		return s
	}
	all := &value{form: mapping, fields: map[string]*value{}}
	for _, name := range names {
		open := map[string]*value{"x-kubernetes-preserve-unknown-fields": {form: boolean, text: "true"}}
		all.fields[name] = &value{form: mapping, fields: open}
	}
	maps.Copy(all.fields, properties.fields)
	out := &value{form: mapping, fields: maps.Clone(s.fields)}
	out.fields["properties"] = all
	return out
}

func inSet(set map[string]*shape, name string) bool {
	_, ok := set[name]
	return ok
}

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
				at.rewrite = near
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
