package rules

import (
	"context"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func dependencyKind() *linter.Rule {
	return &linter.Rule{
		ID: "dependency-kind",
		Doc: "A dependency says of what kind the package is that it is on: provider, configuration or function, or the " +
			"apiVersion and kind by which it is installed, of the group pkg.crossplane.io. Crossplane installs it as what the " +
			"dependency says, and then refuses a package of another kind. A name that begins with another kind is a warning.",
		Bad: headConfiguration + `spec:
  dependsOn:
  - apiVersion: meta.pkg.crossplane.io/v1
    kind: Provider
    package: example.org/provider-demo
    version: ">=v1.0.0"
`,
		Good: headConfiguration + `spec:
  dependsOn:
  - apiVersion: pkg.crossplane.io/v1
    kind: Provider
    package: example.org/provider-demo
    version: ">=v1.0.0"
`,
		URL:      "https://docs.crossplane.io/latest/packages/configurations/#configuration-dependencies",
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil || p.Package.Header == nil {
				return nil
			}
			left := maxPlaced
			for _, d := range p.Package.Meta.DependsOn {
				if left <= 0 {
					break
				}
				if d.Spelling == meta.SpellingPackage && d.APIVersion != "" && d.Kind != "" {
					left -= reportDependencyKind(p, d)
				}
				left -= reportNamedOtherwise(p, d)
			}
			return nil
		},
	}
}

// reportDependencyKind reports an apiVersion or a kind that nothing is installed by, and
// returns how many findings there are.
func reportDependencyKind(p *linter.Pass, d meta.Dependency) int {
	h, n := p.Package.Header, 0
	want := installGroup(p.Package.Meta.Group())
	if group, _ := meta.SplitAPIVersion(d.APIVersion); group != want {
		n++
		at := linter.At(h, d.Path("apiVersion")...)
		at.Fixes = linter.Rewrite(h, want+"/v1", d.Path("apiVersion")...)
		p.Reportf(at, "%s is not the API version by which a package is installed (%s/v1 is expected)", quote(d.APIVersion), want)
	}
	if !isPackageKind(d.Kind) {
		n++
		known := map[string]*shape{}
		for _, k := range meta.Kinds() {
			known[string(k)] = anything
		}
		at := linter.At(h, d.Path("kind")...)
		if near := nearest(d.Kind, known); near != "" {
			at.Fixes = linter.Rewrite(h, near, d.Path("kind")...)
			p.Reportf(at, "%s is not the kind of a package (%s is meant?)", quote(d.Kind), near)
			return n
		}
		p.Reportf(at, "%s is not the kind of a package (Provider, Configuration or Function is expected)", quote(d.Kind))
	}
	return n
}

// reportNamedOtherwise reports a dependency whose name says that it is of another kind.
func reportNamedOtherwise(p *linter.Pass, d meta.Dependency) int {
	if d.Package.IsZero() || d.Package.Err() != nil || !isPackageKind(d.Kind) {
		return 0
	}
	name, _, ok := strings.Cut(meta.ShortName(d.Package), "-")
	i := slices.IndexFunc(meta.Kinds(), func(k meta.Kind) bool { return strings.ToLower(string(k)) == name })
	if !ok || i < 0 || string(meta.Kinds()[i]) == d.Kind {
		return 0
	}
	at := linter.At(p.Package.Header, d.Path(string(d.Spelling))...)
	at.Severity = linter.Warning
	p.Reportf(at, "%s is named as a %s, and depended on as a %s", quote(d.Package.String()), meta.Kinds()[i], d.Kind)
	return 1
}

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
			placed := 0
			for _, d := range p.Package.Meta.DependsOn {
				if d.Package.IsZero() || d.Package.Err() != nil || placed == maxPlaced {
					continue
				}
				switch {
				case !own.IsZero() && own.Equal(d.Package):
					placed++
					p.Reportf(linter.At(p.Package.Header, d.Path(string(d.Spelling))...), "%s is the package itself", quote(d.Package.String()))
				case own.IsZero() && d.Kind == string(p.Package.Meta.Kind) && lastElement(d.Package) == p.Package.Meta.Name:
					placed++
					at := linter.At(p.Package.Header, d.Path(string(d.Spelling))...)
					at.Severity = linter.Warning
					p.Reportf(at, "%s has the kind and the name of the package itself", quote(d.Package.String()))
				}
			}
			return nil
		},
	}
}

func lastElement(s meta.Source) string {
	path := s.Repository()
	return path[strings.LastIndexByte(path, '/')+1:]
}
