package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func controllerRequired() *linter.Rule {
	return &linter.Rule{
		ID: "controller-required",
		Doc: "A Provider for releases of Crossplane before v1.6 names the image of its controller. Later ones run the package's " +
			"own image where none is named. It is a warning where some releases that the package admits are later.",
		Bad: headProvider + `spec:
  crossplane:
    version: ">=v1.4.0-0, <v1.6.0-0"
`,
		Good: headProvider + `spec:
  controller:
    image: example.org/provider-demo-controller:v1.0.0
  crossplane:
    version: ">=v1.4.0-0, <v1.6.0-0"
`,
		URL:      "https://github.com/crossplane/crossplane/pull/2758",
		Severity: linter.Error,
		Kinds:    []meta.Kind{meta.Provider},
		Until:    "v1.6",
		Run: func(_ context.Context, p *linter.Pass) error {
			m := p.Package.Meta
			// Package format v2 always asks for it, which reading tells.
			if m.Group() == meta.GroupIBM || m.Controller != nil && m.Controller.Image != "" {
				return nil
			}
			at := linter.At(p.Package.Header, "spec", "controller", "image")
			if !p.Releases.Every("", "v1.6") {
				at.Severity = linter.Warning
			}
			p.Reportf(at, "there is no image of the controller, which Crossplane before v1.6 needs (judged for %s)", releases(p.Releases))
			return nil
		},
	}
}
