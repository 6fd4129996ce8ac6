package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
)

func metadataName() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-name",
		Doc: "The metadata object has a name that complies with the conventions of the Kubernetes API: a DNS-1123 subdomain. " +
			"Tools that make Kubernetes objects of its name fail otherwise. The package is installed all the same, so that for an " +
			"install it is a warning.",
		Bad:      but(headConfiguration, "demo", "Bad_Name!"),
		Good:     but(headConfiguration, "demo", "good-name"),
		URL:      formatURL + "#the-packaged-format",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta != nil && p.Package.Header != nil {
				severity := linter.Error
				if p.Profile == linter.Install {
					severity = linter.Warning
				}
				reportName(p, p.Package.Header, p.Package.Meta.Name, severity)
			}
			return nil
		},
	}
}

func metadataUnknownField() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-unknown-field",
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
			f := &findings{pass: p, doc: p.Package.Header}
			for _, u := range p.Package.Meta.Unknown {
				near := nearField(p.Package.Meta, u.Path)
				f.add(fault{path: u.Path, key: true, rewrite: near},
					"there is no such field in the metadata of %s package%s", article(p.Package.Meta.Kind), didYouMean(near))
			}
			f.done()
			return nil
		},
	}
}
