package apiserver_test

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

func Example() {
	const stream = `apiVersion: meta.pkg.crossplane.io/v1
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
            type: objekt
`
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(stream), nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	found, err := linter.Run(context.Background(), pkg, &linter.Options{
		Rules:   append(rules.Suite(), apiserver.Rules()...),
		Profile: linter.Install,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, d := range found {
		fmt.Println(d.Severity, d)
	}
	// Output:
	// error package.yaml:23:19: crd-refused: unsupported value "objekt": supported values: "array", "boolean", "integer", "number", "object", "string" (spec.versions[0].schema.openAPIV3Schema.properties.spec.type)
}
