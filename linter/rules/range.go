package rules

import (
	"fmt"
	"iter"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// demand is a range of versions that a package asks for, of Crossplane or of a
// dependency.
type demand struct {
	constraint meta.Constraint
	path       meta.Path
	of         string // what the versions are of, for a message
	crossplane bool
}

// demandsOf are the ranges of a package that can be read, in the order of the document:
// that of spec.crossplane, and those of the dependencies.
func demandsOf(p *parser.Package) []demand {
	if p.Meta == nil || p.Header == nil {
		return nil
	}
	var list []demand
	add := func(d demand) {
		if !d.constraint.IsZero() && d.constraint.Err() == nil {
			list = append(list, d)
		}
	}
	path := meta.Path{"spec", "crossplane"}
	if _, exact := p.Meta.Crossplane.Exact(); !exact {
		path = meta.Path{"spec", "crossplane", "version"}
	}
	add(demand{p.Meta.Crossplane, path, "Crossplane", true})
	for _, d := range p.Meta.DependsOn {
		switch d.Spelling {
		case meta.SpellingCrossplane:
			add(demand{d.Constraint, d.Path(string(d.Spelling)), "Crossplane", true})
		case meta.SpellingCRD:
		default:
			add(demand{d.Constraint, d.Path("version"), quote(d.Package.String()), false})
		}
	}
	return list
}

// isRange reports whether a constraint is a range and not one version.
func isRange(c meta.Constraint) bool {
	_, exact := c.Exact()
	return !exact
}

var bound = regexp.MustCompile(`v?([0-9xX*]+)(?:\.([0-9xX*]+))?(?:\.([0-9xX*]+))?(-[0-9A-Za-z.-]+)?`)

// numbers are the parts of a release.
type numbers [3]uint64

func (n numbers) version(suffix string) (meta.Version, bool) {
	v, err := meta.ParseVersion(fmt.Sprintf("v%d.%d.%d%s", n[0], n[1], n[2], suffix))
	return v, err == nil
}

// next is the release that follows when part i, 0 for the major version, grows.
func (n numbers) next(i int) numbers {
	if n[i] < math.MaxInt32 {
		n[i]++
	}
	for j := i + 1; j < len(n); j++ {
		n[j] = 0
	}
	return n
}

// maxBounds is how many versions of a range are looked at; ranges that people write have
// less than ten.
const maxBounds = 24

// boundsOf are the versions that are written in ranges, each once, with their
// pre-releases.
func boundsOf(constraints ...meta.Constraint) map[numbers][]string {
	bounds := map[numbers][]string{}
	for _, c := range constraints {
		for _, m := range bound.FindAllStringSubmatch(c.String(), -1) {
			n := numbers{}
			for i := range n {
				n[i], _ = strconv.ParseUint(m[i+1], 10, 32) // a wildcard is 0
			}
			if pre := bounds[n]; !slices.Contains(pre, m[4]) {
				bounds[n] = append(pre, m[4])
			}
		}
	}
	return bounds
}

// probes are versions of which at least one satisfies all of the constraints, if any
// version does: a range is made of intervals, each of which begins at 0.0.0, at a
// version that is written in it, at the pre-release or release behind one, or where one
// of its parts is greater by one (as ^1.2 ends and !=1.2 goes on).
func probes(bounds map[numbers][]string) iter.Seq[meta.Version] {
	return func(yield func(meta.Version) bool) {
		try := func(n numbers, suffixes ...string) bool {
			for _, suffix := range suffixes {
				if v, ok := n.version(suffix); ok && !yield(v) {
					return false
				}
			}
			return true
		}
		if !try(numbers{}, "", "-0") {
			return
		}
		for n, pres := range bounds {
			if !try(n, "", "-0") {
				return
			}
			for i := range n {
				if !try(n.next(i), "", "-0") || !try(n.next(i).next(2), "") {
					return
				}
			}
			for _, pre := range pres {
				if pre != "" && !try(n, pre, pre+".0") {
					return
				}
			}
		}
	}
}

// satisfiable reports whether some version satisfies all of the constraints; it is false
// only if there surely is none.
func satisfiable(constraints ...meta.Constraint) bool {
	for _, c := range constraints {
		if !isRange(c) {
			return true // the tag or digest may exist
		}
	}
	bounds := boundsOf(constraints...)
	if len(bounds) > maxBounds {
		return true
	}
	for v := range probes(bounds) {
		if allow(constraints, v) {
			return true
		}
	}
	return false
}

func allow(constraints []meta.Constraint, v meta.Version) bool {
	for _, c := range constraints {
		if !c.Allows(v) {
			return false
		}
	}
	return true
}

var partial = regexp.MustCompile(`^(v?)([0-9]+)(?:\.([0-9]+))?$`)

// meantRange returns the range that a partial version stands for: ">=v1.0.0, <v2.0.0"
// for v1. It is false for what is no partial version.
func meantRange(s string) (string, bool) {
	m := partial.FindStringSubmatch(s)
	if m == nil {
		return "", false
	}
	n, part := numbers{}, 0
	for i := range 2 {
		if m[i+2] == "" {
			break
		}
		x, err := strconv.ParseUint(m[i+2], 10, 31)
		if err != nil {
			return "", false
		}
		n[i], part = x, i
	}
	text := func(n numbers) string { return fmt.Sprintf("%s%d.%d.%d", m[1], n[0], n[1], n[2]) }
	return strings.Join([]string{">=" + text(n), "<" + text(n.next(part))}, ", "), true
}

// excluded returns a pre-release between two releases of a range that the range does
// not hold, and false if there is none.
func excluded(c meta.Constraint) (meta.Version, bool) {
	if !isRange(c) {
		return meta.Version{}, false
	}
	for _, m := range bound.FindAllStringSubmatch(c.String(), maxBounds) {
		n := numbers{}
		for i := range n {
			n[i], _ = strconv.ParseUint(m[i+1], 10, 32)
		}
		for part := len(n) - 1; part >= 0; part-- {
			here, ok1 := n.version("")
			next, ok2 := n.next(part).version("")
			pre, ok3 := n.next(part).version("-rc.1")
			if ok1 && ok2 && ok3 && c.Allows(here) && c.Allows(next) && !c.Allows(pre) {
				return pre, true
			}
		}
	}
	return meta.Version{}, false
}
