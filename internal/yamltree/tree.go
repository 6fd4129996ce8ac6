// Package yamltree reads the text of one YAML document into a tree whose every
// node knows where it stands, and writes that tree as JSON.
//
// Parsing is go-yaml's; the tree is ours, because go-yaml's nodes have no end,
// count columns in runes, are ten times as large, and resolve words as YAML
// 1.1 does. A [Tree] holds offsets into the text and, only where the text of a
// scalar is not what it says, a string.
package yamltree

import (
	"bytes"
	"sort"
)

// Kind is the kind of a node.
type Kind uint8

// Kinds of nodes.
const (
	Scalar Kind = iota
	Mapping
	Sequence
	Alias
)

// style is how a node is written.
type style uint8

const (
	plain style = iota
	single
	double
	block // literal and folded
	flow  // of a mapping or sequence: with brackets
)

// Flags of a mapping that is not simply its pairs.
const (
	hasMerge   = 1 << iota // it has a merge key
	hasRepeats             // it has a key twice
	hasBadPair             // it has a key that is no text, or a merge key without a mapping
)

// A node is an entry of Tree.nodes, which are in document order: the children
// of a node follow it, and next leads over them to its sibling.
type node struct {
	start, end int32 // in the text, without anchor and tag
	next       int32 // index behind the node and its children
	ref        int32 // scalar: index of its text in Tree.texts, or -1 when it is written as it is; alias: the node it stands for
	kind       Kind
	style      style
	tag        tag
	flags      uint8
}

// A Tree is one document. It does not change, and may be read concurrently.
type Tree struct {
	text  []byte
	lines []int32 // offsets of line starts
	nodes []node
	texts []string
	index index
}

// A Node is an index into a Tree; the root is 0.
type Node int32

// None is no node.
const None Node = -1

// A Span is a part of the text, from Start up to but without End.
type Span struct{ Start, End int }

// Span returns where n stands: without anchor and tag, a block mapping from its
// first key, a block sequence from its first dash, both to the end of the last
// value.
func (t *Tree) Span(n Node) Span {
	return Span{int(t.nodes[n].start), int(t.nodes[n].end)}
}

// Kind returns what n is, an alias being what it stands for.
func (t *Tree) Kind(n Node) Kind { return t.nodes[t.deref(n)].kind }

// Line returns the index from 0 of the line that holds the offset, and the
// offset of that line's start.
func (t *Tree) Line(offset int) (line, start int) {
	i := sort.Search(len(t.lines), func(i int) bool { return int(t.lines[i]) > offset }) - 1
	return i, int(t.lines[i])
}

func (t *Tree) deref(n Node) Node {
	if t.nodes[n].kind == Alias {
		return Node(t.nodes[n].ref)
	}
	return n
}

// scalarText returns what the scalar n says.
func (t *Tree) scalarText(n Node) string {
	e := &t.nodes[n]
	if e.ref >= 0 {
		return t.texts[e.ref]
	}
	if e.style == single || e.style == double {
		return string(t.text[e.start+1 : e.end-1])
	}
	return string(t.text[e.start:e.end])
}

// lineStarts returns the offset of every line of text.
func lineStarts(text []byte) []int32 {
	breaks := bytes.Count(text, []byte("\n")) + bytes.Count(text, []byte("\r")) - bytes.Count(text, []byte("\r\n"))
	lines := make([]int32, 1, 1+breaks) // a text of nothing else has as many as bytes
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				i++
			}
			lines = append(lines, int32(i+1))
		case '\n':
			lines = append(lines, int32(i+1))
		}
	}
	return lines
}
