// Command report makes one HTML page of a Crossplane package, as a registry would show it:
// what the package says of itself, its readme, what it depends on, what is wrong with it,
// and the objects in it with the fields of every API that they define.
//
//	go run ./examples/report -out FILE [flags] SOURCE
//
// SOURCE is an image reference, a .xpkg file, an OCI layout directory, a package directory, a
// package.yaml, or - for a stream on standard input. With -catalog FILE the page shows what the
// dependencies come to, with all that these need.
//
// The page holds all that it needs: it loads nothing, runs no script but its own whatever the
// package says, and shows everything but fields and YAML without a script too. The same
// package gives the same bytes.
//
// The exit code is 0 when nothing is wrong, 1 when the package has a fault or its dependencies
// cannot be had, with the page all the same, 2 when there is no package to show.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/apiserver"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/linter/rules"
)

func main() { cli.Main(newProgram()) }

const help = `SOURCE is an image reference, a .xpkg file, an OCI layout directory, a package
directory, a package.yaml, or - for a stream on standard input.

  report -out page.html .                              a directory, before it is built
  report -out page.html xpkg.crossplane.io/org/pkg:v1.0.0
  report -out page.html -catalog catalog.yaml pkg.xpkg with all that it needs, drawn
  report -out page.html -profile install -target v1.20 pkg.xpkg
                                                       would Crossplane v1.20 install it?

In the page, #object=KIND/NAME&field=spec.region leads to a field.

The exit code is 0 when nothing is wrong, 1 when the package has a fault or its
dependencies cannot be had (the page is written all the same), 2 when there is no
package to show.`

// settings are the program's own flags.
type settings struct{ out, catalog, target, profile string }

func newProgram() *cli.Program {
	s := &settings{}
	return &cli.Program{
		Name:    "report",
		Summary: "make one HTML page of a package, as a registry would show it",
		Args:    "-out FILE SOURCE",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&s.out, "out", "", "write the page to `FILE`")
			flags.StringVar(&s.catalog, "catalog", "", "show what the dependencies come to, by the catalog `FILE`")
			cli.JudgeFlags(flags, &s.target, &s.profile)
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, s) },
	}
}

func run(ctx context.Context, env *cli.Env, s *settings) (int, error) {
	if s.out == "" {
		return cli.Failed, &cli.UsageError{Err: errors.New("report wants -out FILE, the page to write")}
	}
	if len(env.Args) != 1 {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("report takes one SOURCE, got %d; flags come before it", len(env.Args))}
	}
	judge := &linter.Options{Rules: append(rules.Suite(), apiserver.Rules()...), Target: s.target, Profile: linter.Profile(s.profile)}
	// A package without documents tells what is wrong with the options.
	if _, err := linter.Check(ctx, nil, nil, judge); err != nil {
		return cli.Failed, &cli.UsageError{Err: err}
	}
	p, facts, err := read(ctx, env)
	if err != nil {
		return cli.Failed, err
	}
	judge.Image = facts
	found, err := lint(ctx, p, judge)
	if err != nil {
		return cli.Failed, err
	}
	page := &page{metadata: newMetadata(p, facts)}
	if page.Objects, err = newObjects(ctx, p.Package); err != nil {
		return cli.Failed, err
	}
	page.Findings = newFindings(found, judge, page.Objects.byRef)
	if page.Dependencies, err = s.dependencies(ctx, env, p); err != nil {
		return cli.Failed, err
	}
	r := &result{
		File: s.out, Source: p.Source, Digest: p.Digest, Objects: page.Objects.Total,
		Diagnostics: report.Findings(p.Source, found.Diagnostics),
	}
	if p.Meta != nil {
		r.Kind, r.Name = string(p.Meta.Kind), p.Meta.Name
	}
	if err := cli.WriteFileFrom(s.out, func(w io.Writer) error {
		counted := &counter{w: w}
		err := page.write(counted)
		r.Bytes = counted.n
		return errors.Join(err, context.Cause(ctx))
	}); err != nil {
		return cli.Failed, err
	}
	if err := r.print(env); err != nil {
		return cli.Failed, err
	}
	if linter.MaxSeverity(found.Diagnostics) == linter.Error || page.Dependencies.Problem != "" {
		return cli.Findings, nil
	}
	return cli.Fine, nil
}

// read reads the package and what is known of its image.
func read(ctx context.Context, env *cli.Env) (*source.Package, *linter.Image, error) {
	client, o, err := env.Client()
	if err != nil {
		return nil, nil, err
	}
	done := env.Watch(client)
	defer done()
	p, err := source.Read(ctx, env.Args[0], client, o, env.Stdin)
	if err != nil {
		return nil, nil, err
	}
	facts, err := p.Facts(ctx)
	if err != nil && (facts == nil || ctx.Err() != nil) {
		return nil, nil, err
	}
	if err != nil {
		fmt.Fprintf(env.Stderr, "%s: not judged by its configuration: %v\n", env.Args[0], err)
	}
	return p, facts, nil
}

// lint judges the package as the program lint does.
func lint(ctx context.Context, p *source.Package, o *linter.Options) (*linter.Result, error) {
	if p.Kind == source.Directory {
		config, err := source.Config(p.Source, linter.ConfigFile, o.Rules)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		o.Config = config
	}
	return p.Lint(ctx, o)
}

// dependencies are those that the package declares and, with a catalog, what they come to.
func (s *settings) dependencies(ctx context.Context, env *cli.Env, p *source.Package) (*dependencies, error) {
	if s.catalog == "" {
		return declared(p.Meta), nil
	}
	catalog, warnings, err := source.OpenCatalog(ctx, s.catalog)
	if err != nil {
		return nil, err
	}
	for _, w := range warnings {
		fmt.Fprintf(env.Stderr, "warning: %s\n", w)
	}
	return resolve(ctx, p.Meta, catalog)
}
