package yamltree

import (
	"bytes"
	"sort"
)

// from returns the first node that begins at the offset or behind it.
func (t *Tree) from(offset int) Node {
	return Node(sort.Search(len(t.nodes), func(i int) bool { return int(t.nodes[i].start) >= offset }))
}

// Comment returns where the first comment of a part of the text begins, or -1.
func (t *Tree) Comment(start, end int) int {
	for i := start; i < end; i++ {
		if t.text[i] == '#' && (i == start || bytes.IndexByte([]byte(" \t\r\n"), t.text[i-1]) >= 0) && !t.InScalar(i) {
			return i
		}
	}
	return -1
}

// InScalar reports whether the offset is within the text of a scalar, where a # begins no
// comment. The line on which a block scalar begins, with its sign, is none of its text.
func (t *Tree) InScalar(offset int) bool {
	n := t.from(offset+1) - 1
	if n < 0 {
		return false
	}
	e := &t.nodes[n]
	if e.kind != Scalar || offset >= int(e.end) {
		return false
	}
	if e.style != block {
		return true
	}
	first, _ := t.Line(int(e.start))
	line, _ := t.Line(offset)
	return line > first
}

// Opened returns the span of what begins at the offset of the first character on a line: a
// key with its value, or an item of a sequence with its dash. It returns false where
// neither does.
func (t *Tree) Opened(offset int) (Span, bool) {
	if offset < len(t.text) && t.text[offset] == '-' && blankOrEnd(t.text, offset+1) {
		item := t.from(offset + 1)
		if int(item) >= len(t.nodes) {
			return Span{}, false
		}
		return Span{offset, int(t.nodes[item].end)}, true
	}
	for n := t.from(offset); int(n) < len(t.nodes) && int(t.nodes[n].start) == offset; n++ {
		e := &t.nodes[n]
		behind := int(e.end)
		for behind < len(t.text) && t.text[behind] == ' ' {
			behind++
		}
		isKey := e.kind == Scalar && behind < len(t.text) && t.text[behind] == ':' && blankOrEnd(t.text, behind+1)
		if value := int(e.next); isKey && value < len(t.nodes) {
			return Span{offset, max(behind, int(t.nodes[value].end))}, true
		}
	}
	return Span{}, false
}
