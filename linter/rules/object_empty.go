package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
)

func objectEmpty() *linter.Rule {
	return &linter.Rule{
		ID: "object-empty",
		Doc: "Compositions, Operations and activation policies say what they are for in spec. The API server takes one without " +
			"spec, which does nothing.",
		Bad:      exampleConfiguration + but(headComposition, "---\n", ""),
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      compositionURL,
		Severity: linter.Warning,
		Profile:  linter.Publish,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) {
				if t.body.get("spec").isAbsent() {
					p.Reportf(linter.At(t.doc, "spec"), "%s has no spec, so that it does nothing", t.doc.Ref())
				}
			}, composition, operation, cronOperation, watchOperation, activationPolicy)
		},
	}
}
