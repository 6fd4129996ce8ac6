package rules

import "github.com/xpkg-go/sdk/linter"

func crdStorage() *linter.Rule {
	return &linter.Rule{
		ID: "crd-storage",
		Doc: "Exactly one version of a CustomResourceDefinition is the one in which the API server stores objects. " +
			"The API server refuses none, and two.",
		Bad: exampleCRD + `spec:
  group: example.org
  names:
    kind: Bucket
    plural: buckets
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
  - name: v2
    served: true
    storage: true
`,
		Good:     exampleCRD + goodCRDSpec,
		URL:      crdURL,
		Severity: linter.Error,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			versions, _ := def.versions()
			if def.doc.APIVersion != crdV1 || len(versions) == 0 {
				return
			}
			switch storage, sure := marked(versions, "storage"); {
			case len(storage) > 1:
				reportMarkedTwice(p, def, versions, storage[0], storage[1], "storage", "storage versions")
			case len(storage) == 0 && sure:
				p.Reportf(linter.AtKey(def.doc, "spec", "versions"), "no version is the storage version (exactly one is expected)")
			}
		}),
	}
}
