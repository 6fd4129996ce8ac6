package rules

import (
	"strconv"
	"unicode/utf8"
)

// quoteLength is how many bytes of the input a message quotes at most.
const quoteLength = 80

// quote quotes a piece of the input for a message and cuts it when it is long.
func quote(s string) string {
	if len(s) <= quoteLength {
		return strconv.Quote(s)
	}
	n := quoteLength
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return strconv.Quote(s[:n] + "…")
}
