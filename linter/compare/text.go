package compare

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// quoteLength is how many bytes of a package a message quotes at most, and
// maxNamed how many names or values it lists.
const (
	quoteLength = 80
	maxNamed    = 10
)

// shorten cuts a piece of a package for a message.
func shorten(s string) string {
	if len(s) <= quoteLength {
		return s
	}
	cut := s[:quoteLength]
	for len(cut) > 0 && !utf8.ValidString(cut[max(0, len(cut)-utf8.UTFMax):]) {
		cut = cut[:len(cut)-1]
	}
	return cut + "…"
}

func quote(s string) string { return strconv.Quote(shorten(s)) }

// plainName matches what API groups, versions, kinds, verbs and sources of packages are.
var plainName = regexp.MustCompile(`^[A-Za-z0-9*]([A-Za-z0-9*._/:@-]*[A-Za-z0-9*])?$`)

// plain writes what has to be a name: as it is if it is one, and quoted if not, so that what
// a stranger put there neither breaks the line of a message nor ends it.
func plain(s string) string {
	if plainName.MatchString(s) {
		return shorten(s)
	}
	return quote(s)
}

// show writes a value of a document.
func show(v any) string {
	if s, ok := v.(string); ok {
		return quote(s)
	}
	b, err := json.Marshal(v)
	if err != nil {
		return "a value"
	}
	return shorten(string(b))
}

// enumerate lists what a message names, the first of it where there is much.
func enumerate[T any](list []T, write func(T) string) string {
	var parts []string
	for i, v := range list {
		if i == maxNamed {
			parts = append(parts, fmt.Sprintf("and %d more", len(list)-maxNamed))
			break
		}
		parts = append(parts, write(v))
	}
	return strings.Join(parts, ", ")
}
