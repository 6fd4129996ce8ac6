package dag

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A DuplicateError says that two or more nodes of a graph are the same package
// and are not equal: they differ in version, in kind or in what they demand. It matches
// meta.ErrInvalid.
type DuplicateError struct {
	// Nodes are the nodes in question, in the order of [Graph.Nodes], the one
	// that the graph kept first.
	Nodes []Node
}

// Error implements error.
func (e *DuplicateError) Error() string {
	times := "twice"
	if n := len(e.Nodes); n > 2 {
		times = strconv.Itoa(n) + " times"
	}
	const most = 10
	var by []string
	for i, n := range e.Nodes {
		if i == most {
			by = append(by, strconv.Itoa(len(e.Nodes)-most)+" more")
			break
		}
		by = append(by, ownersText(&n)+" ("+versionText(n.Version)+")")
	}
	var source meta.Source
	if len(e.Nodes) > 0 {
		source = e.Nodes[0].Source
	}
	text := fmt.Sprintf("%s is provided %s: by %s", sourceText(source), times, joinAnd(by))
	for i := range e.Nodes {
		if i > 0 && e.Nodes[i].Version == e.Nodes[i-1].Version {
			return text + "; " + differenceText(&e.Nodes[i-1], &e.Nodes[i])
		}
	}
	return text
}

// differenceText is in what two nodes of one package and version differ.
func differenceText(a, b *Node) string {
	if a.Kind != b.Kind {
		return fmt.Sprintf("%s says that it is %s, %s that it is %s", ownersText(a), kindText(a.Kind), ownersText(b), kindText(b.Kind))
	}
	first, second := demandsOf(a.DependsOn), demandsOf(b.DependsOn)
	only := func(n *Node, these, others []meta.Dependency) string {
		var names []string
		for _, d := range these {
			if _, both := slices.BinarySearchFunc(others, d, compareDependencies); !both {
				names = append(names, printable(d.String()))
			}
		}
		if len(names) == 0 {
			return ""
		}
		return ownersText(n) + " depends on " + shorten(names, 3)
	}
	var parts []string
	for _, part := range []string{only(a, first, second), only(b, second, first)} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return "only " + strings.Join(parts, ", only ")
}

// ownersText names who installs a node.
func ownersText(n *Node) string {
	if len(n.Owners) == 0 {
		return "an unnamed owner"
	}
	return quoteAll(n.Owners)
}

// kindText is how prose names a kind.
func kindText(k meta.Kind) string {
	if k == "" {
		return "of an unknown kind"
	}
	return "a " + printable(string(k))
}

// Is reports whether target is meta.ErrInvalid.
func (e *DuplicateError) Is(target error) bool { return target == meta.ErrInvalid }

// A MissingError says that a package is needed, or was asked for, that a graph
// does not hold. It matches meta.ErrNotFound.
type MissingError struct {
	Source meta.Source

	// Requirements are the demands on it, in the order of the nodes that make
	// them; none when the caller asked for a package that nobody requires.
	Requirements []Requirement
}

// Error implements error.
func (e *MissingError) Error() string {
	var b strings.Builder
	b.WriteString(sourceText(e.Source))
	b.WriteString(" is not in the graph")
	writeRequiredBy(&b, e.Requirements)
	return b.String()
}

// Is reports whether target is meta.ErrNotFound.
func (e *MissingError) Is(target error) bool { return target == meta.ErrNotFound }

// A ConstraintError says that the version of a package that is installed is not
// one that another package demands. It matches meta.ErrInvalid.
type ConstraintError struct {
	// Installed is the package as it is.
	Installed Node

	// Requirement is the demand that it does not meet.
	Requirement Requirement

	// Verdict says why, such as that a digest cannot be compared with a range of
	// versions.
	Verdict meta.Verdict
}

// Error implements error.
func (e *ConstraintError) Error() string {
	why := e.Verdict.Message
	if e.Installed.Version.IsZero() {
		why = "its version is not known: " + constraintText(e.Requirement.Constraint) + " is asked for"
	}
	return fmt.Sprintf("%s: %s, required by %s", sourceText(e.Installed.Source), printable(why), e.Requirement.Origin())
}

