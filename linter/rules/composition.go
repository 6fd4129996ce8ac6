package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// composed is a Composition, and the type that it is for.
type composed struct {
	*typed
	apiVersion, kind string
}

// compositions are the Compositions of a package, in stream order.
var compositions = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]*composed, error) {
	var list []*composed
	err := eachTyped(ctx, p, func(t *typed) {
		ref := t.body.get("spec", "compositeTypeRef")
		c := &composed{typed: t}
		c.apiVersion, _ = ref.get("apiVersion").asText()
		c.kind, _ = ref.get("kind").asText()
		list = append(list, c)
	}, composition)
	return list, err
})

// eachComposition makes the Run function of a rule that looks at one Composition at a
// time.
func eachComposition(look func(*linter.Pass, *composed)) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		list, err := compositions.Of(ctx, p)
		if err != nil {
			return err
		}
		for _, c := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			look(p, c)
		}
		return nil
	}
}

func compositionDefinition() *linter.Rule {
	return &linter.Rule{
		ID: "composition-definition",
		Doc: "A Composition is for a type that a CompositeResourceDefinition defines, in the package or in a Configuration " +
			"that it depends on, at the version that is referenceable. Where it depends on none, a type that the package does " +
			"not define is probably misspelled.",
		Bad:      exampleComposed + but(exampleComposition, "XBucket", "XBuckte") + goodPipeline,
		Good:     exampleComposed + exampleComposition + goodPipeline,
		URL:      compositionURL,
		Severity: linter.Warning,
		Kinds:    []meta.Kind{meta.Configuration},
		Run:      runCompositionDefinition,
	}
}

// identity is what the objects of an API are called.
type identity struct{ group, kind string }

// composites are the definitions of composite resources by what they define, and
// whether that is all of them: one whose names cannot be read may define any type.
func composites(ctx context.Context, p *linter.Pass) (defined map[identity]*definition, all bool, err error) {
	defs, err := definitions.Of(ctx, p)
	if err != nil {
		return nil, false, err
	}
	defined, all = map[identity]*definition{}, complete(p.Package)
	for _, def := range defs {
		if !isXRD(def.doc) {
			continue
		}
		group, _ := def.group()
		kind, _ := def.kind()
		all = all && group != "" && kind != ""
		defined[identity{group, kind}] = def
	}
	return defined, all, nil
}

func runCompositionDefinition(ctx context.Context, p *linter.Pass) error {
	defined, all, err := composites(ctx, p)
	if err != nil {
		return err
	}
	all = all && !dependsOnConfiguration(p.Package.Meta)
	return eachComposition(func(p *linter.Pass, c *composed) {
		f := &findings{pass: p, doc: c.doc}
		ref := meta.Path{"spec", "compositeTypeRef"}
		if spec := c.body.get("spec"); spec.form == mapping && spec.get("compositeTypeRef").isAbsent() {
			f.add(fault{path: ref, severity: linter.Error}, "there is no type to compose (apiVersion and kind are expected)")
			return
		}
		group, version := meta.SplitAPIVersion(c.apiVersion)
		if group == "" || c.kind == "" {
			reportType(f, ref, c)
			return
		}
		def := defined[identity{group, c.kind}]
		switch {
		case def == nil && all:
			kinds := map[string]*shape{}
			for id := range defined {
				if id.group == group {
					kinds[id.kind] = nil
				}
			}
			near := nearest(c.kind, kinds)
			f.add(fault{path: below(ref, "kind"), rewrite: sure(c.kind, near)},
				"no CompositeResourceDefinition of the package defines %s, and it depends on no Configuration%s",
				quote(c.apiVersion+" "+c.kind), didYouMean(near))
		case def != nil && (all || mayDefine(def, version)): // else a dependency may define it
			reportVersionOf(f, below(ref, "apiVersion"), c, def, version)
		}
	})(ctx, p)
}

// reportType reports a type that is not said in full, or is of Kubernetes itself, whose
// group has no name.
func reportType(f *findings, path meta.Path, c *composed) {
	ref := c.body.get("spec", "compositeTypeRef")
	apiVersion, ok := ref.get("apiVersion").asText()
	kind, okKind := ref.get("kind").asText()
	switch {
	case ref.form != mapping:
	case ok && apiVersion == "":
		f.add(fault{path: below(path, "apiVersion"), severity: linter.Error}, "there is no API version of the type to compose")
	case ok && !strings.Contains(apiVersion, "/"):
		f.add(fault{path: below(path, "apiVersion"), severity: linter.Error}, "%s is no API version of a composite resource (GROUP/VERSION is expected)", quote(apiVersion))
	}
	if ref.form == mapping && okKind && kind == "" {
		f.add(fault{path: below(path, "kind"), severity: linter.Error}, "there is no kind of the type to compose")
	}
}

// reportVersionOf reports a Composition for a version that its definition does not
// have, or that Crossplane does not compose.
func reportVersionOf(f *findings, path meta.Path, c *composed, def *definition, version string) {
	related := []linter.Related{{Range: def.doc.Range, Message: "the definition is here"}}
	versions, _ := def.versions()
	indexes, sure := marked(versions, "referenceable")
	if !mayDefine(def, version) {
		f.add(fault{path: path, related: related}, "the CompositeResourceDefinition of %s at %s has no version %s",
			quote(c.kind), def.doc.Range, quote(version))
		return
	}
	if !sure || len(indexes) != 1 {
		return
	}
	if name, _ := versions[indexes[0]].get("name").asText(); name != "" && name != version {
		f.add(fault{path: path, related: related},
			"the CompositeResourceDefinition of %s at %s has version %s, but the referenceable one is %s",
			quote(c.kind), def.doc.Range, quote(version), quote(name))
	}
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
