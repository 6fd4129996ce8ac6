package rules

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func crdName() *linter.Rule {
	return &linter.Rule{
		ID: "crd-name",
		Doc: "A CustomResourceDefinition has a group, a kind and a plural name, all of its names are DNS labels, and it is named " +
			"after them, plural.group. The API server refuses any other.",
		Bad:      but(exampleCRD+goodCRDSpec, "name: buckets.example.org", "name: bucket"),
		Good:     exampleCRD + goodCRDSpec,
		URL:      "https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/",
		Severity: linter.Error,
		Run:      eachDefinition(isCRD, reportNames),
	}
}

func crdScope() *linter.Rule {
	return &linter.Rule{
		ID:       "crd-scope",
		Doc:      "The scope of a CustomResourceDefinition is Cluster or Namespaced, in these letters. The API server refuses anything else.",
		Bad:      but(exampleCRD+goodCRDSpec, "scope: Cluster", "scope: Namespace"),
		Good:     exampleCRD + goodCRDSpec,
		URL:      crdURL,
		Severity: linter.Error,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			f := &findings{pass: p, doc: def.doc}
			required := def.doc.APIVersion == crdV1 // v1beta1 has a default
			reportChoice(f, meta.Path{"spec", "scope"}, def.body.get("spec", "scope"), "a scope", required, scopeCluster, scopeNamespaced)
		}),
	}
}

func crdVersions() *linter.Rule {
	return &linter.Rule{
		ID: "crd-versions",
		Doc: "A CustomResourceDefinition defines at least one version, and each has a name of its own that is a DNS label. " +
			"The API server refuses it otherwise.",
		Bad:      but(exampleCRD+goodCRDSpec, "name: v1\n", "name: V1\n"),
		Good:     exampleCRD + goodCRDSpec,
		URL:      crdURL,
		Severity: linter.Error,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			if def.doc.APIVersion == crdV1 {
				f := &findings{pass: p, doc: def.doc}
				reportVersions(f, def)
				f.done()
			}
		}),
	}
}

func crdStorage() *linter.Rule {
	return &linter.Rule{
		ID: "crd-storage",
		Doc: "Exactly one version of a CustomResourceDefinition is the one in which the API server stores objects. " +
			"The API server refuses none, and two.",
		Bad: exampleCRD + goodCRDSpec + `  - name: v2
    served: true
    storage: true
`,
		Good:     exampleCRD + goodCRDSpec,
		URL:      crdURL,
		Severity: linter.Error,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			if def.doc.APIVersion == crdV1 {
				reportMarked(p, def, "storage", "the storage version", "storage versions")
			}
		}),
	}
}

func crdNotServed() *linter.Rule {
	return &linter.Rule{
		ID: "crd-not-served",
		Doc: "A version that is not served cannot be used. The API server accepts a CustomResourceDefinition that serves none, " +
			"but no object of it can be created or read.",
		Bad:      but(exampleCRD+goodCRDSpec, "served: true", "served: false"),
		Good:     exampleCRD + goodCRDSpec,
		Severity: linter.Warning,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			versions, _ := def.versions()
			served, sure := marked(versions, "served")
			if def.doc.APIVersion == crdV1 && len(versions) > 0 && len(served) == 0 && sure {
				p.Reportf(linter.AtKey(def.doc, "spec", "versions"), "no version is served")
			}
		}),
	}
}

func crdV1beta1() *linter.Rule {
	return &linter.Rule{
		ID: "crd-v1beta1",
		Doc: "CustomResourceDefinitions of apiextensions.k8s.io/v1beta1 are taken by no API server since Kubernetes v1.22; " +
			"the package installs on older clusters only.",
		Bad: but(exampleCRD, crdV1+"\n", crdBeta+"\n") + `spec:
  group: example.org
  names:
    kind: Bucket
    plural: buckets
  scope: Cluster
  version: v1
`,
		Good:     exampleCRD + goodCRDSpec,
		URL:      "https://kubernetes.io/docs/reference/using-api/deprecation-guide/#customresourcedefinition-v122",
		Severity: linter.Warning,
		Run: eachDefinition(isCRD, func(p *linter.Pass, def *definition) {
			if def.doc.APIVersion == crdBeta {
				p.Reportf(linter.At(def.doc, "apiVersion"), "no API server since Kubernetes v1.22 takes apiextensions.k8s.io/v1beta1 (apiextensions.k8s.io/v1 is expected)")
			}
		}),
	}
}
