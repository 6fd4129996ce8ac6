// Command run holds a program that reads Crossplane packages to the conformance suite:
// it calls the program for each case and compares its answers with the verdicts.
//
//	go run ./conformance/run [flags] COMMAND [ARGUMENT…]
//	go run ./conformance/run -write DIR
//
// In COMMAND and ARGUMENTs {job} is replaced by the name of the job; where it is nowhere,
// the job is the argument after them. The README beside says what a program has to print.
//
// The exit code is 0 when every case passes, 1 when one fails, 2 when the suite could not
// be run.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"go.yaml.in/yaml/v3"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// defaultTimeout is for one call of the program, of inputs of 200 MB among others.
const defaultTimeout = time.Minute

// options are what the flags say.
type options struct {
	cases, classes, jobs, write string
	only                        string
	parallel                    int
	timeout                     time.Duration
	verbose                     bool
	command                     []string
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var o options
	flags := flag.NewFlagSet("run", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&o.cases, "cases", "conformance", "the `folder` of the suite, in a copy of the repository")
	flags.StringVar(&o.only, "run", "", "only cases whose name matches the `pattern`")
	flags.StringVar(&o.jobs, "jobs", "", "only cases of these `jobs`, such as inspect,lint")
	flags.StringVar(&o.classes, "classes", "", "what the program calls the classes: a YAML `file` of RULE: CLASS")
	flags.StringVar(&o.write, "write", "", "write the input and the verdict of every case below this `folder`, and run none")
	flags.IntVar(&o.parallel, "parallel", runtime.GOMAXPROCS(0), "run so `many` cases at once")
	flags.DurationVar(&o.timeout, "timeout", defaultTimeout, "a call of the program that takes longer fails")
	flags.BoolVar(&o.verbose, "v", false, "tell of every case")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return 0
	} else if err != nil {
		return 2
	}
	o.command = flags.Args()
	outcomes, err := o.all(ctx)
	if err != nil {
		fmt.Fprintf(stderr, "run: %v\n", err)
		return 2
	}
	if o.write != "" {
		return 0
	}
	return summary(stdout, outcomes, o.verbose)
}

// all runs the cases that are asked for, and returns their outcomes in order.
func (o *options) all(ctx context.Context) ([]*outcome, error) {
	if len(o.command) == 0 && o.write == "" {
		return nil, errors.New("the command of a program is expected, or -write; -h shows how")
	}
	cases, known, err := load(o.cases)
	if err != nil {
		return nil, err
	}
	if o.classes != "" {
		if err := readYAML(o.classes, &known.theirs); err != nil {
			return nil, err
		}
	}
	only, err := regexp.Compile(o.only)
	if err != nil {
		return nil, err
	}
	var chosen []*outcome
	for _, c := range cases {
		if !only.MatchString(c.ID) || o.jobs != "" && slices.ContainsFunc(c.Steps, func(s step) bool { return !slices.Contains(strings.Split(o.jobs, ","), s.Job) }) {
			continue
		}
		for _, as := range c.As {
			chosen = append(chosen, &outcome{c: c, as: as})
		}
	}
	if len(chosen) == 0 {
		return nil, errors.New("no case is asked for")
	}
	if o.write != "" {
		return nil, writeAll(o.write, chosen)
	}
	dir, err := os.MkdirTemp("", "conformance")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	r := &runner{program: &program{command: o.command, timeout: o.timeout}, classes: known, dir: dir}
	next := make(chan int)
	var workers sync.WaitGroup
	for range max(o.parallel, 1) {
		workers.Go(func() {
			for i := range next {
				chosen[i] = r.run(ctx, chosen[i].c, chosen[i].as)
			}
		})
	}
	for i := range chosen {
		next <- i
	}
	close(next)
	workers.Wait()
	return chosen, ctx.Err()
}

// writeAll writes inputs, for programs that run cases in their own way: a folder for each
// case, with case.yaml, which says what is done and what that must give.
func writeAll(dir string, chosen []*outcome) error {
	done := map[*testCase]bool{}
	for _, o := range chosen {
		if done[o.c] {
			continue
		}
		done[o.c] = true
		into := filepath.Join(dir, fileName(o.c.ID))
		l, err := o.c.write(into, "layout")
		if errors.Is(err, errCannot) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", o.c.ID, err)
		}
		told := struct {
			ID, Reason, Reference string
			As                    []string
			Steps                 []step
			Digests               map[string]string
		}{o.c.ID, o.c.Reason, o.c.Reference, o.c.As, o.c.Steps, nil}
		if l != nil {
			told.Digests = l.Digests
		}
		b, err := yaml.Marshal(told)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(into, "case.yaml"), b, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// summary prints what failed, and a table of the families.
func summary(w io.Writer, all []*outcome, verbose bool) int {
	type count struct{ pass, fail, skip int }
	families := map[string]*count{}
	code := 0
	for _, o := range all {
		n := families[o.c.family]
		if n == nil {
			n = &count{}
			families[o.c.family] = n
		}
		switch {
		case o.skipped != "":
			n.skip++
			fmt.Fprintf(w, "skip  %s: %s\n", o, firstLine(o.skipped))
		case len(o.wrong) > 0:
			n.fail++
			code = 1
			fmt.Fprintf(w, "FAIL  %s: %s\n", o, cmp.Or(o.c.Reason, "no reason"))
			for _, line := range o.wrong {
				fmt.Fprintf(w, "      %s\n", firstLine(line))
			}
		default:
			n.pass++
			if verbose {
				fmt.Fprintf(w, "pass  %s (%.1fs, %d MiB)\n", o, o.took.Seconds(), o.memory>>20)
			}
		}
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "FAMILY\tPASS\tFAIL\tSKIP\n")
	var sum count
	for _, name := range slices.Sorted(maps.Keys(families)) {
		n := families[name]
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\n", name, n.pass, n.fail, n.skip)
		sum.pass, sum.fail, sum.skip = sum.pass+n.pass, sum.fail+n.fail, sum.skip+n.skip
	}
	fmt.Fprintf(t, "all\t%d\t%d\t%d\n", sum.pass, sum.fail, sum.skip)
	if err := t.Flush(); err != nil {
		return 2
	}
	return code
}

// firstLine keeps a report readable, whatever a program printed.
func firstLine(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
	if len(s) > 700 {
		s = s[:700] + "…"
	}
	return s
}
