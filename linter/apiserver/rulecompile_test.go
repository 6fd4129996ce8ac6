package apiserver

import (
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"sigs.k8s.io/json"

	"github.com/xpkg-go/sdk/linter/apiserver/internal/crdtest"
)

// compiledField has something of every type that there is in rules.
const compiledField = `{"type":"object","required":["mode"],"properties":{
	"mode":{"type":"string","enum":["a","bb"]},"name":{"type":"string","maxLength":20},"day":{"type":"string","format":"date-time"},
	"for":{"type":"string"},"a-b":{"type":"string"},"in":{"type":"string","format":"duration"},"data":{"type":"string","format":"byte"},
	"size":{"type":"integer"},"part":{"type":"number"},"on":{"type":"boolean"},"port":{"x-kubernetes-int-or-string":true},
	"any":{"x-kubernetes-preserve-unknown-fields":true},"free":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
	"within":{"type":"object","x-kubernetes-embedded-resource":true,"x-kubernetes-preserve-unknown-fields":true},
	"list":{"type":"array","items":{"type":"object","properties":{"key":{"type":"string"},"n":{"type":"integer"}}}},
	"short":{"type":"array","maxItems":4,"items":{"type":"string","maxLength":5}},
	"labels":{"type":"object","maxProperties":10,"additionalProperties":{"type":"string","maxLength":63}},
	"deep":{"type":"object","properties":{"name":{"type":"string"},"size":{"type":"integer"}}}}}`

// expressions makes rules of what the schema has, mostly in an order that makes sense.
type expressions struct{ *rand.Rand }

func (r expressions) one(some ...string) string { return some[r.IntN(len(some))] }

func (r expressions) field() string {
	return r.one("self.", "self.", "self.", "oldSelf.", "oldSelf.value().", "self?.") +
		r.one("mode", "name", "day", "for", "__for__", "a__dash__b", "in", "__in__", "data", "size", "part", "on", "port", "any", "free", "within.kind",
			"within.metadata.name", "list", "short", "labels", "labels['a']", "labels.a", "deep", "deep.name", "deep.size", "list[0].key", "short[1]", "none", "apiVersion", "metadata.name")
}

func (r expressions) value(depth int) string {
	if depth > 3 {
		return r.one("1", "'a'", "true", "1.5", "self", "oldSelf")
	}
	switch r.IntN(12) {
	case 0:
		return r.one("1", "-3", "2u", "1.5", "'a'", `"b"`, "true", "null", "[1, 2]", "['a', 'b']", "[1, 'a']", "{'a': 1}", "duration('1h')", "duration('x')", "b'a'", "int", "self", "oldSelf", "optional.none()")
	case 1:
		return "size(" + r.value(depth+1) + ")"
	case 2:
		return r.field() + ".size()"
	case 3:
		return r.one("int", "string", "double", "duration", "timestamp", "quantity", "url", "type", "dyn", "ip", "bool", "bytes") + "(" + r.value(depth+1) + ")"
	case 4:
		return "(" + r.truth(depth+1) + r.one(" ? ", "?") + r.value(depth+1) + ":" + r.value(depth+1) + ")"
	case 5:
		return r.value(depth+1) + r.one(" + ", "-", " * ", "/", "%") + r.value(depth+1)
	case 6:
		return r.field() + r.one(".filter(a, ", ".map(a, ", ".map(self, ") + r.truth(depth+1) + ")"
	default:
		return r.field()
	}
}

