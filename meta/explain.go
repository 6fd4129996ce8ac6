package meta

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/Masterminds/semver/v3"
)

// A Reason is why a version was taken or not: a stable word.
type Reason string

// The reasons of a [Verdict].
const (
	// ReasonAny: nothing was asked for, so the version will do.
	ReasonAny Reason = "any"

	// ReasonInRange: the range holds the version.
	ReasonInRange Reason = "in-range"

	// ReasonExact: it is the tag or the digest that was asked for.
	ReasonExact Reason = "exact"

	// ReasonIgnored: constraints on Crossplane are ignored.
	ReasonIgnored Reason = "ignored"

	// ReasonOutOfRange: the range does not hold the version.
	ReasonOutOfRange Reason = "out-of-range"

	// ReasonPrerelease: the version is a pre-release, which must be asked for.
	ReasonPrerelease Reason = "prerelease"

	// ReasonPartial: the tag is partial, v1 or v1.2, and no version.
	ReasonPartial Reason = "partial"

	// ReasonNotVersion: the tag is no version at all.
	ReasonNotVersion Reason = "not-a-version"

	// ReasonOtherTag: another tag was asked for.
	ReasonOtherTag Reason = "other-tag"

	// ReasonOtherDigest: another digest was asked for.
	ReasonOtherDigest Reason = "other-digest"

	// ReasonUnknownDigest: a digest was asked for and that of the version is not
	// known.
	ReasonUnknownDigest Reason = "unknown-digest"

	// ReasonUnknownVersion: a version was asked for and only the digest is known.
	ReasonUnknownVersion Reason = "unknown-version"

	// ReasonInvalid: the constraint is none.
	ReasonInvalid Reason = "invalid-constraint"
)

// A Verdict is what a constraint says of one version.
type Verdict struct {
	Version Version

	// Allowed is whether the version satisfies the constraint, as
	// [Constraint.Allows] has it: may what is installed stay?
	Allowed bool

	// Candidate is whether the version may be chosen: it is allowed and, unless
	// it was asked for by its tag or digest, it is a full semantic version, and no
	// pre-release if nothing was asked for.
	Candidate bool

	// Reason says why, for machines. If the version is allowed but no candidate,
	// it says why it is no candidate.
	Reason Reason

	// Message says why, for people, with what to do about it where that is known:
	//
	//	v0.16.0-feat.0 is a pre-release: write >=v0.14.36-0 to admit it
	Message string
}

// Explain says whether v satisfies c, whether it may be chosen, and why.
func (c Constraint) Explain(v Version) Verdict {
	e := Verdict{Version: v, Allowed: c.Allows(v)}
	switch {
	case c.Err() != nil:
		e.Reason, e.Message = ReasonInvalid, c.Err().Error()
	case c.Digest() != "":
		c.explainDigest(&e)
	case c.isPlain():
		c.explainTag(&e)
	case !v.full:
		explainNotFull(&e)
	case c.IsZero():
		explainAny(&e)
	default:
		c.explainRange(&e)
	}
	return e
}

func (c Constraint) explainDigest(e *Verdict) {
	name := clip(e.Version.String())
	switch {
	case e.Allowed:
		e.Candidate, e.Reason, e.Message = true, ReasonExact, name+" is the digest that is asked for"
	case e.Version.digest == "":
		e.Reason, e.Message = ReasonUnknownDigest, "the digest of "+name+" is not known: "+c.Digest()+" is asked for"
	default:
		e.Reason, e.Message = ReasonOtherDigest, name+" is not "+c.Digest()
	}
}

func (c Constraint) explainTag(e *Verdict) {
	name, want := clip(e.Version.String()), clip(c.text)
	switch {
	case e.Allowed:
		e.Candidate, e.Reason, e.Message = true, ReasonExact, name+" is the version that is asked for"
	case e.Version.tag == "":
		e.Reason, e.Message = ReasonUnknownVersion, "the version of "+name+" is not known: "+want+" is asked for"
	default:
		e.Reason, e.Message = ReasonOtherTag, name+" is not "+want
	}
}

