package linter_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
	"github.com/xpkg-go/sdk/parser"
)

// Without rules every package would be found clean, so that is an error.
func Example_noRules() {
	pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(stream), nil))
	_, err := linter.Run(context.Background(), pkg, nil)
	fmt.Println(errors.Is(err, linter.ErrNoRules))
	// Output: true
}

// A rule that panics is told apart from one that fails, and its stack is kept for
// whoever owns it.
func ExamplePanicError() {
	broken := &linter.Rule{
		ID:       "broken",
		Severity: linter.Error,
		Run:      func(context.Context, *linter.Pass) error { panic("not my day") },
	}
	pkg, _ := parser.Collect(parser.Bytes("package.yaml", []byte(stream), nil))
	_, err := linter.Run(context.Background(), pkg, &linter.Options{Rules: []*linter.Rule{broken}})
	var panicked *linter.PanicError
	if errors.As(err, &panicked) {
		fmt.Println(panicked.Value, len(panicked.Stack) > 0)
	}
	// Output: not my day true
}

// A fix for a text that has changed since is left out, and the text stays as it is.
func ExampleFixError() {
	ctx := context.Background()
	text := []byte("apiVersion: meta.pkg.crossplane.io/v1\nkind: Configuration\nmetadata:\n  name: demo\nspec:\n  crossplane:\n    version: v1.14\n")
	result, err := linter.Text(ctx, "crossplane.yaml", text, &linter.Options{Rules: rules.Suite()})
	if err != nil {
		fmt.Println("could not lint:", err)
		return
	}
	changed := []byte("# gone\n")
	fixed, applied, err := linter.Apply(changed, "crossplane.yaml", result.Diagnostics)
	var stale *linter.FixError
	if errors.As(err, &stale) {
		fmt.Println(stale.Finding.Rule, stale.Range)
	}
	fmt.Println(len(applied), string(fixed) == string(changed))
	// Output:
	// range-partial crossplane.yaml:7:14
	// 0 true
}
