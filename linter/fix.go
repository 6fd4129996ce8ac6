package linter

import "github.com/xpkg-go/sdk/parser"

// Fix is one way to mend what a finding is about. Where a finding has several they are
// alternatives, the likeliest first: only one of them is to be applied. Rewrite, Rename,
// Remove, Append and Quote make those that are wanted most.
type Fix struct {
	// Message says what is done, in the form of Diagnostic.Message: "write 1.10 in
	// quotes".
	Message string
	// Edits are the changes, which do not overlap. They hold together: either all of
	// them are applied, or none.
	Edits []Edit
}

// Edit replaces the bytes of a range, and nothing else, by others.
type Edit struct {
	// Range is what is replaced, in the author's file. An empty range, which begins
	// where it ends, is a place to insert at.
	Range parser.Range
	// New is what takes its place; empty removes what is there.
	New string
}
