// Command index reads thousands of packages from registries and tells what each of them is:
// one line of JSON for each reference.
//
//	go run ./examples/index [flags] REF…
//	go run ./examples/index -f references.txt -out index.jsonl   # - is standard input
//	go run ./examples/index -catalog catalog.yaml -out index.jsonl
//	go run ./examples/index -registry localhost:5000 -out index.jsonl
//
// A line has `reference` as it was given, `digest` of what that names, `platforms` with their
// digests, `image` (the digest of the manifest that was read), `platform`, `method`, `apiVersion`,
// `kind`, `name`, `version` (the tag), `annotations`, `crossplane`, `capabilities`, `dependsOn`,
// `provides` (kinds, compositions, functions that are called, images that are run), `findings` by
// severity, `signatures` and `referrers` of the digest: what the registry lists, and what cosign keeps
// under the tags sha256-….sig, .att and .sbom. None of it is verified, and what belongs to one platform's
// image is told where that is indexed by its own digest. A reference that cannot be read has `reference`,
// `error` {code, message} and, when it is known, `digest`.
//
// With -out FILE lines are appended as they are done, whole. A run that was ended, by whatever,
// goes on when it is started again with the same FILE: what follows the last whole line is cut
// off, lines with an error are asked for again, and of every other line the registry is asked
// whether its tag still names the digest. If so, the line stays, with the signatures and referrers
// of today, and nothing is downloaded. That is the same for a run next month, and for the lines of
// another index, -previous FILE. A reference with a digest is not asked for, and an image that is
// no package not again, as long as its digest is the same. When all is done FILE has one line for
// each reference in their order, behind those of other references that it had before, without the
// failed ones among these. It is then what a run without FILE would tell: a line whose registry is
// out of reach today has an error. Who wants to keep yesterday's writes another FILE with -previous.
// At most one process writes a FILE.
//
// A host that stalls holds up its own references only: each has its time, and after ten in a row
// that were not done in theirs the rest of the host is not asked for and says so. Of a registry's
// catalog, repositories that it lists and does not have any more are passed over, and tags under
// which something is kept that belongs to a package, sha256-….
//
// -shard i/n, from 0, takes one part of n of the references: which one is decided by the reference
// alone. No part knows of another, and together they are the whole: job.yaml here is a Kubernetes
// Job of that.
//
// Memory is bounded by the concurrency and not by the size of what is listed: of packages with more
// than a MiB of text one is held at a time, and the others wait as files in the directory for
// temporary files.
//
// Exit codes: 0 when each reference has a package, 1 when the line of some has an error, 2 when the
// job could not be done or was stopped.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"time"

	"github.com/xpkg-go/sdk/examples/internal/cli"
)

func main() { cli.Main(newProgram()) }

const help = `A list names one reference a line; # begins a comment. A run that was ended goes on when
it is started again with the same -out FILE, and a later one downloads only what has
changed.

  index org/package:v1.0.0                            one line, on standard output
  index -f references.txt -out index.jsonl            goes on where it stopped
  index -registry localhost:5000 -out index.jsonl     all that a registry has
  index -shard 0/7 -f references.txt -out 0.jsonl     a seventh; the others elsewhere

The exit code is 0 when each reference has a package, 1 when some could not be read: their
lines say why, 2 when the job could not be done or was stopped.`

// settings are the program's own flags.
type settings struct {
	list, catalog, registry string
	out, previous           string
	shard                   string
	concurrency, perHost    int
	limit                   time.Duration
}

func newProgram() *cli.Program {
	s := &settings{}
	return &cli.Program{
		Name:    "index",
		Summary: "tell what packages are, thousands of them, one JSON object a line",
		Args:    "[REF…]",
		Help:    help,
		Formats: []string{"json"},
		Lines:   true,
		Fresh:   true,
		Flags: func(flags *flag.FlagSet) {
			flags.StringVar(&s.list, "f", "", "read references from `FILE`, one a line; - is standard input")
			flags.StringVar(&s.catalog, "catalog", "", "take every version of every package in `FILE`, a catalog")
			flags.StringVar(&s.registry, "registry", "", "take every tag of every repository of the registry at `HOST`")
			flags.StringVar(&s.out, "out", "", "append to `FILE` and go on from what it has (default: standard output)")
			flags.StringVar(&s.previous, "previous", "", "take over from `FILE`, an index, what has not changed since")
			flags.StringVar(&s.shard, "shard", "", "take the part `i/n` of the references, i from 0")
			flags.IntVar(&s.concurrency, "concurrency", 16, "how many references are read at once")
			flags.IntVar(&s.perHost, "per-host", 8, "how many of these from one host")
			flags.DurationVar(&s.limit, "reference-timeout", 10*time.Minute, "give up on one reference after this long")
		},
		Run: func(ctx context.Context, env *cli.Env) (int, error) { return run(ctx, env, s) },
	}
}

func (s *settings) check(env *cli.Env) error {
	fault := ""
	switch {
	case len(env.Args) == 0 && s.list == "" && s.catalog == "" && s.registry == "":
		fault = "index wants a REF, -f, -catalog or -registry; flags come before a REF"
	case s.concurrency < 1:
		fault = fmt.Sprintf("-concurrency %d: want a number above 0", s.concurrency)
	case s.perHost < 1:
		fault = fmt.Sprintf("-per-host %d: want a number above 0", s.perHost)
	case s.limit <= 0:
		fault = fmt.Sprintf("-reference-timeout %s: want a time above 0", s.limit)
	case env.Common.Pull == "Never":
		fault = "-pull Never: index asks registries"
	default:
		return nil
	}
	return &cli.UsageError{Err: errors.New(fault)}
}
