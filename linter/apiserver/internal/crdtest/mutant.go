package crdtest

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
)

// Mutant returns a definition with one to three changes in the schemas or the rest of
// it, of a kind that definitions suffer: keywords added, changed, moved and lost. The
// same seed makes the same mutant. A definition that is no object comes back as it is.
func Mutant(definition []byte, seed uint64) []byte {
	d, err := object(string(definition))
	if err != nil {
		return definition
	}
	m := &mutation{rand: rand.New(rand.NewPCG(seed, 0))}
	m.collect(d, false)
	if len(m.schemas) == 0 {
		return definition
	}
	for range 1 + m.rand.IntN(3) {
		m.change()
	}
	out, err := json.Marshal(d)
	if err != nil {
		return definition
	}
	return out
}

type mutation struct {
	rand    *rand.Rand
	schemas []map[string]any // with a type, anywhere
	others  []map[string]any
}

// collect finds the objects of a value, in the order of their keys.
func (m *mutation) collect(v any, schema bool) {
	switch v := v.(type) {
	case map[string]any:
		if schema = schema || v["openAPIV3Schema"] != nil; schema && v["type"] != nil {
			m.schemas = append(m.schemas, v)
		} else if !schema {
			m.others = append(m.others, v)
		}
		for _, k := range slices.Sorted(maps.Keys(v)) {
			m.collect(v[k], schema)
		}
	case []any:
		for _, item := range v {
			m.collect(item, schema)
		}
	}
}

func (m *mutation) change() {
	if m.rand.IntN(8) == 0 {
		m.scramble(m.others[m.rand.IntN(len(m.others))])
		return
	}
	s := m.schemas[m.rand.IntN(len(m.schemas))]
	switch m.rand.IntN(6) {
	case 0, 1, 2:
		k := keywords[m.rand.IntN(len(keywords))]
		s[k.name] = m.value(k.values[m.rand.IntN(len(k.values))])
	case 3:
		m.scramble(s)
	case 4:
		maps.Copy(s, m.schemas[m.rand.IntN(len(m.schemas))])
	case 5:
		m.rule(s)
	}
}

// value reads a value anew, so that no two places share it.
func (m *mutation) value(text string) any {
	o, err := object(`{"v": ` + text + `}`)
	if err != nil {
		return nil
	}
	return o["v"]
}

// scramble changes one member of an object.
func (m *mutation) scramble(o map[string]any) {
	if len(o) == 0 {
		return
	}
	keys := slices.Sorted(maps.Keys(o))
	key := keys[m.rand.IntN(len(keys))]
	switch m.rand.IntN(4) {
	case 0:
		delete(o, key)
	case 1:
		o[key] = m.value(junk[m.rand.IntN(len(junk))])
	case 2:
		o[key+"x"] = o[key]
		delete(o, key)
	case 3:
		o[key] = m.value(mustJSON(o[keys[m.rand.IntN(len(keys))]]))
	}
}

// rule changes the text of a rule of the schema, if there is one.
func (m *mutation) rule(s map[string]any) {
	rules, _ := s["x-kubernetes-validations"].([]any)
	if len(rules) == 0 {
		return
	}
	rule, _ := rules[m.rand.IntN(len(rules))].(map[string]any)
	text, _ := rule["rule"].(string)
	words := strings.SplitAfter(text, ".")
	if text == "" {
		return
	}
	switch m.rand.IntN(3) {
	case 0:
		i := m.rand.IntN(len(words))
		rule["rule"] = strings.Join(slices.Delete(words, i, i+1), "")
	case 1:
		i := m.rand.IntN(len(text))
		rule["rule"] = text[:i] + text[i+1:]
	case 2:
		rule["rule"] = strings.Replace(text, "has(", "(", 1)
	}
}

func mustJSON(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		return "null"
	}
	return string(b)
}

var junk = []string{`null`, `""`, `"a"`, `"A b"`, `0`, `-1`, `1.5`, `true`, `[]`, `["a"]`, `{}`, `{"a": "b"}`}

