package legacy

import (
	"slices"

	"github.com/xpkg-go/sdk/meta"
)

// A Note says what became of a field of a document that has no place of its own in
// today's format, or what had to be added.
type Note struct {
	// Path leads to the field, in the document that was given. What is said of an
	// object holds for everything in it.
	Path meta.Path

	// Text is what became of it, in lower case and without a full stop.
	Text string
}

// String is such as: spec.validation: there is no schema …
func (n Note) String() string {
	if len(n.Path) == 0 {
		return n.Text
	}
	return n.Path.String() + ": " + n.Text
}

// notes are collected in the order in which they arise.
type notes []Note

func (n *notes) add(path meta.Path, text string) {
	*n = append(*n, Note{slices.Clone(path), text})
}

// to is a path with elements behind it, in memory of its own.
func to(path meta.Path, elements ...any) meta.Path {
	return append(slices.Clone(path), elements...)
}
