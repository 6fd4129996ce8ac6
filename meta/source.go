package meta

import (
	"errors"
	"net/url"
	"strings"
)

// DefaultRegistry is the registry of a repository that names none. It has an
// alias, docker.io, which stands for it wherever it is written.
const DefaultRegistry = "index.docker.io"

const (
	registryAlias    = "docker.io"
	defaultNamespace = "library"
	maxRepository    = 255
)

// A Source is the identity of a package without its version: an image
// repository, such as xpkg.upbound.io/crossplane-contrib/provider-aws.
//
// It keeps the text that declared it. Two sources are the same package if their
// identities are equal; do not compare them with ==, which compares the texts.
// The zero Source names nothing. A Source that was decoded from metadata may hold
// a text that is no repository name, see [Source.Err].
//
// The parser is equal to ParseReference in the name package of
// go-containerregistry with its weak validation, which is what Crossplane parses
// references with. So a URL is no source: NewRepository of that package would take
// https://b1 for the path /b1 in a registry "https:".
type Source struct {
	text string
	path int // where the path begins in the text, from 1; 0 for an invalid source
}

// parts are the registry, "" if the text names none, and the path, without the
// implied namespace, as declared. Both are empty for an invalid source.
func (s Source) parts() (registry, path string) {
	switch s.path {
	case 0:
		return "", ""
	case 1:
		return "", s.text
	}
	return s.text[:s.path-2], s.text[s.path-1:]
}

// ParseSource reads the name of an image repository: an optional registry (a
// first path element that is "localhost" or holds a dot or a colon), a slash, and
// a path of up to 255 lower case letters, digits and _ - . / characters.
//
// The error is a [*ReferenceError]; it has Tagged set if s is the reference of an
// image, with a tag or a digest, instead of the name of a repository.
func ParseSource(s string) (Source, error) {
	src, err := parseRepository(s)
	if err == nil {
		return src, nil
	}
	if ref, refErr := ParseReference(s); refErr == nil && (ref.Tag != "" || ref.Digest != "") {
		err.Tagged = true
		err.Err = errors.New("the tag or digest belongs in the version")
	}
	return Source{}, err
}

// parseRepository splits a repository name and checks its parts.
func parseRepository(s string) (Source, *ReferenceError) {
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		return Source{}, &ReferenceError{Text: s, Want: "an image repository", Err: errors.New("it must not have a URL scheme")}
	}
	src := Source{text: s, path: 1}
	if first, _, ok := strings.Cut(s, "/"); ok && isRegistry(first) {
		src.path = len(first) + 2
	}
	registry, path := src.parts()
	if err := checkPath(path); err != nil {
		return Source{}, &ReferenceError{Text: s, Want: "an image repository", Err: err}
	}
	if !isAuthority(registry) {
		return Source{}, &ReferenceError{Text: s, Want: "an image repository", Err: errors.New("its registry is not a host with an optional port")}
	}
	return src, nil
}

// isRegistry reports whether the first element of a name is that of a registry.
func isRegistry(first string) bool {
	return first == "localhost" || strings.ContainsAny(first, ".:")
}

func checkPath(path string) error {
	switch {
	case path == "":
		return errors.New("its path is empty")
	case len(path) > maxRepository:
		return errors.New("its path has more than 255 characters")
	}
	for i := range len(path) {
		c := path[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.' || c == '/') {
			return errors.New("its path may hold lower case letters, digits and _ - . / only")
		}
	}
	return nil
}

// isAuthority reports whether s is the authority of a URL without user
// information: what a registry is.
func isAuthority(s string) bool {
	if !strings.ContainsFunc(s, func(r rune) bool {
		return !('a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '.' || r == '-')
	}) {
		return true // what nearly every registry is costs no parsing
	}
	u, err := url.Parse("//" + s)
	return err == nil && u.Host == s
}

// invalidSource keeps a text that is no repository name, so that what was
// declared can be shown and encoded again.
func invalidSource(text string) Source { return Source{text: text} }

// String is the declared text.
func (s Source) String() string { return s.text }

// IsZero reports whether s names nothing.
func (s Source) IsZero() bool { return s == Source{} }

// Err is nil for a source that [ParseSource] accepts, and else the
// [*ReferenceError] that it returns: such a source was decoded from metadata
// that is at fault. It is an error for the zero Source too.
func (s Source) Err() error {
	if s.path > 0 {
		return nil
	}
	_, err := ParseSource(s.text)
	return err
}

// HasRegistry reports whether the text names a registry, so that a default one
// does not apply to it.
func (s Source) HasRegistry() bool { return s.path > 1 }

// Registry is the host of the registry, with its port if one was declared. It is
// [DefaultRegistry] for a source that names none, and "" for an invalid one.
func (s Source) Registry() string {
	registry, path := s.parts()
	if path == "" {
		return ""
	}
	return host(registry)
}

// host is the registry that a declared one, or none, stands for.
func host(declared string) string {
	if declared == "" || declared == registryAlias {
		return DefaultRegistry
	}
	return declared
}

// Repository is the path of the repository inside its registry, with the
// namespace "library" that the default registry implies; "" for an invalid
// source.
func (s Source) Repository() string {
	registry, path := s.parts()
	if path == "" {
		return ""
	}
	return repository(host(registry), path)
}

// repository is a path with the namespace that its host implies.
func repository(host, path string) string {
	if host == DefaultRegistry && !strings.Contains(path, "/") {
		return defaultNamespace + "/" + path
	}
	return path
}

// Name is the complete name of the repository, registry and path, by which it is
// fetched. It is the declared text for an invalid source.
//
// As in go-containerregistry, the 255 characters of a path are those that were
// declared. A path of 248 or more to which the namespace "library" is added has a
// name that is too long to be parsed again.
func (s Source) Name() string {
	if s.path == 0 {
		return s.text
	}
	return s.Registry() + "/" + s.Repository()
}

// Identity is a key for maps: equal for all sources that are one repository,
// whatever their texts. crossplane/x, docker.io/crossplane/x and
// index.docker.io/crossplane/x are one; hosts are the same in upper and lower
// case. It does not know of configured default registries and mirrors: see
// [Registries]. The identity of an invalid source is its text.
func (s Source) Identity() string {
	registry, path := s.parts()
	if path == "" {
		return s.text
	}
	// In lower case first: Docker.IO is the alias as well.
	lower := strings.ToLower(registry)
	h := host(lower)
	if h == registry && h != DefaultRegistry {
		return s.text // what is written in full already costs no memory
	}
	return h + "/" + repository(h, path)
}

// Equal reports whether s and t are the same repository: equal identities.
func (s Source) Equal(t Source) bool { return s.Identity() == t.Identity() }

// WithTag is the reference of the image with that tag, which must be a valid
// one.
func (s Source) WithTag(tag string) Reference { return Reference{Source: s, Tag: tag} }

// WithDigest is the reference of the image with that digest, which must be a
// valid one.
func (s Source) WithDigest(digest string) Reference { return Reference{Source: s, Digest: digest} }
