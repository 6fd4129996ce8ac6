package parser

import (
	"bytes"
	"sync"
	"weak"

	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

// A source is the text of one document and where it stands in its stream.
type source struct {
	file      string
	text      []byte // from the start of a line of the stream; nil when it is held elsewhere
	held      *heldText
	raw       int  // where in text the document without its separator begins
	badEnd    int  // where in text something stands behind "..." on its line, or 0
	line      int  // of text[0]
	offset    int  // of text[0]
	inDir     bool // it is of a directory
	oldBreaks bool // the text holds U+0085, U+2028 or U+2029
	limits    yamltree.Limits
	encoding  yamlstream.Encoding // of the stream; the text is UTF-8
	marks     *marks
	scan      int       // where in text the engine begins, once it has taken the document, else -1
	crlf      bool      // all its lines end in CRLF, and the engine read it with LF
	types     *fitTypes // what the documents of the sequence were decoded into; set when scan is
}

func newSource(file string, c yamlstream.Chunk, l yamltree.Limits) source {
	return source{file: file, text: c.Text, raw: c.Raw, badEnd: c.BadEnd, line: c.Pos.Line, offset: c.Pos.Offset, limits: l, encoding: c.Encoding, marks: new(marks), scan: -1}
}

// inStream returns the offset in the stream of an offset in the text.
func (s *source) inStream(offset int) int {
	if s.encoding == yamlstream.UTF8 {
		return s.offset + offset
	}
	return s.offset + s.marks.size(s, offset)
}

// position returns the place in the stream of an offset in the text. It counts
// lines, so it is for the few places that errors have, and those of the engine.
func (s *source) position(offset int) Position {
	line, start := s.line, 0
	if head := s.text[:offset]; bytes.IndexByte(head, '\r') < 0 {
		line, start = line+bytes.Count(head, []byte("\n")), bytes.LastIndexByte(head, '\n')+1
		return Position{Line: line, Column: offset - start + 1, Offset: s.inStream(offset)}
	}
	for i := 0; i < offset; i++ {
		if c := s.text[i]; c == '\n' || c == '\r' && (i+1 == len(s.text) || s.text[i+1] != '\n') {
			line, start = line+1, i+1
		}
	}
	return Position{Line: line, Column: offset - start + 1, Offset: s.inStream(offset)}
}

// rangeOf returns the place of a span. A tree of the text, or nil where there is none,
// knows the lines: for the many places of At, and those of a document of many faults.
func (s *source) rangeOf(t *yamltree.Tree, span yamltree.Span) Range {
	at := s.position
	if t != nil {
		at = func(offset int) Position {
			line, start := t.Line(offset)
			return Position{Line: s.line + line, Column: offset - start + 1, Offset: s.inStream(offset)}
		}
	}
	r := Range{File: s.file, Start: at(span.Start)}
	if r.End = r.Start; span.End > span.Start {
		r.End = at(span.End)
	}
	return r
}

// rangeIn returns the place of a node.
func (s *source) rangeIn(t *yamltree.Tree, n yamltree.Node) Range {
	if n == yamltree.None {
		return Range{}
	}
	return s.rangeOf(t, t.Span(n))
}

// A treeCache keeps the tree of a document for as long as memory is not wanted
// for something else. A tree is larger than its text, and of the documents of
// a large package nearly all are looked at once, right after they were read.
type treeCache struct {
	mu   sync.Mutex
	tree weak.Pointer[yamltree.Tree]
}

// get returns the tree of s, which was read once without an error, or nil when
// s holds nothing.
func (c *treeCache) get(s *source) *yamltree.Tree {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.tree.Value(); t != nil {
		return t
	}
	t, _ := s.parse()
	if t != nil {
		c.tree = weak.Make(t)
	}
	return t
}

// keep remembers the tree of a document that was just read.
func (c *treeCache) keep(t *yamltree.Tree) { c.tree = weak.Make(t) }
