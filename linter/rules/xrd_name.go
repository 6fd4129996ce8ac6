package rules

import "github.com/xpkg-go/sdk/linter"

func xrdName() *linter.Rule {
	return &linter.Rule{
		ID: "xrd-name",
		Doc: "A CompositeResourceDefinition has a group, a kind and a plural name, and is named after them, plural.group: " +
			"Crossplane gives its name to the CustomResourceDefinition that it makes of it, and the API server refuses any other.",
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
apiVersion: apiextensions.crossplane.io/v1
kind: CompositeResourceDefinition
metadata:
  name: xbucket
` + goodXRDSpec,
		Good:     exampleXRD + goodXRDSpec,
		URL:      xrdURL,
		Severity: linter.Error,
		Run:      eachDefinition(isXRD, reportNames),
	}
}
