package parser_test

import (
	"encoding/json"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/parser"
)

// port is what Kubernetes calls an IntOrString: it decodes itself with encoding/json, whose
// errors have offsets in what it was given.
type port struct {
	name   string
	number int32
}

func (p *port) UnmarshalJSON(b []byte) error {
	if b[0] == '"' {
		return json.Unmarshal(b, &p.name)
	}
	return json.Unmarshal(b, &p.number)
}

// The values of types that decode themselves have a place like others when they are refused.
func TestDecodeTellsWhatTypesRefuse(t *testing.T) {
	type target struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Spec       struct {
			Count   int              `json:"count"`
			Ports   []port           `json:"ports"`
			Named   map[string]*port `json:"named"`
			Since   time.Time        `json:"since"`
			Address *netip.Addr      `json:"address"`

			Numbered map[int]map[int]string `json:"numbered"`
		} `json:"spec"`
	}
	cases := []struct {
		reason string
		spec   string
		want   string
	}{
		{"a value that is refused with an offset of its own", "ports: [1, a, [1]]", "f:4:17: wrong-type: expected an integer in range, found a sequence (spec.ports[2])"},
		{"in a mapping, behind a pointer", "named: {a: 1, b: 1.5}", "f:4:20: wrong-type: expected an integer in range, found 1.5 (spec.named.b)"},
		{"a time that is none", "since: yesterday", "f:4:10: wrong-type: expected a time such as 2006-01-02T15:04:05Z, found \"yesterday\" (spec.since)"},
		{"a number for a time", "since: 5", "f:4:10: wrong-type: expected a time such as 2006-01-02T15:04:05Z, found a number (spec.since)"},
		{"a key that is no number", "numbered: {1: {2: a, b: c}}", "f:4:24: wrong-type: expected a key that is an integer in range, found \"b\" (spec.numbered[\"1\"].b)"},
		{"the first key that is no number", "numbered: {b: {}}", "f:4:14: wrong-type: expected a key that is an integer in range, found \"b\" (spec.numbered.b)"},
		{"a value that is no mapping, of keys that are numbers", "numbered: {1: [a]}", "f:4:17: wrong-type: expected a mapping, found a sequence (spec.numbered[\"1\"])"},
		{"a text that a type refuses", "address: here", "f:4:12: wrong-type: ParseAddr("},
		{"something else than the text that a type takes", "address: [1]", "f:4:12: wrong-type: expected a string, found a sequence (spec.address)"},
		{"one that is refused goes before others, since encoding/json stops there", "count: x\n  ports: [[1]]", "f:5:11: wrong-type: expected an integer in range, found a sequence (spec.ports[0])"},
		{"the first of several faults, which is one of these", "ports: [[1]]\n  count: x", "f:4:11: wrong-type: expected an integer in range, found a sequence (spec.ports[0])"},
		{"a fault at the offset in the document that another one has in its value", "named: {a: {}}\n  count: x", "f:4:14: wrong-type: expected an integer in range, found a mapping (spec.named.a)"},
	}
	for _, tc := range cases {
		for reader, text := range map[string]string{"engine": "", "library": "  x: &x on\n"} {
			d := one(t, "apiVersion: v1\nkind: A\nspec:\n  "+tc.spec+"\n"+text)
			var v target
			err := d.DecodeLax(&v)
			errs := list(err)
			if len(errs) != 1 || errs[0].Rule != parser.RuleWrongType {
				t.Errorf("%s (%s): %v", tc.reason, reader, err)
				continue
			}
			if !strings.HasPrefix(errs[0].Error(), tc.want) || len(errs[0].Path) == 0 {
				t.Errorf("%s (%s): %v, want %s", tc.reason, reader, errs[0], tc.want)
			}
		}
	}
}
