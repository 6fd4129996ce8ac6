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
// "acme.io/lib v0.2.0 <- acme.io/app v1.2.0 (root)", or "the request" for a root.
func (r Requirement) Origin() string {
	if r.Installed {
		return "what is installed"
	}
	if len(r.Path) == 0 {
		return "the request"
	}
	var b strings.Builder
	for i, s := range r.Path {
		if i > 0 {
			b.WriteString(" <- ")
		}
		b.WriteString(s.String())
	}
	if r.Rooted {
		b.WriteString(" (root)")
	}
	return b.String()
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
