package apiserver

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"unicode/utf8"
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
	var within limits
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
		case "minLength":
			within.minLength = of
		case "maxLength":
			within.maxLength = of
		case "pattern":
			within.pattern = of
		case "minimum":
			within.minimum = of
		case "maximum":
			within.maximum = of
		case "x-kubernetes-validations":
			bounded = bounded || !unchanging(of)
		default: // other bounds
			bounded = true
		}
	}
	if c.lost || bounded || format != "" && kind != "integer" || enum != nil && !listed(enum, value) {
		return false
	}
	switch kind {
	case "string":
		return value[0] == '"' && within.text(value)
	case "boolean":
		return string(value) == "true" || string(value) == "false"
	case "integer":
		return wholeNumber(value) && (len(value) == 1 || value[0] != '0') && within.number(value)
	case "number":
		return plainNumber(value, maxExact) && within.minimum == nil && within.maximum == nil
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

// limits are those of a text or a number, each as it is written; nil where there is none.
type limits struct{ minLength, maxLength, pattern, minimum, maximum []byte }

func (l *limits) text(value []byte) bool {
	text, ok := unquote(value)
	if !ok || !utf8.ValidString(text) || !between(utf8.RuneCountInString(text), l.minLength, l.maxLength) {
		return false
	}
	if l.pattern == nil {
		return true
	}
	pattern, ok := unquote(l.pattern)
	matched, err := regexp.MatchString(pattern, text)
	return ok && matched && err == nil
}

func (l *limits) number(value []byte) bool {
	n, err := strconv.Atoi(string(value))
	return err == nil && between(n, l.minimum, l.maximum)
}

// between reports whether a number is between limits, which are whole numbers if there are
// such.
func between(n int, least, most []byte) bool {
	from, err := strconv.Atoi(string(least))
	if least != nil && (err != nil || n < from) {
		return false
	}
	to, err := strconv.Atoi(string(most))
	return most == nil || err == nil && n <= to
}

// unchanging reports whether no rule says more than that a value never changes, which is so
// of a default.
func unchanging(rules []byte) bool {
	c := cursor{b: rules}
	if !c.open('[') {
		return false
	}
	for c.more(']') {
		if r, ok := plainRule(c.skip()); !ok || r.optional || r.text != "self == oldSelf" {
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