// explainNotFull is about versions that no range can be compared with.
func explainNotFull(e *Verdict) {
	name := clip(e.Version.String())
	switch e.Version.Class() {
	case ClassPartial:
		e.Reason, e.Message = ReasonPartial, name+" is not a full version: name one such as "+clip(e.Version.example())+", or a digest"
	case ClassDigest:
		e.Reason, e.Message = ReasonUnknownVersion, "the version of "+name+" is not known: a digest cannot be compared with a range"
	default:
		e.Reason, e.Message = ReasonNotVersion, name+" is not a version: name one such as v1.2.3, or a digest"
	}
}

// explainAny is about full versions where nothing was asked for.
func explainAny(e *Verdict) {
	if v := e.Version; v.pre != "" {
		e.Reason, e.Message = ReasonPrerelease, clip(v.String())+" is a pre-release: write >="+clip(v.base())+"-0 to admit it"
		return
	}
	e.Candidate, e.Reason, e.Message = true, ReasonAny, anyVersion
}

const anyVersion = "any version will do"

// explainRange is about full versions and a range.
func (c Constraint) explainRange(e *Verdict) {
	v, name, what := e.Version, clip(e.Version.String()), clip(c.text)
	if e.Allowed {
		e.Candidate, e.Reason, e.Message = true, ReasonInRange, name+" is in "+what
		return
	}
	rng := *c.rng
	if v.pre != "" {
		if wider, ok := c.admitting(v); ok {
			e.Reason, e.Message = ReasonPrerelease, name+" is a pre-release: write "+wider+" to admit it"
			return
		}
		// Would it be in the range if it were no pre-release? Masterminds' reasons tell
		// the two apart only when pre-releases are included.
		rng.IncludePrerelease = true
		if rng.Check(v.semver()) {
			e.Reason, e.Message = ReasonPrerelease, name+" is a pre-release, and "+what+" only looks for releases"
			return
		}
	}
	e.Reason, e.Message = ReasonOutOfRange, name+" is not in "+what+why(&rng, v)
}

// why is Masterminds' first reason in parentheses, if it has one to give.
func why(rng *semver.Constraints, v Version) string {
	if _, reasons := rng.Validate(v.semver()); len(reasons) > 0 {
		return " (" + clip(strings.ReplaceAll(reasons[0].Error(), `"`, "")) + ")"
	}
	return ""
}

// rangeVersion is a version inside a range, with what is behind its numbers.
var rangeVersion = regexp.MustCompile(`v?[0-9xX*]+(?:\.[0-9xX*]+)*([-+][0-9A-Za-z.+-]*)?`)

// admitting is a range that holds v, and of releases the same as c. It is false if
// there is none, or none that is short enough to be shown.
func (c Constraint) admitting(v Version) (string, bool) {
	for _, wider := range []string{
		// "-0" behind each version is how people write it, but it moves some bounds:
		// <=v1.2.3-0 is without v1.2.3, and !=v1.2.3-0 is with it.
		rangeVersion.ReplaceAllStringFunc(c.text, func(s string) string {
			if strings.ContainsAny(s, "-+") {
				return s
			}
			return s + "-0"
		}),
		// One pre-release admits them to all of an alternative.
		strings.Join(strings.Split(c.text, "||"), ", "+anyPrerelease+" ||") + ", " + anyPrerelease,
	} {
		wider = strings.ReplaceAll(wider, " , ", ", ")
		if len(wider) > maxQuoted {
			continue
		}
		if w, err := ParseConstraint(wider); err == nil && w.Allows(v) && c.sameReleases(w) {
			return wider, true
		}
	}
	return "", false
}

// anyPrerelease holds every version.
const anyPrerelease = ">=0.0.0-0"

