// Command resolve tells which packages to install, in which order, at which versions,
// and if that cannot be, why not.
//
//	go run ./examples/resolve [flags] ROOT…
//
// A ROOT is SOURCE@RANGE, such as xpkg.upbound.io/upbound/provider-aws-s3@>=v1.0.0,
// where a digest is a range too; SOURCE for any version; or a package directory, which
// stands for what it depends on. The roots are all that is wanted. Without one, -lock
// FILE stands for the packages in it that no other one needs.
//
// Versions are looked up in -catalog FILE or, without it, in the packages' registries.
// -project-lock FILE keeps what was chosen: where the file is there, that is what is taken,
// by its digest, and a file that was made for other roots is an error; -upgrade writes it
// anew.
//
// A dependency on a kind is followed to the package that brings it where -catalog tells
// what packages provide; a registry cannot be asked that, and the plan has a warning
// instead. -skip-dependencies SOURCE takes a package as given: what it depends on is
// neither followed nor demanded; skipDependencyResolution in the lock means the same.
//
// Exit codes: 0 for a plan, 1 where some of the roots cannot be met, with the
// explanation on standard error and the plan for the others, 2 where nothing could
// be done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"

	"github.com/xpkg-go/sdk/dag"
	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
)

func main() { cli.Main(newProgram()) }

// settings are the program's own flags.
type settings struct {
	catalog, lock, projectLock, crossplane  string
	given                                   []meta.Source
	upgrade, noUpgrades, noDowngrades       bool
	stepwise, noPrereleases, outdated, need bool
}

const help = `A ROOT is SOURCE@RANGE, SOURCE or a package directory. Without one, -lock FILE
stands for the packages in it that no other one needs.

  resolve 'xpkg.crossplane.io/org/package@>=v1.0.0'   asks registries
  resolve -catalog catalog.yaml .                     asks a file, for a directory
  resolve -project-lock packages.lock .               the same choice for everybody
  resolve -lock lock.yaml -outdated                   what has newer versions
  resolve -o mermaid org/package > graph.mmd          to draw

The exit code is 0 for a plan, 1 where some of the roots cannot be met, with the reason and
the plan for the others, 2 when nothing could be done.`

func newProgram() *cli.Program {
	s := &settings{}
	return &cli.Program{
		Name:    "resolve",
		Summary: "tell which packages to install, in which order and at which versions, or why that cannot be",
		Args:    "ROOT…",
		Help:    help,
		Formats: []string{"text", "json", "dot", "mermaid"},
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&s.catalog, "catalog", "", "look versions up in the catalog `FILE` instead of registries")
			flags.StringVar(&s.lock, "lock", "", "what is installed: a Lock of Crossplane in `FILE`, YAML or JSON")
			flags.StringVar(&s.projectLock, "project-lock", "", "keep what was chosen in `FILE`, or take what it keeps")
			flags.StringVar(&s.crossplane, "crossplane", "", "the `version` of Crossplane to install into (default: any)")
			flags.BoolVar(&s.upgrade, "upgrade", false, "prefer the newest versions to those that are installed or locked")
			flags.BoolVar(&s.noUpgrades, "no-upgrades", false, "replace nothing that is installed by a newer version")
			flags.BoolVar(&s.noDowngrades, "no-downgrades", false, "replace nothing that is installed by an older version")
			flags.BoolVar(&s.stepwise, "stepwise", false, "upgrade over the newest release of each minor version between")
			flags.BoolVar(&s.noPrereleases, "no-prereleases", false, "take no pre-releases, also where a range allows them")
			flags.Func("skip-dependencies", "take the package `SOURCE` as given, with nothing that it depends on (may be repeated)", func(text string) error {
				source, err := meta.ParseSource(text)
				s.given = append(s.given, source)
				return err
			})
			flags.BoolVar(&s.outdated, "outdated", false, "tell which packages of -lock or -project-lock have newer versions")
			flags.BoolVar(&s.need, "closure", false, "list everything the roots need, with digests and images, whatever fails")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, s) },
	}
}

