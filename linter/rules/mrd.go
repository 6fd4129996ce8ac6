package rules

import (
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func mrdInvalid() *linter.Rule {
	return &linter.Rule{
		ID: "mrd-invalid",
		Doc: "A ManagedResourceDefinition is what Crossplane makes a CustomResourceDefinition of, so it has what one must have: " +
			"group and names, of which its own is made, a scope, and versions, exactly one of which is stored. Its state is " +
			"Active or Inactive.",
		Bad:      exampleMRD + goodCRDSpec + "  state: On\n",
		Good:     exampleMRD + goodCRDSpec + "  state: Active\n",
		URL:      mrdURL,
		Severity: linter.Error,
		Run: eachDefinition(isMRD, func(p *linter.Pass, def *definition) {
			spec := def.body.get("spec")
			if spec.form != mapping {
				return // it may have none
			}
			reportNames(p, def)
			reportConversion(p, def)
			f := &findings{pass: p, doc: def.doc}
			reportVersions(f, def)
			reportMarked(p, def, "storage", "the storage version", "storage versions")
			reportChoice(f, meta.Path{"spec", "scope"}, spec.get("scope"), "a scope", true, scopeCluster, scopeNamespaced)
			reportChoice(f, meta.Path{"spec", "state"}, spec.get("state"), "a state", false, "Active", "Inactive")
			f.done()
		}),
	}
}

// reportChoice reports a text that is none of a few, or missing.
func reportChoice(f *findings, path meta.Path, v *value, what string, required bool, choices ...string) {
	s, ok := v.asText()
	known := map[string]*shape{}
	for _, c := range choices {
		known[c] = nil
	}
	_, is := known[s]
	switch {
	case !ok || is:
	case v.isAbsent() && required:
		f.addf(path, "there is no %s (%s)", strings.TrimPrefix(what, "a "), orList(choices))
	case !v.isAbsent():
		f.add(fault{path: path, rewrite: nearest(s, known)}, "%s is not %s (%s)", quote(s), what, orList(choices))
	}
}

// orList joins words: a, b or c.
func orList(words []string) string {
	out := ""
	for i, w := range words {
		switch {
		case i == 0:
			out = w
		case i == len(words)-1:
			out += " or " + w
		default:
			out += ", " + w
		}
	}
	return out
}
