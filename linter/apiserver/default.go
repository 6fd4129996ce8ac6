package apiserver

import (
	"bytes"
	"slices"
)

// takes reports whether a default is certainly a value of its schema, which is
// ordinary, with no field that the schema does not have.
func takes(schema, value []byte, depth int) bool {
	c := cursor{b: schema}
	if depth > maxDepth || !c.open('{') || len(value) == 0 {
		return false
	}
	var kind, format string
	var enum, items, properties, required []byte
	bounded := false
	for c.more('}') {
		key, of := string(c.key()), c.skip()
		switch key {
		case "description", "title", "default", "nullable", "x-kubernetes-map-type", "x-kubernetes-list-type", "x-kubernetes-list-map-keys":
		case "type":
			kind, _ = unquote(of)
		case "format":
			format, _ = unquote(of)
		case "enum":
			enum = of
		case "items":
			items = of
		case "properties":
			properties = of
		case "required":
			required = of
		default: // bounds, patterns, rules
			bounded = true
		}
	}
	if c.lost || bounded || format != "" && kind != "integer" || enum != nil && !listed(enum, value) {
		return false
	}
	switch kind {
	case "string":
		return value[0] == '"'
	case "boolean":
		return string(value) == "true" || string(value) == "false"
	case "integer":
		return wholeNumber(value) && (len(value) == 1 || value[0] != '0')
	case "number":
		return plainNumber(value, maxExact)
	case "array":
		return takesItems(items, value, depth)
	case "object":
		return takesFields(properties, required, value, depth)
	}
	return false
}

func takesItems(items, value []byte, depth int) bool {
	c := cursor{b: value}
	if !c.open('[') {
		return false
	}
	var seen [][]byte
	for c.more(']') {
		item := c.skip()
		if len(seen) == 10 || !takes(items, item, depth+1) || slices.ContainsFunc(seen, func(b []byte) bool { return bytes.Equal(b, item) }) {
			return false
		}
		seen = append(seen, item)
	}
	return !c.lost
}

func takesFields(properties, required, value []byte, depth int) bool {
	c := cursor{b: value}
	if !c.open('{') {
		return false
	}
	for c.more('}') {
		name, field := string(c.key()), c.skip()
		if !takes(lookup(properties, name), field, depth+1) {
			return false
		}
	}
	if required != nil {
		names, ok := texts(required)
		for _, name := range names {
			ok = ok && lookup(value, name) != nil
		}
		if !ok {
			return false
		}
	}
	return !c.lost
}

// listed reports whether a string is one of an enumeration, as it is written.
func listed(enum, value []byte) bool {
	c := cursor{b: enum}
	if !c.open('[') || value[0] != '"' {
		return false
	}
	for c.more(']') {
		if bytes.Equal(c.skip(), value) {
			return true
		}
	}
	return false
}
