// Command build makes a .xpkg file of a package directory.
//
//	go run ./examples/build [flags] [DIR]
//
// DIR has a crossplane.yaml and any number of YAML files below it; without one, it is
// the directory that build is started in. What is found wrong is printed as lint
// prints it, for the profile install, and the file is written when nothing of it is an
// error, or with -force.
//
// The same directory gives the same digest on any machine. SOURCE_DATE_EPOCH, where it
// is set, is when the image says that it was made.
//
// The exit code is 0 when the file is written and nothing is an error, 1 when
// something is, 2 when the file could not be written.
package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/xpkg/build"
)

func main() { cli.Main(newProgram()) }

// options are what the flags say.
type options struct {
	out, format, compression, examples, runtime string
	ignore                                      patterns
	force                                       bool
}

// patterns are those of a flag that may be given more than once.
type patterns []string

// String implements flag.Value.
func (p *patterns) String() string { return strings.Join(*p, ",") }

// Set implements flag.Value.
func (p *patterns) Set(text string) error {
	*p = append(*p, text)
	return nil
}

func (o *options) register(flags *flag.FlagSet) {
	flags.StringVar(&o.out, "out", "", "the `file` to write (default: NAME.xpkg beside the directory, with the name of the package)")
	flags.StringVar(&o.format, "format", string(build.OCI), "oci, which keeps annotations in every tool, or docker, which docker load reads")
	flags.StringVar(&o.compression, "compression", string(build.Gzip), "gzip, or zstd, which is smaller and which old tools do not read")
	flags.StringVar(&o.examples, "examples", "examples", "the `directory` of examples, below DIR or elsewhere; \"\" for none")
	flags.Var(&o.ignore, "ignore", "leave out what a `pattern` of .gitignore names, after those of .xpkgignore; may be given more than once")
	flags.StringVar(&o.runtime, "runtime", "", "the image of the program, as a `SOURCE`: a reference, a docker or OCI tar, or an OCI layout")
	flags.BoolVar(&o.force, "force", false, "write the file whatever is wrong")
}

const help = `DIR holds crossplane.yaml and any number of YAML files, which become package.yaml as
they are written, comments included; without DIR, it is the directory that build is
started in. Not in it are: files with other names, symbolic links, what .xpkgignore
and -ignore name, and the directory examples, which gets a layer of its own. Whatever is left
out is told.

  build .                                     NAME.xpkg beside the directory
  build -out demo.xpkg -ignore 'test/' pkg    without a directory of tests
  build -runtime ghcr.io/org/provider:v1 pkg  a provider with its program
  build -format docker pkg                    for docker load and older tools
  SOURCE_DATE_EPOCH=$(git log -1 --format=%ct) build .
                                              with the time of the last commit

The file is written when nothing is found that would keep Crossplane from installing
the package (lint -profile install), or with -force. It appears whole or not at all, and
the same directory gives the same digest. Push it with push, crane, skopeo or oras.

The exit code is 0 when the file is written and nothing is an error, 1 when something
is, 2 when the job could not be done.`

func newProgram() *cli.Program {
	o := &options{}
	return &cli.Program{
		Name:    "build",
		Summary: "make a .xpkg file of a package directory",
		Args:    "[DIR]",
		Help:    help,
		Flags:   o.register,
		Run:     func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, o) },
	}
}

func run(ctx context.Context, env *cli.Env, o *options) (int, error) {
	j, err := newJob(env, o)
	if err != nil {
		return cli.Failed, err
	}
	r, err := j.run(ctx)
	if err != nil {
		return cli.Failed, err
	}
	if err := r.print(env); err != nil {
		return cli.Failed, fmt.Errorf("the result cannot be told: %w", err)
	}
	if linter.MaxSeverity(r.found) >= linter.Error {
		return cli.Findings, nil
	}
	return cli.Fine, nil
}
