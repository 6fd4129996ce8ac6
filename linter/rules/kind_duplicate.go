package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func kindDuplicate() *linter.Rule {
	return &linter.Rule{
		ID: "kind-duplicate",
		Doc: "A kind of a group is defined once, and so is a plural name. Of two definitions of one kind under different plural " +
			"names the API server serves the first and never the second; of two under one plural name, such as that of a claim " +
			"and that of another composite resource, only one object can be.",
		Bad:      exampleCRD + goodCRDSpec + "---\n" + but(but(crdHead+goodCRDSpec, "buckets", "pails"), "plural: buckets", "plural: pails"),
		Good:     exampleCRD + goodCRDSpec + "---\n" + strings.ReplaceAll(strings.ReplaceAll(crdHead+goodCRDSpec, "bucket", "pail"), "Bucket", "Pail"),
		URL:      crdURL,
		Severity: linter.Error,
		Run:      runKindDuplicate,
	}
}

// madeKind is a kind that a definition makes. A CompositeResourceDefinition makes two
// when it offers claims.
type madeKind struct {
	def                 *definition
	group, kind, plural string
	path                meta.Path // of its names
}

// makes returns the kinds of a definition, as far as they can be read.
func (def *definition) makes() []madeKind {
	group, _ := def.group()
	var kinds []madeKind
	for _, field := range []string{"names", "claimNames"} {
		names := def.body.get("spec", field)
		kind, _ := names.get("kind").asText()
		plural, _ := names.get("plural").asText()
		if group != "" && kind != "" && plural != "" && def.hasVersionList() {
			kinds = append(kinds, madeKind{def, group, kind, plural, meta.Path{"spec", field}})
		}
	}
	return kinds
}

func runKindDuplicate(ctx context.Context, p *linter.Pass) error {
	defs, err := definitions.Of(ctx, p)
	if err != nil {
		return err
	}
	type identity struct{ group, name string }
	kinds, plurals := map[identity]madeKind{}, map[identity]madeKind{}
	for _, def := range defs {
		for _, k := range def.makes() {
			kind, plural := identity{k.group, k.kind}, identity{k.group, k.plural}
			if other, again := plurals[plural]; again {
				reportSamePlural(p, k, other)
				continue
			}
			plurals[plural] = k
			if other, again := kinds[kind]; again {
				if other.def != def { // else the rule xrd-claim-names
					at := linter.At(def.doc, below(k.path, "kind")...)
					at.Related = []linter.Related{{Range: other.def.doc.Range, Message: "the first is here"}}
					p.Reportf(at, "kind %s of %s is defined twice, here as %s and at %s as %s",
						quote(k.kind), quote(k.group), quote(k.plural), other.def.doc.Range, quote(other.plural))
				}
				continue
			}
			kinds[kind] = k
		}
	}
	return nil
}

// reportSamePlural reports two definitions that make one CustomResourceDefinition.
// That is the rule object-duplicate where they are one object themselves, or would be
// under the name that they should have, and xrd-claim-names where they are in one.
func reportSamePlural(p *linter.Pass, k, other madeKind) {
	here, there := k.def.doc, other.def.doc
	if here == there || here.Kind == there.Kind && (here.Name == there.Name || !k.isNamed() || !other.isNamed()) {
		return
	}
	at := linter.At(here, below(k.path, "plural")...)
	at.Related = []linter.Related{{Range: there.Range, Message: "the first is here"}}
	p.Reportf(at, "the CustomResourceDefinition %s is made twice, here for kind %s and at %s for %s",
		quote(k.plural+"."+k.group), quote(k.kind), there.Range, quote(other.kind))
}

// isNamed reports whether a definition is called after its kind, or this is its claim.
func (k madeKind) isNamed() bool {
	return k.path[1] == "claimNames" || k.def.doc.Name == k.plural+"."+k.group
}