func (s *settings) check(env *cli.Env) error {
	drawn := env.Output == "dot" || env.Output == "mermaid"
	fault := ""
	switch {
	case s.outdated && s.need:
		fault = "-outdated and -closure are two questions"
	case s.outdated && s.lock == "" && s.projectLock == "":
		fault = "-outdated wants -lock or -project-lock"
	case (s.outdated || s.need) && drawn:
		fault = "-o " + env.Output + " draws plans only"
	case (s.outdated || s.need) && s.upgrade:
		fault = "-upgrade is for plans only"
	case len(env.Args) == 0 && s.lock == "":
		fault = "resolve wants a ROOT: SOURCE@RANGE, SOURCE or a package directory; flags come before it"
	default:
		return nil
	}
	return &cli.UsageError{Err: errors.New(fault)}
}

// A job is one call: the roots, whom to ask, and how.
type job struct {
	env     *cli.Env
	s       *settings
	roots   []meta.Dependency
	catalog dag.Catalog
	options dag.ResolveOptions
	unfit   []error // package directories that are not for the Crossplane that is given
	done    func()  // takes the progress bar away
}

func run(ctx context.Context, env *cli.Env, s *settings) (int, error) {
	if err := s.check(env); err != nil {
		return cli.Failed, err
	}
	j := &job{env: env, s: s, done: func() {}, options: dag.ResolveOptions{
		Upgrade: s.upgrade, NoUpgrades: s.noUpgrades, NoDowngrades: s.noDowngrades,
		Stepwise: s.stepwise, NoPrereleases: s.noPrereleases, SkipDependencies: s.given,
	}}
	if err := j.prepare(ctx); err != nil {
		return cli.Failed, err
	}
	defer func() { j.done() }()
	switch {
	case s.outdated:
		return j.outdated(ctx)
	case s.need:
		return j.closure(ctx)
	}
	return j.plan(ctx)
}

// prepare reads everything that the plan is made of.
func (j *job) prepare(ctx context.Context) error {
	if j.s.crossplane != "" {
		v, err := meta.ParseVersion(j.s.crossplane)
		if err == nil && !v.IsFull() {
			err = errors.New("want a whole version, such as v1.20.0")
		}
		if err != nil {
			return &cli.UsageError{Err: fmt.Errorf("-crossplane %s: %w", j.s.crossplane, err)}
		}
		j.options.Crossplane = v
	}
	if j.s.lock != "" {
		lock, err := readLock(ctx, j.s.lock)
		if err != nil {
			return err
		}
		j.options.Installed, j.options.ResourceVersion = dag.NodesOf(lock), lock.Metadata.ResourceVersion
	}
	index, err := j.openCatalog(ctx)
	if err != nil {
		return err
	}
	return j.takeRoots(ctx, index)
}

// plan resolves, and prints the plan.
func (j *job) plan(ctx context.Context) (int, error) {
	locked, err := j.takeProjectLock(ctx)
	if stale := (*dag.StaleProjectLockError)(nil); errors.As(err, &stale) {
		return cli.Findings, j.tell(&answer{Packages: []entry{}}, err)
	} else if err != nil {
		return cli.Failed, err
	}
	plan, err := dag.Resolve(ctx, j.roots, j.catalog, &j.options)
	j.done()
	err = errors.Join(append(j.unfit, err)...)
	if plan == nil || err != nil && len(plan.Packages) == 0 && !hasSolutionError(err) {
		return cli.Failed, err
	}
	if err != nil {
		return cli.Findings, j.tell(answerOf(plan), err)
	}
	if j.s.projectLock != "" && !locked {
		if err := writeProjectLock(j.s.projectLock, dag.NewProjectLock(j.roots, plan)); err != nil {
			return cli.Failed, err
		}
	}
	return cli.Fine, j.tell(answerOf(plan), nil)
}

// hasSolutionError says that the error is about the packages, and not about the job.
func hasSolutionError(err error) bool {
	return errors.As(err, new(*dag.NoSolutionError)) || errors.As(err, new(*unfitError))
}
