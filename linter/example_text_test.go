package linter_test

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
)

// An editor has a text that may be half written, and counts lines from 0 and columns in
// UTF-16.
func ExampleText() {
	text := []byte("apiVersion: meta.pkg.crossplane.io/v1\nkind: Provider\nmetadata:\n  name: \"😀\" \n  labels: {")
	r, err := linter.Text(context.Background(), "crossplane.yaml", text, &linter.Options{Rules: rules.Suite()})
	if err != nil {
		fmt.Println("could not lint:", err)
		return
	}
	for _, d := range r.Diagnostics {
		start, end := linter.UTF16(text, d.Range)
		fmt.Printf("%d:%d-%d:%d %s\n", start.Line, start.Character, end.Line, end.Character, d.Rule)
	}
	// Output:
	// 4:10-4:10 yaml-syntax
	// 0:0-0:0 metadata-missing
}

// A finding that has its reason is answered where it is; one that is answered in vain is
// found.
func ExampleCheck() {
	text := []byte(`apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
spec:
  dependsOn:
  - provider: example.org/provider-demo
    version: ">= v" # xpkg:ignore constraint-syntax the release writes the version
---
# xpkg:ignore object-not-allowed it is an example
apiVersion: apiextensions.crossplane.io/v1
kind: Composition
metadata:
  name: demo
`)
	rule := &linter.Rule{ID: "object-not-allowed", Severity: linter.Error, Run: func(context.Context, *linter.Pass) error { return nil }}
	r, err := linter.Text(context.Background(), "package.yaml", text, &linter.Options{Rules: []*linter.Rule{rule}})
	if err != nil {
		fmt.Println("could not lint:", err)
		return
	}
	for _, i := range r.Ignored {
		fmt.Println("ignored:", i.Rule, "since", i.Reason)
	}
	for _, d := range r.Diagnostics {
		fmt.Println(d)
	}
	// Output:
	// ignored: constraint-syntax since the release writes the version
	// package.yaml:10:1: ignore-unused: object-not-allowed finds nothing here that the comment ignores
}

// A configuration that cannot be read says where, and what was probably meant.
func ExampleParseConfig() {
	_, err := linter.ParseConfig(linter.ConfigFile, []byte("failOn: warning\nrules:\n  object-nmae: off\n  crd-name: sometimes\n"), rules.Suite())
	fmt.Println(err)
	// Output:
	// .xpkg-lint.yaml:3:3: unknown-field: "object-nmae" is not the name of a rule (did you mean "object-name"?) (rules["object-nmae"])
	// .xpkg-lint.yaml:4:13: wrong-type: "sometimes" is not off, info, warning or error (rules["crd-name"])
}

// What has a fix is mended in the author's bytes.
func ExampleApply() {
	text := []byte("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration # xpkg:ignore object-name long ago\nmetadata: {name: demo} # kept\n")
	rule := &linter.Rule{ID: "object-name", Severity: linter.Error, Run: func(context.Context, *linter.Pass) error { return nil }}
	r, err := linter.Text(context.Background(), "crossplane.yaml", text, &linter.Options{Rules: []*linter.Rule{rule}})
	if err != nil {
		fmt.Println("could not lint:", err)
		return
	}
	fixed, applied, err := linter.Apply(text, "crossplane.yaml", r.Diagnostics)
	if err != nil {
		fmt.Println("could not mend:", err)
		return
	}
	fmt.Println(len(applied), "mended")
	fmt.Print(string(fixed))
	// Output:
	// 1 mended
	// apiVersion: meta.pkg.crossplane.io/v1
	// kind: Configuration
	// metadata: {name: demo} # kept
}
