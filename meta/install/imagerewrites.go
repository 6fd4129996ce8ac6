package install

import (
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// ImageRewrites joins the rules of several configurations, for
// meta.Registries.Rewrites: each once, sorted by prefix, so that the order of
// the configurations says nothing.
//
// Where one prefix is rewritten to different places, Crossplane takes any of
// them. That is no answer: the error is a *RewriteConflictError with all such
// prefixes, and there are no rules. Prefixes are compared as meta.Registries
// does: hosts without case, docker.io and index.docker.io as one.
func ImageRewrites(configs ...*ImageConfig) ([]meta.Rewrite, error) {
	var rules []meta.Rewrite
	byPrefix := make(map[string]*RewriteConflict)
	for _, c := range configs {
		for _, rule := range c.Rewrites() {
			from := canonicalPrefix(rule.From)
			known := byPrefix[from]
			if known == nil {
				known = &RewriteConflict{From: from}
				byPrefix[from] = known
			}
			known.Configs = append(known.Configs, c.Metadata.Name)
			known.To = append(known.To, rule.To)
			rules = append(rules, meta.Rewrite{From: from, To: rule.To})
		}
	}
	var conflicts []RewriteConflict
	for _, c := range byPrefix {
		if c.To = unique(c.To); len(c.To) > 1 {
			c.Configs = unique(c.Configs)
			conflicts = append(conflicts, *c)
		}
	}
	if len(conflicts) > 0 {
		slices.SortFunc(conflicts, func(a, b RewriteConflict) int { return strings.Compare(a.From, b.From) })
		return nil, &RewriteConflictError{Conflicts: conflicts}
	}
	slices.SortFunc(rules, func(a, b meta.Rewrite) int { return strings.Compare(a.From, b.From) })
	return slices.Compact(rules), nil
}

// A RewriteConflict is one prefix that is rewritten to different places.
type RewriteConflict struct {
	From    string
	To      []string // the places, sorted
	Configs []string // the names of the ImageConfigs, sorted
}

// String is such as: "ghcr.io/" to "a.example/" or "b.example/" (a, b).
func (c RewriteConflict) String() string {
	to := make([]string, len(c.To))
	for i, t := range c.To {
		to[i] = quote(t)
	}
	names := make([]string, len(c.Configs))
	for i, n := range c.Configs {
		names[i] = quote(n)
	}
	return quote(c.From) + " to " + strings.Join(to, " or ") + " (" + strings.Join(names, ", ") + ")"
}

// A RewriteConflictError says that image configurations contradict each other.
// It matches meta.ErrInvalid.
type RewriteConflictError struct {
	// Conflicts are all of them, sorted by prefix; there is one at least.
	Conflicts []RewriteConflict
}

// Error names every prefix, with its places and configurations.
func (e *RewriteConflictError) Error() string {
	texts := make([]string, len(e.Conflicts))
	for i, c := range e.Conflicts {
		texts[i] = c.String()
	}
	return "image configurations rewrite one prefix to different places: " + strings.Join(texts, "; ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *RewriteConflictError) Is(target error) bool { return target == meta.ErrInvalid }

func unique(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

// canonicalPrefix spells the host of a prefix as meta.Registries compares it.
func canonicalPrefix(prefix string) string {
	host, path, ok := strings.Cut(prefix, "/")
	host = strings.ToLower(host)
	if host == "docker.io" {
		host = meta.DefaultRegistry
	}
	if !ok {
		return host
	}
	return host + "/" + path
}
