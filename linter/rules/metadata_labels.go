package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
)

func metadataLabels() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-labels",
		Doc: "What is to be known about a package is told in annotations of its metadata object, which its revision gets. " +
			"Labels stay in the package, where nobody looks for them.",
		Bad: headConfiguration + `  labels:
    team: storage
`,
		Good: headConfiguration + `  annotations:
    example.org/team: storage
`,
		URL:      formatURL + "#additional-metadata",
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta != nil && len(p.Package.Meta.Labels) > 0 {
				p.Reportf(linter.AtKey(p.Package.Header, "metadata", "labels"), "labels do not reach the revision of the package (annotations do)")
			}
			return nil
		},
	}
}
