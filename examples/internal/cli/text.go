package cli

import (
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/linter/report"
)

// Count returns a number with its noun: "1 object", "2 objects".
func Count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// Line returns the first line of a text as a terminal may be shown it, with a
// mark when there are more.
func Line(text string) string {
	first, rest, _ := strings.Cut(strings.TrimSpace(text), "\n")
	first = Printable(strings.TrimSuffix(first, "\r"))
	if rest != "" {
		first += " …"
	}
	return first
}

// Printable returns a text in which nothing can move a terminal's cursor, change
// its colours or forge a line: what a package says of itself is not trusted.
func Printable(text string) string { return report.Printable(text) }
