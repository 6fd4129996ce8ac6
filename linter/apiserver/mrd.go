package apiserver

import (
	"context"
	"maps"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/parser"
)

func mrdRefused() *linter.Rule {
	const head = `apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceDefinition
metadata:
  name: buckets.example.org
spec:
  group: example.org
  names: {kind: Bucket, plural: buckets}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
`
	return &linter.Rule{
		ID: "mrd-refused",
		Doc: "Crossplane makes a CustomResourceDefinition of an active ManagedResourceDefinition. Its versions are such that the " +
			"Kubernetes API server accepts them; they are judged by the API server's own code.",
		Bad:        head + "              size: {type: integer, default: small}\n",
		Good:       head + "              size: {type: integer, default: 1}\n",
		URL:        "https://docs.crossplane.io/latest/managed-resources/managed-resource-definitions/",
		Severity:   linter.Error,
		Supersedes: []string{"mrd-invalid", "mrd-wrong-type"},
		Run: func(ctx context.Context, p *linter.Pass) error {
			all, err := judgeEach(ctx, p, isManaged, judgeManaged)
			report(p, all)
			return err
		},
	}
}

func isManaged(d *parser.Document) bool {
	return d.Kind == "ManagedResourceDefinition" && d.APIVersion == "apiextensions.crossplane.io/v1alpha1"
}

// judgeManaged returns what the server has against the versions of the definition that is
// made of a managed resource definition. What is around them mrd-invalid looks at.
func judgeManaged(ctx context.Context, d *parser.Document) (*verdict, error) {
	raw, err := d.JSON()
	if err != nil {
		return nil, nil // a fault of reading, which has told of it
	}
	root, err := decode(raw)
	if err != nil {
		return nil, err
	}
	mrd, _ := root.(map[string]any)
	v := &verdict{doc: d, refused: misfitSchemas(mrd)}
	if len(v.refused) == 0 {
		m := making{forManaged(mrd), "names"}
		if v.refused, err = m.refused(ctx); err != nil {
			return nil, err
		}
	}
	v.refused = slices.DeleteFunc(once(v.refused), func(f finding) bool { return len(f.path) > 1 && f.path[1] != "versions" })
	if len(v.refused) == 0 {
		return nil, nil
	}
	return v, nil
}

// forManaged makes the definition of managed resources, which has the same fields.
func forManaged(mrd map[string]any) map[string]any {
	spec, _ := mrd["spec"].(map[string]any)
	spec = maps.Clone(spec)
	delete(spec, "state")
	delete(spec, "connectionDetails")
	return map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
		"metadata": map[string]any{"name": valueAt(mrd, "metadata", "name")}, "spec": spec,
	}
}
