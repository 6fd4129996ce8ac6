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
			f := dependencyFindings(p)
			for _, d := range demandsOf(p.Package) {
				text := d.constraint.String()
				meant, ok := meantRange(text)
				switch {
				case !ok:
				case isRange(d.constraint):
					f.add(fault{path: d.path, rewrite: meant}, "%s is a partial version (the range that it stands for is %s)", quote(text), quote(meant))
				default:
					// Package format v2 takes it for a tag, and later readers for a range.
					f.addf(d.path, "%s is a partial version (a full one or a range such as %s is expected)", quote(text), quote(meant))
				}
			}
			f.done()
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
				advised := d.constraint
				if meant, partial := meantRange(advised.String()); partial {
					if c, err := meta.ParseConstraint(meant); err == nil {
						advised = c // to which a pre-release can be added
					}
				}
				at := linter.At(p.Package.Header, d.path...)
				if f := first[d.crossplane]; f != nil {
					if len(f.Related) < maxRelated {
						f.Related = append(f.Related, linter.Related{Range: at.Range, Message: "excludes pre-releases too"})
					}
					continue
				}
				at.Message = quote(d.constraint.String()) + " holds no pre-releases (" + advised.Explain(pre).Message + ")"
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
