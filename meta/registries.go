package meta

import (
	"errors"
	"slices"
	"strings"
)

// Registries says where packages really are: which registry those come from that
// name none, and which mirrors stand for others. The zero value is Docker Hub and
// no mirrors.
type Registries struct {
	// Default is the registry of sources that name none, such as xpkg.upbound.io;
	// [DefaultRegistry] if empty. It is a host with an optional port, and one that a
	// reference can name: localhost, or with a dot or a colon in it.
	Default string

	// Rewrites are the rules for packages that are somewhere else, in any order:
	// only there are they looked for.
	Rewrites []Rewrite

	// Mirrors are the rules for places that are asked first, in any order; of two
	// with the same From the first is asked first. What no mirror has is looked
	// for where it would be without them.
	Mirrors []Rewrite
}

// A Rewrite replaces the beginning of a repository's complete name. It is a
// prefix of text, as it is in Crossplane's image configuration: end it with a
// slash to keep it from matching half of a path element.
type Rewrite struct {
	From, To string
}

// A Resolution is a source at each of its three steps.
type Resolution struct {
	// Declared is the source as the package or user wrote it.
	Declared Source

	// Defaulted is Declared with the default registry, if it names none. It is the
	// identity of the package: use it for graphs and locks, so that a change of
	// mirrors changes nothing there.
	Defaulted Source

	// Rewritten is where it is fetched from.
	Rewritten Source

	// Mirrors are the places to ask before Rewritten, in this order.
	Mirrors []Source

	// Rule is the rule that Rewritten came from; nil if none applied.
	Rule *Rewrite
}

// Resolve gives a source its registry and then its mirror. The order is always
// that one: first the default registry, then, once, the rule with the longest
// From that the complete name begins with; of two equal ones the first. So a rule
// can be about packages that name no registry, but what a rule yields is neither
// defaulted nor rewritten again, and must name its registry if that is not
// [DefaultRegistry]. Every rule for mirrors that the same name begins with gives
// one more place, the longest From first.
//
// The error, a [*ReferenceError], says that the default registry is none, or that
// the source, as declared, with the default registry or as rewritten, is not the
// name of a repository. What a rule yields is not one either if it has an empty
// path element that the name did not have, as by a rule that drops the registry
// and leaves its slash.
func (r Registries) Resolve(s Source) (Resolution, error) {
	res := Resolution{Declared: s, Defaulted: s}
	if err := s.Err(); err != nil {
		return Resolution{}, err
	}
	if !s.HasRegistry() && r.Default != "" {
		if !isRegistry(r.Default) || !isAuthority(r.Default) {
			return Resolution{}, &ReferenceError{
				Text: r.Default, Want: "a registry",
				Err: errors.New("it must be localhost or a host with a dot or a port, and nothing else"),
			}
		}
		res.Defaulted = Source{text: r.Default + "/" + s.text, path: len(r.Default) + 2}
	}
	res.Rewritten = res.Defaulted
	name := res.Defaulted.Identity()
	from := ""
	for i, rule := range r.Rewrites {
		f := canonicalPrefix(rule.From)
		if f != "" && strings.HasPrefix(name, f) && len(f) > len(from) {
			from, res.Rule = f, &r.Rewrites[i]
		}
	}
	if res.Rule != nil {
		m, err := res.Rule.apply(res.Defaulted)
		if err != nil {
			return Resolution{}, err
		}
		res.Rewritten = m
	}
	mirrors := slices.Clone(r.Mirrors)
	slices.SortStableFunc(mirrors, func(a, b Rewrite) int { return len(canonicalPrefix(b.From)) - len(canonicalPrefix(a.From)) })
	for _, rule := range mirrors {
		if f := canonicalPrefix(rule.From); f == "" || !strings.HasPrefix(name, f) {
			continue
		}
		m, err := rule.apply(res.Defaulted)
		if err != nil {
			return Resolution{}, err
		}
		if m.Identity() != res.Rewritten.Identity() {
			res.Mirrors = append(res.Mirrors, m)
		}
	}
	return res, nil
}

// apply replaces the prefix of a source that begins with it.
func (w *Rewrite) apply(s Source) (Source, error) {
	m, err := ParseSource(w.To + strings.TrimPrefix(s.Identity(), canonicalPrefix(w.From)))
	if err != nil {
		return Source{}, err
	}
	_, from := s.parts()
	if _, to := m.parts(); hasEmptyElement(to) && !hasEmptyElement(from) {
		return Source{}, &ReferenceError{
			Text: m.text, Want: "an image repository",
			Err: errors.New("the rule from " + quote(w.From) + " to " + quote(w.To) + " leaves an empty path element"),
		}
	}
	return m, nil
}

func hasEmptyElement(path string) bool { return strings.Contains("/"+path+"/", "//") }

// canonicalPrefix spells the host of a prefix as identities do.
func canonicalPrefix(prefix string) string {
	host, rest, ok := strings.Cut(prefix, "/")
	host = strings.ToLower(host)
	if host == registryAlias {
		host = DefaultRegistry
	}
	if ok {
		return host + "/" + rest
	}
	return host
}
