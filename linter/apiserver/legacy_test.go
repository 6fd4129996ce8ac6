package apiserver

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensionsv1beta1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1beta1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"sigs.k8s.io/json"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/meta/legacy"
	"github.com/xpkg-go/sdk/parser"
)

// converted is what an API server makes of a v1beta1 definition that is read in v1.
func converted(raw []byte) (*apiextensionsv1.CustomResourceDefinition, *apiextensions.CustomResourceDefinition, error) {
	old, internal, out := &apiextensionsv1beta1.CustomResourceDefinition{}, &apiextensions.CustomResourceDefinition{}, &apiextensionsv1.CustomResourceDefinition{}
	if err := json.UnmarshalCaseSensitivePreserveInts(raw, old); err != nil {
		return nil, nil, err
	}
	apiextensionsv1beta1.SetObjectDefaults_CustomResourceDefinition(old)
	if err := apiextensionsv1beta1.Convert_v1beta1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(old, internal, nil); err != nil {
		return nil, nil, err
	}
	err := apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(internal, out, nil)
	out.APIVersion, out.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	return out, internal, err
}

// sameConversion reports how the library's conversion differs from the server's.
func sameConversion(raw []byte) error {
	want, _, refused := converted(raw)
	ours, _, err := legacy.ConvertCRD(raw)
	if refused != nil || err != nil {
		if refused == nil {
			return fmt.Errorf("the server converts it, the library does not: %w", err)
		}
		return nil // what the server cannot decode may be converted as far as it goes
	}
	got := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.UnmarshalCaseSensitivePreserveInts(ours, got); err != nil {
		return fmt.Errorf("the server cannot decode %s: %w", ours, err)
	}
	apiextensionsv1.SetObjectDefaults_CustomResourceDefinition(got)
	a, err := stdjson.Marshal(got)
	if err != nil {
		return err
	}
	b, err := stdjson.Marshal(want)
	if err != nil {
		return err
	}
	if !bytes.Equal(a, b) {
		return fmt.Errorf("got  %s\nwant %s", a, b)
	}
	return nil
}

// admitted reports what the server has against a definition that was accepted as
// v1beta1, after it was converted and admitted.
func admitted(t testing.TB, raw []byte) ([]byte, error) {
	t.Helper()
	v1, _, err := legacy.ConvertCRD(raw)
	if err != nil {
		return nil, err
	}
	out, _, err := legacy.AdmitCRD(v1)
	if err != nil {
		return nil, err
	}
	faults, err := create(t.Context(), out)
	if err == nil && len(faults) > 0 {
		err = faults.ToAggregate()
	}
	return out, err
}

// legacyCorpus are the v1beta1 definitions of the corpus, as JSON.
func legacyCorpus(t testing.TB) [][]byte {
	t.Helper()
	corpus := os.Getenv("XPKG_CORPUS")
	if corpus == "" {
		t.Skip("set XPKG_CORPUS to the folder of real packages to run this test")
	}
	var all [][]byte
	for _, dir := range []string{"legacy-crds", "legacy"} {
		root, err := os.OpenRoot(filepath.Join(corpus, dir))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		for d, err := range parser.Dir(t.Context(), root, nil) {
			if err != nil || d.APIVersion != "apiextensions.k8s.io/v1beta1" {
				continue
			}
			raw, err := d.JSON()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, raw)
		}
	}
	if len(all) < 14 {
		t.Fatalf("the corpus has %d definitions of v1beta1", len(all))
	}
	return all
}

func TestLegacyCorpus(t *testing.T) {
	for _, raw := range legacyCorpus(t) {
		if err := sameConversion(raw); err != nil {
			t.Errorf("%.200s: %v", raw, err)
		}
		if _, err := admitted(t, raw); err != nil {
			t.Errorf("%.200s: refused: %v", raw, err)
		}
	}
}

