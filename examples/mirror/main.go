// Command mirror copies packages, with everything that they need and that belongs to
// them, to another registry, or over a gap by way of a file or directory.
//
//	go run ./examples/mirror [flags] -to REGISTRY/PREFIX ROOT…
//	go run ./examples/mirror [flags] -out FILE ROOT…       # here
//	go run ./examples/mirror [flags] -from FILE -to REGISTRY/PREFIX   # there
//
// A ROOT is SOURCE@RANGE, SOURCE:TAG, SOURCE for any version, or a package directory, which
// stands for what it depends on. What the roots need is found as resolve finds it, and the
// images that the packages name, such as those of their controllers, come too. -only copies what the
// references name and nothing that they need.
//
// Digests stay what they are, indexes come with all platforms, and signatures, attestations and
// bills of materials come along. What is there already is not copied again: a run that
// was interrupted goes on where it was. A package stands under its name only when all of it is there.
//
// -lock FILE keeps what was copied, by the names that were declared and those in the
// mirror; -image-configs FILE is what tells Crossplane to pull from there.
//
// Exit codes: 0 when everything is in the mirror, 1 when something is not, which is told
// on standard error while the rest is there, 2 where nothing could be done.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"sync"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
	"github.com/xpkg-go/sdk/xpkg/mirror"
)

func main() { cli.Main(newProgram()) }

// settings are the program's own flags.
type settings struct {
	to, out, dir, from, lock, imageConfigs string
	only                                   bool
	parallel                               int
}

const help = `A ROOT is SOURCE@RANGE, SOURCE:TAG, SOURCE or a package directory.

  mirror -to mirror.example.org/crossplane org/package@v1.0.0
  mirror -out packages.tar org/package@v1.0.0                    over a gap: here,
  mirror -from packages.tar -to mirror.example.org/crossplane    and there
  mirror -lock mirror.lock -image-configs configs.yaml -to mirror.example.org/crossplane .
                                                                 and what tells Crossplane

What is there already is not copied again, so that a run which was stopped goes on when it
is started once more.

The exit code is 0 when everything is in the mirror, 1 when something is not, while the rest
is there, 2 when nothing could be done.`

func newProgram() *cli.Program {
	s := &settings{}
	return &cli.Program{
		Name:    "mirror",
		Summary: "copy packages with everything that they need to another registry, a file or a directory",
		Args:    "[ROOT…]",
		Help:    help,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&s.to, "to", "", "copy below `REGISTRY/PREFIX`, where packages keep their complete names")
			flags.StringVar(&s.out, "out", "", "copy into `FILE`, an OCI layout as a tar; what it holds stays")
			flags.StringVar(&s.dir, "dir", "", "copy into `DIR`, an OCI layout; what it holds stays")
			flags.StringVar(&s.from, "from", "", "copy from `FILE`, what -out or -dir has made, instead of registries; without a ROOT, all of it")
			flags.StringVar(&s.lock, "lock", "", "write what is in the mirror, by its declared and its mirrored names, to `FILE`")
			flags.StringVar(&s.imageConfigs, "image-configs", "", "write the ImageConfigs that make Crossplane pull from the mirror to `FILE`")
			flags.BoolVar(&s.only, "only", false, "copy what the references name, and nothing that it needs")
			flags.IntVar(&s.parallel, "parallel", mirror.DefaultParallel, "how many requests are under way at once")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, s) },
	}
}

func (s *settings) check(env *cli.Env) error {
	targets := 0
	for _, t := range []string{s.to, s.out, s.dir} {
		if t != "" {
			targets++
		}
	}
	fault := ""
	switch {
	case targets != 1:
		fault = "mirror wants one of -to, -out and -dir"
	case len(env.Args) == 0 && s.from == "":
		fault = "mirror wants a ROOT: SOURCE@RANGE, SOURCE:TAG, SOURCE or a package directory; flags come before it"
	case s.imageConfigs != "" && s.to == "":
		fault = "-image-configs is for -to: in a file packages keep their names"
	case s.parallel < 1:
		fault = fmt.Sprintf("-parallel %d: want a number above 0", s.parallel)
	default:
		return nil
	}
	return &cli.UsageError{Err: errors.New(fault)}
}

// job is one call.
type job struct {
	env    *cli.Env
	s      *settings
	client *xpkg.Client
	bar    *cli.Progress
	faults []error // that did not end it

	mu sync.Mutex // of standard error
}

func run(ctx context.Context, env *cli.Env, s *settings) (int, error) {
	if err := s.check(env); err != nil {
		return cli.Failed, err
	}
	client, _, err := env.Client()
	if err != nil {
		return cli.Failed, err
	}
	j := &job{env: env, s: s, client: client, bar: env.Progress()}
	defer j.bar.Done()
	tell := client.Event
	client.Event = func(e xpkg.Event) {
		if e.Kind == xpkg.Downloading {
			j.bar.Show(e.Name, e.Bytes, e.Total)
			return
		}
		tell(e)
	}
	from, refs, err := j.wanted(ctx)
	if err != nil {
		return cli.Failed, err
	}
	result, err := mirror.Copy(ctx, refs, from, j.target(refs), &mirror.Options{Parallel: s.parallel, Event: j.event})
	j.bar.Done()
	if result == nil {
		return cli.Failed, err
	}
	if err != nil {
		j.faults = append(j.faults, err)
	}
	fault := errors.Join(j.faults...)
	if ctx.Err() != nil || fault != nil && len(result.Lock.Entries) == 0 {
		return cli.Failed, fault // the lock of an earlier run stays
	}
	if err := j.write(result.Lock); err != nil {
		return cli.Failed, err
	}
	code := cli.Fine
	if fault != nil {
		code = cli.Findings
	}
	return code, j.tell(result, fault)
}

// target is where the packages go.
func (j *job) target(refs []meta.Reference) *mirror.Target {
	switch {
	case j.s.out != "":
		return mirror.ToFile(j.s.out)
	case j.s.dir != "":
		return mirror.ToDirectory(j.s.dir)
	}
	return mirror.ToRegistries(j.client, mirror.Below(j.s.to, refs...))
}

// event shows how far it is, and what is passed over.
func (j *job) event(e mirror.Event) {
	switch e.Kind {
	case mirror.Copying:
		j.bar.Show(e.Name, e.Bytes, e.Total)
	case mirror.Waiting:
		j.mu.Lock()
		defer j.mu.Unlock()
		fmt.Fprintf(j.env.Stderr, "waiting for another copy into %s\n", cli.Printable(cmp.Or(j.s.out, j.s.dir)))
	case mirror.Dangling:
		j.mu.Lock()
		defer j.mu.Unlock()
		fmt.Fprintf(j.env.Stderr, "warning: %s: %s is listed as attached to it and is not there\n", cli.Printable(e.Ref), e.Name)
	}
}

// write writes the files that were asked for.
func (j *job) write(l *mirror.Lock) error {
	if j.s.lock != "" {
		if err := mirror.WriteLock(j.s.lock, l); err != nil {
			return err
		}
	}
	if j.s.imageConfigs == "" {
		return nil
	}
	text, err := imageConfigs(l)
	if err != nil {
		return err
	}
	return cli.WriteFile(j.s.imageConfigs, text)
}
