package rules

import (
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// Releases of Crossplane that brought or removed a way to compose.
const (
	pipelineSince  = "v1.14" // the mode Pipeline
	resourcesUntil = "v2.0"  // the mode Resources
)

func compositionResources() *linter.Rule {
	return &linter.Rule{
		ID: "composition-resources",
		Doc: "Crossplane v2.0 removed the composition mode Resources, and with it the fields resources and patchSets: the API server " +
			"drops them, and refuses a Composition that has nothing else. Functions in spec.pipeline take their place. " +
			"It is a warning where some releases that the package admits still have them.",
		Bad: exampleConfiguration + compositionHead + `  mode: Resources
  resources:
  - name: bucket
`,
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      "https://docs.crossplane.io/latest/whats-new/#removed-features",
		Severity: linter.Error,
		Since:    resourcesUntil,
		Run:      eachComposition(reportResources),
	}
}

func reportResources(p *linter.Pass, c *composed) {
	if isIBM(p) {
		return
	}
	var first meta.Path
	var removed []string
	add := func(path meta.Path, what string) {
		if removed = append(removed, what); first == nil {
			first = path
		}
	}
	if mode, _ := c.body.get("spec", "mode").asText(); mode == modeResources {
		add(meta.Path{"spec", "mode"}, "mode Resources")
	}
	for _, name := range []string{"resources", "patchSets"} {
		if items, _ := c.body.get("spec", name).asList(); len(items) > 0 {
			add(meta.Path{"spec", name}, "spec."+name)
		}
	}
	if first != nil {
		reportRemoved(p, c, first, resourcesUntil, linter.Error, strings.Join(removed, ", "), "mode Pipeline and spec.pipeline are expected")
	}
}

// reportRemoved reports a field that releases of Crossplane no longer have; where
// some that are admitted still have it, that is a warning.
func reportRemoved(p *linter.Pass, c *composed, path meta.Path, until string, severity linter.Severity, what, expected string) {
	at := linter.AtKey(c.doc, path...)
	at.Severity = severity
	if !p.Releases.Every(until, "") {
		at.Severity = linter.Warning
		at.Related = admitted(p)
	}
	p.Reportf(at, "no longer supported since Crossplane %s: %s (%s)", until, what, expected)
}

// admitted is the place that says which releases a package admits, where there are
// several.
func admitted(p *linter.Pass) []linter.Related {
	if p.Package.Header == nil || p.Releases.Oldest() == p.Releases.Newest() {
		return nil
	}
	return []linter.Related{{
		Range:   linter.At(p.Package.Header, "spec", "crossplane", "version").Range,
		Message: "admits Crossplane " + releases(p.Releases),
	}}
}

// removedFields are fields of a Composition that came and went without the mode
// Resources.
var removedFields = []struct{ field, until, expected string }{
	{"functions", "v1.14", "spec.pipeline is expected"},
	{"environment", "v1.18", "a function that reads EnvironmentConfigs is expected"},
	{"publishConnectionDetailsWithStoreConfigRef", "v2.0", "a composed secret is expected"},
}

func compositionRemovedField() *linter.Rule {
	return &linter.Rule{
		ID: "composition-removed-field",
		Doc: "Fields of Compositions that were alpha have been removed: functions in Crossplane v1.14, environment in v1.18, " +
			"publishConnectionDetailsWithStoreConfigRef in v2.0. Later releases drop them without a word.",
		Bad: exampleConfiguration + compositionHead + goodPipeline + `  environment:
    environmentConfigs: []
`,
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      "https://docs.crossplane.io/latest/whats-new/#removed-features",
		Severity: linter.Warning,
		Run: eachComposition(func(p *linter.Pass, c *composed) {
			for _, r := range removedFields {
				if !c.body.get("spec", r.field).isAbsent() && p.Releases.Some(r.until, "") && !isIBM(p) {
					reportRemoved(p, c, meta.Path{"spec", r.field}, r.until, linter.Warning, "spec."+r.field, r.expected)
				}
			}
		}),
	}
}