// sameReleases reports whether the ranges c and d hold the same releases, as far as
// those at and around the versions in c tell: the bounds of ranges are there.
func (c Constraint) sameReleases(d Constraint) bool {
	around := func(n uint64) []uint64 { return []uint64{0, n - 1, n, n + 1, math.MaxInt32} }
	for _, s := range rangeVersion.FindAllString(c.text, -1) {
		bound := boundOf(s)
		for _, major := range around(bound[0]) {
			for _, minor := range around(bound[1]) {
				for _, patch := range around(bound[2]) {
					release := Version{full: true, major: major, minor: minor, patch: patch}
					if c.Allows(release) != d.Allows(release) {
						return false
					}
				}
			}
		}
	}
	return true
}

// boundOf are the numbers of a version in a range, 0 for those that it leaves open.
func boundOf(s string) (numbers [3]uint64) {
	s, _, _ = strings.Cut(s, "-")
	s, _, _ = strings.Cut(s, "+")
	for i, part := range strings.SplitN(strings.TrimPrefix(s, "v"), ".", len(numbers)) {
		// What is no number is a wildcard.
		numbers[i], _ = strconv.ParseUint(part, 10, 64)
	}
	return numbers
}

// base is the version without its pre-release and build metadata.
func (v Version) base() string {
	s := v.tag
	if i := strings.IndexAny(s, "-+_"); i >= 0 {
		s = s[:i]
	}
	return s
}

// example is a full version that begins like the partial one.
func (v Version) example() string {
	s := v.base()
	for range 2 - strings.Count(s, ".") {
		s += ".0"
	}
	return s
}

// Candidates are those versions that may be chosen by c, newest first, each
// once. Where c is an exact tag, and two tags are that version, the one that is
// spelled alike comes first.
func Candidates(c Constraint, versions []Version) []Version {
	var out []Version
	for _, v := range versions {
		if c.isCandidate(v) {
			out = append(out, v)
		}
	}
	exact, _ := c.Exact()
	sortNewestFirst(out, exact.tag)
	return slices.Compact(out)
}

// isCandidate is what Explain says, without the cost of saying why.
func (c Constraint) isCandidate(v Version) bool {
	switch {
	case !c.Allows(v):
		return false
	case c.Digest() != "" || c.isPlain():
		return true
	default:
		return v.full && (v.pre == "" || !c.IsZero())
	}
}

// Newest is the newest version that may be chosen by c. It is false if there is
// none.
func Newest(c Constraint, versions []Version) (Version, bool) {
	found := Candidates(c, versions)
	if len(found) == 0 {
		return Version{}, false
	}
	return found[0], true
}

// Compatible says whether a version of Crossplane satisfies the constraints that
// packages put on it (spec.crossplane and, in the packages v2 design, entries of
// spec.dependsOn), each of them. The verdict is that of the first constraint that
// refuses the version, else that of the last. With ignoreCrossplaneConstraints,
// the field of that name in the packages guide, every version is allowed.
//
// A tag that is no full version satisfies nothing but the zero Constraint. Where
// nothing is asked, every version is allowed and a candidate: Crossplane is there,
// and need not be chosen.
func Compatible(crossplane Version, ignoreCrossplaneConstraints bool, constraints ...Constraint) Verdict {
	verdict := Constraint{}.Explain(crossplane)
	for _, c := range constraints {
		if verdict = c.Explain(crossplane); !verdict.Allowed {
			break
		}
	}
	if verdict.Allowed && !verdict.Candidate {
		verdict.Candidate, verdict.Reason, verdict.Message = true, ReasonAny, anyVersion
	}
	if !verdict.Allowed && ignoreCrossplaneConstraints {
		verdict.Allowed, verdict.Candidate, verdict.Reason = true, true, ReasonIgnored
		verdict.Message = verdict.Message + "; constraints on Crossplane are ignored"
	}
	return verdict
}
