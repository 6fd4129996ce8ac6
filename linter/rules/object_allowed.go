package rules

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

func objectNotAllowed() *linter.Rule {
	return &linter.Rule{
		ID: "object-not-allowed",
		Doc: "A package holds one metadata object and objects of a few kinds only; which, depends on the kind of the package " +
			"and on the release of Crossplane. A package manager refuses the package, or ignores the object.",
		Bad: headConfiguration + `---
apiVersion: example.org/v1
kind: ExampleClaim
metadata:
  name: demo
`,
		Good:     headConfiguration + headComposition,
		URL:      specURL + "#packageyaml-contents",
		Severity: linter.Error,
		Run:      runObjectNotAllowed,
	}
}

func runObjectNotAllowed(_ context.Context, p *linter.Pass) error {
	if p.Package.Meta == nil {
		return nil
	}
	table := tableFor(p.Package.Meta)
	if len(table) == 0 {
		return nil
	}
	in := "in " + article(p.Package.Meta.Kind) + " package"
	all := kinds(table, p.Releases)
	for _, d := range p.Package.Objects {
		if !judged(d) {
			continue
		}
		v, row := judge(table, p.Releases, d)
		if v != refused {
			continue
		}
		switch real, never := meant(table, d); {
		case never:
			// The specification lists it, so it is no error of the author's.
			at := linter.At(d)
			at.Severity = linter.Warning
			p.Reportf(at, "%s is of a kind that never existed: %s is meant", d.Ref(), real)
			continue
		case real != "":
			p.Reportf(linter.At(d), "%s is of a kind that is no more: %s took its place", d.Ref(), real)
			continue
		}
		if row != nil {
			p.Reportf(linter.At(d), "%s is not allowed %s of Crossplane %s (allowed %s)", d.Ref(), in, releases(p.Releases), window(row))
			continue
		}
		hint := ""
		if strings.HasSuffix(d.Kind, "List") && d.At("items").Found {
			hint = "; a list is not taken apart, so write its items as documents of their own"
		}
		p.Reportf(linter.At(d), "%s is not allowed %s (allowed: %s)%s", d.Ref(), in, cmp.Or(versions(table, p.Releases, d), all), hint)
	}
	return nil
}

func objectPartlyAllowed() *linter.Rule {
	return &linter.Rule{
		ID: "object-partly-allowed",
		Doc: "The releases of Crossplane that spec.crossplane.version admits should all take every object of the package: " +
			"on those that do not, it does not install.",
		Bad: headConfiguration + `spec:
  crossplane:
    version: ">=v1.14.0"
` + examplePolicy,
		Good: headConfiguration + `spec:
  crossplane:
    version: ">=v2.0.0"
` + examplePolicy,
		Severity: linter.Warning,
		Run:      runObjectPartlyAllowed,
	}
}

func runObjectPartlyAllowed(_ context.Context, p *linter.Pass) error {
	if p.Package.Meta == nil {
		return nil
	}
	table := tableFor(p.Package.Meta)
	var related []linter.Related // the same for all, and found when the first needs it
	for _, d := range p.Package.Objects {
		if !judged(d) {
			continue
		}
		v, row := judge(table, p.Releases, d)
		if v != partly {
			continue
		}
		if related == nil {
			related = []linter.Related{{
				Range:   linter.At(p.Package.Header, "spec", "crossplane", "version").Range,
				Message: "admits Crossplane " + releases(p.Releases),
			}}
		}
		at := linter.At(d)
		at.Related = related
		p.Reportf(at, "%s is allowed %s, but spec.crossplane.version admits Crossplane %s", d.Ref(), window(row), releases(p.Releases))
	}
	return nil
}

// article names a kind of package in a sentence.
func article(k meta.Kind) string { return "a " + string(k) }

// releases names the releases that a package is judged for.
func releases(r linter.Releases) string {
	if r.Oldest() == r.Newest() {
		return r.Oldest()
	}
	return r.Oldest() + " to " + r.Newest()
}

// window names the releases of a row that has a bound.
func window(a *allowance) string {
	switch {
	case a.until == "":
		return "from " + a.since + " on"
	case a.since == "":
		return "before " + a.until
	default:
		return fmt.Sprintf("from %s on, before %s", a.since, a.until)
	}
}

// kinds lists what may be in a package at all.
func kinds(table []allowance, r linter.Releases) string {
	var list []string
	for _, a := range table {
		if r.Some(a.since, a.until) && !slices.Contains(list, a.kind) {
			list = append(list, a.kind)
		}
	}
	return strings.Join(list, ", ")
}

// versions lists the API versions in which an object of this group and kind may be
// in a package; it is empty if there are none.
func versions(table []allowance, r linter.Releases, d *parser.Document) string {
	var list []string
	group, _ := meta.SplitAPIVersion(d.APIVersion)
	for _, a := range table {
		if g, _ := meta.SplitAPIVersion(a.apiVersion); g == group && a.kind == d.Kind && r.Some(a.since, a.until) {
			list = append(list, a.apiVersion+" "+a.kind)
		}
	}
	return strings.Join(list, ", ")
}
