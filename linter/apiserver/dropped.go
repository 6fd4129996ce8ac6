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
			for d := range definitions(p.Package) {
				if err := ctx.Err(); err != nil {
					return err
				}
				raw, err := d.JSON()
				if err != nil {
					continue // a fault of reading, which has told of it
				}
				_, dropped, err := misfits(raw)
				if err != nil {
					return err
				}
				for i, m := range dropped {
					if i == maxPlaced {
						p.Reportf(linter.At(d), "the API server drops %d more fields", len(dropped)-i)
						break
					}
					p.Reportf(linter.AtKey(d, m.path...), "there is no such field, and the API server drops it")
				}
			}
			return nil
		},
	}
}
