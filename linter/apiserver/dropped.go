package apiserver

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
)

func crdDroppedField() *linter.Rule {
	good := crdRefused().Good
	return &linter.Rule{
		ID: "crd-dropped-field",
		Doc: "A CustomResourceDefinition has only fields that the Kubernetes API server knows, in its schemas too: " +
			"others it drops, whatever they were to say.",
		Bad: good + `              size: {type: integer, minimun: 1}
`,
		Good:     good,
		URL:      crdRefused().URL,
		Severity: linter.Warning,
		Run: func(ctx context.Context, p *linter.Pass) error {
			all, _ := verdicts.Of(ctx, p) // whose error crd-refused returns
			for _, v := range all {
				for _, f := range v.dropped {
					p.Reportf(linter.AtKey(v.doc, f.path...), "%s", f.message)
				}
			}
			return nil
		},
	}
}
