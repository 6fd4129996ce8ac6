package meta

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// A Class says what sort of version a tag is.
type Class string

// The classes of versions.
const (
	// ClassRelease: a full semantic version, v1.2.3 or 1.2.3, with or without
	// build metadata.
	ClassRelease Class = "release"

	// ClassPrerelease: a full semantic version with a pre-release, v1.2.3-rc.1.
	// Suffixes such as -up.1 or -5-gabcdef0 are pre-releases too, by the rules of
	// semantic versioning.
	ClassPrerelease Class = "prerelease"

	// ClassPartial: a tag like v1 or 1.2. It is usually moved along with the
	// newest version that begins so, and is never taken for a version.
	ClassPartial Class = "partial"

	// ClassOther: any other tag, such as latest.
	ClassOther Class = "other"

	// ClassDigest: a digest without a tag. What version that is, its repository
	// does not say.
	ClassDigest Class = "digest"
)

// Classify tells what sort of version a tag is. Build metadata may be marked with
// "+", or with "_" as OCI tags must. Like the library by which Crossplane reads
// versions, it allows a leading "v" and zeros before a number.
func Classify(tag string) Class { return newVersion(tag, "").Class() }

// A Version names one image of a source: a tag, a digest, or a tag whose digest
// is known. Versions are comparable with ==, which is true for equal texts;
// [Version.Compare] orders them. The zero Version names nothing.
type Version struct {
	tag, digest string

	// What the tag says; each is determined by tag, which keeps == meaningful.
	full, partial       bool
	major, minor, patch uint64
	pre, build          string
}

// ParseVersion reads a tag, a digest, or a tag, "@" and a digest. A tag has up to
// 128 letters, digits and _ - . characters, and may have the "+" of a semantic
// version, which stands as "_" in an OCI tag. The error matches [ErrInvalid].
func ParseVersion(s string) (Version, error) {
	tag, digest, both := strings.Cut(s, "@")
	if !both && strings.Contains(s, ":") {
		tag, digest = "", s
	}
	fail := func(err error) (Version, error) {
		return Version{}, &VersionError{Text: s, Err: err}
	}
	if digest != "" || both {
		if err := checkDigest(digest); err != nil {
			return fail(err)
		}
	}
	if tag == "" && (digest == "" || both) {
		return fail(errors.New("it has no tag"))
	}
	if err := checkTag(strings.ReplaceAll(tag, "+", "_")); err != nil {
		return fail(err)
	}
	return newVersion(tag, digest), nil
}

// A VersionError says that a text is no version. It matches [ErrInvalid].
type VersionError struct {
	Text string // what was to be read
	Err  error  // what is wrong
}

// Error is such as: "v 1" is not a version (its tag may hold …).
func (e *VersionError) Error() string {
	return quote(e.Text) + " is not a version (" + e.Err.Error() + ")"
}

// Is reports whether target is [ErrInvalid].
func (e *VersionError) Is(target error) bool { return target == ErrInvalid }

// Unwrap is what is wrong.
func (e *VersionError) Unwrap() error { return e.Err }

// newVersion interprets a tag, whatever it holds.
func newVersion(tag, digest string) Version {
	v := Version{tag: tag, digest: digest}
	if !v.interpret(tag) && strings.Contains(tag, "_") {
		// A semantic version has one plus sign and no underscore.
		v.interpret(strings.Replace(tag, "_", "+", 1))
	}
	return v
}

// interpret reads s as a semantic version, full or partial, by the rules of
// Masterminds' lenient parser. It reports false and leaves v alone otherwise.
func (v *Version) interpret(s string) bool {
	if len(s) > semver.MaxVersionLen {
		return false
	}
	w := *v
	s = strings.TrimPrefix(s, "v")
	s, w.build, _ = cutNonEmpty(s, "+")
	s, w.pre, _ = cutNonEmpty(s, "-")
	numbers := strings.Split(s, ".")
	if len(numbers) > 3 || !validBuild(w.build) || !validPrerelease(w.pre) {
		return false
	}
	for i, target := range []*uint64{&w.major, &w.minor, &w.patch}[:len(numbers)] {
		if !isDigits(numbers[i]) {
			return false
		}
		n, err := strconv.ParseUint(numbers[i], 10, 64)
		if err != nil {
			return false
		}
		*target = n
	}
	w.full, w.partial = len(numbers) == 3, len(numbers) < 3
	*v = w
	return true
}

// cutNonEmpty is strings.Cut that puts something invalid behind a separator that
// has nothing behind it, where Cut cannot tell "1.0.0-" from "1.0.0".
func cutNonEmpty(s, sep string) (before, after string, found bool) {
	before, after, found = strings.Cut(s, sep)
	if found && after == "" {
		after = "."
	}
	return before, after, found
}

func validPrerelease(s string) bool {
	return s == "" || eachIdentifier(s, func(id string) bool {
		return len(id) == 1 || id[0] != '0' || !isDigits(id)
	})
}

func validBuild(s string) bool {
	return s == "" || eachIdentifier(s, func(string) bool { return true })
}