// TestLegacyMade compares made definitions: any that can be decoded are converted as the
// server converts them, those that a server accepted as v1beta1 are accepted as v1, and
// every value that was valid is valid.
func TestLegacyMade(t *testing.T) {
	n, seed := 300, uint64(1)
	if s := os.Getenv("XPKG_LEGACY"); s != "" {
		n, _ = strconv.Atoi(s)
	}
	if s := os.Getenv("XPKG_SEED"); s != "" {
		seed, _ = strconv.ParseUint(s, 10, 64)
	}
	valid := 0
	for i := range n {
		g := &legacyMaker{rand.New(rand.NewPCG(seed, uint64(i)))}
		raw, _ := stdjson.Marshal(g.definition(true))
		if err := sameConversion(raw); err != nil {
			t.Fatalf("%d: %s: %v", i, raw, err)
		}
		raw, _ = stdjson.Marshal(g.definition(false))
		if err := sameConversion(raw); err != nil {
			t.Fatalf("%d: %s: %v", i, raw, err)
		}
		out, err := admitted(t, raw)
		if err != nil {
			t.Fatalf("%d: refused: %s\nof %s: %v", i, out, raw, err)
		}
		valid += stillValid(t, g, raw, out)
	}
	if valid < n/10 {
		t.Errorf("only %d values were valid by the schemas made", valid)
	}
}

// What a server accepted of schemas in v1beta1 and refuses in v1 is mended, and no more than that.
func TestLegacySchemas(t *testing.T) {
	cases := map[string]struct {
		reason, schema string // of the property a
		notes          []string
	}{
		"Null":        {"null is a schema that says nothing", `null`, []string{"has got x-kubernetes-preserve-unknown-fields, since it has no type"}},
		"NullBelow":   {"at any depth", `{"type":"object","properties":{"b":null}}`, []string{"has got x-kubernetes-preserve-unknown-fields, since it has no type"}},
		"Map":         {"a map that is one in v1", `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}`, nil},
		"Default":     {"or whose key has a default", `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string","default":"x"}}}}`, nil},
		"Optional":    {"a key that items may lack", `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","properties":{"k":{"type":"string"}}}}`, []string{`taken out, since the key "k" of a map has to be required, or to have a default: the list is changed as a whole`}},
		"NullableKey": {"a key that may be null", `{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string","nullable":true}}}}`, []string{`taken out, since the key "k" of a map may not be null: the list is changed as a whole`}},
		"Nullable":    {"items that may be null", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string","nullable":true}}`, []string{"taken out, since the items of a set may not be null: the list is changed as a whole"}},
		"Set":         {"a set of texts is one in v1", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}`, nil},
		"Objects":     {"objects of a set", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","properties":{"k":{"type":"string"}}}}`, []string{"made atomic, since what is in a set is changed as a whole"}},
		"Granular":    {"said to be changed by field", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"granular","properties":{"k":{"type":"string"}}}}`, []string{"made atomic, since what is in a set is changed as a whole"}},
		"Atomic":      {"or as a whole already", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"object","x-kubernetes-map-type":"atomic","properties":{"k":{"type":"string"}}}}`, nil},
		"Lists":       {"lists of a set", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","items":{"type":"string"}}}`, nil},
		"Sets":        {"that are sets themselves", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","x-kubernetes-list-type":"set","items":{"type":"string"}}}`, []string{"made atomic, since what is in a set is changed as a whole"}},
		"Maps":        {"or maps", `{"type":"array","x-kubernetes-list-type":"set","items":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],"items":{"type":"object","required":["k"],"properties":{"k":{"type":"string"}}}}}`, []string{"made atomic, since what is in a set is changed as a whole"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			raw := []byte(`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","metadata":{"name":"as.b.io"},"spec":{"group":"b.io","names":{"kind":"A","plural":"as"},` +
				`"version":"v1","preserveUnknownFields":false,"validation":{"openAPIV3Schema":{"type":"object","properties":{"a":` + c.schema + `}}}}}`)
			if err := sameConversion(raw); err != nil {
				t.Fatal(err)
			}
			v1, _, err := legacy.ConvertCRD(raw)
			if err != nil {
				t.Fatal(err)
			}
			out, notes, err := legacy.AdmitCRD(v1)
			if err != nil {
				t.Fatal(err)
			}
			if faults, err := create(t.Context(), out); err != nil || len(faults) > 0 {
				t.Errorf("%s: refused: %v (%v)\n%s", c.reason, faults, err, out)
			}
			var got []string
			for _, n := range notes {
				got = append(got, n.Text)
			}
			if !slices.Equal(got, c.notes) {
				t.Errorf("%s: got %q, want %q", c.reason, got, c.notes)
			}
		})
	}
}

