package compare

import (
	"fmt"
	"maps"
	"slices"
)

// brokenBy looks for a value that one schema accepts and another one does not.
func brokenBy(old, new map[string]any) (any, bool) {
	for _, pair := range [][2]map[string]any{{old, new}, {new, old}} {
		for _, v := range values(pair[0], pair[1]) {
			if allowed(old, v) && !allowed(new, v) {
				return v, true
			}
		}
	}
	return nil, false
}

// values are values of all sorts that differ from each other in one place.
func values(s, other map[string]any) []any {
	var list []any
	for _, n := range []float64{-8, -3, -2, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 12} {
		list = append(list, n)
	}
	for _, text := range []string{"", "a", "b", "aa", "ab", "ba", "A", "0", "1", "00", "a0", "aaa", "abc", "000", "b0", "ab0", "aaaa", "AAAA", "aaaaa", "AAAAA", "00000", "aaaaaa", "AAAAAA", "é0é0é0", "é"} {
		list = append(list, text)
	}
	list = append(list, true, false, nil, map[string]any{}, []any{}, map[string]any{"z": "a"}, map[string]any{"z": 1.0}, []any{"a"}, []any{1.0}, []any{map[string]any{}})
	for _, schema := range []map[string]any{s, other} {
		enum, _ := schema["enum"].([]any)
		for _, v := range enum {
			list = append(list, float(v))
		}
	}
	list = append(list, mappings(s, other)...)
	return append(list, lists(s, other)...)
}

func sub(s map[string]any, names ...string) map[string]any {
	for _, name := range names {
		s, _ = s[name].(map[string]any)
	}
	return s
}

// some is a value that a schema accepts.
func some(s map[string]any) any {
	for _, v := range values(s, nil) {
		if allowed(s, v) {
			return v
		}
	}
	return nil
}

func mappings(s, other map[string]any) []any {
	if s["type"] != "object" {
		return nil
	}
	var list []any
	props := sub(s, "properties")
	names := slices.Sorted(maps.Keys(props))
	full, least := map[string]any{}, map[string]any{}
	required, _ := s["required"].([]any)
	for _, name := range names {
		full[name] = some(sub(props, name))
		if slices.Contains(required, any(name)) {
			least[name] = full[name]
		}
	}
	with := func(base map[string]any, name string, v any) {
		m := maps.Clone(base)
		m[name] = v
		list = append(list, m)
	}
	fewest, _ := limit(s, "minProperties")
	for _, base := range []map[string]any{full, least, {}} {
		if s["x-kubernetes-preserve-unknown-fields"] == true || s["additionalProperties"] != nil {
			for n := 1; float64(len(base)) < fewest-1; n++ {
				base[fmt.Sprint("pad", n)] = some(sub(s, "additionalProperties"))
			}
		}
		list = append(list, base)
		for _, name := range names {
			for _, v := range values(sub(props, name), sub(other, "properties", name)) {
				with(base, name, v)
			}
			m := maps.Clone(base)
			delete(m, name)
			list = append(list, m)
		}
		rest := sub(s, "additionalProperties")
		for _, v := range values(rest, sub(other, "additionalProperties")) {
			for _, name := range []string{"z", "a", "b", "c"} {
				with(base, name, v)
			}
		}
		m := maps.Clone(base)
		for _, name := range []string{"k1", "k2", "k3", "k4", "k5"} {
			m = maps.Clone(m)
			m[name] = some(rest)
			list = append(list, m)
		}
	}
	for _, name := range names {
		for _, second := range names {
			with(map[string]any{name: full[name]}, second, full[second])
		}
	}
	return list
}

func lists(s, other map[string]any) []any {
	if s["type"] != "array" {
		return nil
	}
	var list []any
	items := sub(s, "items")
	var good []any
	for _, v := range values(items, sub(other, "items")) {
		list = append(list, []any{v}, []any{v, v})
		if allowed(items, v) {
			good = append(good, v)
		}
	}
	for n := range min(6, len(good)) {
		list = append(list, slices.Clone(good[:n+1]))
	}
	if len(good) > 0 {
		for n := range 7 {
			list = append(list, slices.Repeat(good[:1], n))
			list = append(list, append(slices.Repeat(good[:1], n), good[len(good)-1]))
		}
	}
	for _, v := range values(items, sub(other, "items")) {
		if len(good) > 1 {
			list = append(list, []any{good[0], v}, []any{good[0], good[1], v})
		}
	}
	return list
}
