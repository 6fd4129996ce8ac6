package rules

import (
	"context"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// API versions that differ from those that came after them.
const (
	crdV1    = "apiextensions.k8s.io/v1"
	crdBeta  = "apiextensions.k8s.io/v1beta1"
	xrdAlpha = "apiextensions.crossplane.io/v1alpha1"
	xrdV1    = "apiextensions.crossplane.io/v1"
	xrdV2    = "apiextensions.crossplane.io/v2"
	mrdAlpha = "apiextensions.crossplane.io/v1alpha1"
)

// definition is what the rules need to know of a document that defines an API: a
// CustomResourceDefinition, a CompositeResourceDefinition or a
// ManagedResourceDefinition.
type definition struct {
	doc  *parser.Document
	body *value
	comparison
}

// definitions are all definitions of a package, in stream order. The documents
// of a provider are large and there are thousands of them, so each is decoded
// once, for all rules, and only what they need of it is kept.
var definitions = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]*definition, error) {
	defs, err := linter.EachDocument(ctx, p, func(d *parser.Document) (*definition, error) {
		s := definitionShape(d)
		if s == nil || d == p.Package.Header {
			return nil, nil
		}
		body := readDocument(d, s)
		if body == nil {
			return nil, nil
		}
		def := &definition{doc: d, body: body}
		def.compare(nil, body, s)
		def.asKubernetes(d)
		return def, nil
	})
	return slices.DeleteFunc(defs, func(def *definition) bool { return def == nil }), err
})

// isCRD and isXRD know the versions whose fields are known; of another one nobody
// can say what it should hold.
func isCRD(d *parser.Document) bool {
	return d.Kind == crd && (d.APIVersion == crdV1 || d.APIVersion == crdBeta)
}

func isXRD(d *parser.Document) bool {
	if d.Kind != xrd {
		return false
	}
	switch d.APIVersion {
	case xrdAlpha, "apiextensions.crossplane.io/v1beta1", xrdV1, xrdV2:
		return true
	}
	return false
}

func isMRD(d *parser.Document) bool { return d.Kind == meta.DefinitionMRD && d.APIVersion == mrdAlpha }

// definitionShape returns nil for what is no definition.
func definitionShape(d *parser.Document) *shape {
	switch {
	case isCRD(d) && d.APIVersion == crdBeta:
		return crdBetaShape
	case isCRD(d):
		return crdShape
	case isMRD(d):
		return mrdShape
	case isXRD(d) && d.APIVersion == xrdAlpha:
		return xrdAlphaShape
	case isXRD(d):
		return xrdShape
	}
	return nil
}

// hasVersionList reports whether a definition has its versions in a list, and its
// names beside it, as all do but for CompositeResourceDefinitions before Crossplane
// v0.14: they had a definition within, in spec.crdSpecTemplate.
func (def *definition) hasVersionList() bool {
	return !isXRD(def.doc) || def.doc.APIVersion != xrdAlpha
}

// group, kind and plural return what the definition says of itself, "" when it says
// nothing, and false when that is no string.
func (def *definition) group() (string, bool) { return def.body.get("spec", "group").asText() }
func (def *definition) kind() (string, bool)  { return def.body.get("spec", "names", "kind").asText() }
func (def *definition) plural() (string, bool) {
	return def.body.get("spec", "names", "plural").asText()
}

// versions returns the items of spec.versions, and false when that is no list.
func (def *definition) versions() ([]*value, bool) { return def.body.get("spec", "versions").asList() }

// marked returns the indexes of the versions in which a boolean is true, and false
// when it may be meant to be in others: when an item or the field is of another
// type.
func marked(versions []*value, name string) (indexes []int, sure bool) {
	sure = true
	for i, v := range versions {
		is, ok := v.get(name).asTruth()
		sure = sure && ok && v.form == mapping
		if is {
			indexes = append(indexes, i)
		}
	}
	return indexes, sure
}

// versionName names a version in a message.
func versionName(v *value) string {
	name, _ := v.get("name").asText()
	return quote(name)
}

// eachDefinition makes the Run function of a rule that looks at one definition
// at a time.
func eachDefinition(is func(*parser.Document) bool, look func(*linter.Pass, *definition)) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		defs, err := definitions.Of(ctx, p)
		if err != nil {
			return err
		}
		for _, def := range defs {
			if err := ctx.Err(); err != nil {
				return err
			}
			if is(def.doc) {
				look(p, def)
			}
		}
		return nil
	}
}
