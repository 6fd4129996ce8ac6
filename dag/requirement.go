package dag

import (
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A Requirement is one demand on a package, and where the demand comes from.
type Requirement struct {
	// Source is the package that is required, as whoever requires it spells it.
	Source meta.Source

	// Constraint is the versions of it that will do.
	Constraint meta.Constraint

	// Path leads from the package that states the requirement to the root that
	// brought it in: Path[0] requires Source, Path[1] requires Path[0], and so
	// on. It is empty for a root, which the caller of [Resolve] requires. The
	// requirements that a [Graph] reports have one step: its nodes are installed,
	// whatever brought them.
	Path []Step

	// Rooted says that the last step of Path is a root.
	Rooted bool

	// Installed says that a package which is installed is to stay as it is, because what
	// was asked of it cannot be met; Path is empty.
	Installed bool
}

// A Step is one package on the path of a requirement.
type Step struct {
	Source meta.Source

	// Versions are those versions of the package that make the demand, newest
	// first; one, where a single version was chosen or is installed.
	Versions []meta.Version
}

// String is the step as prose has it: "acme.io/app v1.2.0".
func (s Step) String() string {
	switch n := len(s.Versions); n {
	case 0:
		return sourceText(s.Source)
	case 1:
		return sourceText(s.Source) + " " + s.Versions[0].String()
	case 2:
		return sourceText(s.Source) + " " + s.Versions[0].String() + " and " + s.Versions[1].String()
	default:
		return sourceText(s.Source) + " " + s.Versions[n-1].String() + " to " + s.Versions[0].String() +
			" (" + strconv.Itoa(n) + " versions)"
	}
}

// Origin is where the requirement comes from, as prose has it:
// "acme.io/lib v0.2.0 <- acme.io/app v1.2.0 (root)", or "the request" for a root. The
// middle of a very long path is counted, not printed.
func (r Requirement) Origin() string {
	if r.Installed {
		return "what is installed"
	}
	if len(r.Path) == 0 {
		return "the request"
	}
	var b strings.Builder
	const most = 20
	first, last := r.ends(most)
	for i, s := range first {
		if i > 0 {
			b.WriteString(" <- ")
		}
		b.WriteString(s.String())
	}
	if len(last) > 0 {
		b.WriteString(" <- (" + strconv.Itoa(len(r.Path)-most) + " more)")
	}
	for _, s := range last {
		b.WriteString(" <- " + s.String())
	}
	if r.Rooted {
		b.WriteString(" (root)")
	}
	return b.String()
}

// ends are the first and the last steps of a path that has more than so many, half of each;
// all of them are first, where there are not more.
func (r *Requirement) ends(most int) (first, last []Step) {
	if len(r.Path) <= most {
		return r.Path, nil
	}
	return r.Path[:most/2], r.Path[len(r.Path)-most/2:]
}

// constraintText is how prose names a constraint: an absent one allows every
// version, and an empty string would say nothing.
func constraintText(c meta.Constraint) string {
	if c.IsZero() {
		return "any version"
	}
	return printable(c.String())
}

// versionText is how prose names a version.
func versionText(v meta.Version) string {
	if v.IsZero() {
		return "an unknown version"
	}
	return v.String()
}

// packageText is how prose names a version of a package.
func packageText(s meta.Source, v meta.Version) string {
	if v.IsZero() {
		return sourceText(s)
	}
	return sourceText(s) + " " + v.String()
}
