package parser_test

import (
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/yaml"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// describeProvides writes each thing that is provided as a line.
func describeProvides(p *meta.Provides) []string {
	var out []string
	for _, k := range p.Kinds {
		s := fmt.Sprintf("%s %s: %s %s %s", k.Definition, k.Name, k.Scope, k.CRDName(), k.Kind)
		if k.ListKind != "" || k.Singular != "" {
			s += " " + k.ListKind + "/" + k.Singular
		}
		if k.Claim {
			s += " claim"
		}
		for _, v := range k.Versions {
			s += " " + v.Name
			if v.Served {
				s += "+"
			}
			if v.Storage {
				s += "*"
			}
			if v.Deprecated {
				s += "-"
			}
		}
		out = append(out, s)
	}
	for _, c := range p.Compositions {
		out = append(out, strings.TrimSpace(fmt.Sprintf("composition %s: %s of %s %s", c.Name, c.Mode, c.APIVersion, c.Kind)))
	}
	for _, w := range p.Webhooks {
		out = append(out, fmt.Sprintf("webhook %s in %s %s", w.Name, w.Kind, w.Configuration))
	}
	for _, f := range p.Functions {
		out = append(out, fmt.Sprintf("call of %s in step %q of %s %s", f.Function, f.Step, f.Kind, f.Name))
	}
	for _, i := range p.Images {
		out = append(out, fmt.Sprintf("image %s in %s %s at %s", i.Image, i.Kind, i.Name, i.Path))
	}
	return out
}

func TestProvides(t *testing.T) {
	object := func(apiVersion, kind, name, rest string) string {
		return "apiVersion: " + apiVersion + "\nkind: " + kind + "\nmetadata: {name: " + name + "}\n" + rest + "\n"
	}
	header := func(version, kind, spec string) string {
		return object("meta.pkg.crossplane.io/"+version, kind, "demo", spec)
	}
	const (
		k8s  = "apiextensions.k8s.io/"
		xp   = "apiextensions.crossplane.io/"
		spec = "spec: {group: a.io, names: {kind: X, plural: xs}, "
		v1   = "versions: [{name: v1, served: true, storage: true}]}"
		xv1  = "versions: [{name: v1, served: true, referenceable: true}]}"
	)
	cases := map[string]struct {
		reason string
		text   string
		want   []string
	}{
		"Nothing":     {"a package may bring nothing", header("v1", "Function", ""), nil},
		"Definition":  {"names as they are declared", object(k8s+"v1", "CustomResourceDefinition", "xs.a.io", "spec: {group: a.io, scope: Cluster, names: {kind: X, plural: xs, listKind: XList, singular: x}, versions: [{name: v1, served: true}, {name: v2, storage: true, served: true}, {name: v0, deprecated: true}]}"), []string{"CustomResourceDefinition xs.a.io: Cluster xs.a.io X XList/x v1+ v2+* v0-"}},
		"Beta":        {"of v1beta1 the single version, and the scope that it has by default", object(k8s+"v1beta1", "CustomResourceDefinition", "xs.a.io", spec+"version: v1}"), []string{"CustomResourceDefinition xs.a.io: Namespaced xs.a.io X v1+*"}},
		"BetaList":    {"which does not count beside a list", object(k8s+"v1beta1", "CustomResourceDefinition", "xs.a.io", spec+"version: v1, versions: [{name: v2}]}"), []string{"CustomResourceDefinition xs.a.io: Namespaced xs.a.io X v2"}},
		"Unknown":     {"an API version that is not known", object(k8s+"v1gamma9", "CustomResourceDefinition", "xs.a.io", spec+"scope: Cluster, "+v1), []string{"CustomResourceDefinition xs.a.io: Cluster xs.a.io X v1+*"}},
		"Foreign":     {"a kind of the same name of another group", object("a.io/v1", "CustomResourceDefinition", "xs.a.io", spec+v1) + "---\n" + object("a.io/v1", "Composition", "c", ""), nil},
		"Managed":     {"a ManagedResourceDefinition makes a definition of the same content", object(xp+"v1alpha1", "ManagedResourceDefinition", "xs.a.io", spec+"scope: Namespaced, "+v1), []string{"ManagedResourceDefinition xs.a.io: Namespaced xs.a.io X v1+*"}},
		"Composite":   {"of v1, with a claim", object(xp+"v1", "CompositeResourceDefinition", "xs.a.io", spec+"claimNames: {kind: C, plural: cs}, "+xv1), []string{"CompositeResourceDefinition xs.a.io: Cluster xs.a.io X v1+*", "CompositeResourceDefinition xs.a.io: Namespaced cs.a.io C claim v1+*"}},
		"CompositeV2": {"of v2, without", object(xp+"v2", "CompositeResourceDefinition", "xs.a.io", spec+xv1), []string{"CompositeResourceDefinition xs.a.io: Namespaced xs.a.io X v1+*"}},
		"Legacy":      {"of v2, as v1 was", object(xp+"v2", "CompositeResourceDefinition", "xs.a.io", spec+"scope: LegacyCluster, claimNames: {kind: C, plural: cs}, "+xv1), []string{"CompositeResourceDefinition xs.a.io: Cluster xs.a.io X v1+*", "CompositeResourceDefinition xs.a.io: Namespaced cs.a.io C claim v1+*"}},
		"Template":    {"of v1alpha1, with a definition within", object(xp+"v1alpha1", "CompositeResourceDefinition", "xs.a.io", "spec: {claimNames: {kind: C, plural: cs}, crdSpecTemplate: "+strings.TrimPrefix(spec, "spec: ")+"version: v1}}"), []string{"CompositeResourceDefinition xs.a.io: Cluster xs.a.io X v1+*", "CompositeResourceDefinition xs.a.io: Namespaced cs.a.io C claim v1+*"}},
		"Composition": {"what it composes, and what it calls", object(xp+"v1", "Composition", "c", "spec: {compositeTypeRef: {apiVersion: a.io/v1, kind: X}, mode: Pipeline, pipeline: [{step: s, functionRef: {name: f}}, {step: t, functionRef: {name: f}}]}"), []string{"composition c: Pipeline of a.io/v1 X", `call of f in step "s" of Composition c`, `call of f in step "t" of Composition c`}},
		"Modes":       {"the mode that holds where none is said", object(xp+"v1", "Composition", "a", "spec: {resources: [{}]}") + "---\n" + object(xp+"v1", "Composition", "b", "spec: {pipeline: [{step: s, functionRef: {name: f}}]}") + "---\n" + object(xp+"v1", "Composition", "c", "") + "---\n" + object(xp+"v1beta1", "Composition", "d", ""), []string{"composition a: Resources of", "composition b: Pipeline of", "composition c: Pipeline of", "composition d: Resources of", `call of f in step "s" of Composition b`}},
		"NotCalled":   {"a pipeline that is not run", object(xp+"v1", "Composition", "a", "spec: {mode: Resources, resources: [{}], pipeline: [{step: s, functionRef: {name: f}}]}"), []string{"composition a: Resources of"}},
		"Operations": {"their pipelines, also in templates", object("ops.crossplane.io/v1alpha1", "Operation", "o", "spec: {mode: Pipeline, pipeline: [{step: s, functionRef: {name: f}}]}") +
			"---\n" + object("ops.crossplane.io/v1alpha1", "CronOperation", "c", "spec: {schedule: x, operationTemplate: {spec: {pipeline: [{step: s, functionRef: {name: g}}]}}}") +
			"---\n" + object("ops.crossplane.io/v1alpha1", "WatchOperation", "w", "spec: {operationTemplate: {spec: {pipeline: [{step: s, functionRef: {name: h}}]}}}"), []string{`call of f in step "s" of Operation o`, `call of g in step "s" of CronOperation c`, `call of h in step "s" of WatchOperation w`}},
		"Webhooks":        {"each webhook of each configuration", object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "v", "webhooks: [{name: a.a.io}, {name: b.a.io}]") + "---\n" + object("admissionregistration.k8s.io/v1beta1", "MutatingWebhookConfiguration", "m", "webhooks: [{name: a.a.io}]"), []string{"webhook a.a.io in ValidatingWebhookConfiguration v", "webhook b.a.io in ValidatingWebhookConfiguration v", "webhook a.a.io in MutatingWebhookConfiguration m"}},
		"Nameless":        {"versions and webhooks without a name", object(k8s+"v1beta1", "CustomResourceDefinition", "xs.a.io", spec+"versions: [{name: v1, served: true}, {served: true}, 1, null, {}]}") + "---\n" + object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "v", "webhooks: [{name: a}, {}, 3, {name: 4}]"), []string{"CustomResourceDefinition xs.a.io: Namespaced xs.a.io X v1+", "webhook a in ValidatingWebhookConfiguration v"}},
		"Controller":      {"the controller of version v1alpha1", header("v1alpha1", "Provider", "spec: {controller: {image: a/b:v1}}"), []string{"image a/b:v1 in Provider demo at spec.controller.image"}},
		"ControllerV1":    {"and of a version that has no such field any more", header("v1", "Provider", "spec: {controller: {image: a/b:v1}}"), []string{"image a/b:v1 in Provider demo at spec.controller.image"}},
		"ControllerIBM":   {"and of the other group", strings.Replace(header("v1alpha1", "Provider", "spec: {controller: {image: a/b:v1}}"), "pkg.", "pkg.ibm.", 1), []string{"image a/b:v1 in Provider demo at spec.controller.image"}},
		"FunctionImage":   {"the image of a Function", header("v1beta1", "Function", "spec: {image: a/b:v1}"), []string{"image a/b:v1 in Function demo at spec.image"}},
		"ContainerImages": {"functions in containers, as they once were", object(xp+"v1", "Composition", "a", "spec: {resources: [{}], functions: [{name: x}, {name: f, type: Container, container: {image: a/f:v1}}]}"), []string{"composition a: Resources of", "image a/f:v1 in Composition a at spec.functions[1].container.image"}},
		"Faults": {"what is at fault is passed over, and nothing else", header("v1", "Provider", "spec: {controller: {image: [1]}}") +
			"---\n" + object(k8s+"v1", "CustomResourceDefinition", "no-spec", "") +
			"---\n" + object(k8s+"v1", "CustomResourceDefinition", "text-spec", "spec: none") +
			"---\n" + object(k8s+"v1", "CustomResourceDefinition", "no-plural", "spec: {group: a.io, names: {kind: X, plural: 5}}") +
			"---\n" + object(k8s+"v1", "CustomResourceDefinition", "spelling", "Spec: {group: a.io, names: {kind: X, plural: xs}}") +
			"---\n" + object(k8s+"v1", "CustomResourceDefinition", "no-json", spec+"scope: .inf}") +
			"---\n" + object(xp+"v1", "CompositeResourceDefinition", "half", spec+"claimNames: {kind: C}, versions: {name: v1}}") +
			"---\n" + object(xp+"v1", "Composition", "c", "spec: {compositeTypeRef: 1, pipeline: [a, {functionRef: f}, {functionRef: {}}, {functionRef: {name: f}}]}") +
			"---\n" + object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "v", "webhooks: {name: a}") +
			"---\n" + object(k8s+"v1", "CustomResourceDefinition", "good", spec+"scope: Galaxy, versions: [v1, {name: v2, served: 'true'}]}"), []string{
			"CompositeResourceDefinition half: Cluster xs.a.io X", "CustomResourceDefinition good: Galaxy xs.a.io X v2",
			"composition c: Pipeline of", `call of f in step "" of Composition c`,
		}},
		"Order":    {"in the order of the documents, and as often as they say it", object(k8s+"v1", "CustomResourceDefinition", "z", spec+"}") + "---\n" + object(k8s+"v1", "CustomResourceDefinition", "a", spec+"}"), []string{"CustomResourceDefinition z:  xs.a.io X", "CustomResourceDefinition a:  xs.a.io X"}},
		"NoHeader": {"a package without a metadata object", object("meta.pkg.crossplane.io/v1", "List", "l", "spec: {image: x}"), nil},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			pkg, _ := parser.Collect(parser.Bytes("f", []byte(tc.text), nil))
			if diff := cmp.Diff(tc.want, describeProvides(pkg.Provides())); diff != "" {
				t.Errorf("\n%s: -want +got:\n%s", tc.reason, diff)
			}
		})
	}
	if got := new(parser.Package).Provides(); len(describeProvides(got)) > 0 {
		t.Errorf("the zero Package provides %v", got)
	}
}

