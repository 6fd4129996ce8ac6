package meta

import (
	"encoding/base32"
	"errors"
	"strings"

	"github.com/xpkg-go/sdk/internal/sha256"
)

const (
	maxLabel     = 63
	maxSubdomain = 253

	// digestPart is how much of a digest is in the name of a revision, by the
	// packages guide.
	digestPart = 12

	// maxBase leaves room in a label for "-" and a part of a digest.
	maxBase = maxLabel - 1 - digestPart

	// mark stands in a name before the hash that keeps it apart from others. A name
	// that has it by itself is never used as it is, so the two cannot meet.
	mark = "--"

	// hashPart is the length of that hash: 26 digits of base 32 are 130 bits, so
	// many that nobody finds two texts that share them.
	hashPart = 26
)

// CheckName says whether a name complies with the conventions of the Kubernetes
// API, as package format v2 wants it: a DNS subdomain by RFC 1123, of up to 253
// lower case letters, digits, "-" and ".", where each part between dots begins and
// ends with a letter or digit. The error matches [ErrInvalid].
func CheckName(name string) error {
	fail := func(reason string) error { return &NameError{Name: name, Reason: reason} }
	switch {
	case name == "":
		return fail("it is empty")
	case len(name) > maxSubdomain:
		return fail("it is longer than 253 characters")
	}
	for part := range strings.SplitSeq(name, ".") {
		if !isLabel(part) {
			return fail("it may hold lower case letters, digits, - and ., and begins and ends with a letter or digit")
		}
	}
	return nil
}

// A NameError says that a name is not one for an object of Kubernetes. It matches
// [ErrInvalid].
type NameError struct {
	Name   string
	Reason string
}

// Error is such as: "Bad_Name!" is not a DNS-1123 name (it may hold …).
func (e *NameError) Error() string {
	return quote(e.Name) + " is not a DNS-1123 name (" + e.Reason + ")"
}

// Is reports whether target is [ErrInvalid].
func (e *NameError) Is(target error) bool { return target == ErrInvalid }

// isLabel does not look at the length.
func isLabel(s string) bool {
	if s == "" || s[0] == '-' || s[len(s)-1] == '-' {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}

// label is s with everything else than lower case letters and digits turned into
// single hyphens, and "x" if nothing is left.
func label(s string) string {
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			b.WriteByte(c)
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c - 'A' + 'a')
		case b.Len() > 0 && b.String()[b.Len()-1] != '-':
			b.WriteByte('-')
		}
	}
	if l := strings.TrimRight(b.String(), "-"); l != "" {
		return l
	}
	return "x"
}

// base is s as it is, if it is a label with room for the part of a digest, and
// else what can be kept of it with a hash of identity. No two values share a base
// unless their identities share a hash, because only the latter have the mark.
func base(s, identity string) string {
	if isLabel(s) && len(s) <= maxBase && !strings.Contains(s, mark) {
		return s
	}
	return marked(s, identity)
}

func marked(s, identity string) string {
	l := label(s)
	if room := maxBase - len(mark) - hashPart; len(l) > room {
		l = strings.TrimRight(l[:room], "-")
	}
	return l + mark + hashOf(identity)
}

// hashOf is a hash of s in lower case letters and digits, of length hashPart.
func hashOf(s string) string {
	sum := sha256.Sum256(s)
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:hashPart])
}

// ShortName is the name that the guide's command line gives to what it installs:
// the last element of the repository's path, provider-gcp for
// crossplane/provider-gcp:v0.12.0, as a DNS label of at most 50 characters. Two
// sources may share it; see [Names] and [UniqueName].
func ShortName(s Source) string {
	_, path := s.parts()
	if path == "" {
		path = s.text
	}
	last := path[strings.LastIndexByte(path, '/')+1:]
	return base(last, s.Identity())
}

// UniqueName is a name for a source that no other source has: its [ShortName]
// and 130 bits of a hash of its identity, as a DNS label of at most 50 characters.
// All sources that are equal have the same.
func UniqueName(s Source) string {
	return marked(strings.Split(ShortName(s), mark)[0], s.Identity())
}

// Names are names for sources that are installed together, in their order: the
// [ShortName] of each, and the [UniqueName] where several that are not equal would
// share it. Which names are used does not depend on the order. No two sources that
// are not equal get one name: should their unique names be equal too, they get
// others.
func Names(sources ...Source) []string {
	return distinct(sources, []func(Source) string{ShortName, UniqueName})
}

// distinct names sources by the first function, those that share a name with
// another by the second, and so on; in the end by hashes of ever longer texts.
func distinct(sources []Source, by []func(Source) string) []string {
	names := make([]string, len(sources))
	shared := func(string) bool { return true }
	for round := 0; ; round++ {
		again := false
		for i, s := range sources {
			switch {
			case !shared(names[i]):
				continue
			case round < len(by):
				names[i] = by[round](s)
			default:
				names[i] = marked(strings.Split(names[i], mark)[0], s.Identity()+strings.Repeat(" ", round))
			}
			again = true
		}
		if !again {
			return names
		}
		shared = sharedNames(sources, names)
	}
}

// sharedNames tells which names several sources have that are not equal.
func sharedNames(sources []Source, names []string) func(name string) bool {
	owner := make(map[string]string, len(sources))
	shared := make(map[string]bool)
	for i, s := range sources {
		id := s.Identity()
		if first, ok := owner[names[i]]; ok && first != id {
			shared[names[i]] = true
		}
		owner[names[i]] = id
	}
	return func(name string) bool { return shared[name] }
}

// RevisionName is the name of the revision of a package, by the packages guide: the
// name under which the package is installed, "-", and the first 12 hexadecimal
// digits of the digest of its image. It is a DNS label of at most 63 characters: a
// name that is longer than 50, is no label by itself, or has "--" in it is cut and
// told apart by a hash. The error says that there is no name, or that digest is not
// one; it matches [ErrInvalid].
func RevisionName(name, digest string) (string, error) {
	if name == "" {
		return "", &NameError{Name: name, Reason: "it is empty"}
	}
	hexDigits, err := digestDigits(digest)
	if err != nil {
		return "", err
	}
	return base(name, name) + "-" + hexDigits[:digestPart], nil
}

// DigestName is the name of the revision of a package by the packages v2 design,
// which takes the hash of the image. That has 64 digits, one more than a DNS label
// may have, and is the same for two sources that mirror each other. So it is the
// first 36 digits, "-", and 26 letters and digits of a hash of the source. The
// error says that digest is not one; it matches [ErrInvalid].
func DigestName(s Source, digest string) (string, error) {
	hexDigits, err := digestDigits(digest)
	if err != nil {
		return "", err
	}
	return hexDigits[:maxLabel-1-hashPart] + "-" + hashOf(s.Identity()), nil
}

func digestDigits(digest string) (string, error) {
	if !IsDigest(digest) {
		return "", &VersionError{Text: digest, Err: errors.New(`it is not "sha256:" and 64 hexadecimal digits`)}
	}
	_, digits, _ := strings.Cut(digest, ":")
	return digits, nil
}
