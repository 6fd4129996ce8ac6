package compare

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
)

// What is said of schemas is held against the oracle: for random schemas with one
// change, an error needs a value that the old schema accepts and the new one refuses,
// and where there is such a value something must be said.
func TestRandomSchemas(t *testing.T) {
	pairs, first := variable(t, "XPKG_PAIRS", 300), variable(t, "XPKG_SEED", 1)
	broken, errors, missedErrors := 0, 0, 0
	for seed := first; seed < first+pairs; seed++ {
		r := random{rand.New(rand.NewPCG(uint64(seed), 1))}
		field := r.satisfiable(2)
		old, new := ofField(field), ofField(r.change(field))
		changes := compareSchemas(old, new)
		witness, found := brokenBy(old, new)
		if found {
			broken++
		}
		switch severity := MaxSeverity(changes); {
		case severity == linter.Error && !found:
			t.Errorf("seed %d: said to break what nothing was found that it breaks\nold: %s\nnew: %s\n%s", seed, asJSON(old), asJSON(new), write(changes))
		case severity < linter.Warning && found:
			t.Errorf("seed %d: nothing is said though %s was accepted\nold: %s\nnew: %s\n%s", seed, asJSON(witness), asJSON(old), asJSON(new), write(changes))
		case severity == linter.Error:
			errors++
		case found:
			missedErrors++
		}
	}
	t.Logf("%d pairs, of which %d break something: %d said for certain, %d with doubt", pairs, broken, errors, missedErrors)
	if errors < broken/2 {
		t.Errorf("only %d of %d breaks are told for certain", errors, broken)
	}
}

// What only adds is never told as more than worth knowing.
func TestAdditiveSchemas(t *testing.T) {
	for seed := range 100 {
		r := random{rand.New(rand.NewPCG(uint64(seed), 2))}
		old := r.satisfiable(3)
		new := clone(old)
		r.widen(new)
		if changes := compareSchemas(old, new); MaxSeverity(changes) > linter.Info {
			t.Fatalf("seed %d\nold: %s\nnew: %s\n%s", seed, asJSON(old), asJSON(new), write(changes))
		}
		if changes := compareSchemas(old, old); len(changes) > 0 {
			t.Fatalf("seed %d: a schema differs from itself: %s\n%s", seed, asJSON(old), write(changes))
		}
	}
}

// variable is a number that the environment may set, for a longer or another run.
func variable(t *testing.T, name string, usual int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return usual
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s=%s: %v", name, text, err)
	}
	return n
}

// ofField is a schema of an object with a field.
func ofField(s map[string]any) map[string]any {
	return map[string]any{"type": "object", "properties": map[string]any{"x": s}}
}

func compareSchemas(old, new map[string]any) []Change {
	d := &schemaDiff{diff: &diff{}, api: API{"example.org/v1", "Thing"}}
	d.compare(node{schema: old}, node{schema: new}, spot{field: "spec", name: "", sure: true})
	return d.changes
}

func asJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

func clone(s map[string]any) map[string]any {
	var out map[string]any
	dec := json.NewDecoder(strings.NewReader(asJSON(s)))
	dec.UseNumber()
	if err := dec.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

func write(changes []Change) string {
	var b strings.Builder
	for _, c := range changes {
		fmt.Fprintln(&b, c.Severity, c)
	}
	return b.String()
}

// brokenBy looks for a value that one schema accepts and another one does not.
func brokenBy(old, new map[string]any) (any, bool) {
	for _, v := range append(values(old, new), values(new, old)...) {
		if allowed(old, v) && !allowed(new, v) {
			return v, true
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
	for _, text := range []string{"", "a", "b", "aa", "ab", "ba", "A", "0", "1", "00", "a0", "aaa", "abc", "000", "b0", "ab0", "aaaa", "AAAA", "aaaaa", "aaaaaa", "é"} {
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
