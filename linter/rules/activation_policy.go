package rules

import (
	"context"
	"path"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
)

func activationPolicyInvalid() *linter.Rule {
	const head = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata:
  name: demo
spec:
`
	return &linter.Rule{
		ID: "activation-policy-invalid",
		Doc: "A ManagedResourceActivationPolicy names at least one ManagedResourceDefinition that it activates, PLURAL.GROUP or " +
			"a pattern with * for a part of it.",
		Bad:      exampleConfiguration + head + "  activate: []\n",
		Good:     exampleConfiguration + head + "  activate:\n  - \"*.s3.example.org\"\n",
		URL:      "https://docs.crossplane.io/latest/managed-resources/managed-resource-activation-policies/",
		Severity: linter.Error,
		Run: func(ctx context.Context, p *linter.Pass) error {
			return eachTyped(ctx, p, func(t *typed) { reportActivations(p, t) }, activationPolicy)
		},
	}
}

func reportActivations(p *linter.Pass, t *typed) {
	spec := t.body.get("spec")
	patterns, ok := spec.get("activate").asList()
	if spec.form != mapping || !ok {
		return
	}
	f := &findings{pass: p, doc: t.doc}
	list := meta.Path{"spec", "activate"}
	if len(patterns) == 0 {
		f.addf(list, "there is nothing to activate")
	}
	for i, v := range patterns {
		pattern, ok := v.itemText()
		at := fault{path: below(list, i)}
		switch {
		case !ok:
		case pattern == "":
			f.add(at, "there is no name of a ManagedResourceDefinition")
		case isBadPattern(pattern):
			f.add(at, "%s is not a pattern: a bracket or an escape is not complete", quote(pattern))
		case isEverything(pattern):
			at.severity = linter.Info
			f.add(at, "%s activates every ManagedResourceDefinition in the cluster", quote(pattern))
		case !strings.ContainsAny(pattern, "*?[.\\"):
			at.severity = linter.Warning
			f.add(at, "%s matches nothing, as every name is made of a plural and a group with a dot between them", quote(pattern))
		}
	}
	f.done()
}

// isEverything reports whether a pattern matches whatever a definition is called.
func isEverything(pattern string) bool {
	for _, name := range []string{"a.b", "buckets.s3.example.org"} {
		if ok, err := path.Match(pattern, name); err != nil || !ok {
			return false
		}
	}
	return true
}

func isBadPattern(s string) bool {
	_, err := path.Match(s, "")
	return err != nil
}
