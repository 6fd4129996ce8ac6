package rules

import (
	"context"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

// patches are the templates of resources in a Composition, where they are: in its mode
// Resources the Composition itself, in its mode Pipeline inputs of the function that
// took their place.
type patches struct {
	*composed
	path     meta.Path // of what has resources, patchSets and environment
	body     *value
	function bool
}

// eachPatches calls look with all such templates of a package.
func eachPatches(ctx context.Context, p *linter.Pass, look func(patches)) error {
	return eachComposition(func(p *linter.Pass, c *composed) {
		spec := c.body.get("spec")
		steps, _ := spec.get("pipeline").asList()
		if mode, _ := spec.get("mode").asText(); mode != modePipeline {
			look(patches{composed: c, path: meta.Path{"spec"}, body: spec})
			if mode == modeResources {
				return
			}
		}
		for i, step := range steps {
			input := step.get("input")
			apiVersion, _ := input.get("apiVersion").asText()
			kind, _ := input.get("kind").asText()
			if strings.HasPrefix(apiVersion, "pt.fn.crossplane.io/") && kind == "Resources" {
				look(patches{composed: c, path: meta.Path{"spec", "pipeline", i, "input"}, body: input, function: true})
			}
		}
	})(ctx, p)
}

// patch is one patch and where it stands.
type patch struct {
	path  meta.Path
	value *value
	kind  string
	inSet bool // of a patch set, which may not use others
	inEnv bool // between the composite resource and the environment
}

// each calls look with every patch, in the order of the document.
func (t patches) each(look func(patch)) {
	in := func(path meta.Path, list *value, inSet, inEnv bool) {
		items, _ := list.asList()
		for i, v := range items {
			if v.form != mapping {
				continue
			}
			kind, _ := v.get("type").asText()
			if v.get("type").isAbsent() {
				kind = "FromCompositeFieldPath"
			}
			look(patch{below(path, i), v, kind, inSet, inEnv})
		}
	}
	sets, _ := t.body.get("patchSets").asList()
	for i, set := range sets {
		in(below(t.path, "patchSets", i, "patches"), set.get("patches"), true, false)
	}
	in(below(t.path, "environment", "patches"), t.body.get("environment", "patches"), false, true)
	resources, _ := t.body.get("resources").asList()
	for i, r := range resources {
		in(below(t.path, "resources", i, "patches"), r.get("patches"), false, false)
	}
}

// patchTypes are the types of patches.
var patchTypes = map[string]*shape{
	"FromCompositeFieldPath": nil, "ToCompositeFieldPath": nil, "CombineFromComposite": nil, "CombineToComposite": nil,
	"FromEnvironmentFieldPath": nil, "ToEnvironmentFieldPath": nil, "CombineFromEnvironment": nil, "CombineToEnvironment": nil,
	"PatchSet": nil,
}

func compositionPatch() *linter.Rule {
	const head = compositionHead + `  mode: Pipeline
  pipeline:
  - step: compose
    functionRef:
      name: functions-function-demo
    input:
      apiVersion: pt.fn.crossplane.io/v1beta1
      kind: Resources
      resources:
      - name: bucket
        patches:
`
	return &linter.Rule{
		ID: "composition-patch",
		Doc: "A patch is of a type that there is and has the fields that its type needs, and so are its transforms and the " +
			"readiness checks and connection details of templates; a patch set is there and uses no other; paths of fields are " +
			"written as Crossplane reads them; and each template of a resource has a name of its own. " +
			"Compositions of the mode Resources are looked at, and inputs of function-patch-and-transform.",
		Bad: exampleConfiguration + head + `        - type: FromCompositeFieldPath
          toFieldPath: spec.region
`,
		Good: exampleConfiguration + head + `        - type: FromCompositeFieldPath
          fromFieldPath: spec.region
          toFieldPath: spec.region
`,
		URL:      "https://docs.crossplane.io/latest/guides/function-patch-and-transform/",
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachPatches(ctx, p, func(t patches) { reportPatches(p, t) })
		},
	}
}

