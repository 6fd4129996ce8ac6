package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

var compositionShape = fields(map[string]*shape{"spec": fields(map[string]*shape{
	"mode": aText, "resources": listOf(anything), "patchSets": listOf(anything),
	"compositeTypeRef": fields(map[string]*shape{"apiVersion": aText, "kind": aText}),
})})

// eachComposition calls look with each Composition of a version that names the type
// it composes in spec.compositeTypeRef.
func eachComposition(ctx context.Context, p *linter.Pass, look func(*parser.Document, *value)) error {
	for _, d := range p.Package.Objects {
		if d.Kind != composition || d.APIVersion != "apiextensions.crossplane.io/v1" {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if body := readDocument(d, compositionShape); body != nil {
			look(d, body)
		}
	}
	return nil
}

const exampleConfiguration = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
`

func compositionResources() *linter.Rule {
	return &linter.Rule{
		ID: "composition-resources",
		Doc: "Crossplane v2.0 removed the composition mode Resources, and with it the fields resources and patchSets: " +
			"the API server drops them, and the composition makes nothing. Functions in spec.pipeline take their place. " +
			"It is a warning where some releases that the package admits still have them.",
		Bad: exampleConfiguration + `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
spec:
  mode: Resources
  resources:
  - name: bucket
`,
		Good: exampleConfiguration + `apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
spec:
  mode: Pipeline
  pipeline:
  - step: compose
    functionRef:
      name: function-patch-and-transform
`,
		URL:      "https://docs.crossplane.io/latest/whats-new/#removed-features",
		Severity: linter.Error,
		Since:    resourcesUntil,
		Run:      runCompositionResources,
	}
}

// resourcesUntil is the first release without the mode Resources.
const resourcesUntil = "v2.0"

func runCompositionResources(ctx context.Context, p *linter.Pass) error {
	if p.Package.Meta != nil && p.Package.Meta.Group() == meta.GroupIBM {
		return nil // no release of Crossplane bounds it
	}
	return eachComposition(ctx, p, func(d *parser.Document, body *value) {
		var first, removed []string
		add := func(path []string, what string) {
			if removed = append(removed, what); first == nil {
				first = path
			}
		}
		if mode, _ := body.get("spec", "mode").asText(); mode == "Resources" {
			add([]string{"spec", "mode"}, "mode Resources")
		}
		for _, name := range []string{"resources", "patchSets"} {
			if items, _ := body.get("spec", name).asList(); len(items) > 0 {
				add([]string{"spec", name}, "spec."+name)
			}
		}
		if first == nil {
			return
		}
		at := linter.AtKey(d, first[0], first[1])
		if !p.Releases.Every(resourcesUntil, "") {
			at.Severity = linter.Warning
			at.Related = []linter.Related{{
				Range:   linter.At(p.Package.Header, "spec", "crossplane", "version").Range,
				Message: "admits Crossplane " + releases(p.Releases),
			}}
		}
		p.Reportf(at, "no longer supported since Crossplane %s: %s (mode Pipeline and spec.pipeline are expected)",
			resourcesUntil, strings.Join(removed, ", "))
	})
}

func compositionDefinition() *linter.Rule {
	return &linter.Rule{
		ID: "composition-definition",
		Doc: "A Composition is for a type that a CompositeResourceDefinition defines, in the package or in a Configuration " +
			"that it depends on. Where it depends on none, a type that the package does not define is probably misspelled.",
		Bad: exampleXRD + goodXRDSpec + `---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
spec:
  compositeTypeRef:
    apiVersion: example.org/v1
    kind: Bucket
`,
		Good: exampleXRD + goodXRDSpec + `---
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
spec:
  compositeTypeRef:
    apiVersion: example.org/v1
    kind: XBucket
`,
		URL:      "https://docs.crossplane.io/latest/composition/compositions/",
		Severity: linter.Warning,
		Kinds:    []meta.Kind{meta.Configuration},
		Run:      runCompositionDefinition,
	}
}

func runCompositionDefinition(ctx context.Context, p *linter.Pass) error {
	if dependsOnConfiguration(p.Package.Meta) || !complete(p.Package) {
		return nil
	}
	defs, err := definitions.Of(ctx, p)
	if err != nil {
		return err
	}
	type identity struct{ group, kind string }
	defined := map[identity]*definition{}
	for _, def := range defs {
		if !isXRD(def.doc) {
			continue
		}
		group, _ := def.group()
		kind, _ := def.kind()
		if group == "" || kind == "" {
			return nil // it may define any type
		}
		defined[identity{group, kind}] = def
	}
	return eachComposition(ctx, p, func(d *parser.Document, body *value) {
		ref := body.get("spec", "compositeTypeRef")
		apiVersion, _ := ref.get("apiVersion").asText()
		kind, _ := ref.get("kind").asText()
		group, version := meta.SplitAPIVersion(apiVersion)
		if group == "" || kind == "" {
			return
		}
		def := defined[identity{group, kind}]
		switch {
		case def == nil:
			p.Reportf(linter.At(d, "spec", "compositeTypeRef", "kind"),
				"no CompositeResourceDefinition of the package defines %s, and it depends on no Configuration", quote(apiVersion+" "+kind))
		case !mayDefine(def, version):
			at := linter.At(d, "spec", "compositeTypeRef", "apiVersion")
			at.Related = []linter.Related{{Range: def.doc.Range, Message: "the definition is here"}}
			p.Reportf(at, "the CompositeResourceDefinition of %s at %s has no version %s", quote(kind), def.doc.Range, quote(version))
		}
	})
}

// mayDefine reports whether a version is one of a definition's, as far as they can
// be read.
func mayDefine(def *definition, version string) bool {
	versions, ok := def.versions()
	if !ok || len(versions) == 0 {
		return true
	}
	for _, v := range versions {
		if name, ok := v.get("name").asText(); !ok || v.form != mapping || name == version {
			return true
		}
	}
	return false
}

// dependsOnConfiguration reports whether the package depends on one that may hold
// definitions: a Configuration, or one of a kind that is not said.
func dependsOnConfiguration(m *meta.Package) bool {
	for _, d := range m.DependsOn {
		if d.Kind == string(meta.Configuration) || d.Kind == "" {
			return true
		}
	}
	return false
}

// complete reports whether no document is missing between those of a package: one
// that could not be read may have been a definition.
func complete(p *parser.Package) bool {
	documents, last := 0, -1
	for d := range p.Documents() {
		documents, last = documents+1, max(last, d.Index)
	}
	return documents == last+1
}
