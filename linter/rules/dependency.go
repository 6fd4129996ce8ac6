package rules

import (
	"context"
	"errors"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func dependencyDuplicate() *linter.Rule {
	return &linter.Rule{
		ID: "dependency-duplicate",
		Doc: "A package depends on another one once. Of two entries for one repository, a package manager obeys one or the other; " +
			"which ranges have to hold together belongs in one version field. Two entries that ask for the same are a warning.",
		Bad: headDependency + `    version: ">=v2.0.0"
  - provider: example.org/provider-demo
    version: "<v2.0.0"
`,
		Good: headDependency + `    version: ">=v1.0.0, <v2.0.0"
`,
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil {
				return nil
			}
			asked := askedVersions(p.Package)
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
				reportDuplicate(p, d, other, asked)
			}
			if more > 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "dependsOn"), "%d more dependencies are there twice", more)
			}
			return nil
		},
	}
}

func reportDuplicate(p *linter.Pass, d, other meta.Dependency, asked []string) {
	at := linter.At(p.Package.Header, d.Path(string(d.Spelling))...)
	at.Related = []linter.Related{{
		Range:   linter.At(p.Package.Header, other.Path(string(other.Spelling))...).Range,
		Message: "the first is here",
	}}
	name := quote(d.Package.String())
	here, there := asked[d.Index], asked[other.Index]
	if same := d.Constraint.Equal(other.Constraint); same || here == "" || there == "" {
		if same && here == there {
			at.Severity = linter.Warning
			at.Fixes = linter.Remove(p.Package.Header, d.Path("")...)
		}
		p.Reportf(at, "%s is depended on twice, first in %s", name, other.Path(""))
		return
	}
	p.Reportf(at, "%s is depended on twice, here with %s and in %s with %s", name, here, other.Path(""), there)
}

// anyVersion is what a dependency asks for that does not say.
const anyVersion = "any version"

var dependenciesShape = fields(map[string]*shape{
	"spec": fields(map[string]*shape{"dependsOn": listOf(fields(map[string]*shape{"version": anything}))}),
})

// askedVersions says which versions each dependency asks for, by its index: "" for
// one whose version is no string, of which reading has told. Such a one reads as if it
// had none, but it does not ask for any version.
func askedVersions(p *parser.Package) []string {
	asked := make([]string, len(p.Meta.DependsOn))
	var entries []*value
	if p.Header != nil {
		if body := readDocument(p.Header, dependenciesShape); body != nil {
			entries, _ = body.get("spec", "dependsOn").asList()
		}
	}
	for i, d := range p.Meta.DependsOn {
		switch {
		case !d.Constraint.IsZero():
			asked[i] = quote(d.Constraint.String())
		case d.Index >= len(entries):
			asked[i] = anyVersion
		default:
			if _, ok := entries[d.Index].get("version").asText(); ok {
				asked[i] = anyVersion
			}
		}
	}
	return asked
}

func dependencyUnversioned() *linter.Rule {
	return &linter.Rule{
		ID: "dependency-unversioned",
		Doc: "A dependency says which versions will do. Without that, any version will, such as the newest on the day of the " +
			"install, and two installs of one package may differ.",
		Bad: headDependency,
		Good: headDependency + `    version: ">=v1.0.0"
`,
		URL:      formatURL + "#the-packaged-format",
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil {
				return nil
			}
			asked := askedVersions(p.Package)
			placed, more := 0, 0
			for i, d := range p.Package.Meta.DependsOn {
				switch {
				case d.Package.IsZero() || asked[i] != anyVersion || isTagged(d.Package):
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

// isTagged reports whether a source has the version in it, which reading has told.
func isTagged(s meta.Source) bool {
	var ref *meta.ReferenceError
	return errors.As(s.Err(), &ref) && ref.Tagged
}
