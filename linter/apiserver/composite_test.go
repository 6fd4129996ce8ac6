package apiserver_test

import (
	"strings"
	"testing"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

// TestCompositeSchemas holds the rule xrd-schema, which judges the schemas of composite
// resources without Kubernetes' own code, against that code: each schema of a field is an
// error for both or for none. Expressions in CEL are the server's alone.
func TestCompositeSchemas(t *testing.T) {
	const schemas = `{type: string}
{}
{type: int}
{type: [string]}
{type: array}
{type: array, items: {}}
{type: array, items: [{type: string}]}
{type: array, items: {type: string}, uniqueItems: true}
{type: object, properties: {a: {type: string}}, additionalProperties: false}
{type: object, properties: {a: {type: string}}, additionalProperties: true}
{type: object, properties: {a: {type: string}}, additionalProperties: {type: string}}
{type: object, additionalProperties: false}
{type: object, additionalProperties: {}}
{type: string, properties: {a: {type: string}}}
{type: string, items: {type: string}}
{type: object, required: [a]}
{type: string, required: [1]}
{type: string, minLength: -1}
{type: string, minLength: 1.5}
{type: string, minLength: 2, maxLength: 1}
{type: string, pattern: "["}
{type: string, pattern: 1}
{type: string, nullable: "true"}
{type: string, $ref: a}
{type: string, id: a}
{type: object, definitions: {a: {type: string}}}
{type: object, definitions: {}}
{type: object, dependencies: {a: [b]}}
{type: object, patternProperties: {a: {type: string}}}
{type: string, deprecated: true}
{type: string, enum: []}
{type: string, enum: [1]}
{type: string, enum: [a], default: b}
{type: string, default: 1}
{type: string, default: null}
{type: integer, default: 1.0}
{type: integer, default: 1.5}
{type: integer, minimum: 5, default: 1}
{type: number, maximum: 5, default: 6}
{type: string, maxLength: 2, default: abc}
{type: string, pattern: ^a$, default: b}
{type: array, items: {type: integer}, default: [a]}
{type: array, items: {type: integer}, minItems: 1, default: []}
{type: object, required: [a], properties: {a: {type: string}}, default: {}}
{type: object, required: [a], properties: {a: {type: string, default: b}}, default: {}}
{type: object, additionalProperties: {type: string}, default: {a: 1}}
{type: object, properties: {a: {type: boolean}}, default: {a: b}}
{x-kubernetes-int-or-string: true, default: 1}
{x-kubernetes-int-or-string: true, type: string}
{x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}
{x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: true}
{x-kubernetes-preserve-unknown-fields: true}
{x-kubernetes-preserve-unknown-fields: false, type: object}
{type: object, x-kubernetes-embedded-resource: true}
{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
{type: string, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
{type: array, items: {type: string}, x-kubernetes-list-type: set}
{type: array, items: {type: string}, x-kubernetes-list-type: Set}
{type: string, x-kubernetes-list-type: atomic}
{type: string, x-kubernetes-map-type: atomic}
{type: object, x-kubernetes-map-type: granular}
{type: array, items: {type: string}, x-kubernetes-list-map-keys: [a]}
{type: array, items: {type: object, properties: {a: {type: string}}, required: [a]}, x-kubernetes-list-type: map}
{type: array, items: {type: object, properties: {a: {type: string}}, required: [a]}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]}
{type: array, items: {type: object, properties: {a: {type: string}}}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a]}
{type: array, items: {type: object, properties: {a: {type: string}}, required: [a]}, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [b]}
{type: object, x-kubernetes-validations: [{message: a}]}
{type: object, x-kubernetes-validations: [{rule: "true"}]}
{type: string, oneOf: [{type: string}]}
{type: string, not: {default: a}}
{type: string, anyOf: [{pattern: a}, {enum: [b]}]}
{type: object, properties: {a: {type: string}}, oneOf: [{required: [a]}, {properties: {a: {enum: [b]}}}]}`
	const definition = `apiVersion: apiextensions.k8s.io/v1
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
            type: object
            properties:
              field: `
	composite := strings.NewReplacer("apiextensions.k8s.io/v1", "apiextensions.crossplane.io/v1",
		"CustomResourceDefinition", "CompositeResourceDefinition", "storage", "referenceable", "  scope: Cluster\n", "").Replace(definition)
	for schema := range strings.SplitSeq(schemas, "\n") {
		server := errorsOf(t, definition+schema+"\n", apiserver.Rules(), "crd-refused")
		own := errorsOf(t, composite+schema+"\n", rules.Suite(), "xrd-schema")
		if (len(server) > 0) != (len(own) > 0) {
			t.Errorf("%s\nthe server: %v\nxrd-schema: %v", schema, server, own)
		}
	}
}

// errorsOf returns the findings of one rule that are errors.
func errorsOf(t *testing.T, stream string, list []*linter.Rule, rule string) []linter.Diagnostic {
	t.Helper()
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(stream), nil))
	if pkg == nil {
		t.Fatal(err)
	}
	found, err := linter.Run(t.Context(), pkg, &linter.Options{Rules: list})
	if err != nil {
		t.Fatal(err)
	}
	var out []linter.Diagnostic
	for _, d := range found {
		if d.Rule == rule && d.Severity == linter.Error {
			out = append(out, d)
		}
	}
	return out
}
