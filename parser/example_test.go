package parser_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/xpkg-go/sdk/parser"
)

// A package stream, read document by document: nothing but the current one is
// in memory.
func ExampleStream() {
	stream := strings.NewReader(`apiVersion: meta.pkg.crossplane.io/v1
kind: Provider
metadata:
  name: provider-example
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: buckets.example.org
`)
	for doc, err := range parser.Stream(context.Background(), "package.yaml", stream, nil) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(doc.Range, doc.Kind, doc.Name)
	}
	// Output:
	// package.yaml:1:1 Provider provider-example
	// package.yaml:6:1 CustomResourceDefinition buckets.example.org
}

// A document that is broken does not end the sequence: every fault of a stream
// is told, and everything else is read.
func ExampleStream_faults() {
	stream := strings.NewReader("kind: Widget\n---\nspec:\n\tsize: 3\n---\napiVersion: v1\nkind: ConfigMap\n")
	for doc, err := range parser.Stream(context.Background(), "package.yaml", stream, nil) {
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(doc.Range, doc.Kind)
	}
	// Output:
	// package.yaml:1:1 Widget
	// package.yaml:1:1: missing-api-version: the object has no apiVersion (document 1)
	// package.yaml:4:1: yaml-syntax: a tab cannot be used for indentation; use spaces (document 2)
	// package.yaml:6:1 ConfigMap
}

// Collect returns the package and every fault of it, so that a tool can show
// both.
func ExampleCollect() {
	pkg, err := parser.Collect(parser.Bytes("crossplane.yaml", []byte(`apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: platform
spec:
  dependsOn:
  - provider: xpkg.example.org/example/provider-example
    version: ">= v"
`), nil))
	fmt.Println(pkg.Meta.Kind, pkg.Meta.Name)

	var faults parser.ErrorList
	if errors.As(err, &faults) {
		for _, f := range faults {
			fmt.Println(f.Range.Start.Line, f.Rule, f.Path)
		}
	}
	// Output:
	// Configuration platform
	// 8 constraint-syntax spec.dependsOn[0].version
}

// A directory without a metadata object is no package, and says so.
func ExampleDir() {
	dir, err := os.MkdirTemp("", "package")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	if err := os.WriteFile(dir+"/xrd.yaml", []byte("apiVersion: v1\nkind: ConfigMap\n"), 0o600); err != nil {
		fmt.Println(err)
		return
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer root.Close()

	pkg, err := parser.Collect(parser.Dir(context.Background(), root, nil))
	fmt.Println(len(pkg.Objects), pkg.Meta == nil)
	fmt.Println(err)
	// Output:
	// 1 true
	// metadata-missing: no crossplane.yaml (Configuration, Provider or Function in meta.pkg.crossplane.io) found; searched 1 document in 1 file
}

// At tells where a field stands, for a message or an editor.
func ExampleDocument_At() {
	text := []byte("apiVersion: v1\nkind: ConfigMap\ndata:\n  greeting: \"hello\"\n")
	for doc := range parser.Bytes("map.yaml", text, nil) {
		place := doc.At("data", "greeting")
		fmt.Println(place.Key, place.Value)

		missing := doc.At("data", "farewell")
		fmt.Println(missing.Found, missing.Key)
	}
	// Output:
	// map.yaml:4:3 map.yaml:4:13
	// false map.yaml:3:1
}

// Decode is strict: a field that is misspelled is an error with its place.
func ExampleDocument_Decode() {
	var v struct {
		APIVersion string            `json:"apiVersion"`
		Kind       string            `json:"kind"`
		Data       map[string]string `json:"data"`
	}
	for doc := range parser.Bytes("map.yaml", []byte("apiVersion: v1\nkind: ConfigMap\ndatta: {}\n"), nil) {
		fmt.Println(doc.Decode(&v))
		fmt.Println(doc.DecodeLax(&v), v.Kind)
	}
	// Output:
	// map.yaml:3:1: unknown-field: unknown field "datta" (datta)
	// <nil> ConfigMap
}

// Numbers keep their digits, and only what YAML 1.2 calls so is a boolean.
func ExampleDocument_JSON() {
	text := []byte("version: 1.10\nmaximum: 9007199254740993\nswitch: on\ndate: 2001-01-01\n")
	for doc := range parser.Bytes("", text, nil) {
		if doc == nil {
			continue // it has no kind
		}
		b, err := doc.JSON()
		fmt.Println(string(b), err)
	}
	// Output:
	// {"version":1.10,"maximum":9007199254740993,"switch":"on","date":"2001-01-01"} <nil>
}

// An Error is for programs too: a stable word, a place and, of metadata, a path.
func ExampleError() {
	text := "apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\nspec:\n  crossplane:\n    version: banana\n"
	_, err := parser.Collect(parser.Bytes("crossplane.yaml", []byte(text), nil))
	var fault *parser.Error
	if errors.As(err, &fault) {
		fmt.Println(fault.Rule == parser.RuleConstraint, fault.Path)
		fmt.Println(fault.Range.Start.Line, fault.Range.Start.Column)
	}
	// Output:
	// true spec.crossplane.version
	// 7 14
}
