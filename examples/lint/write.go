package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/xpkg-go/sdk/examples/internal/cli"
	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/linter/report"
)

// write writes the findings in the format of -o.
func write(env *cli.Env, rules []*linter.Rule, all []judged) error {
	sources := make([]report.Source, 0, len(all))
	failOn := linter.Error
	for i, j := range all {
		sources = append(sources, j.Source)
		if i == 0 || j.failOn < failOn {
			failOn = j.failOn
		}
	}
	rules = append(rules, linter.Builtin()...)
	switch env.Output {
	case "json":
		return report.JSON(env.Stdout, sources)
	case "sarif":
		return report.SARIF(env.Stdout, sources, &report.SARIFOptions{Rules: rules, Tool: "xpkg-lint"})
	case "github":
		return report.GitHub(env.Stdout, sources)
	case "junit":
		return report.JUnit(env.Stdout, sources, &report.JUnitOptions{Rules: rules, FailOn: failOn})
	}
	if err := report.Text(env.Stdout, sources, look(env.Stdout, os.Getenv)); err != nil {
		return err
	}
	_, err := fmt.Fprintln(env.Stderr, summary(sources))
	return err
}

// look says how text looks: plain lines where nobody looks.
func look(w io.Writer, getenv func(string) string) *report.TextOptions {
	if !cli.IsTerminal(w) {
		return nil
	}
	return onTerminal(getenv)
}

// onTerminal adds the lines of the findings and, where nobody minds, colours.
func onTerminal(getenv func(string) string) *report.TextOptions {
	return &report.TextOptions{Excerpt: true, Color: cli.Colours(getenv)}
}

// summary counts the findings: "2 errors, 1 warning in 3 packages".
func summary(sources []report.Source) string {
	counts := map[linter.Severity]int{}
	ignored := 0
	for _, s := range sources {
		for _, d := range s.Findings {
			counts[d.Severity]++
		}
		ignored += len(s.Ignored)
	}
	var parts []string
	for s := linter.Error; s >= linter.Info; s-- {
		if n := counts[s]; n > 0 {
			parts = append(parts, cli.Count(n, s.String()))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "no findings")
	}
	if ignored > 0 {
		parts = append(parts, fmt.Sprintf("%d ignored", ignored))
	}
	return strings.Join(parts, ", ") + " in " + cli.Count(len(sources), "package")
}