func TestProvidesIsComputedOnce(t *testing.T) {
	pkg, err := parser.Collect(parser.Bytes("f", []byte(metaDoc+"---\n"+crdA), nil))
	if err != nil {
		t.Fatal(err)
	}
	var got [8]*meta.Provides
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() { got[i] = pkg.Provides() })
	}
	wg.Wait()
	for _, p := range got {
		if p == nil || p != got[0] {
			t.Errorf("concurrent calls return %p and %p", p, got[0])
		}
	}
}

// countProvided counts what a package brings in another way: with another YAML
// reader, and with conditions instead of shapes.
func countProvided(t *testing.T, pkg *parser.Package) map[string]int {
	n := map[string]int{}
	get := func(v any, path ...any) any {
		for _, p := range path {
			switch p := p.(type) {
			case string:
				m, _ := v.(map[string]any)
				v = m[p]
			case int:
				l, _ := v.([]any)
				if p >= len(l) {
					return nil
				}
				v = l[p]
			}
		}
		return v
	}
	for d := range pkg.Documents() {
		var v any
		if err := yaml.Unmarshal(d.Raw(), &v); err != nil {
			t.Logf("%s is not counted: %v", d.Ref(), err)
			continue
		}
		switch d.Kind {
		case "CustomResourceDefinition", "CompositeResourceDefinition", "ManagedResourceDefinition":
			group := get(v, "spec", "group")
			if old := get(v, "spec", "crdSpecTemplate", "group"); old != nil {
				group = old
			}
			if group == nil || d.APIVersion == "" {
				continue // a patch of definitions; an object of no API
			}
			kinds, versions := 1, 0
			if get(v, "spec", "claimNames") != nil {
				kinds = 2
			}
			for get(v, "spec", "versions", versions) != nil {
				versions++
			}
			if get(v, "spec", "crdSpecTemplate", "version") != nil {
				versions++
			}
			n["kinds"] += kinds
			n["versions"] += kinds * versions
		case "Composition":
			n["compositions"]++
			n[fmt.Sprint("of ", get(v, "spec", "compositeTypeRef", "kind"))]++
			for i := 0; get(v, "spec", "pipeline", i) != nil; i++ {
				n[fmt.Sprint("calls ", get(v, "spec", "pipeline", i, "functionRef", "name"))]++
			}
		case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
			webhooks, _ := get(v, "webhooks").([]any)
			n["webhooks"] += len(webhooks)
		case "Provider", "Function":
			for _, image := range []any{get(v, "spec", "controller", "image"), get(v, "spec", "image")} {
				if image != nil && d == pkg.Header {
					n[fmt.Sprint("image ", image)]++
				}
			}
		}
	}
	return n
}