// FuzzLegacyConvert: whatever is a definition of v1beta1 is converted as the server
// converts it, or both refuse it.
func FuzzLegacyConvert(f *testing.F) {
	for i := range 30 {
		g := &legacyMaker{rand.New(rand.NewPCG(7, uint64(i)))}
		raw, _ := stdjson.Marshal(g.definition(true))
		f.Add(raw)
	}
	f.Add([]byte(`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"versions":[null]}}`))
	f.Add([]byte(`{"apiVersion":"apiextensions.k8s.io/v1beta1","kind":"CustomResourceDefinition","spec":{"version":"v1","validation":{"openAPIV3Schema":{"type":"objekt"}}}}`))
	f.Fuzz(executions.Many(func(t *testing.T, raw []byte) {
		var head struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
		}
		if json.UnmarshalCaseSensitivePreserveInts(raw, &head) != nil || head.APIVersion != "apiextensions.k8s.io/v1beta1" || head.Kind != "CustomResourceDefinition" {
			return
		}
		// The parser refuses keys that are there twice. It takes long to tell where.
		for _, err := range parser.Bytes("crd.json", raw, nil) {
			if err != nil {
				return
			}
		}
		if err := sameConversion(raw); err != nil {
			t.Fatalf("%s: %v", raw, err)
		}
		v1, _, err := legacy.ConvertCRD(raw)
		if err != nil {
			return
		}
		once, _, err := legacy.AdmitCRD(v1)
		if err != nil {
			t.Fatal(err)
		}
		twice, notes, err := legacy.AdmitCRD(once)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%s: once it is admitted, there is more to do: %v (%v)", raw, notes, err)
		}
	}))
}

// stillValid holds made values against the schemas of both, and counts those that the
// first accepts.
func stillValid(t *testing.T, g *legacyMaker, raw, out []byte) (valid int) {
	t.Helper()
	_, before, err := converted(raw)
	if err != nil {
		t.Fatal(err)
	}
	after := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.UnmarshalCaseSensitivePreserveInts(out, after); err != nil {
		t.Fatal(err)
	}
	for i, v := range after.Spec.Versions {
		old, err := apiextensions.GetSchemaForVersion(before, v.Name)
		if err != nil {
			t.Fatal(err)
		}
		if old == nil || old.OpenAPIV3Schema == nil {
			continue
		}
		now := &apiextensions.CustomResourceValidation{}
		if err := apiextensionsv1.Convert_v1_CustomResourceValidation_To_apiextensions_CustomResourceValidation(v.Schema, now, nil); err != nil {
			t.Fatal(err)
		}
		accepts, _, err := validation.NewSchemaValidator(old.OpenAPIV3Schema)
		if err != nil {
			t.Fatal(err)
		}
		accepted, _, err := validation.NewSchemaValidator(now.OpenAPIV3Schema)
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			object := map[string]any{"apiVersion": "example.org/" + v.Name, "kind": "Bucket", "metadata": map[string]any{"name": "x"}}
			for _, name := range legacyNames {
				if g.one(2) {
					object[name] = g.value(3)
				}
			}
			if errs := validation.ValidateCustomResource(nil, object, accepts); len(errs) > 0 {
				continue
			}
			valid++
			if errs := validation.ValidateCustomResource(nil, object, accepted); len(errs) > 0 {
				if now, _ := stdjson.Marshal(object); bytes.Contains(now, []byte("null")) && bytes.Contains(out, []byte("x-kubernetes-int-or-string")) {
					continue // a schema without a type took null, and an integer or a string is none
				}
				t.Fatalf("version %d: %v was valid by\n%s\nand is not by\n%s: %v", i, object, raw, out, errs)
			}
		}
	}
	return valid
}