func (r expressions) truth(depth int) string {
	if depth > 3 {
		return r.one("has("+r.field()+")", "true", "a == 'a'", "self.on", "oldSelf.hasValue()")
	}
	switch r.IntN(12) {
	case 0, 1:
		return "has(" + r.field() + ")"
	case 2:
		return r.truth(depth+1) + r.one(" && ", "||", " == ", "!=") + r.truth(depth+1)
	case 3:
		return r.one("!", "!(") + r.truth(depth+1) + r.one("", ")")
	case 4, 5, 6:
		return r.value(depth+1) + r.one(" == ", "!=", " <", ">= ", ">", " in ") + r.value(depth+1)
	case 7:
		return r.field() + r.one(".all(a, ", ".exists(b, ", ".exists_one(a, ", ".all(a, b, ") + r.truth(depth+1) + ")"
	case 8:
		return r.field() + r.one(".matches('^[a-z]+$')", ".matches('[')", ".startsWith('a')", ".contains('b')", ".endsWith(self.name)", ".isSorted()", ".hasValue()", ".orValue('a') == 'b'", ".find('[') == 'a'",
			".split(',').size() > 1", ".format([1]) == 'a'", "[null] == 1", ".shout()", ".sum() > 1", ".lowerAscii() == 'a'")
	case 9:
		return r.one("self == oldSelf", "oldSelf.hasValue()", "self.on", "self", "isURL("+r.field()+")", "a", "cel.bind(x, self.name, x == 'a')", "google.protobuf.Duration{} == duration('1s')",
			"self == self.deep", "selfType1{} == self", "sets.contains([1], [self.size])", "type(self.port) == int")
	default:
		return "(" + r.truth(depth+1) + ")"
	}
}

// TestCompile: a rule compiles where the API server's code compiles it, to the same cost.
func TestCompile(t *testing.T) {
	external, internal := &apiextensionsv1.JSONSchemaProps{}, &apiextensions.JSONSchemaProps{}
	if err := json.UnmarshalCaseSensitivePreserveInts([]byte(compiledField), external); err != nil {
		t.Fatal(err)
	}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(external, internal, nil); err != nil {
		t.Fatal(err)
	}
	made, accepted, planned := 0, 0, 0
	hold := func(root, optional bool, text string) {
		t.Helper()
		internal.XValidations = apiextensions.ValidationRules{{Rule: text, OptionalOldSelf: &optional}}
		structural, err := structuralschema.NewStructural(internal)
		if err != nil {
			t.Fatal(err)
		}
		env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion())
		all, err := schemacel.Compile(structural, model.SchemaDeclType(structural, root), celconfig.PerCallLimit, env, schemacel.NewExpressionsEnvLoader())
		if err != nil {
			t.Fatal(err)
		}
		c, ok := newCompiler([]byte(compiledField), root)
		if !ok {
			t.Fatal("no compiler")
		}
		got, ok := c.compile(text, optional)
		made++
		if want := all[0]; ok != (want.Error == nil) || ok && got != (compiled{want.MaxCost, want.UsesOldSelf}) {
			t.Errorf("root %t, optional %t: %s\ncompiles %t, %+v\nthe API server's code: %+v, cost %d, speaks of oldSelf %t", root, optional, text, ok, got, want.Error, want.MaxCost, want.UsesOldSelf)
		}
		if !ok {
			return
		}
		accepted++
		if env, err := c.env(optional); err == nil {
			if ast, _ := env.Compile(text); plannable(ast) {
				planned++
			}
		}
	}
	for _, text := range []string{
		"self.port[null] == 1", "self.labels[1.5] == 'a'", "dyn(self)[1.5] == 1", "[1, 2][dyn(null)] == 1", "type(self.port) == int", "self.name.matches('[')",
		"self.port.matches('[')", "dyn('[') == 1 || 'a'.matches(dyn('['))", "int('a') == 1", "bool('maybe')", "string(b'\\xff') == 'a'", "has(self.within.metadata.labels)",
		"self.list.all(self, self.key == 'a')", "self.list.all(oldSelf, oldSelf.n > 1)", "self.on // a comment", "self.on\n&& self.on", "true", "", "self-type == 1",
	} {
		if strings.TrimSpace(text) != "" {
			hold(false, false, text)
			hold(true, true, text)
		}
	}
	r := expressions{rand.New(rand.NewPCG(uint64(count(t, "XPKG_SEED", 1)), 0))}
	for range count(t, "XPKG_RULES", 1500) {
		hold(r.IntN(2) == 0, r.IntN(3) == 0, r.truth(0))
		if t.Failed() {
			return
		}
	}
	t.Logf("%d rules, of which %d compile, %d of them without a program", made, accepted, planned)
	if accepted < made/10 || planned < accepted/10 || planned == accepted {
		t.Error("which shows too little")
	}
}