func countProvides(p *meta.Provides) map[string]int {
	n := map[string]int{}
	add := func(what string, k int) {
		if k > 0 {
			n[what] += k
		}
	}
	add("kinds", len(p.Kinds))
	for _, k := range p.Kinds {
		add("versions", len(k.Versions))
	}
	add("compositions", len(p.Compositions))
	for _, c := range p.Compositions {
		add("of "+c.Kind, 1)
	}
	for _, f := range p.Functions {
		add("calls "+f.Function, 1)
	}
	add("webhooks", len(p.Webhooks))
	for _, i := range p.Images {
		add("image "+i.Image, 1)
	}
	return n
}

func TestCorpusProvides(t *testing.T) {
	dir := filepath.Join(corpus(t), "packages")
	dirs, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	total := map[string]int{}
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		root, err := os.OpenRoot(filepath.Join(dir, d.Name()))
		if err != nil {
			t.Fatal(err)
		}
		pkg, _ := parser.Collect(parser.Dir(context.Background(), root, nil))
		root.Close()
		got := countProvides(pkg.Provides())
		if diff := cmp.Diff(countProvided(t, pkg), got); diff != "" {
			t.Errorf("%s: -counted +got:\n%s", d.Name(), diff)
		}
		for what, n := range got {
			word, _, _ := strings.Cut(what, " ")
			total[word] += n
		}
		for _, k := range pkg.Provides().Kinds {
			if !slices.Contains([]string{"Cluster", "Namespaced"}, k.Scope) || len(k.APIVersions()) == 0 {
				t.Errorf("%s: %s has scope %q and serves %v", d.Name(), k.CRDName(), k.Scope, k.APIVersions())
			}
		}
	}
	t.Log(total)
}

func TestCorpusMonolithProvides(t *testing.T) {
	f, err := os.Open(filepath.Join(corpus(t), "provider-aws-monolith.package.yaml.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	zr, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := parser.Collect(parser.Stream(context.Background(), "package.yaml", zr, nil))
	if err != nil {
		t.Fatal(err)
	}
	p := pkg.Provides()
	if len(p.Kinds) != 2065 || len(p.CRDNames()) != 2065 {
		t.Errorf("%d kinds and %d definitions, want 2065", len(p.Kinds), len(p.CRDNames()))
	}
	for _, k := range p.Kinds {
		if k.CRDName() != k.Name || k.Scope == "" || len(k.APIVersions()) == 0 || k.ListKind == "" || k.Singular == "" {
			t.Errorf("something is missing: %+v", k)
		}
	}
}
