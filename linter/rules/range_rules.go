package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

const rangeURL = "https://github.com/Masterminds/semver#checking-version-constraints"

func rangeUnsatisfiable() *linter.Rule {
	return &linter.Rule{
		ID: "range-unsatisfiable",
		Doc: "There is a version that a range holds, and one of Crossplane that all ranges of Crossplane hold. Where there is " +
			"none, the package never installs, whatever is released.",
		Bad: headDependency + `    version: ">=v2.0.0, <v1.0.0"
`,
		Good: headDependency + `    version: ">=v1.0.0, <v2.0.0"
`,
		URL:      rangeURL,
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			var crossplane []demand
			placed, more := 0, 0
			for _, d := range demandsOf(p.Package) {
				if err := ctx.Err(); err != nil {
					return err
				}
				switch {
				case placed == maxUnsatisfiable:
					more++
				case !satisfiable(d.constraint):
					placed++
					p.Reportf(linter.At(p.Package.Header, d.path...), "no version of %s is in %s", d.of, quote(d.constraint.String()))
				case d.crossplane:
					crossplane = append(crossplane, d)
				}
			}
			if more > 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "dependsOn"), "%d more ranges were not looked at", more)
			}
			reportContradiction(p, crossplane)
			return nil
		},
	}
}

// maxUnsatisfiable bounds the findings, and with them the work: what no version
// satisfies takes a look at very many.
const maxUnsatisfiable = 100

// reportContradiction reports the first range of Crossplane that those before it leave
// no version for.
func reportContradiction(p *linter.Pass, list []demand) {
	var held []meta.Constraint
	for i, d := range list {
		if i == maxUnsatisfiable {
			return
		}
		if held = append(held, d.constraint); satisfiable(held...) {
			continue
		}
		at := linter.At(p.Package.Header, d.path...)
		for _, other := range list[:i] {
			at.Related = append(at.Related, linter.Related{
				Range:   linter.At(p.Package.Header, other.path...).Range,
				Message: fmt.Sprintf("asks for %s", quote(other.constraint.String())),
			})
		}
		p.Reportf(at, "no version of Crossplane is in %s and in %s of %s", quote(d.constraint.String()), quote(list[0].constraint.String()), list[0].path)
		return
	}
}

func rangePartial() *linter.Rule {
	return &linter.Rule{
		ID: "range-partial",
		Doc: "A version names a full version or a range. A partial one such as v1 is a range to Crossplane, every v1.x.y, and " +
			"a tag to whoever looks it up in a registry, where many repositories have one that is moved along: some tools " +
			"take that tag for v1.0.0.",
		Bad: headDependency + `    version: v1
`,
		Good: headDependency + `    version: ">=v1.0.0, <v2.0.0"
`,
		URL:      rangeURL,
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			placed, more := 0, 0
			for _, d := range demandsOf(p.Package) {
				text := d.constraint.String()
				meant, ok := meantRange(text)
				switch {
				case !ok:
				case placed == maxPlaced:
					more++
				case isRange(d.constraint):
					placed++
					at := linter.At(p.Package.Header, d.path...)
					at.Fixes = linter.Rewrite(p.Package.Header, meant, d.path...)
					p.Reportf(at, "%s is a partial version (the range that it stands for is %s)", quote(text), quote(meant))
				default:
					placed++
					// Package format v2 takes it for a tag, and later readers for a range.
					p.Reportf(linter.At(p.Package.Header, d.path...), "%s is a partial version (a full one or a range such as %s is expected)", quote(text), quote(meant))
				}
			}
			if more > 0 {
				p.Reportf(linter.At(p.Package.Header, "spec", "dependsOn"), "%d more versions are partial", more)
			}
			return nil
		},
	}
}

func rangePrerelease() *linter.Rule {
	return &linter.Rule{
		ID: "range-prerelease",
		Doc: "A range holds no pre-releases unless one is in it: >=v1.14.0 is without v1.14.1-up.1, as builds of Crossplane by " +
			"others are called. A -0 behind its versions admits them. The ranges of dependencies are told where some of the package " +
			"admit pre-releases and others do not, which is often an accident.",
		Bad: headConfiguration + goodAnnotations + `spec:
  crossplane:
    version: ">=v1.14.0"
`,
		Good:     goodMetadata,
		URL:      rangeURL,
		Severity: linter.Info,
		Profile:  linter.Publish,
		Run: func(_ context.Context, p *linter.Pass) error {
			first := map[bool]*linter.Diagnostic{} // of Crossplane, and of dependencies
			demands := demandsOf(p.Package)
			mixed := slices.ContainsFunc(demands, func(d demand) bool { return !d.crossplane && admitsPrereleases(d.constraint) })
			for _, d := range demands {
				pre, ok := excluded(d.constraint)
				if !ok || !d.crossplane && !mixed {
					continue
				}
				at := linter.At(p.Package.Header, d.path...)
				if f := first[d.crossplane]; f != nil {
					if len(f.Related) < maxRelated {
						f.Related = append(f.Related, linter.Related{Range: at.Range, Message: "excludes pre-releases too"})
					}
					continue
				}
				at.Message = quote(d.constraint.String()) + " holds no pre-releases (" + d.constraint.Explain(pre).Message + ")"
				first[d.crossplane] = &at
			}
			for _, crossplane := range []bool{true, false} {
				if f := first[crossplane]; f != nil {
					p.Report(*f)
				}
			}
			return nil
		},
	}
}

// admitsPrereleases reports whether a range, and not one version, has a pre-release in it.
func admitsPrereleases(c meta.Constraint) bool {
	one := meta.Classify(strings.Trim(c.String(), "= ")) == meta.ClassPrerelease
	return isRange(c) && !one && slices.ContainsFunc(bound.FindAllStringSubmatch(c.String(), -1), func(m []string) bool { return m[4] != "" })
}

// maxRelated is how many other places one finding names at most.
const maxRelated = 20

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
			"given, one of those that are known. A range of a release that is long gone or far away is often a slip.",
		Bad: headConfiguration + `spec:
  crossplane:
    version: ">=v11.4.0"
`,
		Good:     headConfiguration + goodCrossplane,
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			if p.Package.Meta == nil || !satisfiable(p.Package.Meta.CrossplaneConstraints()...) {
				return nil
			}
			for _, d := range demandsOf(p.Package) {
				if d.crossplane && satisfiable(d.constraint) && !admitsRelease(d.constraint, p.Releases) {
					p.Reportf(linter.At(p.Package.Header, d.path...), "%s holds no release of Crossplane %s, which the package is judged for",
						quote(d.constraint.String()), releases(p.Releases))
				}
			}
			return nil
		},
	}
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
