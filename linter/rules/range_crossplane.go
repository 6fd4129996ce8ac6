package rules

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func crossplaneUnversioned() *linter.Rule {
	return &linter.Rule{
		ID: "crossplane-unversioned",
		Doc: "A package says which versions of Crossplane it is for, so that one that lacks what the package needs refuses it " +
			"with a reason.",
		Bad:      headConfiguration + goodAnnotations,
		Good:     goodMetadata,
		URL:      "https://docs.crossplane.io/latest/packages/configurations/#create-a-crossplaneyaml-file",
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			if m := p.Package.Meta; m != nil && len(m.CrossplaneConstraints()) == 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "crossplane", "version"), "the package does not say which versions of Crossplane it is for")
			}
			return nil
		},
	}
}

func crossplaneRange() *linter.Rule {
	return &linter.Rule{
		ID: "crossplane-range",
		Doc: "The range of spec.crossplane holds the release of Crossplane that the package is judged for, or, when no target is " +
			"given, one of those that are known. Crossplane installs nothing of a package whose range it is not within. It is a " +
			"warning where a release that is to come may be within.",
		Bad: headConfiguration + `spec:
  crossplane:
    version: ">=v11.4.0"
`,
		Good:     headConfiguration + goodCrossplane,
		Severity: linter.Error,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil || !satisfiable(p.Package.Meta.CrossplaneConstraints()...) {
				return nil
			}
			for _, d := range demandsOf(p.Package) {
				if d.crossplane && satisfiable(d.constraint) && !admitsRelease(d.constraint, p.Releases) {
					at := linter.At(p.Package.Header, d.path...)
					if !p.Releases.Targeted() && mayCome(d.constraint, p.Releases.Newest()) {
						at.Severity = linter.Warning
					}
					p.Reportf(at, "%s holds no release of Crossplane %s, which the package is judged for",
						quote(d.constraint.String()), releases(p.Releases))
				}
			}
			return nil
		},
	}
}

// mayCome reports whether a range holds a release of the major version of the newest one, or
// of the next.
func mayCome(c meta.Constraint, newest string) bool {
	const minors = 100
	var first uint64
	if _, err := fmt.Sscanf(newest, "v%d.", &first); err != nil {
		return false
	}
	for _, major := range []uint64{first, first + 1} {
		for minor := range uint64(minors) {
			if v, ok := (numbers{major, minor, 0}).version(""); ok && c.Allows(v) {
				return true
			}
		}
	}
	return false
}

// admitsRelease reports whether a range holds some version of the releases, of which
// the oldest and the newest are enough to look at: they are those that the package
// admits, or a single one.
func admitsRelease(c meta.Constraint, r linter.Releases) bool {
	const patches = 100
	for _, minor := range []string{r.Oldest(), r.Newest()} {
		for patch := range patches {
			for _, suffix := range []string{"", "-up.1", "-0"} {
				v, err := meta.ParseVersion(fmt.Sprintf("%s.%d%s", minor, patch, suffix))
				if err == nil && c.Allows(v) {
					return true
				}
			}
		}
	}
	return false
}
