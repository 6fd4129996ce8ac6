package rules

import (
	"errors"
	"strconv"
	"strings"
)

// segment is a step of a field path: a field of a mapping, or an index of a list. Every
// item of a list or mapping is the field *.
type segment struct {
	field   string
	index   int
	isIndex bool
}

// String names a step in a message.
func (s segment) String() string {
	if s.isIndex {
		return "item " + strconv.Itoa(s.index)
	}
	return quote(s.field)
}

// everyItem is the field that stands for every item.
const everyItem = "*"

// parseFieldPath reads a field path as Crossplane does: names with dots between them,
// and in brackets an index, or a name that may hold dots and be in quotes.
func parseFieldPath(s string) ([]segment, error) {
	var path []segment
	for rest, first := s, true; rest != ""; first = false {
		switch {
		case rest[0] == '[':
			end := strings.IndexByte(rest, ']')
			switch {
			case end < 0:
				return nil, errors.New("a bracket is not closed")
			case end == 1:
				return nil, errors.New("there is nothing in a bracket")
			case strings.IndexByte(rest[1:end], '[') >= 0:
				return nil, errors.New("there is a bracket in a bracket")
			}
			path = append(path, fieldOrIndex(rest[1:end]))
			rest = rest[end+1:]
			continue
		case rest[0] == '.' && first:
			return nil, errors.New("it begins with a dot")
		case rest[0] == '.' && len(rest) == 1:
			return nil, errors.New("it ends with a dot")
		case rest[0] == '.' && (rest[1] == '.' || rest[1] == '['):
			return nil, errors.New("there is no name behind a dot")
		case rest[0] == '.':
			rest = rest[1:]
		}
		end := strings.IndexAny(rest, ".[]")
		if end < 0 {
			end = len(rest)
		} else if rest[end] == ']' {
			return nil, errors.New("a bracket is closed that was not opened")
		}
		path = append(path, segment{field: strings.Trim(rest[:end], `'"`)})
		rest = rest[end:]
	}
	if len(path) == 0 {
		return nil, errors.New("it is empty")
	}
	return path, nil
}

func fieldOrIndex(s string) segment {
	if n, err := strconv.ParseUint(s, 10, 31); err == nil {
		return segment{index: int(n), isIndex: true}
	}
	return segment{field: strings.Trim(s, `'"`)}
}

// missing is the first step of a path that a schema certainly does not have.
type missing struct {
	what    string // "x"
	why     string // what the schema has instead, when that is no mapping
	nearest string // a field that comes near
}

// findPath follows a path through a schema and returns the step where it certainly
// ends, nil if there may be such a field. Of what a schema leaves open nothing can be
// said.
func findPath(schema *value, path []segment) *missing {
	for len(path) > 0 {
		step := path[0]
		path = path[1:]
		if schema.form != mapping || isOpen(schema) {
			return nil
		}
		kind, _ := schema.get("type").asText()
		properties, rest := schema.get("properties"), schema.get("additionalProperties")
		switch {
		case kind == "array" && (step.isIndex || step.field == everyItem):
			schema = schema.get("items")
		case kind == "array":
			return &missing{what: quote(step.field), why: "a list"}
		case step.isIndex && kind == "object":
			return &missing{what: step.String(), why: "a mapping"}
		case kind == "string" || kind == "integer" || kind == "number" || kind == "boolean":
			return &missing{what: step.String(), why: "of type " + kind}
		case step.isIndex || step.field == everyItem:
			return nil
		case properties.get(step.field).form == mapping:
			schema = properties.get(step.field)
		case rest.form == mapping:
			schema = rest
		case !rest.isAbsent() || kind != "object" && properties.form != mapping:
			return nil
		default:
			m := &missing{what: quote(step.field)}
			if len(properties.fields) <= maxKnown {
				known := map[string]*shape{}
				for name := range properties.fields {
					known[name] = nil
				}
				m.nearest = nearest(step.field, known)
			}
			return m
		}
	}
	return nil
}

// isOpen reports whether a schema allows more than it says.
func isOpen(schema *value) bool {
	for _, name := range []string{
		"x-kubernetes-preserve-unknown-fields", "x-kubernetes-embedded-resource", "x-kubernetes-int-or-string", "$ref",
	} {
		if v := schema.get(name); !v.isAbsent() && v.text != "false" {
			return true
		}
	}
	return false
}
