package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func dependencyDuplicate() *linter.Rule {
	return &linter.Rule{
		ID: "dependency-duplicate",
		Doc: "A package depends on another one once. Of two entries for one repository, a package manager obeys one or the other; " +
			"which ranges have to hold together belongs in one version field. Two entries that ask for the same are a warning.",
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
spec:
  dependsOn:
  - provider: example.org/provider-demo
    version: ">=v2.0.0"
  - provider: example.org/provider-demo
    version: "<v2.0.0"
`,
		Good: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
spec:
  dependsOn:
  - provider: example.org/provider-demo
    version: ">=v1.0.0, <v2.0.0"
`,
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil {
				return nil
			}
			first := map[string]meta.Dependency{}
			placed, more := 0, 0
			for _, d := range p.Package.Meta.DependsOn {
				if d.Package.IsZero() || d.Package.Err() != nil {
					continue
				}
				other, ok := first[d.Package.Identity()]
				if !ok {
					first[d.Package.Identity()] = d
					continue
				}
				if placed == maxPlaced {
					more++
					continue
				}
				placed++
				reportDuplicate(p, d, other)
			}
			if more > 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "dependsOn"), "%d more dependencies are there twice", more)
			}
			return nil
		},
	}
}

func reportDuplicate(p *linter.Pass, d, other meta.Dependency) {
	at := linter.At(p.Package.Header, d.Path(string(d.Spelling))...)
	at.Related = []linter.Related{{
		Range:   linter.At(p.Package.Header, other.Path(string(other.Spelling))...).Range,
		Message: "the first is here",
	}}
	name := quote(d.Package.String())
	if d.Constraint.Equal(other.Constraint) {
		at.Severity = linter.Warning
		p.Reportf(at, "%s is depended on twice, first in %s", name, other.Path(""))
		return
	}
	p.Reportf(at, "%s is depended on twice, here with %s and in %s with %s", name, asked(d), other.Path(""), asked(other))
}

// asked says which versions a dependency asks for.
func asked(d meta.Dependency) string {
	if d.Constraint.IsZero() {
		return "any version"
	}
	return quote(d.Constraint.String())
}

func dependencyUnversioned() *linter.Rule {
	return &linter.Rule{
		ID: "dependency-unversioned",
		Doc: "A dependency says which versions will do. Without that, any version will, such as the newest on the day of the " +
			"install, and two installs of one package may differ.",
		Bad: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
spec:
  dependsOn:
  - provider: example.org/provider-demo
`,
		Good: `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
spec:
  dependsOn:
  - provider: example.org/provider-demo
    version: ">=v1.0.0"
`,
		URL:      formatURL + "#the-packaged-format",
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil {
				return nil
			}
			placed, more := 0, 0
			for _, d := range p.Package.Meta.DependsOn {
				switch {
				case d.Package.IsZero() || !d.Constraint.IsZero():
				case placed == maxPlaced:
					more++
				default:
					placed++
					p.Reportf(linter.At(p.Package.Header, d.Path("version")...), "%s has no version, so that any will do", quote(d.Package.String()))
				}
			}
			if more > 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "dependsOn"), "%d more dependencies have no version", more)
			}
			return nil
		},
	}
}
