package parser_test

import (
	"encoding/json"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// one returns the only document of a text, which may have faults.
func one(t testing.TB, text string) *parser.Document {
	t.Helper()
	docs, _ := split(t, parser.Bytes("f", []byte(text), nil))
	if len(docs) != 1 {
		t.Fatalf("%q has %d documents, want one", text, len(docs))
	}
	return docs[0]
}

func TestRaw(t *testing.T) {
	cases := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Comments":      {"comments and key order are kept", "# a\nb: 1 # c\n\na: |\n  x\n# d\n---\n# e\nf: 2", []string{"# a\nb: 1 # c\n\na: |\n  x\n# d\n", "# e\nf: 2"}},
		"SeparatorLine": {"what stands on the separator line is the document's", "--- {a: 1}\n--- # c\nb: 2\n", []string{"{a: 1}\n", "# c\nb: 2\n"}},
		"Directives":    {"directives keep their separator", "a: 1\n...\n%YAML 1.2\n---\nb: 2\n", []string{"a: 1\n", "%YAML 1.2\n---\nb: 2\n"}},
		"Mark":          {"a byte order mark is not the author's text", bom + "a: 1\r\n---\r\n" + bom + "b: 2\r\n", []string{"a: 1\r\n", "b: 2\r\n"}},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			docs, _ := split(t, parser.Bytes("f", []byte(tc.text), nil))
			var got []string
			for _, d := range docs {
				got = append(got, string(d.Raw()))
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tc.reason, diff)
			}
			checkRaw(t, docs, nil)
		})
	}
}

func TestIdentity(t *testing.T) {
	for _, tc := range []struct {
		reason, text string
		want         parser.ObjectRef
	}{
		{"in any order", "metadata: {labels: {}, name: c}\nkind: b\napiVersion: a\n", parser.ObjectRef{APIVersion: "a", Kind: "b", Name: "c"}},
		{"quoted, and in JSON", `{"apiVersion": "a", 'kind': "b", "metadata": {"name": "c"}}`, parser.ObjectRef{APIVersion: "a", Kind: "b", Name: "c"}},
		{"a name that is no string, as it is written", "apiVersion: a\nkind: b\nmetadata: {name: 1.10}", parser.ObjectRef{APIVersion: "a", Kind: "b", Name: "1.10"}},
		{"without metadata", "apiVersion: a\nkind: b\n", parser.ObjectRef{APIVersion: "a", Kind: "b"}},
		{"with strange metadata", "apiVersion: a\nkind: b\nmetadata: [name]\n", parser.ObjectRef{APIVersion: "a", Kind: "b"}},
		{"behind an alias and a merge key", "x: &x {kind: b}\napiVersion: &a a\n<<: *x\nmetadata: {name: *a}\n", parser.ObjectRef{APIVersion: "a", Kind: "b", Name: "a"}},
		{"nothing", "{}", parser.ObjectRef{}},
	} {
		if got := one(t, tc.text).Ref(); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.reason, got, tc.want)
		}
	}
	if got := (parser.ObjectRef{APIVersion: "v1", Kind: "A", Name: "x"}).String(); got != `v1 A "x"` {
		t.Errorf("String: %s", got)
	}
}

func TestAt(t *testing.T) {
	docs, _ := split(t, parser.Bytes("f", []byte("---\na: 1\n---\nkind: é\nspec:\n- x: \"y\"\n  z: |\n    t\n"), nil))
	d := docs[1]
	for _, tc := range []struct {
		path       meta.Path
		key, value string // start and end, "" for none
		found      bool
	}{
		{nil, "", "4:1-8:6", true},
		{meta.Path{"kind"}, "4:1-4:5", "4:7-4:9", true},
		{meta.Path{"spec"}, "5:1-5:5", "6:1-8:6", true},
		{meta.Path{"spec", 0}, "", "6:3-8:6", true},
		{meta.Path{"spec", 0, "x"}, "6:3-6:4", "6:6-6:9", true},
		{meta.Path{"spec", 0, "z"}, "7:3-7:4", "7:6-8:6", true},
		{meta.Path{"spec", 1, "z"}, "5:1-5:5", "6:1-8:6", false},
		{meta.Path{"status", "a"}, "", "4:1-8:6", false},
	} {
		place := d.At(tc.path...)
		show := func(r parser.Range) string {
			if r.IsZero() {
				return ""
			}
			return r.Start.String() + "-" + r.End.String()
		}
		if show(place.Key) != tc.key || show(place.Value) != tc.value || place.Found != tc.found {
			t.Errorf("At(%v) is %s, %s, %v; want %s, %s, %v", tc.path, show(place.Key), show(place.Value), place.Found, tc.key, tc.value, tc.found)
		}
	}
}

