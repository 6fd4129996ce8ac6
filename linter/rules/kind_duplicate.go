package rules

import (
	"context"

	"github.com/xpkg-go/sdk/linter"
)

func kindDuplicate() *linter.Rule {
	return &linter.Rule{
		ID: "kind-duplicate",
		Doc: "A kind of a group is defined once. Of two definitions of one kind under different plural names, which are two " +
			"objects, the API server serves the first and never the second.",
		Bad: exampleCRD + goodCRDSpec + `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: pails.example.org
spec:
  group: example.org
  names:
    kind: Bucket
    plural: pails
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
`,
		Good: exampleCRD + goodCRDSpec + `---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: pails.example.org
spec:
  group: example.org
  names:
    kind: Pail
    plural: pails
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
`,
		URL:      crdURL,
		Severity: linter.Error,
		Run:      runKindDuplicate,
	}
}

func runKindDuplicate(ctx context.Context, p *linter.Pass) error {
	defs, err := definitions.Of(ctx, p)
	if err != nil {
		return err
	}
	type identity struct{ group, kind string }
	first := map[identity]*definition{}
	for _, def := range defs {
		group, _ := def.group()
		kind, _ := def.kind()
		plural, _ := def.plural()
		if group == "" || kind == "" || plural == "" {
			continue
		}
		other, ok := first[identity{group, kind}]
		if !ok {
			first[identity{group, kind}] = def
			continue
		}
		// One plural name is one object name: the rule object-duplicate.
		was, _ := other.plural()
		if was == plural {
			continue
		}
		at := linter.At(def.doc, "spec", "names", "kind")
		at.Related = []linter.Related{{Range: other.doc.Range, Message: "the first is here"}}
		p.Reportf(at, "kind %s of %s is defined twice, here as %s and at %s as %s",
			quote(kind), quote(group), quote(plural), other.doc.Range, quote(was))
	}
	return nil
}
