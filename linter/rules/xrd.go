package rules

import "github.com/xpkg-go/sdk/linter"

func xrdVersions() *linter.Rule {
	return &linter.Rule{
		ID:  "xrd-versions",
		Doc: "A CompositeResourceDefinition defines at least one version; Crossplane cannot make a CustomResourceDefinition of it otherwise.",
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
spec:
  group: example.org
  names:
    kind: XBucket
    plural: xbuckets
  versions: []
`,
		Good: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
spec:
  group: example.org
  names:
    kind: XBucket
    plural: xbuckets
  versions:
  - name: v1
    served: true
    referenceable: true
`,
		URL:      "https://docs.crossplane.io/latest/composition/composite-resource-definitions/",
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			if versions, ok := def.versions(); ok && def.hasVersionList() && len(versions) == 0 {
				p.Reportf(linter.At(def.doc, "spec", "versions"), "there are no versions")
			}
		}),
	}
}

func xrdReferenceable() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-referenceable",
		Doc: "Exactly one version of a CompositeResourceDefinition is referenceable: the one that Compositions are for, " +
			"and that the API server stores.",
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
spec:
  group: example.org
  names:
    kind: XBucket
    plural: xbuckets
  versions:
  - name: v1
    served: true
    referenceable: true
  - name: v2
    served: true
    referenceable: true
`,
		Good: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbuckets.example.org
spec:
  group: example.org
  names:
    kind: XBucket
    plural: xbuckets
  versions:
  - name: v1
    served: true
    referenceable: false
  - name: v2
    served: true
    referenceable: true
`,
		URL:      "https://docs.crossplane.io/latest/composition/composite-resource-definitions/",
		Severity: linter.Error,
		Run: eachDefinition(isXRD, func(p *linter.Pass, def *definition) {
			versions, _ := def.versions()
			if !def.hasVersionList() || len(versions) == 0 {
				return
			}
			switch referenceable, sure := marked(versions, "referenceable"); {
			case len(referenceable) > 1:
				reportMarkedTwice(p, def, versions, referenceable[0], referenceable[1], "referenceable", "referenceable")
			case len(referenceable) == 0 && sure:
				p.Reportf(linter.AtKey(def.doc, "spec", "versions"), "no version is referenceable (exactly one is expected)")
			}
		}),
	}
}
