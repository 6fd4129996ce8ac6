package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func compositionPatchPath() *linter.Rule {
	const schema = schemaHead + "              region:\n                type: string\n"
	const body = exampleComposition + "  resources:\n  - name: bucket\n    patches:\n"
	const head = headConfiguration + "spec:\n  crossplane:\n    version: \">=v1.14.0, <v2.0.0-0\"\n---\n" + xrdHead
	return &linter.Rule{
		ID: "composition-patch-path",
		Doc: "A patch takes its value from a field that the composite resource can have, or writes to one: the schema of the " +
			"CompositeResourceDefinition has it, or Crossplane adds it. A value that is taken from another field is never there, " +
			"which is an error where the patch requires it, and one that is written to another is dropped. Of what the schema " +
			"leaves open, and of definitions in other packages, nothing is said.",
		Bad:      head + goodXRDSpec + schema + body + "    - fromFieldPath: spec.regoin\n      toFieldPath: spec.forProvider.region\n",
		Good:     head + goodXRDSpec + schema + body + "    - fromFieldPath: spec.region\n      toFieldPath: spec.forProvider.region\n",
		URL:      "https://docs.crossplane.io/latest/guides/function-patch-and-transform/",
		Severity: linter.Warning,
		Run:      runPatchPath,
	}
}

func runPatchPath(ctx context.Context, p *linter.Pass) error {
	defined, _, err := composites(ctx, p)
	if err != nil {
		return err
	}
	return eachPatches(ctx, p, func(t patches) {
		group, version := meta.SplitAPIVersion(t.apiVersion)
		def := defined[identity{group, t.kind}]
		if def == nil {
			return
		}
		schema, at := def.schemaOf(version)
		if schema == nil {
			return
		}
		f := &findings{pass: p, doc: t.doc}
		var related []linter.Related // found when the first needs it
		t.each(func(c patch) {
			for _, use := range c.uses() {
				path, err := parseFieldPath(use.text)
				if err != nil {
					continue
				}
				m := def.findInComposite(schema, path)
				if m == nil || f.full() {
					continue
				}
				if related == nil {
					related = []linter.Related{{Range: linter.AtKey(def.doc, at...).Range, Message: "the schema is here"}}
				}
				use.fault.related = related
				f.add(use.fault, "%s: %s", quote(use.text), m.message(use.writes, t.kind))
			}
		})
		f.done()
	})
}

func (m *missing) message(writes bool, kind string) string {
	s := clip(kind) + " has no " + m.what + " there"
	if m.why != "" {
		s = "there is no " + m.what + " in what is " + m.why
	}
	if s += didYouMean(m.nearest); m.nearest != "" {
		return s
	}
	if writes {
		return s + ", so that what is written is dropped"
	}
	return s + ", so that there is never a value"
}

// use is a field of the composite resource that a patch takes its value from or writes
// to.
type use struct {
	fault
	text   string
	writes bool
}

// uses returns them.
func (c patch) uses() []use {
	var list []use
	add := func(v *value, writes bool, path meta.Path) {
		s, _ := v.asText()
		if s == "" {
			return
		}
		u := use{fault: fault{path: path}, text: s, writes: writes}
		if policy, _ := c.value.get("policy", "fromFieldPath").asText(); policy == "Required" && !writes {
			u.severity = linter.Error
		}
		list = append(list, u)
	}
	switch c.kind {
	case "FromCompositeFieldPath":
		add(c.value.get("fromFieldPath"), false, below(c.path, "fromFieldPath"))
	case "ToCompositeFieldPath":
		field := "toFieldPath"
		if c.value.get(field).isAbsent() { // the value stays in the field that it comes from
			field = "fromFieldPath"
		}
		add(c.value.get(field), true, below(c.path, field))
	case "CombineFromComposite":
		variables, _ := c.value.get("combine", "variables").asList()
		for i, v := range variables {
			add(v.get("fromFieldPath"), false, below(c.path, "combine", "variables", i, "fromFieldPath"))
		}
	case "CombineToComposite":
		add(c.value.get("toFieldPath"), true, below(c.path, "toFieldPath"))
	}
	return list
}
