package apiserver

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter/apiserver/internal/crdtest"
)

const ruledField = `{"type":"object","properties":{"policies":{"type":"array","items":{"type":"string"}},
	"days":{"type":"array","items":{"type":"string","format":"date"}},"mode":{"type":"string","enum":["a"]},
	"a":{"type":"object","properties":{"x":{"type":"string","maxLength":5},"y":{"type":"integer"},"in":{"type":"string"},"day":{"type":"string","format":"date"}}}}%s}`

func TestRuleCost(t *testing.T) {
	field := fmt.Sprintf(ruledField, "")
	for rule, want := range map[string]bool{
		`'*' in self.policies || has(self.a.x)`:                   true,
		`!(!has(self.a)||'*'in self.policies) &&!has(self.a.day)`: true,
		`self.mode != "b" && 'c' == self.a.x`:                     true,
		`!self.mode == 'a'`:                                       false, // the ! is of self.mode
		`(self.mode) == 'a'`:                                      false, // might be certain, and is not needed
		`self.a.y == '1'`:                                         false, // another type
		`self.a.day == '1'`:                                       false, // a time
		`'1' in self.days`:                                        false, // times
		`'1' in self.mode`:                                        false,
		`has(self.a.z)`:                                           false, // no such field
		`has(self.a.in)`:                                          false, // written otherwise
		`has(self)`:                                               false,
		`hash(self.a)`:                                            false,
		`self.a.x.size() > 1`:                                     false,
		`oldSelf.a.x == self.a.x`:                                 false,
		`self.mode == '''a'''`:                                    false,
		`has(self.a) has(self.a)`:                                 false,
		`has(self.a) ||`:                                          false,
		`(has(self.a)`:                                            false,
		`self.mode`:                                               false, // no condition
		`has(self.a) // && has(self.b)`:                           false,
		strings.Repeat("(", 50) + "has(self.a)" + strings.Repeat(")", 50): false,
		strings.Repeat("'a' in self.policies || ", 9) + "has(self.a)":     true,
		strings.Repeat("'a' in self.policies || ", 10) + "has(self.a)":    false, // costs too much
	} {
		if _, ok := costOf(&node{kind: "object", raw: []byte(field)}, fmt.Appendf(nil, `[{"rule":%q}]`, rule)); ok != want {
			t.Errorf("%s: certain %t, want %t", rule, ok, want)
		}
	}
}

// TestImmutable: scalars that may not change are certain where the API server's code
// agrees, and only there.
func TestImmutable(t *testing.T) {
	const rule = `"x-kubernetes-validations":[{"rule":"self == oldSelf","message":"m"}]`
	for _, c := range []struct {
		reason, field string
		want          bool
	}{
		{"text", `{"type":"string",%s}`, true},
		{"number", `{"type":"number",%s}`, true},
		{"integer", `{"type":"integer",%s}`, true},
		{"boolean", `{"type":"boolean",%s}`, true},
		{"below properties alone", `{"type":"object","properties":{"a":{"type":"string",%s}}}`, true},
		{"a default is what it was", `{"type":"string","default":"a",%s}`, true},
		{"a default of a number", `{"type":"integer","default":1,"maximum":1,%s}`, true},
		{"a default of an object is what it was", `{"type":"object","default":{},%s}`, true},
		{"a default that is too long", `{"type":"string","default":"ab","maxLength":1,%s}`, false},
		{"a default that is no match", `{"type":"string","default":"ab","pattern":"^a$",%s}`, false},
		{"a default that is too large", `{"type":"integer","default":2,"maximum":1,%s}`, false},
		{"a format may make it a time", `{"type":"string","format":"date",%s}`, true},
		{"null is a value of its own", `{"type":"string","nullable":true,%s}`, true},
		{"the fields of an object cost what they hold", `{"type":"object",%s}`, true},
		{"an item of a list has no old value", `{"type":"array","items":{"type":"string",%s}}`, false},
		{"a value of a map is there often", `{"type":"object","additionalProperties":{"type":"string",%s}}`, false},
	} {
		raw, err := (&crdtest.Case{Field: fmt.Sprintf(c.field, rule)}).JSON()
		if err != nil {
			t.Fatal(err)
		}
		certain := clean(t.Context(), nil, raw)
		if certain != c.want {
			t.Errorf("%s: certain %t, want %t", c.reason, certain, c.want)
		}
		if v, err := whole(t.Context(), nil, raw); certain && (v != nil || err != nil) {
			t.Errorf("%s: taken for certain, but %+v, %v", c.reason, v, err)
		}
	}
	for _, text := range []string{"self != oldSelf", "self == self", "oldSelf == self", "self == oldSelf ", "self==oldSelf", "self == oldSelf || true", "oldSelf", "self"} {
		want := strings.ReplaceAll(text, " ", "") == "self==oldSelf"
		if _, ok := costOf(&node{kind: "string", raw: []byte(`{"type":"string"}`)}, fmt.Appendf(nil, `[{"rule":%q}]`, text)); ok != want {
			t.Errorf("%s: certain %t, want %t", text, ok, want)
		}
	}
}

// TestRules makes rules of what the expressions are made of, mostly in an order that
// makes sense: none is certain that the API server refuses.
func TestRules(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"self.policies", "self.days", "self.mode", "self.a", "self.a.x", "self.a.y", "self.a.in", "self.a.day", "self.b", "self",
		"'a'", `"` + strings.Repeat("b", 300) + `"`, "==", "!=", "in", "!", "(", ")", "&&", "||", "has", "true"}
	word := func(some ...string) string { return some[r.IntN(len(some))] }
	var condition func(depth int) string
	condition = func(depth int) string {
		switch r.IntN(8) {
		case 0:
			return "has(" + word(words[:10]...) + ")"
		case 1:
			return word(words[10:12]...) + word(" in ", "in") + word(words[:8]...)
		case 2:
			return word(words[:12]...) + word("==", " != ") + word(words[:12]...)
		case 3:
			return "!" + condition(depth+1)
		case 4:
			return word(words...)
		default:
			if depth > 3 {
				return "has(self.a)"
			}
			return word("", "", "!") + "(" + condition(depth+1) + word(" || ", "&&") + condition(depth+1) + ")"
		}
	}
	certain := 0
	for range 3000 {
		rule, err := json.Marshal([]map[string]string{{"rule": condition(0)}})
		if err != nil {
			t.Fatal(err)
		}
		field := fmt.Sprintf(ruledField, `,"x-kubernetes-validations":`+string(rule))
		if _, ok := costOf(&node{kind: "object", raw: []byte(field)}, rule); !ok {
			continue
		}
		certain++
		if certain > 300 {
			break
		}
		raw, err := (&crdtest.Case{Field: field}).JSON()
		if err != nil {
			t.Fatal(err)
		}
		if v, err := whole(context.Background(), nil, raw); v != nil || err != nil {
			t.Errorf("%s: taken for certain, but %+v, %v", rule, v, err)
		}
	}
	if certain < 100 {
		t.Errorf("%d rules are certain, which shows too little", certain)
	}
}