// keywords with values that go together with some types and not with others.
var keywords = []struct {
	name   string
	values []string
}{
	{"type", []string{`"string"`, `"integer"`, `"number"`, `"boolean"`, `"array"`, `"object"`, `"null"`, `""`}},
	{"default", []string{`"a"`, `"*"`, `1`, `1.5`, `true`, `[]`, `["*"]`, `["a", "a"]`, `{}`, `{"name": "a"}`, `{"name": 1}`, `null`}},
	{"enum", []string{`["a"]`, `["*"]`, `[1]`, `[]`, `[null]`, `"a"`}},
	{"format", []string{`"date-time"`, `"int32"`, `"byte"`, `"banana"`, `5`}},
	{"nullable", []string{`true`, `false`, `"true"`}},
	{"pattern", []string{`"^a$"`, `"["`, `"(?=a)"`}},
	{"maxLength", []string{`0`, `5`, `-1`, `1.5`, `1e2`, `99999999999999999999`}},
	{"maxItems", []string{`0`, `10`, `"1"`}},
	{"minimum", []string{`0`, `5.5`, `"5"`}},
	{"required", []string{`["name"]`, `["a", "a"]`, `[]`, `"a"`, `[1]`}},
	{"items", []string{`{"type": "string"}`, `{"type": "object", "properties": {"name": {"type": "string"}}}`, `{}`, `[{"type": "string"}]`, `null`}},
	{"properties", []string{`{"name": {"type": "string"}}`, `{"name": {}}`, `{"name": null}`, `{}`, `{"": {"type": "string"}}`, `[]`}},
	{"additionalProperties", []string{`true`, `false`, `{"type": "string"}`, `{}`, `{"type": "string", "default": 5}`, `"a"`}},
	{"uniqueItems", []string{`true`, `false`}},
	{"anyOf", []string{`[{"required": ["a"]}]`, `[{"type": "string"}]`, `[]`, `[{"type": "integer"}, {"type": "string"}]`}},
	{"oneOf", []string{`[{"required": ["a"]}, {"required": ["name"]}]`, `[{"required": ["a"], "properties": {"b": {}}}]`, `[{"required": "a"}]`}},
	{"x-kubernetes-list-type", []string{`"atomic"`, `"set"`, `"map"`, `"bag"`, `""`}},
	{"x-kubernetes-list-map-keys", []string{`["name"]`, `["nome"]`, `["name", "name"]`, `[]`}},
	{"x-kubernetes-map-type", []string{`"atomic"`, `"granular"`, `"a"`, `""`}},
	{"x-kubernetes-preserve-unknown-fields", []string{`true`, `false`}},
	{"x-kubernetes-int-or-string", []string{`true`, `false`}},
	{"x-kubernetes-embedded-resource", []string{`true`, `false`}},
	{"x-kubernetes-validations", []string{
		`[{"rule": "has(self.name)"}]`, `[{"rule": "'a' in self.name", "message": "b"}]`, `[{"rule": "self.name == 'a'"}, {"rule": ""}]`, `[]`,
		`[{"rule": "has(self.name)", "reason": "a"}]`, `{"rule": "has(self.name)"}`, `[{"rule": "'*' in self.managementPolicies || has(self.forProvider)"}]`,
		`[{"rule": "self == oldSelf", "message": "b"}]`, `[{"rule": "self == oldSelf", "optionalOldSelf": true}]`, `[{"rule": "self.size() < 5"}]`,
		`[{"rule": "!oldSelf.hasValue() || self == oldSelf.value()", "optionalOldSelf": true}]`, `[{"rule": "self.all(a, self.all(b, a == b))"}]`, `[{"rule": "(has(self.name) ? 1 : 0) + (has(self.a) ? 1 : 0) <= 1"}]`}},
	{"description", []string{`"a"`, `""`, `5`}},
	{"title", []string{`"a"`}},
	{"example", []string{`"a"`}},
	{"minimun", []string{`1`}},
}
