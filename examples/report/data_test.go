package main

import (
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/xpkg-go/sdk/parser"
)

// openedChunk is a chunk as the page reads it.
type openedChunk struct {
	Texts   []string `json:"texts"`
	Nodes   []node   `json:"nodes"`
	Objects []detail `json:"objects"`
}

func openChunk(t *testing.T, text string) openedChunk {
	t.Helper()
	raw, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	var out openedChunk
	if err := json.NewDecoder(flate.NewReader(strings.NewReader(string(raw)))).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// list gives a package's objects.
func listObjects(t *testing.T, text string) *objects {
	t.Helper()
	p, _ := parser.Collect(parser.Bytes("package.yaml", []byte(text), nil)) // faults are for the findings
	list, err := newObjects(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// The fields of a definition are there with all that their schema says, and none twice.
func TestSchema(t *testing.T) {
	list := listObjects(t, strings.Replace(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: a}
spec:
  group: example.org
  names: {kind: A}
  versions:
  - name: v1
    schema:
      openAPIV3Schema:
        type: object
        required: [b]
        properties:
          b: LEAF
          c: LEAF
          d: {type: array, maxItems: 3, items: {type: array, items: {minLength: 2, description: inner, properties: {e: LEAF}}}}
          f: {additionalProperties: true, x-kubernetes-preserve-unknown-fields: true}
          g: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
          h: {type: object, x-kubernetes-validations: [{rule: a, message: b}, {rule: c}], oneOf: [{required: [i]}]}
          j: 5
          k: null
          l: {type: 5, description: kept}
`, "LEAF", "{type: integer, format: int64, description: A leaf., default: {a: 1}, enum: [1, x], minimum: 0, exclusiveMinimum: true}", -1))
	got := openChunk(t, list.Chunks[0])
	leaf := node{Type: "integer (int64)", Description: 1, Facts: []fact{{"default", `{"a":1}`}, {"enum", "1"}, {"enum", `"x"`}, {"minimum", "0, exclusive"}}}
	want := openedChunk{
		Texts: []string{"", "A leaf.", "inner", "kept"},
		Nodes: []node{
			leaf,
			{Type: "array of array of object", Mark: "[][]", Description: 2, Facts: []fact{{"max items", "3"}, {"each each min length", "2"}}, Names: []string{"e"}, Fields: []int{0}},
			{Type: "any", Facts: []fact{{"takes any fields", "yes"}, {"keeps unknown fields", "yes"}}},
			{Type: "integer or string"},
			{Type: "object", Facts: []fact{{"one of", `[{"required":["i"]}]`}, {"rule", "a — b"}, {"rule", "c"}}},
			{Type: "any"},
			{Type: "any", Description: 3},
			{Type: "object", Names: []string{"b", "c", "d", "f", "g", "h", "j", "l"}, Fields: []int{0, 0, 1, 2, 3, 4, 5, 6}, Required: []int{0}},
		},
		Objects: []detail{{Versions: []version{{Name: "v1", Schema: 7}}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The older form of a definition has one schema for all its versions, or one version.
func TestOlderDefinition(t *testing.T) {
	const head = "apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec:\n  names: {kind: A}\n  validation: {openAPIV3Schema: {type: object}}\n"
	for _, tc := range []struct{ reason, spec, want string }{
		{"versions", "  versions: [{name: v1}, {name: v2, served: false, storage: true, deprecated: true}]\n", "v1  0, v2 not served, storage, deprecated 0"},
		{"one version", "  version: v1\n", "v1  0"},
	} {
		var got []string
		for _, v := range openChunk(t, listObjects(t, head+tc.spec).Chunks[0]).Objects[0].Versions {
			got = append(got, fmt.Sprintf("%s %s %d", v.Name, v.State, v.Schema))
		}
		if s := strings.Join(got, ", "); s != tc.want {
			t.Errorf("%s: got %s, want %s", tc.reason, s, tc.want)
		}
	}
}

// A schema that is deeper than anybody reads ends with a word about that.
func TestDeepSchema(t *testing.T) {
	const deep = 150
	list := listObjects(t, "apiVersion: v1\nkind: CompositeResourceDefinition\nmetadata: {name: a}\nspec: {names: {kind: A}, versions: [{name: v1, schema: {openAPIV3Schema: "+
		strings.Repeat("{properties: {a: ", deep)+"{type: string}"+strings.Repeat("}}", deep)+"}}]}\n")
	got := openChunk(t, list.Chunks[0])
	cut := 0
	for _, n := range got.Nodes {
		if n.Cut {
			cut++
		}
	}
	if len(got.Nodes) != maxDepth+1 || cut != 1 {
		t.Errorf("%d nodes, %d of them cut, want %d and 1", len(got.Nodes), cut, maxDepth+1)
	}
}

// What is no definition is shown as its author wrote it, and cut when it is huge.
func TestTexts(t *testing.T) {
	const text = "# A comment.\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"
	got := openChunk(t, listObjects(t, text).Chunks[0])
	if got.Objects[0].Text != text {
		t.Errorf("got %q", got.Objects[0].Text)
	}
	got = openChunk(t, listObjects(t, text+"data: {a: "+strings.Repeat("b", 2*maxText)+"}\n").Chunks[0])
	if n := len(got.Objects[0].Text); n > maxText+100 {
		t.Errorf("%d bytes are shown", n)
	}
	// A definition that does not say what it defines is no more than a text.
	got = openChunk(t, listObjects(t, "apiVersion: v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: []\n").Chunks[0])
	if got.Objects[0].Text == "" {
		t.Error("a broken definition is not shown")
	}
}

// No package makes a page without bounds: objects and their content are left out, and counted.
func TestLimits(t *testing.T) {
	var b strings.Builder
	for i := range maxObjects + 10 {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: A\nmetadata: {name: a%d}\n", i)
	}
	list := listObjects(t, b.String())
	if list.Total != maxObjects+10 || list.Listed != maxObjects || len(list.Kinds) != 1 || number(list.Kinds[0].Total) != "20,010" {
		t.Errorf("%d of %d objects are listed", list.Listed, list.Total)
	}
	for i := range 10 {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: B%d\nmetadata: {name: a}\n", i)
	}
	if list := listObjects(t, b.String()); len(list.Kinds) != 1 || list.Total != maxObjects+20 {
		t.Errorf("%d kinds of %d objects", len(list.Kinds), list.Total)
	}
	many := listObjects(t, "apiVersion: v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {names: {kind: A}, versions: ["+
		strings.Repeat("{name: v1}, ", maxBadges+5)+"{name: v2, schema: {openAPIV3Schema: {enum: ["+strings.Repeat("1, ", maxEnum+5)+"2], description: "+strings.Repeat("a", 2*maxDescription)+"}}}]}\n")
	if o := many.Kinds[0].List[0]; len(o.Versions) != maxBadges || o.MoreVersions != 6 {
		t.Errorf("%d versions are listed, and %d more", len(o.Versions), o.MoreVersions)
	}
	data := openChunk(t, many.Chunks[0])
	if n := data.Nodes[0]; len(n.Facts) != maxEnum+1 || n.Facts[maxEnum][1] != "… and 6 more" || len(data.Texts[1]) > maxDescription+100 {
		t.Errorf("%d facts and a description of %d bytes are shown", len(n.Facts), len(data.Texts[1]))
	}
	full := &objects{byRef: map[parser.ObjectRef]*object{}, data: maxData + 1}
	p, err := parser.Collect(parser.Bytes("package.yaml", []byte(shop), nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := full.read(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if full.Listed != 4 || len(full.Chunks) != 0 {
		t.Errorf("%d objects are listed, with %d chunks", full.Listed, len(full.Chunks))
	}
	for _, k := range full.Kinds {
		for _, o := range k.List {
			if o.Chunk != -1 {
				t.Errorf("%s has content", o.Name)
			}
		}
	}
}
