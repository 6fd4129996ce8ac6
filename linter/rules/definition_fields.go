package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

const (
	crdURL = "https://kubernetes.io/docs/reference/kubernetes-api/extend-resources/custom-resource-definition-v1/"
	xrdURL = "https://docs.crossplane.io/latest/composition/composite-resource-definitions/"
	mrdURL = "https://docs.crossplane.io/latest/managed-resources/managed-resource-definitions/"
)

func crdWrongType() *linter.Rule {
	return &linter.Rule{
		ID: "crd-wrong-type",
		Doc: "The fields of a CustomResourceDefinition hold values of their types: a list of versions, a string for the scope. " +
			"The API server cannot read it otherwise.",
		Bad:      but(exampleCRD+goodCRDSpec, "[bu]", "bu"),
		Good:     exampleCRD + goodCRDSpec,
		URL:      crdURL,
		Severity: linter.Error,
		Run:      wrongTypes(isCRD),
	}
}

func xrdWrongType() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-wrong-type",
		Doc: "The fields of a CompositeResourceDefinition hold values of their types: a list of versions, a boolean for " +
			"referenceable. The API server refuses it otherwise.",
		Bad:      but(exampleXRD+goodXRDSpec, "referenceable: true", `referenceable: "true"`),
		Good:     exampleXRD + goodXRDSpec,
		URL:      xrdURL,
		Severity: linter.Error,
		Run:      wrongTypes(isXRD),
	}
}

func crdUnknownField() *linter.Rule {
	return &linter.Rule{
		ID: "crd-unknown-field",
		Doc: "A CustomResourceDefinition has no field of this name, so the API server drops it. The fields of spec, of " +
			"spec.names and of each version are looked at, schemas are not.",
		Bad:      but(exampleCRD+goodCRDSpec, "shortNames", "shortName"),
		Good:     exampleCRD + goodCRDSpec,
		URL:      crdURL,
		Severity: linter.Warning,
		// That of linter/apiserver, which does not know what was meant.
		Supersedes: []string{"crd-dropped-field"},
		Run:        unknownFields(isCRD),
	}
}

func xrdUnknownField() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-unknown-field",
		Doc: "A CompositeResourceDefinition has no field of this name, so the API server drops it. The fields of spec, of " +
			"spec.names, spec.claimNames and of each version are looked at, schemas are not.",
		Bad:      but(exampleXRD+goodXRDSpec, "shortNames", "shortName"),
		Good:     exampleXRD + goodXRDSpec,
		URL:      xrdURL,
		Severity: linter.Warning,
		Run:      unknownFields(isXRD),
	}
}

func mrdWrongType() *linter.Rule {
	return &linter.Rule{
		ID: "mrd-wrong-type",
		Doc: "The fields of a ManagedResourceDefinition hold values of their types, which are those of a " +
			"CustomResourceDefinition. The API server refuses it otherwise.",
		Bad:      but(exampleMRD+goodCRDSpec, "[bu]", "bu"),
		Good:     exampleMRD + goodCRDSpec,
		URL:      mrdURL,
		Severity: linter.Error,
		Run:      wrongTypes(isMRD),
	}
}

func mrdUnknownField() *linter.Rule {
	return &linter.Rule{
		ID: "mrd-unknown-field",
		Doc: "A ManagedResourceDefinition has no field of this name, so the API server drops it. The fields of spec, of " +
			"spec.names and of each version are looked at, schemas are not.",
		Bad:      exampleMRD + goodCRDSpec + "  stat: Active\n",
		Good:     exampleMRD + goodCRDSpec + "  state: Active\n",
		URL:      mrdURL,
		Severity: linter.Warning,
		Run:      unknownFields(isMRD),
	}
}

func wrongTypes(is func(*parser.Document) bool) func(context.Context, *linter.Pass) error {
	return eachDefinition(is, func(p *linter.Pass, def *definition) {
		reportMismatches(p, def.doc, &def.comparison)
	})
}

func unknownFields(is func(*parser.Document) bool) func(context.Context, *linter.Pass) error {
	return eachDefinition(is, func(p *linter.Pass, def *definition) {
		reportStrangers(p, def.doc, &def.comparison)
	})
}

// reportStrangers reports the fields of a document that its kind does not have.
func reportStrangers(p *linter.Pass, d *parser.Document, c *comparison) {
	f := &findings{pass: p, doc: d}
	for _, s := range c.strangers {
		at := fault{path: s.path, key: true}
		if s.renames {
			at.rewrite = s.nearest
		}
		f.add(at, "no %s has such a field%s", d.Kind, didYouMean(s.nearest))
	}
	if c.moreStrangers > 0 {
		p.Reportf(linter.At(d), "there are %d more fields that no %s has", c.moreStrangers, d.Kind)
	}
}

// reportMismatches reports the values of wrong types in a document.
func reportMismatches(p *linter.Pass, d *parser.Document, c *comparison) {
	for _, m := range c.mismatches {
		p.Reportf(linter.At(d, m.path...), "found %s, expected %s", m.found.found(), m.want)
	}
	if c.moreMismatches > 0 {
		p.Reportf(linter.At(d), "there are %d more values of wrong types", c.moreMismatches)
	}
}
