package parser

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/xpkg-go/sdk/internal/yamlscan"
)

type fitTarget struct {
	Embedded
	*Other
	Kind  string `json:"kind"`
	Inner *fitTarget
	List  []fitTarget            `json:"list"`
	Array [2]map[string]struct{} `json:"array"`
	Named map[string]*fitTarget  `json:"named,omitempty"`
	Any   any                    `json:"any"`
	Raw   json.RawMessage        `json:"raw"`
	Time  *time.Time             `json:"time"`
	None  string                 `json:"-"`
}

type Embedded struct {
	APIVersion string `json:"apiVersion"`
}

type Other struct {
	Number float64 `json:"number"`
}

// TestFits compares what the engine's documents are decoded with: whether every field has
// a place, without a tree and with one, and what Decode returns.
func TestFits(t *testing.T) {
	const object = "apiVersion: v1\nkind: A\n"
	cases := []struct {
		reason string
		text   string
		want   bool
	}{
		{"fields of the type and of those that it embeds", "number: 1\nlist: []\n", true},
		{"a field without a tag has its Go name", "Inner: {kind: b}\n", true},
		{"in that spelling", "inner: {kind: b}\n", false},
		{"a field that is no place", "None: b\n", false},
		{"nor by its tag", "\"-\": b\n", false},
		{"an unknown field", "foo: b\n", false},
		{"far inside", "list:\n- named:\n    x:\n      list:\n      - kind: b\n        foo: c\n", false},
		{"known, far inside", "list:\n- named:\n    x:\n      list:\n      - kind: b\n      - {}\n    y\"\\: {}\n", true},
		{"in the second item", "list:\n- kind: b\n- foo: c\n", false},
		{"whatever is in a value of any type", "any:\n  foo: [{bar: b}, 'c]}\"']\nkind2: x\n", false},
		{"that is known", "any:\n  foo: [{bar: b}, 'c]}\"', \"\\\\\", \"\\\"\", \"\\\\\\\"\"]\nraw: {a: b}\n", true},
		{"a type that decodes itself", "time: {foo: b}\n", true},
		{"a value of another kind has no fields", "list: {foo: b}\nnamed: [foo]\nInner: foo\n", true},
		{"a struct without fields", "array:\n- x: {}\n- w: {}\n", true},
		{"has no place for any", "array:\n- x: {z: b}\n", false},
		{"null", "list: null\nInner: ~\nnamed:\narray:\n", true},
		{"empty texts and keys", "named: {\"\": {}}\nany: \"\"\n", true},
	}
	for _, tc := range cases {
		s := sources("f", []byte(object+tc.text))[0]
		d := scanned(yamlscan.New(), s)
		if d == nil {
			t.Fatalf("%s: %q is not taken", tc.reason, tc.text)
		}
		d.source.types = new(fitTypes)
		b, _ := d.scanJSON()
		for range 2 { // with what is known of the types the second time
			if got := d.source.types.fits(b, reflect.TypeFor[*fitTarget]()); got != tc.want {
				t.Errorf("%s: %s fits: %v, want %v", tc.reason, b, got, tc.want)
			}
		}
		if fits := d.source.types.fits(b, reflect.TypeFor[map[string]any]()); !fits {
			t.Errorf("%s: %s does not fit a map", tc.reason, b)
		}
		tree, _ := read(s)
		check := strict{tree: tree.cache.get(&s)}
		if check.check(0, reflect.TypeFor[*fitTarget]()); (len(check.unknown) == 0) != tc.want {
			t.Errorf("%s: with a tree there are unknown fields %v", tc.reason, check.unknown)
		}
		var got, want fitTarget
		gotErr, wantErr := d.Decode(&got), tree.Decode(&want)
		if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: Decode gives\n%+v, %v\nwith a tree\n%+v, %v", tc.reason, got, gotErr, want, wantErr)
		}
	}
	d := scanned(yamlscan.New(), sources("f", []byte(object))[0])
	d.source.types = new(fitTypes)
	if d.Decode(nil) == nil || d.Decode(fitTarget{}) == nil {
		t.Error("Decode into nothing, or into no pointer, has no error")
	}
}
