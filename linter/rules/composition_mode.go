package rules

import (
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// Modes of Compositions.
const (
	modePipeline  = "Pipeline"
	modeResources = "Resources"
)

func compositionMode() *linter.Rule {
	return &linter.Rule{
		ID: "composition-mode",
		Doc: "The mode of a Composition is Pipeline, and there is a pipeline for it, without which the API server refuses it; before Crossplane v2.0 it may be Resources, " +
			"which is what these releases take it for when it is not said. The mode came with Crossplane v1.14.",
		Bad:      exampleConfiguration + compositionHead + "  mode: Pipeline\n",
		Good:     exampleConfiguration + compositionHead + goodPipeline,
		URL:      compositionURL,
		Severity: linter.Error,
		Run:      eachComposition(reportMode),
	}
}

// composesNothing reports whether a Composition has none of the fields either that its mode
// Resources and functions before the mode Pipeline had.
func composesNothing(spec *value) bool {
	for _, field := range []string{"resources", "patchSets", "functions"} {
		if !spec.get(field).isAbsent() {
			return false
		}
	}
	return true
}

func reportMode(p *linter.Pass, c *composed) {
	spec := c.body.get("spec")
	mode, ok := spec.get("mode").asText()
	if spec.form != mapping || !ok || isIBM(p) {
		return
	}
	f := &findings{pass: p, doc: c.doc}
	path := meta.Path{"spec", "mode"}
	pipeline := spec.get("pipeline")
	switch {
	case !spec.get("mode").isAbsent() && mode != modePipeline && mode != modeResources:
		near := nearest(mode, map[string]*shape{modePipeline: nil, modeResources: nil})
		at := fault{path: path}
		if near == modePipeline && p.Releases.Every(pipelineSince, "") || near == modeResources && p.Releases.Every("", resourcesUntil) {
			at.rewrite = near
		}
		f.add(at, "%s is not a mode (Pipeline, or Resources before Crossplane %s)", quote(mode), resourcesUntil)
	case mode == modePipeline && pipeline.isAbsent():
		f.add(fault{path: path}, "there is no pipeline, which the mode Pipeline needs")
	case mode == "" && pipeline.isAbsent() && composesNothing(spec):
		f.add(fault{path: below(path[:1], "pipeline")}, "there is no pipeline, so that the API server refuses the Composition")
	case pipeline.form == list && len(pipeline.items) == 0:
		f.add(fault{path: below(path[:1], "pipeline"), key: true, severity: linter.Warning}, "there is no step in the pipeline, so that nothing is composed")
	case mode == "" && !pipeline.isAbsent() && p.Releases.Some(pipelineSince, resourcesUntil):
		at := fault{path: below(path[:1], "pipeline"), key: true, severity: linter.Warning, related: admitted(p)}
		if p.Releases.Every(pipelineSince, "") {
			at.fix = func() []linter.Fix { return linter.Prepend(c.doc, "mode", modePipeline, at.path...) }
		}
		f.add(at, "the mode is not said, so Crossplane before %s takes it for Resources and leaves the pipeline alone", resourcesUntil)
	case mode == modePipeline && p.Releases.Some("", pipelineSince):
		f.add(fault{path: path, severity: linter.Warning, related: admitted(p)}, "there is no mode Pipeline before Crossplane %s", pipelineSince)
	}
}
