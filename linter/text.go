package linter

import "unicode/utf8"

// clipLength is how many bytes of the input a message quotes at most.
const clipLength = 80

// clip cuts a piece of the input for a message, so that one hostile name cannot
// make the report as long as the package.
func clip(s string) string {
	if len(s) <= clipLength {
		return s
	}
	n := clipLength
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}
