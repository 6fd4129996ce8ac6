package meta

import (
	"errors"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// A Constraint says which versions of something will do. It is one of
//
//   - anything: the zero Constraint, and that of an empty text;
//   - a range in the language of Masterminds/semver, such as ">=v1.2.0, <v2" or
//     "v1.x", and also a bare "v1.2.0", which is that version;
//   - an exact tag, see [ExactConstraint], which need not be a semantic version;
//   - a digest, "sha256:…" or "v1.2.0@sha256:…".
//
// A Constraint keeps the text that declared it. One that was decoded from
// metadata may hold a text that is none of these; it allows nothing, see
// [Constraint.Err]. Constraints may be used concurrently.
type Constraint struct {
	text string
	rng  *semver.Constraints
	word *word // nil for a range, which most are, to keep values small
}

// A word is what a Constraint is that is no range.
type word struct {
	exact Version // with a tag, a digest, or both; zero if there is an error
	plain bool    // exact by declaration, not by its text
	err   error
}

// isPlain says whether c is exact, or wrong, by declaration.
func (c Constraint) isPlain() bool { return c.word != nil && c.word.plain }

// ParseConstraint reads a constraint as Crossplane does in v1 and v1beta1
// metadata: a range or a digest, or nothing at all. A bare full version is the
// range "=", and a bare partial one is a range too: "v1" is what "~1" is.
//
// The error is a [*ConstraintError]; it also matches [ErrLimit] if the text is
// longer than the 512 bytes or has more than the 32 alternatives that a range may
// have.
func ParseConstraint(s string) (Constraint, error) {
	switch {
	case s == "":
		return Constraint{}, nil
	case len(s) > semver.MaxConstraintLen:
		return failConstraint(s, false, &LimitError{What: "the range", Limit: semver.MaxConstraintLen, Got: int64(len(s))})
	case strings.ContainsAny(s, ":@"):
		v, err := ParseVersion(s)
		if err != nil {
			return failConstraint(s, false, errors.Unwrap(err))
		}
		return Constraint{text: s, word: &word{exact: v}}, nil
	}
	rng, err := semver.NewConstraint(s)
	if errors.Is(err, semver.ErrTooManyConstraintGroups) {
		err = &LimitError{What: "the range", Limit: semver.MaxConstraintGroups, Unit: "alternatives"}
	} else if err != nil {
		// Masterminds' texts repeat the input, in full.
		err = errImproper
	}
	if err != nil {
		return failConstraint(s, false, err)
	}
	return Constraint{text: s, rng: rng}, nil
}

// ExactConstraint reads a text that is one version by the place where it stands:
// a tag, taken as it is even if it is no semantic version, or a digest, or both.
// A full semantic version allows every tag of that version: v1.0.0 also allows
// 1.0.0. The empty text is the zero Constraint. The error is a
// [*ConstraintError].
func ExactConstraint(s string) (Constraint, error) {
	if s == "" {
		return Constraint{}, nil
	}
	v, err := ParseVersion(s)
	if err != nil {
		return failConstraint(s, true, errors.Unwrap(err))
	}
	return Constraint{text: s, word: &word{exact: v, plain: true}}, nil
}

// ParseDependencyConstraint reads the version of a dependency in metadata of the
// given apiVersion. In package format v2, that is in v1alpha1 and in the IBM
// group, a version is "a specific version tag", to be extended "to support
// version ranges in future"; packages of that time use both. So there a bare word
// is that tag, as [ExactConstraint] reads it: v0.1.0, but also v0, master and
// 2020-11-03. Whatever could not be a tag, or has a wildcard between its dots as
// in v1.x, is read by [ParseConstraint], which reads everything in the other
// versions.
//
// The error is a [*ConstraintError].
func ParseDependencyConstraint(apiVersion, s string) (Constraint, error) {
	if tagsAreExact(apiVersion) && isTagWord(s) {
		return ExactConstraint(s)
	}
	return ParseConstraint(s)
}

// errImproper is all that there is to say of a text that is no range.
var errImproper = errors.New("improper constraint")

func isTagWord(s string) bool {
	if s == "" || checkTag(strings.ReplaceAll(s, "+", "_")) != nil {
		return false
	}
	numbers, wildcards := 0, 0
	for part := range strings.SplitSeq(strings.TrimPrefix(s, "v"), ".") {
		switch {
		case part == "x" || part == "X":
			wildcards++
		case isDigits(part):
			numbers++
		default:
			return true
		}
	}
	return numbers == 0 || wildcards == 0
}

// A ConstraintError says that a text is no constraint. It matches [ErrInvalid],
// and [ErrLimit] if the text is too long.
type ConstraintError struct {
	Text string // what was to be read
	Err  error  // what is wrong
}

// Error is such as: ">= v" is not a version range (improper constraint).
func (e *ConstraintError) Error() string {
	return quote(e.Text) + " is not a version range (" + e.Err.Error() + ")"
}

// Is reports whether target is [ErrInvalid].
func (e *ConstraintError) Is(target error) bool { return target == ErrInvalid }

// Unwrap is what is wrong.
func (e *ConstraintError) Unwrap() error { return e.Err }

// failConstraint keeps the text together with the error: decoding needs both.
func failConstraint(s string, plain bool, err error) (Constraint, error) {
	e := &ConstraintError{Text: s, Err: err}
	return Constraint{text: s, word: &word{plain: plain, err: e}}, e
}

// String is the declared text; "" for the zero Constraint.
func (c Constraint) String() string { return c.text }

// IsZero reports whether c allows everything because nothing was asked for.
func (c Constraint) IsZero() bool { return c.text == "" }

// Err is the [*ConstraintError] of a text that is no constraint, else nil.
func (c Constraint) Err() error {
	if c.word == nil {
		return nil
	}
	return c.word.err
}

// Digest is the digest that c asks for, or "".
func (c Constraint) Digest() string {
	if c.word == nil {
		return ""
	}
	return c.word.exact.digest
}

// Exact is the one version that c names: an exact tag, a digest or both. It is
// false for a range, even for one like "=v1.0.0" that only one version is in.
func (c Constraint) Exact() (Version, bool) {
	if c.word == nil || c.word.exact.IsZero() {
		return Version{}, false
	}
	return c.word.exact, true
}

// Equal reports whether c and d were declared by the same text and in the same
// way, as a range or as an exact version.
func (c Constraint) Equal(d Constraint) bool { return c.text == d.text && c.isPlain() == d.isPlain() }

// Allows reports whether v satisfies c. The zero Constraint is satisfied by any
// version. A range is satisfied by full semantic versions only, those that
// Masterminds' Check accepts: not by a partial tag, and not by a digest whose tag
// is not known. A digest is satisfied by itself. See [Constraint.Explain] for the
// reason.
func (c Constraint) Allows(v Version) bool {
	switch {
	case c.Err() != nil:
		return false
	case c.IsZero():
		return true
	case c.Digest() != "":
		return v.digest == c.Digest()
	case c.rng == nil:
		return c.isTag(v)
	default:
		return v.full && c.rng.Check(v.semver())
	}
}

// isTag reports whether v is the tag that c is exactly.
func (c Constraint) isTag(v Version) bool {
	if v.tag == "" || c.word == nil {
		return false
	}
	exact := &c.word.exact
	return v.tag == exact.tag || v.OCITag() == exact.OCITag() ||
		v.full && exact.full && v.compareSemver(*exact) == 0
}
