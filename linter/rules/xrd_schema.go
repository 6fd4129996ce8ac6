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
