package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg/build"
)

// result is what build prints: with -o json as one object with these keys. File and
// digest are empty when no file was written.
type result struct {
	File        string           `json:"file,omitempty"`
	Digest      string           `json:"digest,omitempty"`
	Diagnostics []report.Finding `json:"diagnostics"`

	source   string
	found    []linter.Diagnostic
	headless bool // there is no metadata object
}

// leftOut tells what is left out because its author wants it; lint tells the rest.
func (r *result) leftOut(events []parser.Event, examples bool) {
	for _, e := range events {
		if e.Kind != parser.SkippedIgnored && (e.Kind != parser.SkippedExamples || !examples) {
			continue
		}
		start := parser.Position{Line: 1, Column: 1}
		r.found = append(r.found, linter.Diagnostic{
			Rule: string(e.Kind), Severity: linter.Info, Range: parser.Range{File: e.File, Start: start, End: start},
			Message: strings.TrimPrefix(e.String(), e.File+": "),
		})
	}
	linter.Sort(r.found)
}

// event tells what building comes by.
func (r *result) event(e build.Event) {
	switch e.Kind {
	case build.RunsAsRoot:
		user := "user " + cli.Printable(e.Name)
		if e.Name == "" {
			user = "no user"
		}
		r.found = append(r.found, linter.Diagnostic{
			Rule: string(e.Kind), Severity: linter.Warning,
			Message: "the runtime image names " + user + ", so its program runs as root, which a cluster may refuse",
		})
	case build.LeftOut:
		var faults parser.ErrorList
		errors.As(e.Err, &faults)
		for _, d := range linter.FromError(faults) {
			d.Severity = linter.Warning // they are no part of the package
			r.found = append(r.found, d)
		}
	}
}

// print writes the result.
func (r *result) print(env *cli.Env) error {
	if env.JSON() {
		r.Diagnostics = report.Findings(r.source, r.found)
		return env.Print(r)
	}
	if err := report.Text(env.Stdout, []report.Source{{Name: r.source, Findings: r.found}}, nil); err != nil {
		return err
	}
	if r.File == "" {
		hint := "; -force writes it all the same"
		if r.headless {
			hint = ", nor with -force: a package needs its metadata object"
		}
		_, err := fmt.Fprintln(env.Stderr, "build: nothing is written because of errors"+hint)
		return err
	}
	_, err := fmt.Fprintf(env.Stdout, "%s\n  digest  %s\n", cli.Printable(r.File), r.Digest)
	return err
}