// legacyNames are the fields that made schemas and values have.
var legacyNames = [...]string{"spec", "status", "a", "b"}

// legacyMaker makes definitions of v1beta1.
type legacyMaker struct{ *rand.Rand }

func (g *legacyMaker) one(of int) bool { return g.IntN(of) == 0 }

// definition makes one: one that a server accepted, or one that may be at fault where
// the conversion looks.
func (g *legacyMaker) definition(wild bool) map[string]any {
	names := map[string]any{"kind": "Bucket", "plural": "buckets"}
	if g.one(2) {
		names["listKind"], names["singular"] = "BucketList", "bucket"
	}
	spec := map[string]any{"group": "example.org", "names": names}
	if g.one(2) {
		spec["scope"] = []string{"Cluster", "Namespaced"}[g.IntN(2)]
	}
	status := g.one(2)
	schema := func() any {
		if g.one(8) {
			return map[string]any{}
		}
		return map[string]any{"openAPIV3Schema": g.root(status)}
	}
	columns := func() any {
		return []any{map[string]any{"name": "AGE", "type": "date", "JSONPath": ".metadata.creationTimestamp", "priority": 1}, map[string]any{"name": "A", "type": "string", "JSONPath": ".spec.a"}}[g.IntN(2):]
	}
	subresources := func() any {
		s := map[string]any{}
		if status {
			s["status"] = map[string]any{}
		}
		if g.one(2) {
			s["scale"] = map[string]any{"specReplicasPath": ".spec.a", "statusReplicasPath": ".status.a"}
		}
		return s
	}
	each := !wild && g.one(2) || wild && g.one(3) // one way for all versions or each version its own
	if !each || wild && g.one(2) {
		g.maybe(spec, "validation", schema)
		g.maybe(spec, "additionalPrinterColumns", columns)
		g.maybe(spec, "subresources", subresources)
	}
	count := g.IntN(4)
	if count == 0 || g.one(2) {
		spec["version"] = "v1"
	}
	if count > 0 {
		var versions []any
		for i := range count {
			v := map[string]any{"name": fmt.Sprintf("v%d", i+1), "served": !g.one(3), "storage": i == count-1}
			if each && count > 1 {
				g.maybe(v, "schema", schema)
				g.maybe(v, "additionalPrinterColumns", columns)
				g.maybe(v, "subresources", subresources)
			}
			versions = append(versions, v)
		}
		spec["versions"] = versions
	}
	keeps := g.IntN(3)
	if keeps == 0 {
		spec["preserveUnknownFields"] = true
	}
	g.maybe(spec, "conversion", func() any { return map[string]any{"strategy": "None"} })
	if wild {
		g.wild(spec)
	}
	crd := map[string]any{"apiVersion": "apiextensions.k8s.io/v1beta1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": "buckets.example.org", "creationTimestamp": nil}, "spec": spec}
	if g.one(2) {
		crd["status"] = map[string]any{"acceptedNames": map[string]any{"kind": "", "plural": ""}, "conditions": []any{}, "storedVersions": []any{}}
	}
	return crd
}

func (g *legacyMaker) maybe(in map[string]any, key string, make func() any) {
	if g.one(2) {
		in[key] = make()
	}
}

// wild adds what the conversion has to look at, whether a server accepted it or not.
func (g *legacyMaker) wild(spec map[string]any) {
	g.maybe(spec, "conversion", func() any {
		c := map[string]any{"strategy": []string{"Webhook", "None", ""}[g.IntN(3)]}
		g.maybe(c, "webhookClientConfig", func() any {
			return map[string]any{"service": map[string]any{"name": "a", "namespace": "b"}, "caBundle": "Cg=="}
		})
		g.maybe(c, "conversionReviewVersions", func() any { return []any{[]any{}, []any{"v1"}, nil}[g.IntN(3)] })
		if g.one(4) {
			c["webhook"] = map[string]any{"conversionReviewVersions": []any{"v7"}}
		}
		return c
	})
	g.maybe(spec, "preserveUnknownFields", func() any { return []any{true, false, nil}[g.IntN(3)] })
	g.maybe(spec, "selectableFields", func() any { return []any{map[string]any{"jsonPath": ".spec.a"}} })
	for _, key := range []string{"version", "versions", "validation", "subresources", "additionalPrinterColumns", "scope", "conversion", "selectableFields"} {
		if g.one(20) {
			spec[key] = []any{nil, "", 7, map[string]any{}, []any{}, []any{nil}, []any{map[string]any{"jsonPath": ".x"}}, true}[g.IntN(8)]
		}
	}
}

