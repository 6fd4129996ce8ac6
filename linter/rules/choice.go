package rules

import (
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// reportChoice reports a text that is none of a few, or missing.
func reportChoice(f *findings, path meta.Path, v *value, what string, required bool, choices ...string) {
	if v.isAbsent() && !required { // as most are
		return
	}
	s, ok := v.asText()
	known := map[string]*shape{}
	for _, c := range choices {
		known[c] = nil
	}
	_, is := known[s]
	switch {
	case !ok || is:
	case v.isAbsent() && required:
		f.addf(path, "there is no %s (%s)", strings.TrimPrefix(what, "a "), orList(choices))
	default:
		f.add(fault{path: path, rewrite: nearest(s, known)}, "%s is not %s (%s)", quote(s), what, orList(choices))
	}
}

// orList joins words: a, b or c.
func orList(words []string) string {
	out := ""
	for i, w := range words {
		switch {
		case i == 0:
			out = w
		case i == len(words)-1:
			out += " or " + w
		default:
			out += ", " + w
		}
	}
	return out
}
