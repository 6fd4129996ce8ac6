package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
)

func metadataName() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-name",
		Doc: "The metadata object has a name that complies with the conventions of the Kubernetes API: a DNS-1123 subdomain. " +
			"The package is installed all the same, but tools that make Kubernetes objects of its name fail.",
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: Bad_Name!
`,
		Good: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: good-name
`,
		URL:      formatURL + "#the-packaged-format",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta != nil && p.Package.Header != nil {
				reportName(p, p.Package.Header, p.Package.Meta.Name)
			}
			return nil
		},
	}
}

func unknownField() *linter.Rule {
	return &linter.Rule{
		ID: "unknown-field",
		Doc: "The metadata object has no field of this name, so what it says is not heard. " +
			"It is a misspelling, stands in the wrong place, or is for another tool.",
		Bad: headConfiguration + `spec:
  dependOn: []
`,
		Good: headConfiguration + `spec:
  dependsOn: []
`,
		URL:      specURL + "#packageyaml-contents",
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil {
				return nil
			}
			unknown := p.Package.Meta.Unknown
			for i, u := range unknown {
				if i == maxPlaced {
					p.Reportf(linter.At(p.Package.Header), "there are %d more fields that the metadata of %s package does not have",
						len(unknown)-i, article(p.Package.Meta.Kind))
					break
				}
				at := linter.AtKey(p.Package.Header, u.Path...)
				near := nearField(p.Package.Meta, u.Path)
				if near == "" {
					p.Reportf(at, "there is no such field in the metadata of %s package", article(p.Package.Meta.Kind))
					continue
				}
				at.Fixes = linter.Rename(p.Package.Header, near, u.Path...)
				p.Reportf(at, "there is no such field in the metadata of %s package (%s is meant?)", article(p.Package.Meta.Kind), near)
			}
			return nil
		},
	}
}

// maxPlaced is how many findings of one rule in one document get a place of their
// own; the rest are counted. Each place is looked up in the document, so that a
// hostile one with a fault in every line would take the square of its length.
const maxPlaced = 1000
