package meta

import (
	"errors"
	"strings"
)

// DefaultTag is the tag of a reference that has neither a tag nor a digest.
const DefaultTag = "latest"

const maxTag = 128

// A ReferenceError says that a text is not the reference of an image, or not the
// name of a repository. It matches [ErrInvalid].
type ReferenceError struct {
	// Text is what was to be read.
	Text string

	// Want is what it should have been: "an image reference".
	Want string

	// Tagged is set if a repository was wanted and Text is a proper reference,
	// with a tag or a digest.
	Tagged bool

	// Err says what is wrong.
	Err error
}

// Error is such as
// "Hello World" is not an image reference (its path may hold …).
func (e *ReferenceError) Error() string {
	return quote(e.Text) + " is not " + e.Want + " (" + e.Err.Error() + ")"
}

// Is reports whether target is [ErrInvalid].
func (e *ReferenceError) Is(target error) bool { return target == ErrInvalid }

// Unwrap is what is wrong.
func (e *ReferenceError) Unwrap() error { return e.Err }

// A Reference names an image: a source and a tag, a digest, or both. With both,
// the digest decides what is fetched, and the tag says which version that is.
type Reference struct {
	Source Source
	Tag    string // "" if the reference has none
	Digest string // "" if the reference has none; else "sha256:…"
}

// ParseReference reads the reference of an image: a repository as [ParseSource]
// reads it, then optionally a colon and a tag of up to 128 letters, digits and
// _ - . characters, then optionally "@" and a digest. What it accepts, and the
// registry, path, tag and digest that it finds, are those of ParseReference in
// go-containerregistry's name package. It also keeps the tag of a reference that
// has a digest.
//
// The error is a [*ReferenceError].
func ParseReference(s string) (Reference, error) {
	fail := func(err error) (Reference, error) {
		return Reference{}, &ReferenceError{Text: s, Want: "an image reference", Err: err}
	}
	rest, digest, digested := strings.Cut(s, "@")
	if digested {
		if err := checkDigest(digest); err != nil {
			return fail(err)
		}
	}
	// A colon is the port of a registry unless it is behind the last slash.
	tag := ""
	if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.Contains(rest[i:], "/") {
		rest, tag = rest[:i], rest[i+1:]
		if tag == "" {
			return fail(errors.New("there is no tag behind the colon"))
		}
		if err := checkTag(tag); err != nil {
			return fail(err)
		}
	}
	src, err := parseRepository(rest)
	if err != nil {
		return fail(err.Err)
	}
	if digested {
		// With a digest the length counts with the implied namespace: such a
		// reference is only ever resolved by its complete name.
		if err := checkPath(src.Repository()); err != nil {
			return fail(err)
		}
	}
	return Reference{Source: src, Tag: tag, Digest: digest}, nil
}

func checkTag(tag string) error {
	if len(tag) > maxTag {
		return errors.New("its tag has more than 128 characters")
	}
	for i := range len(tag) {
		if !isTagByte(tag[i]) {
			return errors.New("its tag may hold letters, digits and _ - . only")
		}
	}
	return nil
}

func isTagByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

// checkDigest accepts the digests that go-containerregistry can verify.
func checkDigest(digest string) error {
	algorithm, hex, ok := strings.Cut(digest, ":")
	size := 0
	switch algorithm {
	case "sha256":
		size = 64
	case "sha384":
		size = 96
	case "sha512":
		size = 128
	}
	if !ok || size == 0 {
		return errors.New(`its digest is not "sha256:" and 64 hexadecimal digits`)
	}
	if len(hex) != size {
		return errors.New("its digest does not have the length of " + algorithm)
	}
	for i := range len(hex) {
		if !('0' <= hex[i] && hex[i] <= '9' || 'a' <= hex[i] && hex[i] <= 'f') {
			return errors.New("its digest is not in lower case hexadecimal digits")
		}
	}
	return nil
}

// IsDigest reports whether s is the digest of an image, "sha256:" and 64 lower
// case hexadecimal digits, or one by sha384 or sha512.
func IsDigest(s string) bool { return checkDigest(s) == nil }

// String is the reference as it was declared.
func (r Reference) String() string {
	s := r.Source.String()
	if r.Tag != "" {
		s += ":" + r.Tag
	}
	if r.Digest != "" {
		s += "@" + r.Digest
	}
	return s
}

// Identifier is what the image is asked for by: the digest if there is one, else
// the tag, else [DefaultTag].
func (r Reference) Identifier() string {
	switch {
	case r.Digest != "":
		return r.Digest
	case r.Tag != "":
		return r.Tag
	default:
		return DefaultTag
	}
}

// Name is the complete name of the image: its repository's and its identifier.
func (r Reference) Name() string {
	if r.Digest != "" {
		return r.Source.Name() + "@" + r.Digest
	}
	return r.Source.Name() + ":" + r.Identifier()
}

// Version is the tag and the digest of the reference as a version. It is that of
// the tag "latest" for a reference that has neither.
func (r Reference) Version() Version {
	if r.Digest == "" {
		return newVersion(r.Identifier(), "")
	}
	return newVersion(r.Tag, r.Digest)
}
