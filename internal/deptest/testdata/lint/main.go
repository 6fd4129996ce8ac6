// Command lint pulls a package and judges it with every rule; those of the API server are
// among them with the build tag apiserver.
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/xpkg"
)

func main() {
	if err := lint(context.Background(), os.Args[1], suite()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func lint(ctx context.Context, ref string, all []*linter.Rule) error {
	img, err := (&xpkg.Client{}).Image(ctx, ref, nil)
	if err != nil {
		return err
	}
	p, faults := img.Package(ctx)
	if p == nil {
		return faults
	}
	result, err := linter.Check(ctx, p, faults, &linter.Options{Rules: all})
	if err != nil {
		return err
	}
	return report.Text(os.Stdout, []report.Source{{Name: ref, Findings: result.Diagnostics}}, nil)
}
