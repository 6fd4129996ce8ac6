package rules

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/xpkg-go/sdk/meta"
)

// extensions looks at what Kubernetes has added to schemas.
func (c *schemaCheck) extensions(path meta.Path, s *value) {
	kind, _ := s.get("type").asText()
	mapType := s.get("x-kubernetes-map-type")
	reportChoice(&c.findings, below(path, "x-kubernetes-map-type"), mapType, "a type of mapping", false, "atomic", "granular")
	if !mapType.isAbsent() && kind != "object" && kind != "" {
		c.add(fault{path: below(path, "x-kubernetes-map-type"), key: true}, "a value of type %s is no mapping", kind)
	}
	c.listType(path, s)
	c.open(path, s)
	rules, _ := s.get("x-kubernetes-validations").asList()
	for i, r := range rules {
		if r.form == mapping {
			reportRequired(&c.findings, below(path, "x-kubernetes-validations", i, "rule"), r.get("rule"), "rule to check")
		}
	}
}

// listType looks at how lists are merged.
func (c *schemaCheck) listType(path meta.Path, s *value) {
	kind, _ := s.get("type").asText()
	keys, _ := s.get("x-kubernetes-list-map-keys").asList()
	listType := s.get("x-kubernetes-list-type")
	reportChoice(&c.findings, below(path, "x-kubernetes-list-type"), listType, "a type of list", false, "atomic", "map", "set")
	switch {
	case !listType.isAbsent() && kind != "array" && kind != "":
		c.add(fault{path: below(path, "x-kubernetes-list-type"), key: true}, "a value of type %s is no list", kind)
	case listType.text == "map" && len(keys) == 0:
		c.addf(below(path, "x-kubernetes-list-map-keys"), "the keys of a list of type map are not said")
	case len(keys) > 0 && listType.text != "map":
		c.add(fault{path: below(path, "x-kubernetes-list-map-keys"), key: true}, "only a list of type map has keys")
	case listType.text == "map":
		c.mapKeys(path, s.get("items"), keys)
	}
}

// mapKeys looks at the keys of a list of type map, which every item has.
func (c *schemaCheck) mapKeys(path meta.Path, items *value, keys []*value) {
	required, _ := items.get("required").asList()
	for i, key := range keys {
		field := items.get("properties", key.text)
		at := below(path, "x-kubernetes-list-map-keys", i)
		switch {
		case key.form != text || items.form != mapping:
		case field.isAbsent():
			c.addf(at, "an item has no field %s to be its key", quote(key.text))
		case field.get("default").isAbsent() && !slices.ContainsFunc(required, func(r *value) bool { return r.text == key.text }):
			c.addf(at, "key %s is neither required in an item nor has a default", quote(key.text))
		}
	}
}

// open looks at what leaves a schema open.
func (c *schemaCheck) open(path meta.Path, s *value) {
	const keep, embedded = "x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource"
	kind, _ := s.get("type").asText()
	intOrString := isTrue(s.get("x-kubernetes-int-or-string"))
	if v := s.get(keep); v.form == boolean && v.text == "false" {
		c.addf(below(path, keep), "it can be true, or not be there")
	}
	for _, name := range []string{keep, embedded} {
		if intOrString && isTrue(s.get(name)) {
			c.add(fault{path: below(path, name), key: true}, "a value that is a number or a string has no %s", name)
		}
	}
	switch {
	case !isTrue(s.get(embedded)) || intOrString:
	case kind != "object":
		c.add(fault{path: below(path, embedded), key: true}, "an embedded resource is of type object")
	case !isTrue(s.get(keep)) && len(s.get("properties").fields) == 0:
		c.add(fault{path: below(path, embedded), key: true}, "an embedded resource has properties, or %s", keep)
	}
}

// outOfBounds says which bound a value that is of the type of its schema is not within.
func outOfBounds(v, s *value) string {
	size, low, high := 0, "minProperties", "maxProperties"
	switch v.form {
	case number:
		return outOfRange(v, s)
	case text:
		size, low, high = len([]rune(v.text)), "minLength", "maxLength"
		if pattern, _ := s.get("pattern").asText(); pattern != "" {
			if re, err := regexp.Compile(pattern); err == nil && !re.MatchString(v.text) {
				return "not of the pattern " + quote(pattern)
			}
		}
	case list:
		size, low, high = len(v.items), "minItems", "maxItems"
	case mapping:
		size = len(v.fields)
	default:
		return ""
	}
	have := strconv.Itoa(size)
	switch least, most := s.get(low), s.get(high); {
	case least.form == number && isGreater(least.text, have):
		return "below " + low + " " + clip(least.text)
	case most.form == number && isGreater(have, most.text):
		return "above " + high + " " + clip(most.text)
	}
	return ""
}

func outOfRange(v, s *value) string {
	low, high := s.get("minimum"), s.get("maximum")
	switch {
	case low.form == number && (isGreater(low.text, v.text) || isTrue(s.get("exclusiveMinimum")) && low.text == v.text):
		return "below minimum " + clip(low.text)
	case high.form == number && (isGreater(v.text, high.text) || isTrue(s.get("exclusiveMaximum")) && high.text == v.text):
		return "above maximum " + clip(high.text)
	}
	return ""
}