// Is reports whether target is meta.ErrInvalid.
func (e *ConstraintError) Is(target error) bool { return target == meta.ErrInvalid }

// A DependencyError says that a declared dependency is none: it names no package,
// or its constraint cannot be read. It matches meta.ErrInvalid, and what its
// cause matches.
type DependencyError struct {
	// Source and Version are the package that declares the dependency; both are
	// zero for a root given to [Resolve].
	Source  meta.Source
	Version meta.Version

	// Index is the place of the dependency in the declaration, from 0.
	Index int

	// Dependency is what is declared.
	Dependency meta.Dependency

	// Err says what is wrong.
	Err error
}

// Error implements error.
func (e *DependencyError) Error() string {
	at := "root " + strconv.Itoa(e.Index+1)
	if !e.Source.IsZero() {
		at = packageText(e.Source, e.Version) + ": dependsOn[" + strconv.Itoa(e.Index) + "]"
	}
	if !e.Dependency.Package.IsZero() && e.Dependency.Package.Err() == nil {
		at += " " + sourceText(e.Dependency.Package)
	}
	return at + ": " + causeText(e.Err)
}

// Unwrap is what is wrong.
func (e *DependencyError) Unwrap() error { return e.Err }

// Is reports whether target is meta.ErrInvalid.
func (e *DependencyError) Is(target error) bool { return target == meta.ErrInvalid }

// A NodeError says that a node names no package, so that it cannot be part of a
// graph. It matches meta.ErrInvalid.
type NodeError struct {
	// Node is the node as it was given.
	Node Node
}

// Error implements error.
func (e *NodeError) Error() string {
	s := "a node names no package"
	if len(e.Node.Owners) > 0 {
		s = "the node of " + quoteAll(e.Node.Owners) + " names no package"
	}
	return s
}

// Is reports whether target is meta.ErrInvalid.
func (e *NodeError) Is(target error) bool { return target == meta.ErrInvalid }

// A CycleError says that packages depend on each other in a circle, so that none
// of them can come first. It matches meta.ErrInvalid.
type CycleError struct {
	// Path is the circle and nothing else: the first package is the one whose
	// identity sorts first, every package requires the one after it, and the last
	// is the first again.
	Path []meta.Source
}

// Error implements error.
func (e *CycleError) Error() string { return "dependency cycle: " + cycleText(e.Path) }

// cycleText is a path as prose has it. A cycle may be as long as hostile input
// makes it, so the middle of a very long one is counted, not printed; the path
// itself holds it whole.
func cycleText(path []meta.Source) string {
	const most = 50
	names := make([]string, 0, min(len(path), most+1))
	for i, s := range path {
		switch {
		case len(path) <= most || i < most/2 || i >= len(path)-most/2:
			names = append(names, sourceText(s))
		case i == most/2:
			names = append(names, fmt.Sprintf("(%d more)", len(path)-2*(most/2)))
		}
	}
	return strings.Join(names, " -> ")
}

// Is reports whether target is meta.ErrInvalid.
func (e *CycleError) Is(target error) bool { return target == meta.ErrInvalid }

// writeRequiredBy appends "; required by a v1 (>=v1), b v2 (<v2)".
func writeRequiredBy(b *strings.Builder, rs []Requirement) {
	for i, r := range rs {
		if i == 0 {
			b.WriteString("; required by ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(r.Origin())
		b.WriteString(" (")
		b.WriteString(constraintText(r.Constraint))
		b.WriteString(")")
	}
}

// quoteAll quotes names and joins them: `"a" and "b"`.
func quoteAll(names []string) string {
	q := make([]string, len(names))
	for i, n := range names {
		q[i] = strconv.Quote(n)
	}
	return joinAnd(q)
}

// joinAnd joins with commas and a final "and".
func joinAnd(s []string) string {
	if len(s) < 2 {
		return strings.Join(s, "")
	}
	return strings.Join(s[:len(s)-1], ", ") + " and " + s[len(s)-1]
}
