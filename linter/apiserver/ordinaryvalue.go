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
	typed := false
	return each(schema, func(key string, value []byte) bool {
		typed = typed || key == "type"
		return key == "description" && len(value) > 0 && value[0] == '"' || key == "type" && string(value) == `"string"`
	}) && typed
}

// intOrString is what generators write of a number or a text.
const intOrString = `[{"type":"integer"},{"type":"string"}]`

// isEither reports whether a schema is that of a number or a text.
func isEither(schema []byte) bool {
	return lookup(schema, "x-kubernetes-int-or-string") != nil && each(schema, func(key string, value []byte) bool {
		return key == "description" || key == "pattern" || key == "x-kubernetes-int-or-string" || key == "anyOf" && string(value) == intOrString
	})
}

// anything reports whether a schema is that of any value.
func anything(schema []byte) bool {
	return lookup(schema, "x-kubernetes-preserve-unknown-fields") != nil && each(schema, func(key string, _ []byte) bool {
		return key == "description" || key == "x-kubernetes-preserve-unknown-fields"
	})
}

// required reports whether each of some alternatives names fields and nothing else.
func required(alternatives []byte) bool {
	c := cursor{b: alternatives}
	if !c.open('[') || c.peek() == ']' {
		return false
	}
	for c.more(']') {
		if !each(c.skip(), func(key string, value []byte) bool {
			_, ok := texts(value)
			return ok && key == "required"
		}) {
			return false
		}
	}
	return !c.lost
}

// each reports whether all members of an object are wanted.
func each(object []byte, wanted func(key string, value []byte) bool) bool {
	c := cursor{b: object}
	if !c.open('{') {
		return false
	}
	for c.more('}') {
		if key := string(c.key()); !wanted(key, c.skip()) {
			return false
		}
	}
	return !c.lost
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
