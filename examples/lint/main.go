// Command lint says what is wrong with Crossplane packages, all of it at once, each
// fault with its place, its rule and, where one is sure, the way to mend it.
//
//	go run ./examples/lint [flags] SOURCE…
//
// SOURCE is an image reference, a .xpkg file, an OCI layout directory, a package
// directory, a package.yaml, or - for a stream on standard input. Without one, it
// is the package directory that lint is started in.
//
// The exit code is 0 when nothing is wrong, 1 when a finding is as severe as
// -fail-on says, 2 when a package could not be judged.
package main

import (
	"context"
	"flag"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter"
)

func main() { cli.Main(newProgram()) }

// options are what the flags say.
type options struct {
	failOn, target, profile, config string
	fix                             bool
}

func (o *options) register(flags *flag.FlagSet) {
	flags.StringVar(&o.failOn, "fail-on", "", "end with exit code 1 from this `severity` on: error, warning or info (default error)")
	cli.JudgeFlags(flags, &o.target, &o.profile)
	flags.StringVar(&o.config, "config", "", "the settings to use (default: the `file` "+linter.ConfigFile+" of a package directory)")
	flags.BoolVar(&o.fix, "fix", false, "mend what can be mended, in package directories and package.yaml files")
}

const help = `SOURCE is an image reference, a .xpkg file, an OCI layout directory, a package
directory, a package.yaml, or - for a stream on standard input; without one, the
package directory that lint is started in.

  lint .                                        a directory, before it is built
  lint -profile install -target v1.20 pkg.xpkg  would Crossplane v1.20 install it?
  lint -fix -fail-on warning packages/*         mend what is sure, be strict about the rest
  lint -o sarif . > lint.sarif                  for code scanning
  lint -o github .                              for the annotations of a GitHub workflow

A finding is answered in the YAML, with a reason:

  # xpkg:ignore crd-not-served  kept for stored objects

or in the file .xpkg-lint.yaml of the package directory; flags rule over it:

  failOn: warning
  rules:
    crd-not-served: off
  paths:
  - match: [generated/]
    rules: {"*": info}

The exit code is 0 when nothing is wrong, 1 when a finding is as severe as -fail-on
says, 2 when a package could not be judged.`

func newProgram() *cli.Program {
	o := &options{}
	return &cli.Program{
		Name:    "lint",
		Summary: "say what is wrong with packages, and where",
		Args:    "[SOURCE…]",
		Help:    help,
		Formats: []string{"text", "json", "sarif", "github", "junit"},
		Flags:   o.register,
		Run:     func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, o) },
	}
}

func run(ctx context.Context, env *cli.Env, o *options) (int, error) {
	job, err := newJob(env, o)
	if err != nil {
		return cli.Failed, err
	}
	judged, err := job.all(ctx)
	if err != nil {
		return cli.Failed, err
	}
	if err := write(env, job.rules, judged); err != nil {
		return cli.Failed, err
	}
	for _, j := range judged {
		if linter.MaxSeverity(j.Findings) >= j.failOn {
			return cli.Findings, nil
		}
	}
	return cli.Fine, nil
}
