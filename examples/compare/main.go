// Command compare says what a new release of a package breaks for who uses the old
// one.
//
//	go run ./examples/compare [flags] OLD NEW
//
// OLD and NEW are each an image reference, a .xpkg file, an OCI layout directory, a
// package directory, a package.yaml, or - for a stream on standard input.
//
// The exit code is 0 when nothing breaks, 1 when a change is as severe as -fail-on
// says, 2 when the packages could not be compared.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/examples/internal/source"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/compare"
	"github.com/xpkg-go/sdk/parser"
)

func main() { cli.Main(newProgram()) }

const help = `OLD and NEW are each an image reference, a .xpkg file, an OCI layout directory, a package
directory, a package.yaml, or - for a stream on standard input.

  compare org/package:v1.0.0 .                  a directory with the last release
  compare -fail-on warning old.xpkg new.xpkg    what may break is too much as well

What is an error breaks somebody for certain; a warning may; the rest is to know.

The exit code is 0 when nothing breaks, 1 when a change is as severe as -fail-on says,
2 when the packages could not be compared.`

func newProgram() *cli.Program {
	var failOn string
	return &cli.Program{
		Name:    "compare",
		Summary: "say what a new release of a package breaks for who uses the old one",
		Args:    "OLD NEW",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&failOn, "fail-on", "error", "end with exit code 1 from this `severity` on: error, warning or info")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, failOn) },
	}
}

func run(ctx context.Context, env *cli.Env, failOn string) (int, error) {
	if len(env.Args) != 2 {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("compare takes OLD and NEW, got %d; flags come before them", len(env.Args))}
	}
	if env.Args[0] == "-" && env.Args[1] == "-" {
		return cli.Failed, &cli.UsageError{Err: errors.New("OLD and NEW cannot both be standard input")}
	}
	limit, err := linter.ParseSeverity(failOn)
	if err != nil {
		return cli.Failed, &cli.UsageError{Err: fmt.Errorf("-fail-on: %w", err)}
	}
	old, err := read(ctx, env, "OLD", env.Args[0])
	if err != nil {
		return cli.Failed, err
	}
	new, err := read(ctx, env, "NEW", env.Args[1])
	if err != nil {
		return cli.Failed, err
	}
	changes, err := compare.Packages(ctx, old.Package, new.Package)
	if err != nil {
		return cli.Failed, err
	}
	r := newReport(old, new, changes)
	if env.JSON() {
		err = env.Print(r)
	} else {
		err = r.text(env.Stdout)
	}
	if err != nil {
		return cli.Failed, err
	}
	if compare.MaxSeverity(changes) >= limit {
		return cli.Findings, nil
	}
	return cli.Fine, nil
}

// read reads a package. What is wrong with it and leaves it readable is told on
// standard error; of one that has documents which cannot be read nobody could say
// what it has lost.
func read(ctx context.Context, env *cli.Env, which, name string) (*source.Package, error) {
	client, o, err := env.Client()
	if err != nil {
		return nil, err
	}
	p, err := source.Read(ctx, name, client, o, env.Stdin)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", which, err)
	}
	var unread parser.ErrorList
	for _, fault := range p.Faults {
		if slices.Contains(unreadable, fault.Rule) {
			unread = append(unread, fault)
		} else {
			fmt.Fprintf(env.Stderr, "%s: %s\n", which, cli.Line(fault.Error()))
		}
	}
	if len(unread) > 0 {
		return nil, fmt.Errorf("%s: %w", which, unread)
	}
	return p, nil
}

// unreadable are the faults that leave a part of a package unknown.
var unreadable = []string{parser.RuleSyntax, parser.RuleNotUTF8, parser.RuleLimit, parser.RuleUnreadable, parser.RuleMetadataMissing}
