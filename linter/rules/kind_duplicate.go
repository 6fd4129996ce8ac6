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
			"and that of another composite resource, only one object can be. The same goes for the other names of an API: its " +
			"singular, its short names and the kind of its lists.",
		Bad:      exampleCRD + goodCRDSpec + "---\n" + but(but(but(crdHead+goodCRDSpec, "buckets", "pails"), "plural: buckets", "plural: pails"), "[bu]", "[pl]"),
		Good:     exampleCRD + goodCRDSpec + "---\n" + but(strings.ReplaceAll(strings.ReplaceAll(crdHead+goodCRDSpec, "bucket", "pail"), "Bucket", "Pail"), "[bu]", "[pl]"),
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
	names               *value
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
			kinds = append(kinds, madeKind{def, group, kind, plural, names, meta.Path{"spec", field}})
		}
	}
	return kinds
}

func runKindDuplicate(ctx context.Context, p *linter.Pass) error {
	defs, err := definitions.Of(ctx, p)
	if err != nil {
		return err
	}
	kinds, plurals := map[groupName]madeKind{}, map[groupName]madeKind{}
	objects, resources := map[groupName]takenName{}, map[groupName]takenName{}
	for _, def := range defs {
		for _, k := range def.makes() {
			kind, plural := groupName{k.group, k.kind}, groupName{k.group, k.plural}
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
			f, told := &findings{pass: p, doc: def.doc}, map[string]bool{}
			k.take(f, kindNames(k.names), objects, told)
			k.take(f, resourceNames(k.names), resources, told)
			f.done()
		}
	}
	return nil
}

// groupName is a name in a group.
type groupName struct{ group, name string }

// takenName is a name that a definition has taken first.
type takenName struct {
	by   madeKind
	what string
}

// take takes the names of a definition, and reports those that another one has, one at each
// place.
func (k madeKind) take(f *findings, names []apiName, taken map[groupName]takenName, told map[string]bool) {
	for _, own := range names {
		id := groupName{k.group, own.name}
		first, again := taken[id]
		if !again {
			taken[id] = takenName{k, own.what}
			continue
		}
		if place := own.path.String(); first.by.def != k.def && !told[place] { // within one it is the rule xrd-claim-names
			told[place] = true
			there := first.by.def.doc.Range
			f.add(fault{path: below(k.path, own.path...), related: []linter.Related{{Range: there, Message: "the first is here"}}},
				"%s is the %s of kind %s at %s as well, and the API server gives it to one of the two", quote(own.name), first.what, quote(first.by.kind), there)
		}
	}
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