// root makes the schema of a resource.
func (g *legacyMaker) root(status bool) map[string]any {
	s := map[string]any{}
	if !g.one(4) {
		s["type"] = "object"
	}
	properties := map[string]any{}
	for _, name := range legacyNames {
		if g.one(2) {
			properties[name] = g.schema(3)
		}
	}
	g.maybe(properties, "metadata", func() any {
		m := map[string]any{"type": "object"}
		if g.one(3) {
			m["description"] = "d"
		}
		if g.one(3) {
			m["properties"] = map[string]any{"name": map[string]any{"type": "string"}, "labels": map[string]any{"type": "object"}}
		}
		return m
	})
	g.maybe(properties, "kind", func() any { return map[string]any{"description": "d"} })
	if len(properties) > 0 {
		s["properties"] = properties
	} else if !status && g.one(2) {
		s["additionalProperties"] = true
	}
	if status {
		s["type"] = "object"
		return s
	}
	g.alternatives(s, 2)
	return s
}

func (g *legacyMaker) schemas(depth int) []any {
	var all []any
	for range 1 + g.IntN(2) {
		all = append(all, g.schema(depth))
	}
	return all
}

func (g *legacyMaker) alternatives(s map[string]any, depth int) {
	if depth <= 0 {
		return
	}
	for _, key := range []string{"allOf", "anyOf", "oneOf"} {
		if g.one(6) {
			s[key] = g.schemas(depth - 1)
		}
	}
	if g.one(8) {
		s["not"] = g.schema(depth - 1)
	}
	if g.one(10) {
		s["anyOf"] = []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}
	}
	if g.one(12) {
		s["allOf"] = []any{map[string]any{"anyOf": []any{map[string]any{"type": "integer"}, map[string]any{"type": "string"}}}, map[string]any{"maximum": 7}}
	}
}

// schema makes a schema as version v1beta1 took them.
func (g *legacyMaker) schema(depth int) map[string]any {
	s := map[string]any{}
	if !g.one(3) {
		s["type"] = []string{"object", "object", "array", "string", "integer", "number", "boolean"}[g.IntN(7)]
	}
	g.maybe(s, "description", func() any { return "d" })
	if g.one(8) {
		s["required"] = []any{legacyNames[g.IntN(len(legacyNames))]}
	}
	if g.one(8) {
		s["nullable"] = true
	}
	if g.one(8) {
		s["enum"] = []any{"x", 1}
	}
	if depth <= 0 {
		return s
	}
	switch g.IntN(4) {
	case 0:
		properties := map[string]any{}
		for _, name := range legacyNames {
			g.maybe(properties, name, func() any { return g.schema(depth - 1) })
		}
		if g.one(8) {
			properties["metadata"] = g.schema(depth - 1)
		}
		s["properties"] = properties
	case 1:
		s["additionalProperties"] = []any{true, g.schema(depth - 1)}[g.IntN(2)]
	case 2:
		s["items"] = g.schema(depth - 1)
	}
	g.alternatives(s, depth)
	return s
}

// value makes a value.
func (g *legacyMaker) value(depth int) any {
	switch k := g.IntN(6); {
	case k == 0 && depth > 0:
		return []any{g.value(depth - 1)}
	case k < 3 && depth > 0:
		o := map[string]any{}
		for _, name := range legacyNames {
			g.maybe(o, name, func() any { return g.value(depth - 1) })
		}
		return o
	case k == 3:
		return "x"
	case k == 4:
		return int64(g.IntN(9))
	}
	return []any{"y", true, int64(1), nil, 1.5}[g.IntN(5)]
}
