package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// random makes schemas.
type random struct{ *rand.Rand }

func (r random) one(of ...any) any { return of[r.IntN(len(of))] }
func (r random) often(n int) bool  { return r.IntN(n) == 0 }
func (r random) number(n int) any  { return json.Number(fmt.Sprint(r.IntN(n))) }
func (r random) text() string      { return r.one("a", "b", "aa", "ab", "0", "").(string) }
func (r random) pattern() string {
	return r.one("^a", "^[ab]+$", "^a*$", "0", "^[a-z]{1,3}$", "^(a|b0)$", ".*").(string)
}
func (r random) chance(n int, f func()) {
	if r.often(n) {
		f()
	}
}

// usable says whether some value satisfies a schema, and one with each of its fields.
func usable(s map[string]any) bool {
	missing := maps.Clone(sub(s, "properties"))
	found := false
	for _, v := range values(s, nil) {
		if v == nil || !allowed(s, v) {
			continue
		}
		found = true
		m, _ := v.(map[string]any)
		for name := range m {
			delete(missing, name)
		}
	}
	return found && len(missing) == 0
}

// satisfiable is a schema that can be used.
func (r random) satisfiable(depth int) map[string]any {
	for {
		s := r.schema(depth)
		if !usable(s) {
			continue
		}
		if d, has := s["default"]; has && !allowed(s, float(d)) {
			delete(s, "default")
		}
		return clone(s)
	}
}

func (r random) schema(depth int) map[string]any {
	s := map[string]any{}
	types := []any{"string", "string", "integer", "number", "boolean"}
	if depth > 0 {
		types = append(types, "object", "object", "array")
	}
	t := r.one(types...).(string)
	s["type"] = t
	r.chance(12, func() { s["nullable"] = true })
	switch t {
	case "string":
		for _, keyword := range []string{"minLength", "maxLength", "pattern", "enum", "default", "format"} {
			r.chance(4, func() { r.set(s, keyword) })
		}
	case "integer", "number":
		for _, keyword := range []string{"minimum", "maximum", "multipleOf", "enum", "default", "exclusiveMaximum"} {
			r.chance(4, func() { r.set(s, keyword) })
		}
	case "object":
		r.object(s, depth)
	case "array":
		s["items"] = r.satisfiable(depth - 1)
		for _, keyword := range []string{"minItems", "maxItems", "x-kubernetes-list-type"} {
			r.chance(4, func() { r.set(s, keyword) })
		}
	}
	r.chance(15, func() { r.set(s, "composed") })
	if s["enum"] != nil {
		delete(s, "nullable")
	}
	return s
}

func (r random) object(s map[string]any, depth int) {
	if r.often(4) {
		s["additionalProperties"] = r.satisfiable(depth - 1)
		r.chance(3, func() { r.set(s, "minProperties") })
		r.chance(3, func() { r.set(s, "maxProperties") })
		return
	}
	props := map[string]any{}
	var required []any
	for _, name := range []string{"a", "b", "c"}[:1+r.IntN(3)] {
		props[name] = r.satisfiable(depth - 1)
		r.chance(3, func() { required = append(required, name) })
	}
	s["properties"] = props
	if required != nil {
		s["required"] = required
	}
	r.chance(6, func() { s["x-kubernetes-preserve-unknown-fields"] = true })
	r.chance(10, func() { r.set(s, "maxProperties") })
	r.chance(10, func() { r.set(s, "minProperties") })
}

// set sets a keyword to another value.
func (r random) set(s map[string]any, keyword string) {
	isText := s["type"] == "string"
	value := func() any {
		if isText {
			return r.text()
		}
		return r.number(6)
	}
	switch keyword {
	case "pattern":
		s[keyword] = r.pattern()
	case "format":
		s[keyword] = r.one("ipv4", "password", "strange")
	case "enum":
		s[keyword] = []any{value(), value(), value()}[:1+r.IntN(3)]
	case "default":
		s[keyword] = value()
	case "multipleOf":
		s[keyword] = json.Number(fmt.Sprint(1 + r.IntN(4)))
	case "exclusiveMaximum":
		s[keyword] = true
	case "x-kubernetes-list-type":
		s[keyword] = r.one("set", "atomic")
	case "composed":
		part := map[string]any{}
		if isText {
			part[r.one("pattern").(string)] = r.pattern()
		} else {
			part["enum"] = []any{value(), value()}
		}
		name := r.one("allOf", "anyOf", "oneOf", "not").(string)
		s[name] = []any{part}
		if name == "not" {
			s[name] = part
		}
	default:
		s[keyword] = r.number(5)
	}
}

