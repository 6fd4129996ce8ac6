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
			f := dependencyFindings(p)
			for _, d := range p.Package.Meta.DependsOn {
				if d.Spelling == meta.SpellingPackage {
					reportDependencyKind(f, d)
				}
				reportNamedOtherwise(f, d)
			}
			f.done()
			return nil
		},
	}
}

// installVersions are the versions of the group by which packages are installed.
var installVersions = []string{"v1", "v1beta1", "v1alpha1"}

// reportDependencyKind reports an apiVersion or a kind that nothing is installed by.
func reportDependencyKind(f *findings, d meta.Dependency) {
	want := installGroup(f.pass.Package.Meta.Group())
	switch group, version := meta.SplitAPIVersion(d.APIVersion); {
	case d.APIVersion == "":
		f.addf(d.Path("apiVersion"), "there is no API version by which the package is installed (%s/v1 is expected)", want)
	case group != want || !slices.Contains(installVersions, version):
		f.add(fault{path: d.Path("apiVersion"), rewrite: want + "/v1"},
			"%s is not the API version by which a package is installed (%s/v1 is expected)", quote(d.APIVersion), want)
	}
	switch {
	case isPackageKind(d.Kind):
		return
	case d.Kind == "":
		f.addf(d.Path("kind"), "there is no kind of the package (Provider, Configuration or Function is expected)")
		return
	}
	known := map[string]*shape{}
	for _, k := range meta.Kinds() {
		known[string(k)] = anything
	}
	near := nearest(d.Kind, known)
	hint := didYouMean(near)
	if near == "" {
		hint = " (Provider, Configuration or Function is expected)"
	}
	f.add(fault{path: d.Path("kind"), rewrite: near}, "%s is not the kind of a package%s", quote(d.Kind), hint)
}

// reportNamedOtherwise reports a dependency whose name says that it is of another kind.
func reportNamedOtherwise(f *findings, d meta.Dependency) {
	if d.Package.IsZero() || d.Package.Err() != nil || !isPackageKind(d.Kind) {
		return
	}
	name, _, ok := strings.Cut(meta.ShortName(d.Package), "-")
	i := slices.IndexFunc(meta.Kinds(), func(k meta.Kind) bool { return strings.ToLower(string(k)) == name })
	if !ok || i < 0 || string(meta.Kinds()[i]) == d.Kind {
		return
	}
	f.add(fault{path: d.Path(string(d.Spelling)), severity: linter.Warning},
		"%s is named as a %s, and depended on as a %s", quote(d.Package.String()), meta.Kinds()[i], d.Kind)
}
