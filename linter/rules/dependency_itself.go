package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func dependencyItself() *linter.Rule {
	return &linter.Rule{
		ID: "dependency-itself",
		Doc: "A package does not depend on itself: no version of it can be installed before it is. Where the image that the " +
			"package came from is not known, a dependency of the same kind and name is a warning, as it may be another author's.",
		Bad: headConfiguration + `spec:
  dependsOn:
  - configuration: example.org/demo
    version: ">=v1.0.0"
`,
		Good: headConfiguration + `spec:
  dependsOn:
  - configuration: example.org/other
    version: ">=v1.0.0"
`,
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil || p.Package.Header == nil {
				return nil
			}
			var own meta.Source
			if p.Image != nil {
				own, _ = meta.ParseSource(p.Image.Source) // what is none is not known
			}
			f := dependencyFindings(p)
			for _, d := range p.Package.Meta.DependsOn {
				at := fault{path: d.Path(string(d.Spelling))}
				switch {
				case d.Package.IsZero() || d.Package.Err() != nil:
				case !own.IsZero() && own.Equal(d.Package):
					f.add(at, "%s is the package itself", quote(d.Package.String()))
				case own.IsZero() && d.Kind == string(p.Package.Meta.Kind) && lastElement(d.Package) == p.Package.Meta.Name:
					at.severity = linter.Warning
					f.add(at, "%s has the kind and the name of the package itself", quote(d.Package.String()))
				}
			}
			f.done()
			return nil
		},
	}
}

func lastElement(s meta.Source) string {
	path := s.Repository()
	return path[strings.LastIndexByte(path, '/')+1:]
}
