package apiserver

import (
	"bytes"
	"regexp"
	"slices"
)

func compiles(pattern string) bool {
	_, err := regexp.Compile(pattern)
	return err == nil
}

// isMeta reports whether a property of the root is one that the API server itself
// defines.
func isMeta(name string) bool { return name == "apiVersion" || name == "kind" || name == "metadata" }

// named is the schema of metadata in the definitions that Crossplane makes.
const named = `{"properties":{"name":{"type":"string"}},"type":"object"}`

// metaSchema reports whether the schema of such a property says what it may: its
// type and, but for metadata, what it is for.
func metaSchema(name string, schema []byte) bool {
	if name == "metadata" {
		return string(schema) == trivial || string(schema) == named
	}
	c := cursor{b: schema}
	if !c.open('{') {
		return false
	}
	typed := false
	for c.more('}') {
		switch key, value := string(c.key()), c.skip(); {
		case key == "description" && len(value) > 0 && value[0] == '"':
		case key == "type" && string(value) == `"string"`:
			typed = true
		default:
			return false
		}
	}
	return typed && !c.lost
}

// keyed reports whether the items of a list have the keys of the list, each a
// scalar that is required or has a default.
func keyed(items *node, list []byte) bool {
	keys, ok := texts(list)
	if !ok || len(keys) == 0 || items.kind != "object" {
		return false
	}
	required, _ := texts(lookup(items.raw, "required"))
	properties := lookup(items.raw, "properties")
	for i, key := range keys {
		property := lookup(properties, key)
		kind, _ := unquote(lookup(property, "type"))
		n := node{kind: kind}
		if !n.scalar() || string(lookup(property, "nullable")) == "true" || slices.Contains(keys[:i], key) ||
			lookup(property, "default") == nil && !slices.Contains(required, key) {
			return false
		}
	}
	return true
}

func stringList(c *cursor) bool {
	if !c.open('[') {
		return false
	}
	for c.more(']') {
		c.text()
	}
	return !c.lost
}

func scalarList(c *cursor) bool {
	if !c.open('[') {
		return false
	}
	for c.more(']') {
		if value := c.skip(); len(value) == 0 || value[0] != '"' && !plainNumber(value, maxExact) && string(value) != "true" && string(value) != "false" {
			return false
		}
	}
	return !c.lost
}

// wholeNumber reports whether the value is a number that every type of integer can hold.
func wholeNumber(value []byte) bool {
	return len(value) > 0 && len(value) <= 9 && len(bytes.Trim(value, "0123456789")) == 0
}

// How long a number is at most: one that a floating point number keeps as it is, and a
// bound, which is one anyway and may be that of 64 bits.
const (
	maxExact = 15
	maxBound = 30
)

// plainNumber reports whether the value is a number without an exponent, of so many digits
// at most.
func plainNumber(value []byte, most int) bool {
	value = bytes.TrimPrefix(value, []byte("-"))
	return len(value) > 0 && len(value) <= most && value[0] >= '0' && value[0] <= '9' && len(bytes.Trim(value, "0123456789.")) == 0
}
