package rules

import (
	"context"
	"encoding/json"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

// API versions that differ from those that came after them.
const (
	crdV1    = "apiextensions.k8s.io/v1"
	crdBeta  = "apiextensions.k8s.io/v1beta1"
	xrdAlpha = "apiextensions.crossplane.io/v1alpha1"
)

// definition is what the rules need to know of a document that defines an API: a
// CustomResourceDefinition or a CompositeResourceDefinition. A field of another
// type than it should have is as if it were not there, with bad set: which type
// it should have is not for these rules to say, so they leave it alone.
type definition struct {
	doc *parser.Document

	group, scope, plural string
	versions             []version
	bad                  bool
}

// version is one entry of spec.versions.
type version struct {
	name                  string
	served, referenceable bool
}

// definitions are all definitions of a package, in stream order. The documents
// of a provider are large and there are thousands of them, so each is decoded
// once, for all rules, and only what they need of it is kept.
var definitions = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]*definition, error) {
	var defs []*definition
	for _, d := range p.Package.Objects {
		if !isCRD(d) && !isXRD(d) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		defs = append(defs, define(d))
	}
	return defs, nil
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
	case xrdAlpha, "apiextensions.crossplane.io/v1beta1", "apiextensions.crossplane.io/v1", "apiextensions.crossplane.io/v2":
		return true
	}
	return false
}

// define decodes one document. Schemas, which are nearly all of it, are skipped.
func define(d *parser.Document) *definition {
	def := &definition{doc: d}
	var body struct {
		Spec json.RawMessage `json:"spec"`
	}
	var spec struct {
		Group    any             `json:"group"`
		Scope    any             `json:"scope"`
		Names    json.RawMessage `json:"names"`
		Versions json.RawMessage `json:"versions"`
	}
	var names struct {
		Plural any `json:"plural"`
	}
	var versions []struct {
		Name          any `json:"name"`
		Served        any `json:"served"`
		Referenceable any `json:"referenceable"`
	}
	raw, err := d.JSON()
	if err != nil {
		def.bad = true
		return def
	}
	read := func(raw json.RawMessage, into any) {
		if len(raw) > 0 && json.Unmarshal(raw, into) != nil {
			def.bad = true
		}
	}
	text := func(v any) string {
		s, ok := v.(string)
		def.bad = def.bad || !ok && v != nil
		return s
	}
	truth := func(v any) bool {
		b, ok := v.(bool)
		def.bad = def.bad || !ok && v != nil
		return b
	}
	read(raw, &body)
	read(body.Spec, &spec)
	read(spec.Names, &names)
	read(spec.Versions, &versions)
	def.group, def.scope, def.plural = text(spec.Group), text(spec.Scope), text(names.Plural)
	for _, v := range versions {
		def.versions = append(def.versions, version{text(v.Name), truth(v.Served), truth(v.Referenceable)})
	}
	return def
}

// eachDefinition makes the Run function of a rule that looks at one definition
// at a time. Definitions whose fields have wrong types are passed over.
func eachDefinition(is func(*parser.Document) bool, look func(*linter.Pass, *definition)) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		defs, err := definitions.Of(ctx, p)
		if err != nil {
			return err
		}
		for _, def := range defs {
			if is(def.doc) && !def.bad {
				look(p, def)
			}
		}
		return nil
	}
}
