package compare

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// lost returns a version that all of the old constraints allow and one of the new ones
// does not: a release where there is one, and from v1 on if possible. Ranges are predicates, so versions
// are tried: each that is named in them, and those next to it, before it and behind it.
// Between these nothing changes. A constraint that cannot be read says nothing.
func lost(old, new []meta.Constraint) (meta.Version, bool) {
	faulty := slices.ContainsFunc(new, func(c meta.Constraint) bool { return c.Err() != nil })
	if faulty || slices.EqualFunc(old, new, meta.Constraint.Equal) {
		return meta.Version{}, false
	}
	var found meta.Version
	best := 0
	for _, v := range tried(old, new) {
		if !allAllow(old, v) || allAllow(new, v) {
			continue
		}
		if rank := usefulness(v); rank > best {
			best, found = rank, v
		}
	}
	return found, best > 0
}

// usefulness orders versions by how well they serve as an example.
func usefulness(v meta.Version) int {
	switch {
	case v.Class() != meta.ClassRelease:
		return 1
	case strings.HasPrefix(strings.TrimPrefix(v.String(), "v"), "0."):
		return 2
	default:
		return 3
	}
}

func allAllow(list []meta.Constraint, v meta.Version) bool {
	return !slices.ContainsFunc(list, func(c meta.Constraint) bool { return !c.Allows(v) })
}

// maxTried bounds how many versions of ranges are tried.
const maxTried = 200

// named finds versions in a range.
var named = regexp.MustCompile(`(\d{1,9})(?:\.(\d{1,9}))?(?:\.(\d{1,9}))?(?:-([0-9A-Za-z.-]+))?`)

// tried are versions to try, in ascending order.
func tried(lists ...[]meta.Constraint) []meta.Version {
	var out []meta.Version
	add := func(text string) {
		if v, err := meta.ParseVersion(text); err == nil {
			out = append(out, v)
		}
	}
	around := func(major, minor, patch int) {
		for _, n := range [][3]int{
			{major, minor, patch}, {major, minor, patch + 1}, {major, minor + 1, 0}, {major + 1, 0, 0},
			{major, minor, patch - 1}, {major, minor - 1, 999}, {major - 1, 999, 999},
		} {
			if n[0] >= 0 && n[1] >= 0 && n[2] >= 0 {
				add(fmt.Sprintf("v%d.%d.%d", n[0], n[1], n[2]))
				add(fmt.Sprintf("v%d.%d.%d-0", n[0], n[1], n[2]))
			}
		}
	}
	around(0, 0, 0)
	around(1, 0, 0)
	around(9999, 0, 0)
	for _, list := range lists {
		for _, c := range list {
			if v, exact := c.Exact(); exact {
				out = append(out, v)
				continue
			}
			for _, m := range named.FindAllStringSubmatch(c.String(), maxTried) {
				var n [3]int
				for i := range n {
					n[i], _ = strconv.Atoi(m[i+1])
				}
				around(n[0], n[1], n[2])
				if m[4] != "" {
					add("v" + m[0])
				}
			}
		}
	}
	slices.SortStableFunc(out, meta.Version.Compare)
	return out
}

// ranges writes constraints for a message.
func ranges(list []meta.Constraint) string {
	var texts []string
	for _, c := range list {
		if !c.IsZero() {
			texts = append(texts, c.String())
		}
	}
	if len(texts) == 0 {
		return "any version"
	}
	return quote(strings.Join(texts, ", "))
}
