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
			if hasVersionList(def) && len(def.versions) == 0 {
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
			if !hasVersionList(def) || len(def.versions) == 0 {
				return
			}
			first, second := -1, -1
			for i, v := range def.versions {
				switch {
				case !v.referenceable:
				case first < 0:
					first = i
				case second < 0:
					second = i
				}
			}
			if second > 0 {
				at := linter.At(def.doc, "spec", "versions", second, "referenceable")
				at.Related = []linter.Related{{
					Range:   linter.At(def.doc, "spec", "versions", first, "referenceable").Range,
					Message: "the first is here",
				}}
				p.Reportf(at, "versions %s and %s are both referenceable (exactly one is expected)",
					quote(def.versions[first].name), quote(def.versions[second].name))
			}
			if first < 0 {
				p.Reportf(linter.AtKey(def.doc, "spec", "versions"), "no version is referenceable (exactly one is expected)")
			}
		}),
	}
}

// hasVersionList reports whether a definition has its versions in a list, as all
// have since Crossplane v0.14; before, there was one, in spec.crdSpecTemplate.
func hasVersionList(def *definition) bool {
	return def.doc.APIVersion != xrdAlpha
}