// change is a copy of a schema with a change somewhere.
func (r random) change(old map[string]any) map[string]any {
	new := clone(old)
	s := r.part(new)
	if r.often(8) {
		clear(s)
		maps.Copy(s, r.satisfiable(1))
		return new
	}
	keywords := map[string][]any{
		"string":  {"minLength", "maxLength", "pattern", "enum", "default", "format", "type", "nullable", "composed"},
		"integer": {"minimum", "maximum", "multipleOf", "enum", "default", "exclusiveMaximum", "type", "nullable", "composed"},
		"number":  {"minimum", "maximum", "multipleOf", "enum", "default", "exclusiveMaximum", "type", "nullable", "composed"},
		"boolean": {"type", "nullable", "int-or-string"},
		"object":  {"minProperties", "maxProperties", "required", "properties", "properties", "open", "additionalProperties", "nullable"},
		"array":   {"minItems", "maxItems", "x-kubernetes-list-type", "nullable"},
	}[s["type"].(string)]
	keyword := r.one(keywords...).(string)
	switch keyword {
	case "type":
		s["type"] = r.one("string", "integer", "number", "boolean")
	case "int-or-string":
		delete(s, "type")
		s["x-kubernetes-int-or-string"] = true
	case "nullable":
		s[keyword] = s[keyword] != true
	case "open":
		s["x-kubernetes-preserve-unknown-fields"] = s["x-kubernetes-preserve-unknown-fields"] != true
	case "required":
		s[keyword] = []any{"a", "b"}[:1+r.IntN(2)]
	case "properties":
		props := map[string]any{}
		maps.Copy(props, sub(s, "properties"))
		name := r.one("a", "b", "c").(string)
		if _, has := props[name]; has {
			delete(props, name)
		} else {
			props[name] = r.satisfiable(1)
		}
		delete(s, "additionalProperties")
		s[keyword] = props
	case "additionalProperties":
		delete(s, "properties")
		delete(s, "required")
		s[keyword] = r.satisfiable(1)
	default:
		if r.often(3) {
			delete(s, keyword)
		} else {
			r.set(s, keyword)
		}
	}
	if d, has := s["default"]; has && !valid(s, float(d)) {
		delete(s, "default")
	}
	return clone(new)
}

// part is a schema within a schema, or the schema itself.
func (r random) part(s map[string]any) map[string]any {
	if r.often(3) {
		return s
	}
	var parts []map[string]any
	props := sub(s, "properties")
	for _, name := range slices.Sorted(maps.Keys(props)) {
		parts = append(parts, sub(props, name))
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if p := sub(s, name); p != nil {
			parts = append(parts, p)
		}
	}
	if len(parts) == 0 {
		return s
	}
	return r.part(parts[r.IntN(len(parts))])
}

// widen takes away limits and adds fields, everywhere.
func (r random) widen(s map[string]any) {
	for _, keyword := range []string{"minLength", "maxLength", "pattern", "enum", "format", "minimum", "maximum", "multipleOf", "minItems",
		"maxItems", "minProperties", "maxProperties", "required", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-list-type"} {
		r.chance(2, func() { delete(s, keyword) })
	}
	r.chance(3, func() { s["nullable"] = true })
	props := sub(s, "properties")
	for _, name := range slices.Sorted(maps.Keys(props)) {
		r.widen(sub(props, name))
	}
	if props != nil && s["x-kubernetes-preserve-unknown-fields"] != true {
		props["new"] = r.satisfiable(1)
	}
	if s["type"] == "object" && props != nil && r.often(2) {
		s["x-kubernetes-preserve-unknown-fields"] = true
	}
	for _, name := range []string{"items", "additionalProperties"} {
		if p := sub(s, name); p != nil {
			r.widen(p)
		}
	}
}
