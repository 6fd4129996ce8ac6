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
			f := dependencyFindings(p)
			for _, d := range p.Package.Meta.DependsOn {
				if d.Package.IsZero() || d.Package.Err() != nil {
					continue
				}
				other, ok := first[d.Package.Identity()]
				if !ok {
					first[d.Package.Identity()] = d
					continue
				}
				reportDuplicate(f, d, other, asked)
			}
			f.done()
			return nil
		},
	}
}

func reportDuplicate(f *findings, d, other meta.Dependency, asked []string) {
	at := fault{path: d.Path(string(d.Spelling)), first: other.Path(string(other.Spelling))}
	name := quote(d.Package.String())
	here, there := asked[d.Index], asked[other.Index]
	if same := d.Constraint.Equal(other.Constraint); same || here == "" || there == "" {
		if same && here == there {
			at.severity = linter.Warning
			at.fix = func() []linter.Fix { return linter.Remove(f.doc, d.Path("")...) }
		}
		f.add(at, "%s is depended on twice, first in %s", name, other.Path(""))
		return
	}
	f.add(at, "%s is depended on twice, here with %s and in %s with %s", name, here, other.Path(""), there)
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
			f := dependencyFindings(p)
			for i, d := range p.Package.Meta.DependsOn {
				if !d.Package.IsZero() && asked[i] == anyVersion && !isTagged(d.Package) {
					f.addf(d.Path("version"), "%s has no version, so that any will do", quote(d.Package.String()))
				}
			}
			f.done()
			return nil
		},
	}
}

// dependencyFindings are those about the dependencies of a package.
func dependencyFindings(p *linter.Pass) *findings {
	return &findings{pass: p, doc: p.Package.Header, around: meta.Path{"spec", "dependsOn"}}
}

// isTagged reports whether a source has the version in it, which reading has told.
func isTagged(s meta.Source) bool {
	var ref *meta.ReferenceError
	return errors.As(s.Err(), &ref) && ref.Tagged
}
