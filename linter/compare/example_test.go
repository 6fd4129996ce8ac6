package compare_test

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/compare"
	"github.com/xpkg-go/sdk/parser"
)

func ExamplePackages() {
	release := func(name, fields string) *parser.Package {
		p, err := parser.Collect(parser.Bytes(name, []byte(`apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-demo
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.org
spec:
  group: example.org
  scope: Cluster
  names: {kind: Bucket, plural: buckets}
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
`+fields), nil))
		if err != nil {
			fmt.Println(err)
		}
		return p
	}
	old := release("v1.yaml", "              region: {type: string}\n              size: {type: integer, maximum: 10}\n")
	new := release("v2.yaml", "              size: {type: integer, maximum: 5}\n              owner: {type: string}\n")
	changes, err := compare.Packages(context.Background(), old, new)
	if err != nil {
		fmt.Println(err)
	}
	for _, c := range changes {
		fmt.Println(c.Severity, c)
	}
	fmt.Println("breaks somebody:", compare.MaxSeverity(changes) == linter.Error)
	// Output:
	// error field-removed: example.org/v1 Bucket has no such field any more (spec.region), old v1.yaml:25:15, new v2.yaml:22:11
	// error bounds-narrowed: example.org/v1 Bucket: maximum changed from 10 to 5 (spec.size), old v1.yaml:26:37, new v2.yaml:25:37
	// breaks somebody: true
}
