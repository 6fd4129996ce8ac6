package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/examples/internal/cli"
)

// table prints an answer for a person.
func (j *job) table(a *answer) error {
	var rows [][]string
	for _, list := range [][]entry{a.Packages, a.Removed, a.Blocked} {
		for _, e := range list {
			rows = append(rows, []string{e.Action, e.Source, e.change(), e.Kind, e.Reason})
		}
	}
	if len(rows) == 0 {
		if a.Error == nil && a.plan != nil {
			_, err := io.WriteString(j.env.Stdout, "nothing to do\n")
			return err
		}
		return nil
	}
	return j.rows([]string{"ACTION", "PACKAGE", "VERSION", "KIND", "REASON"}, rows)
}

// change is the version, and the way from the installed one.
func (e *entry) change() string {
	if e.Installed == "" || e.Installed == e.Version {
		return e.Version
	}
	steps := append([]string{e.Installed}, e.Via...)
	return strings.Join(append(steps, e.Version), " -> ")
}

// rows prints columns; the first one has the colour of its action.
func (j *job) rows(head []string, rows [][]string) error {
	widths := make([]int, len(head))
	all := append([][]string{head}, rows...)
	for _, row := range all {
		for i := range row {
			row[i] = cli.Printable(row[i])
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	coloured := cli.IsTerminal(j.env.Stdout) && cli.Colours(os.Getenv)
	var b strings.Builder
	for n, row := range all {
		var line strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
			if i == 0 && n > 0 && coloured {
				cell = colour(cell)
			}
			line.WriteString(cell + pad)
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
	_, err := io.WriteString(j.env.Stdout, b.String())
	return err
}

// colour is an action in its colour: green for what comes, red for what goes or
// cannot be, yellow for what changes.
func colour(action string) string {
	codes := map[string]int{"install": 32, "upgrade": 33, "downgrade": 33, "replace": 33, "remove": 31, "blocked": 31}
	if codes[action] == 0 {
		return action
	}
	return fmt.Sprintf("\x1b[%dm%s\x1b[0m", codes[action], action)
}

// printableLines is a text of several lines that does nothing to a terminal.
func printableLines(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = cli.Printable(l)
	}
	return strings.Join(lines, "\n")
}
