// Command inspect shows what is in a Crossplane package and what is wrong with
// it.
//
//	go run ./examples/inspect [flags] [SOURCE]
//
// SOURCE is an image reference, a .xpkg file, an OCI layout directory, a package
// directory, a package.yaml, or - for a stream on standard input. Without one,
// inspect builds the sample package that is embedded in it, pushes it to an OCI
// registry that it starts on a loopback port, pulls it back through an index,
// and shows that.
//
// The exit code is 0 when nothing is wrong, 1 when the package has a fault, 2
// when there is no package to show.
package main

import (
	"context"
	"fmt"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/rules"
)

func main() { cli.Main(program) }

const help = `SOURCE is an image reference, a .xpkg file, an OCI layout directory, a package
directory, a package.yaml, or - for a stream on standard input. Without one, a sample
package makes the way from a registry that inspect starts, and is shown.

  inspect xpkg.crossplane.io/org/package:v1.0.0        what is in a registry
  inspect -o json package.xpkg                         for programs
  inspect -platform linux/arm64 org/package:v1.0.0     another image of an index
  inspect -pull Never xpkg.crossplane.io/org/package:v1.0.0
                                                       offline, from the cache

The exit code is 0 when nothing is wrong, 1 when the package has a fault, 2 when there is
no package to show.`

var program = &cli.Program{
	Name:    "inspect",
	Summary: "show what is in a package and what is wrong with it",
	Args:    "[SOURCE]",
	Help:    help,
	Run:     run,
}

func run(ctx context.Context, env *cli.Env) (int, error) {
	p, err := read(ctx, env)
	if err != nil {
		return cli.Failed, err
	}
	result, err := p.Lint(ctx, &linter.Options{Rules: rules.Suite()})
	if err != nil {
		return cli.Failed, err
	}
	found := result.Diagnostics
	r := newResult(p, found)
	if env.JSON() {
		err = env.Print(r)
	} else {
		err = r.text(env.Stdout)
	}
	if err != nil {
		return cli.Failed, err
	}
	if linter.MaxSeverity(found) == linter.Error {
		return cli.Findings, nil
	}
	return cli.Fine, nil
}

func read(ctx context.Context, env *cli.Env) (*source.Package, error) {
	switch len(env.Args) {
	case 0:
		return roundTrip(ctx, env)
	case 1:
		client, o, err := env.Client()
		if err != nil {
			return nil, err
		}
		return source.Read(ctx, env.Args[0], client, o, env.Stdin)
	}
	return nil, &cli.UsageError{Err: fmt.Errorf("inspect takes one SOURCE, got %d; flags come before it", len(env.Args))}
}