func TestLineAndColumns(t *testing.T) {
	text := bom + "a: é😀 b: c\r\nd: e\r"
	docs, errs := split(t, parser.Bytes("f", []byte("# x\n---\nd: 😀é f\n"), nil))
	if len(docs) != 1 || errs == nil {
		t.Fatal(docs, errs)
	}
	place := docs[0].At("d").Value.End
	line := docs[0].Line(place.Line)
	if string(line) != "d: 😀é f" || place.Column != 12 || place.RuneColumn(line) != 8 || place.UTF16Column(line) != 9 {
		t.Errorf("line %q, columns %d %d %d", line, place.Column, place.RuneColumn(line), place.UTF16Column(line))
	}
	d := one(t, strings.Replace(text, " b: c", "", 1))
	end := d.At("a").Value.End
	if line := d.Line(1); end.Column != 13 || end.RuneColumn(line) != 6 || end.UTF16Column(line) != 7 {
		t.Errorf("behind a byte order mark: line %q, columns %d %d %d", line, end.Column, end.RuneColumn(line), end.UTF16Column(line))
	}
	if got := d.Line(2); string(got) != "d: e" {
		t.Errorf("line 2 is %q", got)
	}
	for _, n := range []int{-1, 0, 3, 99} {
		if got := d.Line(n); got != nil {
			t.Errorf("line %d is %q, want none", n, got)
		}
	}
}

func TestZeroDocument(t *testing.T) {
	var d parser.Document
	if _, err := d.JSON(); err == nil {
		t.Error("JSON of a document without text")
	}
	if err := d.Decode(new(any)); err == nil {
		t.Error("Decode of a document without text")
	}
	if d.At("a").Found || len(d.Raw()) != 0 || d.Line(1) != nil {
		t.Error("a document without text has something")
	}
}

func TestConcurrentUse(t *testing.T) {
	d := one(t, metaDoc)
	want, _ := d.JSON()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				if got, err := d.JSON(); err != nil || string(got) != string(want) || !d.At("kind").Found {
					t.Error("a concurrent reader sees something else")
				}
			}
		})
	}
	wg.Wait()
}

type target struct {
	embedded
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Spec       *struct {
		Count int             `json:"count"`
		Items []item          `json:"items"`
		Named map[string]item `json:"named"`
		Any   any             `json:"any"`
		Own   json.RawMessage `json:"own"`
	} `json:"spec"`
	hidden int // a field that is not exported is no place for a value
}

type embedded struct {
	Metadata map[string]string `json:"metadata"`
}

type item struct {
	Name string `json:"name"`
}

func TestDecode(t *testing.T) {
	head := "apiVersion: v1\nkind: A\nmetadata: {name: x}\n"
	cases := map[string]struct {
		reason string
		text   string
		errs   []string
		lax    []string // of DecodeLax
	}{
		"Good":      {"everything has its place", head + "spec:\n  count: 3\n  items: [{name: a}]\n  named: {b: {name: c}}\n  any: {x: [1]}\n  own: {y: 2}\n", nil, nil},
		"Unknown":   {"a misspelled field", head + "spec: {cuont: 3}\n", []string{`f:4:8: unknown-field: unknown field "cuont" (spec.cuont)`}, nil},
		"Spelling":  {"names are taken exactly, as Kubernetes does", head + "Spec: {}\n", []string{`f:4:1: unknown-field: unknown field "Spec" (Spec)`}, nil},
		"Hidden":    {"a field that is not exported is no place", head + "hidden: 1\n", []string{`f:4:1: unknown-field: unknown field "hidden" (hidden)`}, nil},
		"All":       {"every unknown field", head + "x: 1\nspec:\n  items:\n  - name: a\n  - nmae: b\n  named:\n    c: {n: 1}\n", []string{"f:4:1: unknown-field: ", `f:8:5: unknown-field: unknown field "nmae" (spec.items[1].nmae)`, "f:10:9: unknown-field: "}, nil},
		"Repeated":  {"a key twice", head + "spec: {count: 1, count: 2}\n", []string{`f:4:18: duplicate-key: key "count" is there twice, first at 4:8 (spec.count)`}, nil},
		"Type":      {"a value of another type", head + "spec: {count: x}\n", []string{`f:4:15: wrong-type: expected an integer in range, found a string (spec.count)`}, []string{`f:4:15: wrong-type: expected an integer in range, found a string (spec.count)`}},
		"Float":     {"a number of another type", head + "spec: {count: 1.5}\n", []string{`f:4:15: wrong-type: expected an integer in range, found 1.5 (spec.count)`}, []string{`f:4:15: wrong-type: expected an integer in range, found 1.5 (spec.count)`}},
		"Deep":      {"its place is that of the value", head + "spec:\n  items:\n  - name: a\n  - name: [b]\n", []string{`f:7:11: wrong-type: expected a string, found a sequence (spec.items[1].name)`}, []string{`f:7:11: wrong-type: expected a string, found a sequence (spec.items[1].name)`}},
		"Mapping":   {"a mapping for a sequence", head + "spec: {items: {name: a}}\n", []string{`f:4:15: wrong-type: expected a sequence, found a mapping (spec.items)`}, []string{`f:4:15: wrong-type: expected a sequence, found a mapping (spec.items)`}},
		"NoJSON":    {"a value without JSON form", head + "spec: {any: .inf}\n", []string{"f:4:13: yaml-syntax: "}, []string{"f:4:13: yaml-syntax: "}},
		"Several":   {"faults of several sorts together", head + "x: 1\nspec: {count: x, count: y}\n", []string{"f:4:1: unknown-field: ", "f:5:18: duplicate-key: ", "f:5:25: wrong-type: "}, []string{"f:5:25: wrong-type: "}},
		"Unbounded": {"the errors have an end", head + strings.Repeat("x: 1\n", 1) + many("y", 200), append([]string{}, manyErrors(100)...), nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			d := one(t, tc.text)
			check := func(name string, err error, want []string) {
				t.Helper()
				errs := list(err)
				if len(errs) != len(want) || err != nil && !errors.Is(err, meta.ErrInvalid) {
					t.Fatalf("%s: %s: %v, want %q", tc.reason, name, err, want)
				}
				for i, e := range errs {
					if !strings.HasPrefix(e.Error(), want[i]) {
						t.Errorf("%s: %s: error %d is\n%s\nwant\n%s", tc.reason, name, i, e, want[i])
					}
				}
			}
			var v target
			check("Decode", d.Decode(&v), tc.errs)
			if v.hidden != 0 {
				t.Errorf("%s: a field that is not exported was set", tc.reason)
			}
			if v.Kind != "A" && tc.text != "" && name != "NoJSON" {
				t.Errorf("%s: nothing was decoded: %+v", tc.reason, v)
			}
			check("DecodeLax", d.DecodeLax(new(target)), tc.lax)
		})
	}
}

