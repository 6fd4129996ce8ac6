package dag

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// printable is a text of a catalog, a lock or a package as prose may hold it: what
// is not printable, and could move a terminal's cursor or forge a line of an
// explanation, is written as in a Go string, such as \x1b.
func printable(s string) string {
	if utf8.ValidString(s) && !strings.ContainsFunc(s, unprintable) {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 || unprintable(r) {
			quoted := strconv.Quote(s[:n])
			b.WriteString(quoted[1 : len(quoted)-1])
		} else {
			b.WriteString(s[:n])
		}
		s = s[n:]
	}
	return b.String()
}

func unprintable(r rune) bool { return !unicode.IsPrint(r) }

// causeText is an error of somebody else, such as a catalog, on one line. Errors that
// were joined are told one behind the other.
func causeText(err error) string {
	if err == nil {
		return "for an unknown reason"
	}
	var parts []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = strings.TrimSpace(line); line != "" {
			parts = append(parts, printable(line))
		}
	}
	return strings.Join(parts, "; ")
}

// sourceText is how prose names a package. One without a name would say nothing, and
// one that was decoded from metadata may be any text.
func sourceText(s meta.Source) string {
	if s.IsZero() {
		return "a package without a name"
	}
	return printable(s.String())
}