// TestRuledPlaces: where a rule stands decides how often it is asked, and whether a value can be
// held against what it was.
func TestRuledPlaces(t *testing.T) {
	const text = `{"type":"string","maxLength":%L,"x-kubernetes-validations":[{"rule":"%R","message":"m"}]}`
	for _, c := range []struct{ reason, field, rule, length string }{
		{"items without an end", `{"type":"array","items":%T}`, "self.matches('^a+$')", "100000"},
		{"few items", `{"type":"array","maxItems":3,"items":%T}`, "self.matches('^a+$')", "50"},
		{"many items", `{"type":"array","maxItems":100000000,"items":%T}`, "self.matches('^a+$')", "50"},
		{"items of items", `{"type":"array","maxItems":999999999,"items":{"type":"array","maxItems":999999999,"items":{"type":"array","maxItems":999999999,"items":%T}}}`, "self != 'a'", "5"},
		{"values without an end", `{"type":"object","additionalProperties":%T}`, "self.matches('^a+$')", "100000"},
		{"few values", `{"type":"object","maxProperties":3,"additionalProperties":%T}`, "self.matches('^a+$')", "50"},
		{"the old value of an item", `{"type":"array","maxItems":3,"items":%T}`, "self == oldSelf", "5"},
		{"the old value of a value", `{"type":"object","maxProperties":3,"additionalProperties":%T}`, "self == oldSelf", "5"},
		{"the old value in an atomic object", `{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":%T}}`, "self == oldSelf", "5"},
		{"the old value below an atomic object", `{"type":"object","x-kubernetes-map-type":"atomic","properties":{"a":{"type":"object","properties":{"b":%T}}}}`, "self == oldSelf", "5"},
		{"the old value in a granular object", `{"type":"object","x-kubernetes-map-type":"granular","properties":{"a":%T}}`, "self == oldSelf", "5"},
		{"the old value in an atomic map", `{"type":"object","x-kubernetes-map-type":"atomic","maxProperties":3,"additionalProperties":%T}`, "self == oldSelf", "5"},
		{"the old value in an item with a key", `{"type":"array","maxItems":3,"x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"},"a":%T}}}`, "self == oldSelf", "5"},
		{"the old value in an item of a set", `{"type":"array","maxItems":3,"x-kubernetes-list-type":"set","items":%T}`, "self == oldSelf", "5"},
		{"none of it", `{"type":"object","properties":{"a":%T}}`, "self.matches('^a+$')", "50"},
		{"a text without an end", `{"type":"object","properties":{"a":%T}}`, "self.matches('^(a+)+$') && self.matches('b')", "999999999"},
		{"below what is unknown", `{"type":"object","properties":{"u":{"x-kubernetes-preserve-unknown-fields":true},"a":%T},"x-kubernetes-validations":[{"rule":"has(self.u)"}]}`, "self == 'a'", "5"},
		{"beside what is unknown", `{"type":"object","properties":{"u":{"x-kubernetes-preserve-unknown-fields":true},"a":%T},"x-kubernetes-validations":[{"rule":"has(self.a)"}]}`, "self == 'a'", "5"},
		{"a map of what is unknown", `{"type":"object","properties":{"u":{"type":"object","additionalProperties":{"x-kubernetes-preserve-unknown-fields":true}},"a":%T},"x-kubernetes-validations":[{"rule":"has(self.u)"}]}`, "self == 'a'", "5"},
	} {
		field := strings.ReplaceAll(c.field, "%T", strings.NewReplacer("%L", c.length, "%R", c.rule).Replace(text))
		raw, err := (&crdtest.Case{Field: field}).JSON()
		if err != nil {
			t.Fatal(err)
		}
		v, err := whole(t.Context(), nil, raw)
		if certain := clean(t.Context(), nil, raw); err != nil || certain != (v == nil) {
			t.Errorf("%s: certain %t, but %+v, %v", c.reason, certain, v, err)
		}
	}
}

// count is a number that the environment may say.
func count(t *testing.T, name string, normally int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return normally
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}
