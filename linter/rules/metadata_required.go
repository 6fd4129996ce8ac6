package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func metadataRequired() *linter.Rule {
	return &linter.Rule{
		ID: "metadata-required",
		Doc: "The schema that Crossplane publishes of its metadata requires spec of every kind in every version, and spec.controller " +
			"of a Provider; spec.image of a Function and spec.controller.image are optional. Crossplane installs a package " +
			"without them all the same, and tools that hold the object against the schema refuse it. Package format v2 requires " +
			"more, which is an error.",
		Bad: headProvider + `spec:
  crossplane:
    version: ">=v1.14.0-0"
`,
		Good: headProvider + `spec:
  controller: {}
  crossplane:
    version: ">=v1.14.0-0"
`,
		URL:      "https://github.com/crossplane/crossplane/tree/main/cluster/meta",
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			m, h := p.Package.Meta, p.Package.Header
			if m == nil || h == nil || m.Group() == meta.GroupIBM {
				return nil
			}
			body := readDocument(h, requiredShape)
			if body == nil {
				return nil
			}
			missing := meta.Path{"spec"}
			switch spec := body.get("spec"); {
			case spec.isAbsent():
			case m.Kind == meta.Provider && spec.get("controller").isAbsent():
				missing = append(missing, "controller")
			default:
				return nil
			}
			p.Reportf(linter.At(h, missing...), "there is no %s, which the schema of %s %s requires", missing, m.APIVersion, m.Kind)
			return nil
		},
	}
}

var requiredShape = fields(map[string]*shape{"spec": fields(map[string]*shape{"controller": anything})})