func reportPatches(p *linter.Pass, t patches) {
	f := &findings{pass: p, doc: t.doc}
	sets, setNames := patchSetsOf(f, t)
	resources, _ := t.body.get("resources").asList()
	if t.function {
		reportUnique(f, below(t.path, "resources"), resources, "name", "template")
	}
	for i, r := range resources {
		reportReadiness(f, below(t.path, "resources", i, "readinessChecks"), r.get("readinessChecks"))
		reportConnectionDetails(f, below(t.path, "resources", i, "connectionDetails"), r.get("connectionDetails"))
	}
	t.each(func(c patch) {
		at := func(field ...any) meta.Path { return below(c.path, field...) }
		from, okFrom := c.value.get("fromFieldPath").asText()
		to, okTo := c.value.get("toFieldPath").asText()
		_, known := patchTypes[c.kind]
		switch combine := strings.HasPrefix(c.kind, "Combine"); {
		case c.value.get("type").form > null && c.value.get("type").form != text:
			f.addf(at("type"), "found %s, expected the type of a patch", c.value.get("type").found())
		case !known:
			near := nearest(c.kind, patchTypes)
			f.add(fault{path: at("type"), rewrite: near}, "%s is not a type of patch%s", quote(c.kind), didYouMean(near))
		case c.kind == "PatchSet" && c.inSet:
			f.addf(at("type"), "a patch set cannot use another")
		case c.kind == "PatchSet":
			name, ok := c.value.get("patchSetName").asText()
			if _, is := setNames[name]; ok && name == "" {
				f.addf(at("patchSetName"), "there is no name of a patch set")
			} else if ok && !is && sets && !f.full() {
				near := nearest(name, setNames)
				f.add(fault{path: at("patchSetName"), rewrite: sure(name, near)}, "there is no patch set %s%s", quote(name), didYouMean(near))
			}
		case combine:
			reportCombine(f, c)
		case okFrom && from == "":
			f.addf(at("fromFieldPath"), "there is no field to take the value from")
		}
		if okFrom {
			reportFieldPath(f, at("fromFieldPath"), from)
		}
		if okTo {
			reportFieldPath(f, at("toFieldPath"), to)
		}
		reportTransforms(f, at("transforms"), c.value.get("transforms"))
		reportChoice(f, at("policy", "fromFieldPath"), c.value.get("policy", "fromFieldPath"), "a policy", false, "Optional", "Required")
	})
	f.done()
}

// patchSetsOf reports patch sets without a name and those that are there twice, and
// returns their names, and whether these are all of them.
func patchSetsOf(f *findings, t patches) (all bool, names map[string]*shape) {
	list, all := t.body.get("patchSets").asList()
	names = map[string]*shape{}
	reportUnique(f, below(t.path, "patchSets"), list, "name", "patch set")
	for _, set := range list {
		name, ok := set.get("name").asText()
		all = all && ok
		names[name] = nil
	}
	return all, names
}

func reportCombine(f *findings, c patch) {
	combine := c.value.get("combine")
	if combine.isAbsent() {
		f.addf(below(c.path, "combine"), "a patch of type %s combines nothing (combine is expected)", c.kind)
		return
	}
	if variables, ok := combine.get("variables").asList(); ok && len(variables) == 0 {
		f.addf(below(c.path, "combine", "variables"), "there are no variables to combine")
	} else {
		for i, v := range variables {
			path := below(c.path, "combine", "variables", i, "fromFieldPath")
			reportRequired(f, path, v.get("fromFieldPath"), "field to take the value from")
			if s, _ := v.get("fromFieldPath").asText(); s != "" {
				reportFieldPath(f, path, s)
			}
		}
	}
	strategy, ok := combine.get("strategy").asText()
	switch {
	case ok && strategy != "string":
		reportChoice(f, below(c.path, "combine", "strategy"), combine.get("strategy"), "a strategy", true, "string")
	case ok && combine.get("string", "fmt").isAbsent():
		f.addf(below(c.path, "combine", "string", "fmt"), "there is no format to combine the variables with")
	}
	if to, ok := c.value.get("toFieldPath").asText(); ok && to == "" {
		f.addf(below(c.path, "toFieldPath"), "there is no field to write the value to")
	}
}

func reportFieldPath(f *findings, path meta.Path, s string) {
	if s == "" {
		return
	}
	if _, err := parseFieldPath(s); err != nil {
		f.addf(path, "%s is not the path of a field: %v", quote(s), err)
	}
}
