package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// pipeline is the list of calls of functions in a Composition or an Operation.
type pipeline struct {
	*typed
	path  meta.Path
	steps []*value
}

// pipelines are those of a package, in stream order.
var pipelines = linter.NewFact(func(ctx context.Context, p *linter.Pass) ([]pipeline, error) {
	var list []pipeline
	err := eachTyped(ctx, p, func(t *typed) {
		path, spec := operationPath(t.doc.Kind), t.runs()
		if mode, _ := spec.get("mode").asText(); mode == modeResources {
			return // nobody reads it
		}
		if steps, _ := spec.get("pipeline").asList(); len(steps) > 0 {
			list = append(list, pipeline{typed: t, path: below(path, "pipeline"), steps: steps})
		}
	}, composition, operation, cronOperation, watchOperation)
	return list, err
})

// runs is what has the pipeline of an object.
func (t *typed) runs() *value {
	v := t.body
	for _, name := range operationPath(t.doc.Kind) {
		v = v.get(name.(string))
	}
	return v
}

// operationPath leads to it.
func operationPath(kind string) meta.Path {
	if kind == cronOperation || kind == watchOperation {
		return meta.Path{"spec", "operationTemplate", "spec"}
	}
	return meta.Path{"spec"}
}

func eachPipeline(look func(*linter.Pass, pipeline)) func(context.Context, *linter.Pass) error {
	return func(ctx context.Context, p *linter.Pass) error {
		list, err := pipelines.Of(ctx, p)
		if err != nil {
			return err
		}
		for _, l := range list {
			if err := ctx.Err(); err != nil {
				return err
			}
			look(p, l)
		}
		return nil
	}
}

// maxSteps is how many steps Crossplane takes.
const maxSteps = 99

func pipelineStep() *linter.Rule {
	return &linter.Rule{
		ID: "pipeline-step",
		Doc: "Each step of a pipeline has a name that no other step has, and names the function that it calls; its input is an " +
			"object with an API version and a kind; its credentials and requirements are complete. The API server refuses the " +
			"object otherwise.",
		Bad: exampleConfiguration + compositionHead + goodPipeline + `  - step: compose
    functionRef:
      name: functions-function-demo
`,
		Good: exampleConfiguration + compositionHead + goodPipeline + `  - step: again
    functionRef:
      name: functions-function-demo
`,
		URL:      compositionURL,
		Severity: linter.Error,
		Run: eachPipeline(func(p *linter.Pass, l pipeline) {
			f := &findings{pass: p, doc: l.doc}
			if len(l.steps) > maxSteps {
				f.addf(below(l.path, maxSteps), "there are %d steps (up to %d are expected)", len(l.steps), maxSteps)
			}
			reportUnique(f, l.path, l.steps, "step", "step")
			for i, step := range l.steps {
				at := below(l.path, i)
				if step.form == mapping {
					reportRequired(f, below(at, "functionRef", "name"), step.get("functionRef", "name"), "name of a function to call")
				}
				if input := step.get("input"); input.form == mapping {
					reportRequired(f, below(at, "input", "apiVersion"), input.get("apiVersion"), "API version of the input")
					reportRequired(f, below(at, "input", "kind"), input.get("kind"), "kind of the input")
				}
				credentials, _ := step.get("credentials").asList()
				reportUnique(f, below(at, "credentials"), credentials, "name", "set of credentials")
				for j, c := range credentials {
					reportCredentials(f, below(at, "credentials", j), c)
				}
				for _, field := range []string{"requiredResources", "requiredSchemas"} {
					list, _ := step.get("requirements", field).asList()
					reportRequirements(f, below(at, "requirements", field), list, field == "requiredResources")
				}
			}
			f.done()
		}),
	}
}

func reportCredentials(f *findings, at meta.Path, c *value) {
	if c.form != mapping {
		return
	}
	reportChoice(f, below(at, "source"), c.get("source"), "a source of credentials", true, "None", "Secret")
	if source, _ := c.get("source").asText(); source != "Secret" {
		return
	}
	ref := c.get("secretRef")
	if ref.isAbsent() {
		f.addf(below(at, "secretRef"), "the source is Secret, and there is no secret to read")
		return
	}
	reportRequired(f, below(at, "secretRef", "name"), ref.get("name"), "name of the secret")
	reportRequired(f, below(at, "secretRef", "namespace"), ref.get("namespace"), "namespace of the secret")
}

func reportRequirements(f *findings, path meta.Path, list []*value, resources bool) {
	reportUnique(f, path, list, "requirementName", "requirement")
	for i, r := range list {
		if r.form != mapping {
			continue
		}
		at := below(path, i)
		reportRequired(f, below(at, "apiVersion"), r.get("apiVersion"), "API version that is required")
		reportRequired(f, below(at, "kind"), r.get("kind"), "kind that is required")
		name, labels := r.get("name"), r.get("matchLabels")
		switch {
		case !resources:
		case name.isAbsent() && labels.isAbsent():
			f.addf(at, "it does not say which objects are required (name or matchLabels)")
		case !name.isAbsent() && !labels.isAbsent():
			f.add(fault{path: below(at, "matchLabels"), key: true}, "objects are required by name and by labels (one of them is expected)")
		}
	}
}

// reportRequired reports a text that is missing or empty.
func reportRequired(f *findings, path meta.Path, v *value, what string) {
	if s, ok := v.asText(); ok && s == "" {
		f.addf(path, "there is no %s", what)
	}
}

// reportUnique reports items of a list without the name that they must have, and those
// with a name that an item before them has.
func reportUnique(f *findings, path meta.Path, items []*value, field, what string) {
	first := map[string]int{}
	for i, item := range items {
		name, ok := item.get(field).asText()
		at := below(path, i, field)
		switch before, again := first[name]; {
		case !ok || item.form != mapping:
		case name == "":
			f.addf(at, "%s %d has no name (%s)", what, i, field)
		case again:
			f.add(fault{path: at, first: below(path, before, field)}, "%s %s is there twice", what, quote(name))
		default:
			first[name] = i
		}
	}
}