// eachIdentifier reports whether every dot-separated part of s is a proper
// identifier of semantic versioning and ok.
func eachIdentifier(s string, ok func(string) bool) bool {
	for id := range strings.SplitSeq(s, ".") {
		if id == "" || !ok(id) {
			return false
		}
		for i := range len(id) {
			if c := id[i]; c == '_' || c == '.' || !isTagByte(c) {
				return false
			}
		}
	}
	return true
}

func isDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// Tag is the tag as it was declared; "" if the version is a digest alone.
func (v Version) Tag() string { return v.tag }

// OCITag is the tag as a registry knows it: with "_" for the "+" of build
// metadata, which OCI tags cannot hold. [FromOCITag] is the way back.
func (v Version) OCITag() string { return strings.ReplaceAll(v.tag, "+", "_") }

// FromOCITag is the version of a registry's tag: "v1.0.0_build.5" is
// v1.0.0+build.5. A tag that does not become a full semantic version by that is
// taken as it is. Any text is accepted: what a registry lists is not in our hands.
func FromOCITag(tag string) Version {
	v := newVersion(tag, "")
	if v.full && v.build != "" {
		return newVersion(strings.Replace(tag, "_", "+", 1), "")
	}
	return v
}

// Digest is the digest; "" if it is not known.
func (v Version) Digest() string { return v.digest }

// WithDigest is v with that digest, which must be a valid one or "".
func (v Version) WithDigest(digest string) Version {
	v.digest = digest
	return v
}

// IsZero reports whether v names nothing.
func (v Version) IsZero() bool { return v.tag == "" && v.digest == "" }

// String is the text that [ParseVersion] reads: the tag, the digest, or both
// with "@" between them.
func (v Version) String() string {
	if v.tag == "" || v.digest == "" {
		return v.tag + v.digest
	}
	return v.tag + "@" + v.digest
}

// Class is what sort of version the tag is; [ClassDigest] if there is only a
// digest.
func (v Version) Class() Class {
	switch {
	case v.full && v.pre == "":
		return ClassRelease
	case v.full:
		return ClassPrerelease
	case v.partial:
		return ClassPartial
	case v.tag == "" && v.digest != "":
		return ClassDigest
	default:
		return ClassOther
	}
}

// IsFull reports whether the tag is a full semantic version, a release or a
// pre-release: only those can be compared with a range.
func (v Version) IsFull() bool { return v.full }

// Compare is a total order: negative if v is before w, positive if it is behind,
// and 0 only if v == w. Full semantic versions are behind everything else and in
// the order of semantic versioning; where that finds two equal, build metadata
// and then the texts decide. Before them come partial tags, then other tags, then
// digests. It accepts any version.
func (v Version) Compare(w Version) int {
	if c := cmp.Compare(v.rank(), w.rank()); c != 0 {
		return c
	}
	if v.full || v.partial {
		if c := v.compareSemver(w); c != 0 {
			return c
		}
	}
	return cmp.Or(
		strings.Compare(v.build, w.build),
		strings.Compare(v.tag, w.tag),
		strings.Compare(v.digest, w.digest),
	)
}

func (v Version) rank() int {
	switch {
	case v.full:
		return 4
	case v.partial:
		return 3
	case v.tag != "":
		return 2
	case v.digest != "":
		return 1
	default:
		return 0
	}
}

// compareSemver is the precedence of semantic versioning, which ignores build
// metadata.
func (v Version) compareSemver(w Version) int {
	if c := cmp.Or(
		cmp.Compare(v.major, w.major),
		cmp.Compare(v.minor, w.minor),
		cmp.Compare(v.patch, w.patch),
	); c != 0 || v.pre == w.pre {
		return c
	}
	switch {
	case v.pre == "":
		return 1
	case w.pre == "":
		return -1
	}
	return slices.CompareFunc(strings.Split(v.pre, "."), strings.Split(w.pre, "."), comparePrerelease)
}

// comparePrerelease orders two identifiers: numbers before others. A number that
// no uint64 holds counts as text, as it does for Masterminds.
func comparePrerelease(a, b string) int {
	m, errA := strconv.ParseUint(a, 10, 64)
	n, errB := strconv.ParseUint(b, 10, 64)
	switch {
	case errA == nil && errB == nil:
		return cmp.Compare(m, n)
	case errA == nil:
		return -1
	case errB == nil:
		return 1
	default:
		return strings.Compare(a, b)
	}
}

// semver is the version for Masterminds; only for full ones.
func (v Version) semver() *semver.Version {
	return semver.New(v.major, v.minor, v.patch, v.pre, v.build)
}

// SortVersions puts versions in the order of [Version.Compare], oldest first.
func SortVersions(versions []Version) {
	slices.SortFunc(versions, Version.Compare)
}

// sortNewestFirst sorts in descending order, but puts the version with the
// preferred tag before all.
func sortNewestFirst(versions []Version, preferred string) {
	slices.SortFunc(versions, func(a, b Version) int {
		if preferred != "" && (a.tag == preferred) != (b.tag == preferred) {
			if a.tag == preferred {
				return -1
			}
			return 1
		}
		return b.Compare(a)
	})
}
