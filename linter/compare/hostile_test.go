package compare_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/xpkg-go/sdk/internal/executions"
	"github.com/xpkg-go/sdk/linter/compare"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// An ended context is told, and nothing beside.
func TestCanceled(t *testing.T) {
	p := collect(t, "a.yaml", define([]byte("type: object")))
	q := collect(t, "b.yaml", define([]byte("type: string")))
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	changes, err := compare.Packages(ctx, p, q)
	if changes != nil || !errors.Is(err, meta.ErrCanceled) || !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), "enough") {
		t.Errorf("got %d changes and %v", len(changes), err)
	}
}

// What packages are made of may be nothing that a definition has.
func TestOddities(t *testing.T) {
	odd := []string{
		"", "spec: 1", "spec: {versions: 1}", "spec: {versions: [1, {name: 2}, {name: v1, served: true, schema: []}]}",
		"spec: {group: example.org, names: {kind: Bucket}, versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: [], required: a, enum: {}}}}]}",
		"spec: {group: example.org, names: {kind: Bucket}, versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {spec: 7, a: {type: 5, maximum: x, pattern: '(', items: [], additionalProperties: 3}}}}}]}",
		"spec: {group: example.org, names: {kind: Bucket}, versions: [{name: v1, served: true, schema: {openAPIV3Schema: {properties: {a: {type: string, maxLength: 1e400, minLength: -3, pattern: '(a{0,1000}){0,1000}'}}}}}]}",
		"spec: {crdSpecTemplate: {group: example.org, names: {kind: Bucket}, version: v1}, claimNames: []}",
		"webhooks: [1, {name: {}}]",
		"spec: {compositeTypeRef: 1}",
	}
	kinds := []string{
		"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: buckets.example.org}\n",
		"apiVersion: apiextensions.k8s.io/v1beta1\nkind: CustomResourceDefinition\nmetadata: {name: buckets.example.org}\n",
		"apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nmetadata: {name: buckets.example.org}\n",
		"apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: a}\n",
		"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\n",
	}
	var all []*parser.Package
	for _, kind := range kinds {
		for _, text := range odd {
			all = append(all, collect(t, "a.yaml", []byte(kind+text+"\n")))
		}
	}
	for _, p := range all {
		for _, q := range all {
			packages(t, p, q)
		}
	}
	if changes := packages(t, &parser.Package{}, all[0]); len(changes) > 0 {
		t.Errorf("nothing has nothing to lose: %s", write(changes))
	}
}

// A package's own words neither break the line of a message nor end it.
func TestHostileWords(t *testing.T) {
	const words = `"a\nerror: all is lost\e[31m."`
	documents := func(h, other string) []string {
		return []string{
			"apiVersion: meta.pkg.crossplane.io/v1\nkind: " + h + "\nmetadata: {name: a}\n",
			"apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata: {name: a}\nspec: {controller: {permissionRequests: [{verbs: [" + h + "], resources: [" + h + "], apiGroups: [" + h + "], resourceNames: [" + h + "]}, {verbs: [" + h + "], nonResourceURLs: [" + h + "]}]},\n" +
				"  crossplane: {version: " + h + "}, dependsOn: [{provider: " + h + ", version: " + h + "}, {apiVersion: v1, kind: " + h + ", package: " + h + ", version: v1}]}\n",
			"apiVersion: " + h + "\nkind: " + h + "\nmetadata: {name: " + h + "}\n",
			"apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: " + h + "}\nspec: {compositeTypeRef: {apiVersion: " + h + ", kind: " + h + "}}\n",
			"apiVersion: apiextensions.crossplane.io/v1\nkind: Composition\nmetadata: {name: a}\nspec: {compositeTypeRef: {apiVersion: " + h + ", kind: " + h + "}}\n",
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\nspec: {scope: " + h + ", group: " + h + ", names: {kind: " + h + ", plural: a, shortNames: [" + h + "], categories: [" + h + "]}, versions: [{name: " + h + ", served: true, storage: true, additionalPrinterColumns: [{name: " + h + "}], selectableFields: [{jsonPath: " + h + "}]}]}\n",
			"apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: buckets.example.org}\nspec: {scope: " + h + ", group: example.org, names: {kind: Bucket, plural: buckets, shortNames: [" + h + "], categories: [" + h + "]}, versions: [{name: v1, served: true, storage: true, additionalPrinterColumns: [{name: " + h + "}], selectableFields: [{jsonPath: " + h + "}],\n" +
				"  schema: {openAPIV3Schema: {type: object, required: [" + h + "], properties: {" + h + ": {type: " + other + ", default: " + h + "}, list: {type: array, x-kubernetes-list-type: " + h + ", items: {type: string, format: " + h + ", pattern: " + h + ", enum: [" + h + "]}}, map: {type: array, items: {type: object}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [" + h + "], x-kubernetes-validations: [{rule: " + h + "}]}, text: {type: string, format: " + h + ", pattern: " + h + "}}}}}]}\n",
			"apiVersion: apiextensions.crossplane.io/v2\nkind: CompositeResourceDefinition\nmetadata: {name: a.example.org}\nspec: {scope: " + h + ", defaultCompositeDeletePolicy: " + h + ", defaultCompositionRef: {name: " + h + "}, connectionSecretKeys: [" + h + "], group: example.org, names: {kind: " + h + ", plural: a}, claimNames: {kind: " + h + ", plural: b}, versions: [{name: " + h + ", served: true, referenceable: true}]}\n",
			"apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\nmetadata: {name: a}\nwebhooks: [{name: " + h + ", failurePolicy: " + h + ", rules: [{operations: [" + h + "], apiGroups: [" + h + "], apiVersions: [" + h + "], resources: [" + h + "]}]}]\n",
		}
	}
	hostile, harmless := documents(words, "string"), documents("Harmless", "object")
	rules := map[string]bool{}
	for i := range hostile {
		a, _ := parser.Collect(parser.Bytes("a.yaml", []byte(hostile[i]), nil)) // with its faults: they do not keep it from being compared
		b, _ := parser.Collect(parser.Bytes("b.yaml", []byte(harmless[i]), nil))
		for _, c := range slices.Concat(packages(t, a, b), packages(t, b, a), packages(t, a, &parser.Package{}), packages(t, b, &parser.Package{})) {
			rules[c.Rule] = true
			if strings.ContainsFunc(c.String(), unicode.IsControl) {
				t.Errorf("a line with a control character: %q", c)
			}
		}
	}
	if len(rules) < 15 {
		t.Errorf("only these rules spoke: %v", slices.Sorted(maps.Keys(rules)))
	}
}

