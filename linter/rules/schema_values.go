package rules

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// schemaTypes are the types of values.
var schemaTypes = []string{"array", "boolean", "integer", "number", "object", "string"}

// nearestType is the type that another word means.
func nearestType(word string) string {
	meant := map[string]string{
		"bool": "boolean", "dict": "object", "double": "number", "float": "number", "int": "integer", "int32": "integer",
		"int64": "integer", "list": "array", "map": "object", "str": "string", "text": "string",
	}
	if m := meant[word]; m != "" {
		return m
	}
	known := map[string]*shape{}
	for _, t := range schemaTypes {
		known[t] = nil
	}
	return nearest(word, known)
}

// schemaKeywords are the fields of a schema.
var schemaKeywords = map[string]*shape{
	"description": aText, "title": aText, "type": aText, "format": aText, "pattern": aText,
	"default": anything, "example": anything, "enum": aList, "required": aList, "allOf": aList, "anyOf": aList, "oneOf": aList,
	"maximum": aNumber, "minimum": aNumber, "multipleOf": aNumber, "exclusiveMaximum": aTruth, "exclusiveMinimum": aTruth,
	"maxLength": aNumber, "minLength": aNumber, "maxItems": aNumber, "minItems": aNumber, "maxProperties": aNumber, "minProperties": aNumber,
	"uniqueItems": aTruth, "nullable": aTruth, "not": anything, "items": anything, "properties": aMapping,
	"additionalProperties": anything, "externalDocs": aMapping,
	"x-kubernetes-embedded-resource": aTruth, "x-kubernetes-int-or-string": aTruth, "x-kubernetes-preserve-unknown-fields": aTruth,
	"x-kubernetes-list-map-keys": aList, "x-kubernetes-list-type": aText, "x-kubernetes-map-type": aText, "x-kubernetes-validations": aList,
}

// refusedKeywords are fields of JSON schema that API servers refuse.
var refusedKeywords = []string{"$ref", "$schema", "additionalItems", "definitions", "dependencies", "id", "patternProperties"}

// keywords looks at the fields of a schema: which there are, and of which form.
func (c *schemaCheck) keywords(path meta.Path, s *value) {
	for _, name := range sortedFields(s) {
		v, known := s.fields[name], schemaKeywords[name]
		switch {
		case v.isAbsent():
		case slices.Contains(refusedKeywords, name):
			if v.form == mapping && len(v.fields) == 0 {
				continue // as good as nothing
			}
			c.add(fault{path: below(path, name), key: true}, "the API server takes no %s in a schema", name)
		case known == nil:
			near := nearest(name, schemaKeywords)
			at := fault{path: below(path, name), key: true, severity: linter.Warning}
			if near != "" && s.fields[near] == nil && (schemaKeywords[near].form == absent || schemaKeywords[near].form == v.form) {
				at.rewrite = near
			}
			if near != "" {
				c.add(at, "there is no such field in a schema%s", didYouMean(near))
			} else if !strings.HasPrefix(name, "x-") { // others may know these
				c.add(at, "there is no such field in a schema, so it is dropped")
			}
		case known.form != absent && v.form != known.form:
			c.addf(below(path, name), "found %s, expected %s", v.found(), known.form)
		}
	}
	if isTrue(s.get("uniqueItems")) {
		c.addf(below(path, "uniqueItems"), "the API server does not take it (x-kubernetes-list-type: set is expected)")
	}
	if items := s.get("items"); items.form == list {
		c.addf(below(path, "items"), "found a list, expected the one schema of all items")
	}
}

// bounds looks at patterns, and at bounds that no value is within.
func (c *schemaCheck) bounds(path meta.Path, s *value) {
	reportPattern(&c.findings, below(path, "pattern"), s.get("pattern"))
	for _, pair := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}} {
		low, high := s.get(pair[0]), s.get(pair[1])
		if low.form == number && high.form == number && isGreater(low.text, high.text) {
			c.add(fault{path: below(path, pair[0]), severity: linter.Warning}, "%s %s is above %s %s, so that no value will do", pair[0], clip(low.text), pair[1], clip(high.text))
		}
		if pair[0] == "minimum" {
			continue
		}
		for _, name := range pair {
			if v := s.get(name); v.form == number {
				if _, err := strconv.ParseUint(v.text, 10, 63); err != nil {
					at := fault{path: below(path, name)}
					if strings.HasPrefix(v.text, "-") {
						at.severity = linter.Warning // the API server takes it
					}
					c.add(at, "found %s, expected a whole number from 0 on", clip(v.text))
				}
			}
		}
	}
}

// isGreater compares numbers as they are written in JSON.
func isGreater(a, b string) bool {
	const longest = 40 // digits and exponent: what is longer is no bound that anybody means
	if len(a) > longest || len(b) > longest {
		return false
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	return errX == nil && errY == nil && x > y
}

// values looks at enums and defaults, which are of the type that they are for.
func (c *schemaCheck) values(path meta.Path, s *value) {
	enum := s.get("enum")
	if enum.form == list && len(enum.items) == 0 {
		c.add(fault{path: below(path, "enum"), severity: linter.Warning}, "there is no value to choose from")
	}
	var choices []string
	for i, v := range enum.items {
		if why := misfit(v, s); why != "" && !(v.form == null && isTrue(s.get("nullable"))) {
			c.add(fault{path: below(path, "enum", i), severity: linter.Warning}, "found %s, expected %s, so that no value is this one", v.found(), why)
		}
		choices = append(choices, asJSON(v))
	}
	c.fits(below(path, "default"), s.get("default"), s, choices)
}

// fits looks at a default and at all within it.
func (c *schemaCheck) fits(path meta.Path, v, s *value, choices []string) {
	if v.isAbsent() || s.form != mapping {
		return
	}
	if why := misfit(v, s); why != "" {
		c.addf(path, "found %s, expected %s", v.found(), why)
		return
	}
	if len(choices) > 0 && !slices.Contains(choices, asJSON(v)) {
		c.addf(path, "%s is none of the values of enum", clip(asJSON(v)))
	}
	if why := outOfBounds(v, s); why != "" {
		c.addf(path, "found %s, which is %s", v.found(), why)
	}
	required, _ := s.get("required").asList()
	for _, r := range required {
		if v.form == mapping && r.form == text && v.fields[r.text] == nil { // its own default comes later
			c.addf(path, "field %s is required, and the default does not have it", quote(r.text))
		}
	}
	for _, name := range sortedFields(v) {
		field := s.get("properties", name)
		if field.form != mapping {
			field = s.get("additionalProperties")
		}
		c.fits(below(path, name), v.fields[name], field, nil)
	}
	for i, item := range v.items {
		c.fits(below(path, i), item, s.get("items"), nil)
	}
}

// misfit says what a value should be that is of another type than its schema has.
func misfit(v, s *value) string {
	kind, _ := s.get("type").asText()
	want := map[string]form{"array": list, "boolean": boolean, "integer": number, "number": number, "object": mapping, "string": text}[kind]
	switch {
	case want == absent || isTrue(s.get("x-kubernetes-int-or-string")):
		return ""
	case v.form != want:
		return want.String()
	case kind == "integer":
		if n, err := strconv.ParseFloat(v.text, 64); err == nil && n != float64(int64(n)) && n < 1<<53 && n > -(1<<53) {
			return "a whole number"
		}
	}
	return ""
}

func isTrue(v *value) bool { is, _ := v.asTruth(); return is }

// asJSON writes a value in one way, so that equal values are equal texts.
func asJSON(v *value) string {
	out, _ := json.Marshal(v.plain())
	return string(out)
}
