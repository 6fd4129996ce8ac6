package rules

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func mrdInvalid() *linter.Rule {
	return &linter.Rule{
		ID: "mrd-invalid",
		Doc: "A ManagedResourceDefinition is what Crossplane makes a CustomResourceDefinition of, so it has what one must have: " +
			"group and names, of which its own is made, a scope, and versions, exactly one of which is stored. Its state is " +
			"Active or Inactive.",
		Bad:      exampleMRD + goodCRDSpec + "  state: On\n",
		Good:     exampleMRD + goodCRDSpec + "  state: Active\n",
		URL:      mrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isMRD, func(p *linter.Pass, def *definition) {
			spec := def.body.get("spec")
			if spec.form != mapping {
				return // it may have none
			}
			reportNames(p, def)
			reportConversion(p, def)
			f := &findings{pass: p, doc: def.doc}
			reportVersions(f, def)
			reportMarked(p, def, "storage", "the storage version", "storage versions")
			reportChoice(f, meta.Path{"spec", "scope"}, spec.get("scope"), "a scope", true, scopeCluster, scopeNamespaced)
			reportChoice(f, meta.Path{"spec", "state"}, spec.get("state"), "a state", false, "Active", "Inactive")
			f.done()
		}),
	}
}
