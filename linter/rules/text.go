package rules

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoteLength is how many bytes of the input a message quotes at most.
const quoteLength = 80

// quote quotes a piece of the input for a message and cuts it when it is long.
func quote(s string) string { return strconv.Quote(clip(s)) }

// clip cuts a piece of the input when it is long.
func clip(s string) string {
	if len(s) <= quoteLength {
		return s
	}
	n := quoteLength
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// didYouMean is the end of a message that names something that comes near.
func didYouMean(near string) string {
	if near == "" {
		return ""
	}
	return " (did you mean " + quote(near) + "?)"
}

// sure is the near name if the one is surely it: if they differ in case and in the order
// of letters only. Of names that authors give, such as those of functions, another
// one may be as near and exist elsewhere, so that a fix would call the wrong one.
func sure(name, near string) string {
	if slices.Equal(letters(name), letters(near)) {
		return near
	}
	return ""
}

func letters(s string) []byte { return slices.Sorted(slices.Values([]byte(strings.ToLower(s)))) }
