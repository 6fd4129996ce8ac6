package linter

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// release is a minor release of Crossplane. Kinds and fields come and go with
// minor releases, so patch numbers do not matter to a rule.
type release struct{ major, minor int }

// String returns the release as "v1.14".
func (r release) String() string { return fmt.Sprintf("v%d.%d", r.major, r.minor) }

func (r release) less(o release) bool {
	return r.major < o.major || r.major == o.major && r.minor < o.minor
}

// parseRelease reads "v1.20", "1.20" or a full version such as "v1.20.3-rc.1",
// of which it keeps the minor release.
func parseRelease(s string) (release, error) {
	bad := func() (release, error) {
		return release{}, fmt.Errorf("%q is not a Crossplane version such as v1.20", clip(s))
	}
	major, rest, ok := strings.Cut(strings.TrimPrefix(s, "v"), ".")
	if !ok {
		return bad()
	}
	minor, patch, full := strings.Cut(rest, ".")
	if full {
		if _, err := meta.ParseVersion("v" + major + "." + minor + "." + patch); err != nil {
			return bad()
		}
	}
	x, err := strconv.ParseUint(major, 10, 16)
	if err != nil {
		return bad()
	}
	y, err := strconv.ParseUint(minor, 10, 16)
	if err != nil {
		return bad()
	}
	return release{int(x), int(y)}, nil
}

// known are the minor releases of Crossplane that install packages with a metadata
// object, by major version: the first and the last of each.
var known = []struct{ major, first, last int }{
	{0, 11, 14},
	{1, 0, 20},
	{2, 0, 4},
}

// patches is how many patch numbers of a minor release there are when a range is matched;
// no release has had more.
const patches = 16

// patchesFor returns the patch numbers to try for constraints. A range admits or refuses a
// release at the numbers that it is written with and beside them, and between those as at
// one of them.
func patchesFor(constraints []meta.Constraint) []int {
	tried := [patches]bool{0: true, patches - 1: true}
	for _, c := range constraints {
		for _, digits := range strings.FieldsFunc(c.String(), func(r rune) bool { return r < '0' || r > '9' }) {
			n, err := strconv.Atoi(digits)
			if err != nil || n > patches {
				continue // one that no patch number comes near to
			}
			for near := max(0, n-1); near <= min(n+1, patches-1); near++ {
				tried[near] = true
			}
		}
	}
	var list []int
	for n, is := range tried {
		if is {
			list = append(list, n)
		}
	}
	return list
}

// Releases is the set of Crossplane minor releases that a package is judged
// for. It holds at least one.
type Releases struct {
	list   []release
	target bool
}

// releasesOf returns the target's release when there is a target; else the
// known releases that the package admits; else, when it admits none of those or
// says nothing, the newest.
func releasesOf(target string, p *meta.Package) (Releases, error) {
	if target != "" {
		r, err := parseRelease(target)
		if err != nil {
			return Releases{}, err
		}
		return Releases{list: []release{r}, target: true}, nil
	}
	var list []release
	if constraints := constraintsOf(p); len(constraints) > 0 {
		patches := patchesFor(constraints)
		for _, k := range known {
			for minor := k.first; minor <= k.last; minor++ {
				if r := (release{k.major, minor}); admit(constraints, r, patches) {
					list = append(list, r)
				}
			}
		}
	}
	if len(list) == 0 {
		newest := known[len(known)-1]
		list = []release{{newest.major, newest.last}}
	}
	return Releases{list: list}, nil
}

func constraintsOf(p *meta.Package) []meta.Constraint {
	if p == nil {
		return nil
	}
	return p.CrossplaneConstraints()
}

// admit reports whether the constraints together admit one of the patch releases of a
// minor one.
func admit(constraints []meta.Constraint, r release, patches []int) bool {
	for _, patch := range patches {
		v, err := meta.ParseVersion(r.String() + "." + strconv.Itoa(patch))
		refuses := func(c meta.Constraint) bool { return !c.Allows(v) }
		if err == nil && !slices.ContainsFunc(constraints, refuses) {
			return true
		}
	}
	return false
}

// Some reports whether one of the releases is within the bounds, which are
// those of Rule.Since and Rule.Until.
func (r Releases) Some(since, until string) bool { return r.count(since, until) > 0 }

// Every reports whether all of the releases are within the bounds.
func (r Releases) Every(since, until string) bool { return r.count(since, until) == len(r.list) }

// Targeted reports whether the release is one that was asked for (Options.Target), rather
// than those that the package admits or, where it admits none that is known, the newest.
func (r Releases) Targeted() bool { return r.target }

// Oldest returns the oldest of the releases, as "v1.14".
func (r Releases) Oldest() string { return r.list[0].String() }

// Newest returns the newest of the releases, as "v2.4".
func (r Releases) Newest() string { return r.list[len(r.list)-1].String() }

func (r Releases) count(since, until string) int {
	if since == "" && until == "" {
		return len(r.list)
	}
	from, errFrom := parseRelease(since)
	to, errTo := parseRelease(until)
	n := 0
	for _, v := range r.list {
		if (since == "" || errFrom == nil && !v.less(from)) && (until == "" || errTo == nil && v.less(to)) {
			n++
		}
	}
	return n
}
