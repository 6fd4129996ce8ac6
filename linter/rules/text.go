package rules

import (
	"strconv"
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
