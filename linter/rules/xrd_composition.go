package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func xrdComposition() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-composition",
		Doc: "The Composition that a CompositeResourceDefinition has as its default, or enforces, is there and is for its " +
			"composite resource. It comes with the package, or with a Configuration that the package depends on.",
		Bad: exampleComposed + `  defaultCompositionRef:
    name: demos
` + exampleComposition + goodPipeline,
		Good: exampleComposed + `  defaultCompositionRef:
    name: demo
` + exampleComposition + goodPipeline,
		URL:      xrdURL,
		Severity: linter.Warning,
		Kinds:    []meta.Kind{meta.Configuration},
		Run:      runXRDComposition,
	}
}

func runXRDComposition(ctx context.Context, p *linter.Pass) error {
	list, err := compositions.Of(ctx, p)
	if err != nil {
		return err
	}
	named, names := map[string]*composed{}, map[string]*shape{}
	for _, c := range list {
		named[c.doc.Name], names[c.doc.Name] = c, nil
	}
	elsewhere := dependsOnConfiguration(p.Package.Meta) || !complete(p.Package)
	return eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
		f := &findings{pass: p, doc: def.doc}
		for _, field := range []string{"defaultCompositionRef", "enforcedCompositionRef"} {
			ref := def.body.get("spec", field)
			name, ok := ref.get("name").asText()
			at := fault{path: meta.Path{"spec", field, "name"}}
			switch c := named[name]; {
			case !ok || ref.form != mapping:
			case name == "":
				at.severity = linter.Error
				f.add(at, "there is no name of a Composition")
			case c == nil && !elsewhere:
				near := nearest(name, names)
				at.rewrite = sure(name, near)
				f.add(at, "no Composition of the package is called %s, and it depends on no Configuration%s", quote(name), didYouMean(near))
			case c != nil && c.isForOther(def):
				at.related = []linter.Related{{Range: c.doc.Range, Message: "the Composition is here"}}
				f.add(at, "the Composition %s at %s is for %s", quote(name), c.doc.Range, quote(c.apiVersion+" "+c.kind))
			}
		}
	})(ctx, p)
}

// isForOther reports whether a composition is certainly not for the composite
// resource of a definition.
func (c *composed) isForOther(def *definition) bool {
	group, okGroup := def.group()
	kind, okKind := def.kind()
	of, _ := meta.SplitAPIVersion(c.apiVersion)
	return c.apiVersion != "" && c.kind != "" && okGroup && okKind && group != "" && kind != "" && (group != of || kind != c.kind)
}
