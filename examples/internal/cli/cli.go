// Package cli is what the example programs share at their edge: the common
// flags, the exit codes, and the shape of their output.
package cli

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Exit codes of every example program.
const (
	Fine     = 0 // the job is done and nothing is wrong
	Findings = 1 // the job is done and something is wrong with the input
	Failed   = 2 // the job could not be done
)

// Program is one example program.
type Program struct {
	Name    string
	Summary string // what it does, in a few words
	Args    string // what follows the flags, such as [SOURCE]
	// Help is what -h tells between the usage and the flags; empty tells nothing.
	Help string
	// Formats lists what -o may be; nil means text and json.
	Formats []string
	// Lines says that -o json is one object a line, and not one object.
	Lines bool
	// Fresh says that registries are asked for what they have now, unless flags say
	// otherwise: there is no cache, and -pull is Always.
	Fresh bool
	// Flags registers the program's own flags; nil means that it has none.
	Flags func(*flag.FlagSet)
	// Run does the job. It writes its result with Env.Print and returns an
	// exit code and, with Failed, the reason.
	Run func(context.Context, *Env) (int, error)
}

// Env is what a program runs in.
type Env struct {
	Args   []string // what follows the flags
	Stdin  io.Reader
	Stdout io.Writer
	Stderr io.Writer
	Common
}

// Common holds the flags that all programs have.
type Common struct {
	Output   string // text, json, and what else the program knows
	Platform string
	Timeout  time.Duration
	Cache    string
	Pull     string

	fresh bool // no cache unless one is named
}

// JSON reports whether standard output is to hold one JSON object.
func (c *Common) JSON() bool { return c.Output == "json" }

// Main runs the program on the process's arguments and ends the process. Ctrl-C, and the
// signal that timeout and canceled CI jobs send, end its context.
func Main(p *Program) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(p.Exec(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exec runs the program and returns its exit code. Why the job could not be done
// is told on stderr or, with -o json, as {"error": {"code", "message"}} on
// stdout.
func (p *Program) Exec(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	env := &Env{Stdin: stdin, Stdout: stdout, Stderr: stderr}
	flags := flag.NewFlagSet(p.Name, flag.ContinueOnError)
	flags.SetOutput(io.Discard) // Parse tells its errors twice otherwise
	flags.Usage = func() {}
	formats := p.Formats
	if formats == nil {
		formats = []string{"text", "json"}
	}
	env.register(flags, formats, p.Fresh)
	if p.Flags != nil {
		p.Flags(flags)
	}
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stderr, "%s: %s\n\nusage: %s [flags] %s\n", p.Name, p.Summary, p.Name, p.Args)
		if p.Help != "" {
			fmt.Fprintf(stderr, "\n%s\n\n", p.Help)
		}
		flags.SetOutput(stderr)
		flags.PrintDefaults()
		return Fine
	} else if err != nil {
		return p.fail(env, &UsageError{Err: err})
	}
	if !slices.Contains(formats, env.Output) {
		return p.fail(env, &UsageError{Err: fmt.Errorf("-o %s: want %s", env.Output, strings.Join(formats, " or "))})
	}
	if env.Timeout < 0 {
		return p.fail(env, &UsageError{Err: fmt.Errorf("-timeout %s: want a time that is not negative", env.Timeout)})
	}
	env.Args = flags.Args()
	if env.Timeout > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, env.Timeout)
		defer cancel()
	}
	code, err := p.Run(ctx, env)
	if err != nil {
		return p.fail(env, err)
	}
	return code
}

func (c *Common) register(flags *flag.FlagSet, formats []string, fresh bool) {
	cache, pull := "below the user's cache directory", "IfNotPresent"
	if c.fresh = fresh; fresh {
		cache, pull = "none", "Always"
	}
	flags.StringVar(&c.Output, "o", formats[0], "output `format`: "+strings.Join(formats, " or "))
	flags.StringVar(&c.Platform, "platform", "", "the `os/arch` to take from an index of several images (default linux/amd64)")
	flags.DurationVar(&c.Timeout, "timeout", 0, "give up after this long (default: never)")
	flags.StringVar(&c.Cache, "cache", "", "the `directory` that keeps what registries sent (default: "+cache+")")
	flags.StringVar(&c.Pull, "pull", pull, "the `policy` that says when to ask the registry: Always, IfNotPresent or Never")
}

// fail tells why the job could not be done. With -o json the reason is the one
// JSON object on standard output; for a person it is a line on standard error.
func (p *Program) fail(env *Env, err error) int {
	if env.JSON() {
		body := struct {
			Error *Fault `json:"error"`
		}{NewFault(err)}
		print := env.Print
		if p.Lines {
			print = env.PrintLine
		}
		if werr := print(body); werr == nil {
			return Failed
		}
	}
	fmt.Fprintf(env.Stderr, "%s: %v\n", p.Name, err)
	return Failed
}

// Print writes v as one indented JSON object.
func (e *Env) Print(v any) error {
	enc := json.NewEncoder(e.Stdout)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// PrintLine writes v as a JSON object on one line.
func (e *Env) PrintLine(v any) error {
	enc := json.NewEncoder(e.Stdout)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
