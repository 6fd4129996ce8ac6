package rules

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func yamlBinary() *linter.Rule {
	return &linter.Rule{
		ID: "yaml-binary",
		Doc: "A value with the tag !!binary is the text that is written to some readers of YAML, and what that text stands for in " +
			"base64 to others, such as Kubernetes. A value without the tag is the same to all.",
		Bad: headConfiguration + `  annotations:
    example.org/team: !!binary c3RvcmFnZQ==
`,
		Good: headConfiguration + `  annotations:
    example.org/team: storage
`,
		URL:      "https://yaml.org/type/binary.html",
		Severity: linter.Warning,
		Run: eachDoubt("", func(p *linter.Pass, _ *parser.Document, x parser.Doubt, at linter.Diagnostic) {
			p.Reportf(at, "a binary is %s to Kubernetes, and its text %s to other readers: write what is meant without !!binary", clip(x.Kubernetes), clip(x.Means))
		}, parser.DoubtBinary),
	}
}

func yamlMerge() *linter.Rule {
	return &linter.Rule{
		ID: "yaml-merge",
		Doc: "A key of a mapping that its merge key (<<) brings too replaces what is merged to most readers of YAML. The strict " +
			"reader of Kubernetes takes it for one that is there twice, and refuses the document.",
		Bad: headConfiguration + `  labels: &labels
    team: storage
  annotations:
    <<: *labels
    team: compute
`,
		Good: headConfiguration + `  labels:
    team: storage
  annotations:
    team: compute
`,
		URL:      "https://yaml.org/type/merge.html",
		Severity: linter.Warning,
		Run: eachDoubt("", func(p *linter.Pass, _ *parser.Document, x parser.Doubt, at linter.Diagnostic) {
			if x.Text == "<<" {
				p.Reportf(at, "it brings a key twice, and the strict reader of Kubernetes refuses that")
				return
			}
			p.Reportf(at, "the key %s comes with << too, and the strict reader of Kubernetes refuses that", clip(x.Text))
		}, parser.DoubtOverride),
	}
}
