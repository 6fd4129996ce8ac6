package linter

import (
	"strconv"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/internal/nearmiss"
)

// clipLength is how many bytes of the input a message quotes at most.
const clipLength = 80

// clip cuts a piece of the input for a message, so that one hostile name cannot
// make the report as long as the package.
func clip(s string) string { return clipTo(s, clipLength) }

func clipTo(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// quote quotes a piece of the input for a message.
func quote(s string) string { return strconv.Quote(clip(s)) }

// didYouMean returns a hint at the known name that a misspelled one is near to.
func didYouMean(name string, known []string) string {
	if near := nearmiss.Nearest(name, known); near != "" {
		return " (did you mean " + quote(near) + "?)"
	}
	return ""
}
