package rules_test

import (
	"context"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

const policy = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: demo
---
apiVersion: apiextensions.crossplane.io/v1alpha1
kind: ManagedResourceActivationPolicy
metadata:
  name: demo
`

// Which objects a package may hold depends on the release of Crossplane.
func ExampleSuite() {
	pkg, err := parser.Collect(parser.Bytes("package.yaml", []byte(policy), nil))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, target := range []string{"v2.0", "v1.20"} {
		found, err := linter.Run(context.Background(), pkg, &linter.Options{Rules: rules.Suite(), Target: target, Profile: linter.Install})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(target, found)
	}
	// Output:
	// v2.0 []
	// v1.20 [package.yaml:6:1: object-not-allowed: apiextensions.crossplane.io/v1alpha1 ManagedResourceActivationPolicy "demo" is not allowed in a Configuration package of Crossplane v1.20 (allowed from v2.0 on)]
}

// A caller's policy: one rule is left out, another counts for less.
func ExampleSuite_policy() {
	suite := slices.DeleteFunc(rules.Suite(), func(r *linter.Rule) bool { return r.ID == "crd-v1beta1" })
	for _, r := range suite {
		if r.ID == "metadata-name" {
			r.Severity = linter.Warning
		}
	}
	pkg, _ := parser.Collect(parser.Bytes("crossplane.yaml", []byte("apiVersion: meta.pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: My_Function}\n"), nil))
	found, _ := linter.Run(context.Background(), pkg, &linter.Options{Rules: suite, Profile: linter.Install})
	for _, d := range found {
		fmt.Println(d.Severity, d.Range, d.Rule)
	}
	// Output:
	// warning crossplane.yaml:3:18 metadata-name
}