func many(prefix string, n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(prefix + strings.Repeat("y", i) + ": 1\n")
	}
	return b.String()
}

func manyErrors(n int) []string {
	s := make([]string, n)
	for i := range s {
		s[i] = "f:"
	}
	return s
}

// What has no JSON form is an error of all that would need it, and is never left out.
func TestNothingIsDropped(t *testing.T) {
	for _, tc := range []struct{ reason, text, want string }{
		{"a key that is null", "~: 1\n", "f:3:1: yaml-syntax: a key must be a text, and this one is null (document 1)"},
		{"one that is a mapping", "x:\n  {a: 1}: 2\n", "f:4:3: yaml-syntax: a key must be a text, and this one is a mapping (document 1)"},
		{"one that is a sequence", "? [a]\n: a\n", "f:3:3: yaml-syntax: a key must be a text, and this one is a sequence (document 1)"},
		{"a template", "x: {{ .Values.a }}\n", "f:3:5: yaml-syntax: a key must be a text, and this one is a mapping (document 1)"},
		{"a merge key without a mapping", "<<: 1\n", "f:3:5: yaml-syntax: the merge key << takes a mapping or a sequence of mappings (document 1)"},
		{"a number that JSON does not have", "x: .inf\n", `f:3:4: yaml-syntax: ".inf" cannot be written as JSON (document 1)`},
	} {
		for d := range parser.Bytes("f", []byte("kind: A\napiVersion: v1\n"+tc.text), nil) {
			if d == nil {
				continue
			}
			_, err := d.JSON()
			for method, err := range map[string]error{"JSON": err, "Decode": d.Decode(new(any)), "DecodeLax": d.DecodeLax(new(any))} {
				if err == nil || err.Error() != tc.want {
					t.Errorf("%s: %s: %v, want %s", tc.reason, method, err, tc.want)
				}
			}
		}
	}
}

func TestDecodeMisuse(t *testing.T) {
	d := one(t, metaDoc)
	var invalid *json.InvalidUnmarshalError
	if err := d.Decode(target{}); !errors.As(err, &invalid) {
		t.Errorf("a value that is no pointer: %v", err)
	}
	if err := d.Decode(nil); !errors.As(err, &invalid) {
		t.Errorf("nil: %v", err)
	}
	if err := d.DecodeLax(&struct{ *embedded }{}); err == nil || errors.Is(err, meta.ErrInvalid) {
		t.Errorf("a type that cannot be filled: %v", err)
	}
	var wrong *json.UnmarshalTypeError
	for _, v := range []any{new(chan int), new(func()), new(complex64), new(map[[2]int]any), new(map[bool]any), new(struct{ Kind error })} {
		if err := d.DecodeLax(v); !errors.As(err, &wrong) || errors.Is(err, meta.ErrInvalid) {
			t.Errorf("a type that JSON has nothing for (%T): %v", v, err)
		}
	}
	var quoted struct {
		Kind int `json:"kind,string"`
	}
	if err := d.DecodeLax(&quoted); !errors.Is(err, meta.ErrInvalid) || strings.Contains(err.Error(), "struct") {
		t.Errorf("a text where a number in quotes is expected: %v", err)
	}
	var v struct{ refusing }
	err := d.Decode(&v)
	if !errors.Is(err, errRefused) || list(err)[0].Rule != parser.RuleWrongType {
		t.Errorf("a type that refuses: %v", err)
	}
}

var errRefused = errors.New("not this one")

type refusing struct{}

func (*refusing) UnmarshalJSON([]byte) error { return errRefused }
