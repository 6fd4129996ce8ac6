package rules

import "github.com/xpkg-go/sdk/linter"

func xrdName() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-name",
		Doc: "A CompositeResourceDefinition has a group, a kind and a plural name, and is named after them, plural.group: " +
			"Crossplane gives its name to the CustomResourceDefinition that it makes of it, and the API server refuses any other.",
		Bad:      but(exampleXRD+goodXRDSpec, "name: xbuckets.example.org", "name: xbucket"),
		Good:     exampleXRD + goodXRDSpec,
		URL:      xrdURL,
		Severity: linter.Error,
		Run:      eachDefinition(isXRD, reportNames),
	}
}

func xrdVersions() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-versions",
		Doc: "A CompositeResourceDefinition defines at least one version, and each has a name of its own that is a DNS label. " +
			"Crossplane cannot make a CustomResourceDefinition of it otherwise.",
		Bad:      but(exampleXRD+goodXRDSpec, "name: v1\n", "name: V1\n"),
		Good:     exampleXRD + goodXRDSpec,
		URL:      xrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			f := &findings{pass: p, doc: def.doc}
			reportVersions(f, def)
			f.done()
		}),
	}
}

func xrdReferenceable() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-referenceable",
		Doc: "Exactly one version of a CompositeResourceDefinition is referenceable: the one that Compositions are for, " +
			"and that the API server stores. It is served.",
		Bad: exampleXRD + goodXRDSpec + `  - name: v2
    served: true
    referenceable: true
`,
		Good: exampleXRD + goodXRDSpec + `  - name: v2
    served: true
    referenceable: false
`,
		URL:      xrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			reportMarked(p, def, "referenceable", "referenceable", "referenceable")
			versions, _ := def.versions()
			for _, i := range firstOf(marked(versions, "referenceable")) {
				if served, ok := versions[i].get("served").asTruth(); ok && !served {
					p.Reportf(linter.At(def.doc, "spec", "versions", i, "served"),
						"version %s is referenceable and not served, so that Crossplane cannot read what it composes for", versionName(versions[i]))
				}
			}
		}),
	}
}

// firstOf is the only one of the versions that are marked, if there is one.
func firstOf(indexes []int, _ bool) []int {
	if len(indexes) != 1 {
		return nil
	}
	return indexes
}
