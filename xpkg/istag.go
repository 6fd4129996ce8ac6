package xpkg

import "strings"

// isTag reports whether s is a tag by the grammar of the OCI distribution
// specification ("Pulling manifests"). Without it, a list of few tags could take
// any amount of memory.
func isTag(s string) bool {
	const most = 128
	return s != "" && len(s) <= most && s[0] != '.' && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}
