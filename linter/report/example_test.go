package report_test

import (
	"context"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/linter/rules"
)

// An unfinished package, with the lines that are meant.
func ExampleText() {
	const text = `apiVersion: meta.pkg.crossplane.io/v1
kind: Configuration
metadata:
  name: platform
spec:
  dependsOn:
  - version: ">= v"
    provider: example.org/provider-demo
`
	o := &linter.Options{Rules: rules.Suite(), Profile: linter.Install}
	result, err := linter.Text(context.Background(), "crossplane.yaml", []byte(text), o)
	if err != nil {
		fmt.Println(err)
		return
	}
	source := report.Source{Name: "platform", Findings: result.Diagnostics, Line: report.Lines(result.Package)}
	if err := report.Text(os.Stdout, []report.Source{source}, &report.TextOptions{Excerpt: true}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// crossplane.yaml:7:14: constraint-syntax: ">= v" is not a version range (spec.dependsOn[0].version)
	//   7 |   - version: ">= v"
	//     |              ^^^^^^
}

// For the annotations of a workflow, with files named from the root of the repository.
func ExampleGitHub() {
	o := &linter.Options{Rules: rules.Suite(), Profile: linter.Install}
	text := []byte("kind: [\n")
	result, err := linter.Text(context.Background(), "crossplane.yaml", text, o)
	if err != nil {
		fmt.Println(err)
		return
	}
	source := report.Source{
		Name: "platform", Dir: "packages/platform",
		Findings: result.Diagnostics[:1], Line: report.LinesOf("crossplane.yaml", text),
	}
	if err := report.GitHub(os.Stdout, []report.Source{source}); err != nil {
		fmt.Println(err)
	}
	// Output:
	// ::error file=packages/platform/crossplane.yaml,line=1,col=7,endLine=1,endColumn=7,title=yaml-syntax::the sequence in brackets that begins here has no end: expected "," or "]"
}
