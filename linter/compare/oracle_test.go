package compare

import (
	"encoding/json"
	"math"
	"reflect"
	"regexp"
	"slices"
	"sync"
	"unicode/utf8"
)

// The oracle says what an API server does with a value: defaults first, then
// validation, unknown fields being refused. It shares nothing with what it judges.

func allowed(s map[string]any, v any) bool {
	if hasDefault(s) {
		v = withDefaults(s, v)
	}
	return valid(s, v)
}

// hasDefault reports whether there is a default anywhere in a schema: most have none, and
// would only copy every value.
func hasDefault(schema any) bool {
	switch s := schema.(type) {
	case map[string]any:
		for key, within := range s {
			if key == "default" || hasDefault(within) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(s, hasDefault)
	}
	return false
}

// patterns are those that were compiled: a pattern is held against every value.
var patterns sync.Map

func matches(pattern, text string) bool {
	r, known := patterns.Load(pattern)
	if !known {
		r, _ = patterns.LoadOrStore(pattern, regexp.MustCompile(pattern))
	}
	return r.(*regexp.Regexp).MatchString(text)
}

func withDefaults(s map[string]any, v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		props, _ := s["properties"].(map[string]any)
		for name, p := range props {
			p := p.(map[string]any)
			if value, is := v[name]; p["default"] != nil && (!is || value == nil && p["nullable"] != true) {
				out[name] = float(p["default"])
			}
		}
		for name, value := range v {
			switch p, known := props[name].(map[string]any); {
			case out[name] != nil:
			case known:
				out[name] = withDefaults(p, value)
			default:
				rest, _ := s["additionalProperties"].(map[string]any)
				out[name] = withDefaults(rest, value)
			}
		}
		return out
	case []any:
		items, _ := s["items"].(map[string]any)
		var out = []any{}
		for _, item := range v {
			out = append(out, withDefaults(items, item))
		}
		return out
	}
	return v
}

func valid(s map[string]any, v any) bool {
	if v == nil && s["nullable"] == true {
		return true
	}
	if s["x-kubernetes-int-or-string"] == true {
		_, text := v.(string)
		n, number := v.(float64)
		if !text && !(number && n == math.Trunc(n)) {
			return false
		}
	}
	switch t, _ := s["type"].(string); t {
	case "string":
		if _, ok := v.(string); !ok {
			return false
		}
	case "integer":
		if n, ok := v.(float64); !ok || n != math.Trunc(n) {
			return false
		}
	case "number":
		if _, ok := v.(float64); !ok {
			return false
		}
	case "boolean":
		if _, ok := v.(bool); !ok {
			return false
		}
	case "object":
		if _, ok := v.(map[string]any); !ok {
			return false
		}
	case "array":
		if _, ok := v.([]any); !ok {
			return false
		}
	}
	if enum, ok := s["enum"].([]any); ok {
		found := false
		for _, e := range enum {
			found = found || reflect.DeepEqual(float(e), v)
		}
		if !found {
			return false
		}
	}
	return validScalar(s, v) && validMapping(s, v) && validList(s, v) && validComposed(s, v)
}

func float(v any) any {
	if n, ok := v.(json.Number); ok {
		f, _ := n.Float64()
		return f
	}
	return v
}

func limit(s map[string]any, name string) (float64, bool) {
	f, ok := float(s[name]).(float64)
	return f, ok
}

func validScalar(s map[string]any, v any) bool {
	switch v := v.(type) {
	case string:
		n := float64(utf8.RuneCountInString(v))
		if l, ok := limit(s, "minLength"); ok && n < l {
			return false
		}
		if l, ok := limit(s, "maxLength"); ok && n > l {
			return false
		}
		if p, ok := s["pattern"].(string); ok && !matches(p, v) {
			return false
		}
		if s["format"] == "ipv4" {
			return matches(`^\d+\.\d+\.\d+\.\d+$`, v)
		}
	case float64:
		if l, ok := limit(s, "minimum"); ok && (v < l || v == l && s["exclusiveMinimum"] == true) {
			return false
		}
		if l, ok := limit(s, "maximum"); ok && (v > l || v == l && s["exclusiveMaximum"] == true) {
			return false
		}
		if l, ok := limit(s, "multipleOf"); ok && math.Mod(v, l) != 0 {
			return false
		}
	}
	return true
}

func validMapping(s map[string]any, v any) bool {
	m, ok := v.(map[string]any)
	if !ok {
		return true
	}
	if required, ok := s["required"].([]any); ok {
		for _, name := range required {
			if _, has := m[name.(string)]; !has {
				return false
			}
		}
	}
	if l, ok := limit(s, "minProperties"); ok && float64(len(m)) < l {
		return false
	}
	if l, ok := limit(s, "maxProperties"); ok && float64(len(m)) > l {
		return false
	}
	props, _ := s["properties"].(map[string]any)
	rest, hasRest := s["additionalProperties"].(map[string]any)
	for name, value := range m {
		switch p, known := props[name].(map[string]any); {
		case known:
			if !valid(p, value) {
				return false
			}
		case hasRest:
			if !valid(rest, value) {
				return false
			}
		case s["type"] != nil && s["x-kubernetes-preserve-unknown-fields"] != true:
			return false
		}
	}
	return true
}

func validList(s map[string]any, v any) bool {
	list, ok := v.([]any)
	if !ok {
		return true
	}
	if l, ok := limit(s, "minItems"); ok && float64(len(list)) < l {
		return false
	}
	if l, ok := limit(s, "maxItems"); ok && float64(len(list)) > l {
		return false
	}
	items, _ := s["items"].(map[string]any)
	for i, item := range list {
		if !valid(items, item) {
			return false
		}
		for _, other := range list[:i] {
			if s["x-kubernetes-list-type"] == "set" && reflect.DeepEqual(item, other) {
				return false
			}
		}
	}
	return true
}

func validComposed(s map[string]any, v any) bool {
	count := func(keyword string) (fits, all int) {
		list, _ := s[keyword].([]any)
		for _, sub := range list {
			if valid(sub.(map[string]any), v) {
				fits++
			}
		}
		return fits, len(list)
	}
	if fits, all := count("allOf"); fits < all {
		return false
	}
	if fits, all := count("anyOf"); all > 0 && fits == 0 {
		return false
	}
	if fits, all := count("oneOf"); all > 0 && fits != 1 {
		return false
	}
	not, ok := s["not"].(map[string]any)
	return !ok || !valid(not, v)
}