// Messages stay short, and work does not grow with the square.
func TestLarge(t *testing.T) {
	const many = 5000
	var old, new strings.Builder
	fmt.Fprintf(&old, "type: object\nproperties:\n  long: {type: string, enum: [%s]}\n", strings.Repeat("x", 10_000))
	fmt.Fprintf(&new, "type: object\nproperties:\n  long: {type: string, enum: [y]}\n")
	var values []string
	for i := range many {
		fmt.Fprintf(&old, "  f%d: {type: string}\n", i)
		values = append(values, fmt.Sprintf("v%d", i))
	}
	fmt.Fprintf(&old, "  many: {type: string, enum: [%s]}\n", strings.Join(values, ", "))
	fmt.Fprintf(&new, "  many: {type: string, enum: [%s], anyOf: [{enum: [%s]}]}\n", strings.Join(values[1:], ", "), strings.Join(values, ", "))
	changes := packages(t, collect(t, "a.yaml", define([]byte(old.String()))), collect(t, "b.yaml", define([]byte(new.String()))))
	if len(changes) < many {
		t.Errorf("got %d changes, want all of them", len(changes))
	}
	for _, c := range changes {
		if len(c.Message) > 1000 {
			t.Fatalf("a message of %d bytes: %.200s", len(c.Message), c.Message)
		}
	}
}

// FuzzPackages compares anything with anything: a package does not differ from
// itself, and what is said is well formed and the same every time.
func FuzzPackages(f *testing.F) {
	f.Add([]byte("type: object\nproperties: {a: {type: string, pattern: '^a+$', maxLength: 3}}"), []byte("type: object\nproperties: {a: {type: string, pattern: '^b', enum: [b]}}"))
	f.Add([]byte("type: object\nadditionalProperties: {type: integer, maximum: 3}"), []byte("type: object\nadditionalProperties: {type: number, multipleOf: 0.1}\nmaxProperties: 2"))
	f.Add([]byte("type: array\nitems: {x-kubernetes-int-or-string: true, oneOf: [{type: string}]}"), []byte("type: array\nitems: {not: {enum: [1]}}\nx-kubernetes-list-type: set"))
	f.Fuzz(executions.Many(func(t *testing.T, a, b []byte) {
		o := &parser.Options{MaxDocumentBytes: 1 << 16}
		read := func(name string, text []byte) *parser.Package {
			p, _ := parser.Collect(parser.Bytes(name, define(text), o))
			return p
		}
		if !executions.Readable(define(a)) {
			return
		}
		old := read("old.yaml", a)
		if same := packages(t, old, read("again.yaml", a)); len(same) > 0 {
			t.Errorf("a package differs from itself:\n%s", write(same))
		}
		if !executions.Readable(define(b)) {
			return
		}
		new := read("new.yaml", b)
		first := write(packages(t, old, new))
		if second := write(packages(t, old, read("new.yaml", b))); first != second {
			t.Errorf("once:\n%s\nand once more:\n%s", first, second)
		}
	}))
}
