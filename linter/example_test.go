package linter_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

const stream = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
spec:
  dependsOn:
  - provider: example.org/provider-demo
    version: ">= v"
---
apiVersion: example.org/v1
kind: ExampleClaim
metadata:
  name: demo
`

// Reading and linting find different faults; a tool shows both in one list.
func Example() {
	r, err := linter.Text(context.Background(), "package.yaml", []byte(stream), &linter.Options{Rules: rules.Suite(), Target: "v1.20", Profile: linter.Install})
	if err != nil {
		fmt.Println("could not lint:", err)
		return
	}
	for _, d := range r.Diagnostics {
		fmt.Println(d.Severity, d)
	}
	fmt.Println("worst:", linter.MaxSeverity(r.Diagnostics))
	// Output:
	// error package.yaml:8:14: constraint-syntax: ">= v" is not a version range (spec.dependsOn[0].version)
	// error package.yaml:10:1: object-not-allowed: example.org/v1 ExampleClaim "demo" is not allowed in a Configuration package (allowed: CompositeResourceDefinition, Composition)
	// worst: error
}

// A rule of one's own is a value. It is run beside the others, or alone.
func ExampleRule() {
	teamLabel := &linter.Rule{
		ID:       "team-label",
		Doc:      "Every object says which team owns it.",
		Severity: linter.Warning,
		Run: func(_ context.Context, p *linter.Pass) error {
			for d := range p.Package.Documents() {
				if !d.At("metadata", "labels", "team").Found {
					p.Reportf(linter.At(d, "metadata", "labels", "team"), "no team owns this object")
				}
			}
			return nil
		},
	}
	pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(stream), nil))
	found, err := linter.Run(context.Background(), pkg, &linter.Options{Rules: []*linter.Rule{teamLabel}})
	if err != nil {
		fmt.Println("could not lint:", err)
		return
	}
	for _, d := range found {
		fmt.Printf("%s %s: %s\n", d.Severity, d.Range, d.Object)
	}
	// Output:
	// warning package.yaml:3:1: meta.pkg.crossplane.io/v1 Configuration "demo"
	// warning package.yaml:12:1: example.org/v1 ExampleClaim "demo"
}

// A rule that fails, or even panics, does not hide what others find: it is a finding
// itself, and findings and error come back together.
func ExampleRun_failure() {
	broken := &linter.Rule{
		ID:       "broken",
		Severity: linter.Error,
		Run:      func(context.Context, *linter.Pass) error { panic("not my day") },
	}
	pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(stream), nil))
	found, err := linter.Run(context.Background(), pkg, &linter.Options{Rules: append(rules.Suite(), broken), Profile: linter.Install})
	for _, d := range found {
		fmt.Println(d.Rule)
	}
	fmt.Println(err)
	var failed *linter.RuleError
	if errors.As(err, &failed) {
		fmt.Println("failed:", failed.Rule)
	}
	// Output:
	// object-not-allowed
	// rule-failed
	// rule "broken": panicked: not my day
	// failed: broken
}

// A target that is no version of Crossplane is the caller's mistake.
func ExampleOptions_target() {
	_, err := linter.Run(context.Background(), nil, &linter.Options{Rules: rules.Suite(), Target: "newest"})
	fmt.Println(err)
	// Output:
	// target: "newest" is not a Crossplane version such as v1.20
}
