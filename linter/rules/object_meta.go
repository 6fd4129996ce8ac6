package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// objectMeta is an object and its metadata.
type objectMeta struct {
	doc  *parser.Document
	meta *value
}

var onlyMetaShape = &shape{form: mapping, fields: map[string]*shape{"metadata": objectMetaShape}}

// objectMetas are the objects that have metadata. Definitions, which are large, have been
// read already.
var objectMetas = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]objectMeta, error) {
	defs, err := definitions.Of(ctx, p)
	if err != nil {
		return nil, err
	}
	bodies := make(map[*parser.Document]*value, len(defs))
	for _, def := range defs {
		bodies[def.doc] = def.body
	}
	var list []objectMeta
	for _, d := range p.Package.Objects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		body := bodies[d]
		if body == nil && d.Known() {
			body = readDocument(d, onlyMetaShape)
		}
		if body != nil && body.get("metadata").form == mapping {
			list = append(list, objectMeta{d, body.get("metadata")})
		}
	}
	return list, nil
})

func objectNamespace() *linter.Rule {
	return &linter.Rule{
		ID: "object-namespace",
		Doc: "The objects that a package may hold are of the whole cluster: the API server drops the namespace of one. Labels " +
			"are kept, and may be what a Composition is selected by.",
		Bad:      exampleConfiguration + but(compositionHead, "  name: demo\n", "  name: demo\n  namespace: default\n") + goodPipeline,
		Good:     exampleConfiguration + but(compositionHead, "  name: demo\n", "  name: demo\n  labels: {provider: demo}\n") + goodPipeline,
		URL:      "https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/#not-all-objects-are-in-a-namespace",
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(ctx context.Context, p *linter.Pass) error {
			list, err := objectMetas.Of(ctx, p)
			if err != nil || p.Package.Meta == nil {
				return err
			}
			table := tableFor(p.Package.Meta)
			for _, o := range list {
				// Of one that must leave the package another rule tells.
				namespace, _ := o.meta.get("namespace").asText()
				if v, _ := judge(table, p.Releases, o.doc); namespace == "" || v == refused {
					continue
				}
				f := &findings{pass: p, doc: o.doc}
				at := meta.Path{"metadata", "namespace"}
				f.add(fault{path: at, key: true, fix: func() []linter.Fix { return linter.Remove(o.doc, at...) }},
					"the API server drops the namespace, as a %s is of the whole cluster", o.doc.Kind)
			}
			return nil
		},
	}
}
