package parser

import (
	"bytes"
	"slices"
	"sync"

	"github.com/xpkg-go/sdk/internal/yamlscan"
	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

// scanned returns the document of a source as the engine reads it, and nil when the
// engine does not take it, or when there is anything to be said against it: then the
// library reads it, and finds the words.
func scanned(scanner *yamlscan.Scanner, s source) *Document {
	if s.scan = s.scanStart(); s.scan < 0 || yamltree.HasMoreNodes(s.text, s.limits) {
		return nil
	}
	if !yamlstream.IsPlain(s.text) {
		if flaw, oldBreaks := yamlstream.CheckText(s.text); flaw != nil || oldBreaks {
			return nil
		}
		text := s.text[s.scan:]
		if bytes.Contains(text, []byte("\uFEFF")) {
			return nil
		}
		if bytes.IndexByte(text, '\r') >= 0 {
			n := bytes.Count(text, []byte("\r\n"))
			if bytes.Count(text, []byte("\n")) != n || bytes.Count(text, []byte("\r")) != n {
				return nil
			}
			s.crlf = true
		}
	}
	text := s.scanText()
	id, ok := scanner.Scan(text, s.limits.Depth)
	if !ok || text[id.Root.Start] == '<' { // which may be no YAML but HTML
		return nil
	}
	words := func(span yamlscan.Span) string { return string(text[span.Start:span.End]) }
	d := &Document{APIVersion: words(id.APIVersion), Kind: words(id.Kind), Name: words(id.Name), source: s}
	d.Range = s.scanRange(text, id.Root)
	return d
}

// scanStart returns where in the text the document begins behind its separator, which
// must be the start of a line; -1 when it is not.
func (s *source) scanStart() int {
	switch {
	case s.badEnd > 0:
		return -1
	case s.raw == 0 || s.text[s.raw-1] == '\n':
		return s.raw
	case s.raw < len(s.text) && s.text[s.raw] == '#': // --- # comment
		_, next := lineAt(s.text, s.raw)
		return next
	}
	return -1
}

// scanText returns the text that the engine reads. It knows no CR; YAML takes CRLF for
// the same line break as LF, in texts of several lines too.
func (s *source) scanText() []byte {
	text := s.text[s.scan:]
	if s.crlf {
		return bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))
	}
	return text
}

// scanRange returns the place in the stream of a span of the text that the engine read.
func (s *source) scanRange(text []byte, span yamlscan.Span) Range {
	original := func(offset int) int {
		if s.crlf {
			offset += bytes.Count(text[:offset], []byte("\n"))
		}
		return s.scan + offset
	}
	return s.rangeOf(nil, yamltree.Span{Start: original(span.Start), End: original(span.End)})
}

// scanJSON returns the document as JSON when the engine has taken it.
func (d *Document) scanJSON() ([]byte, bool) {
	return d.appendJSON(yamlscan.New(), nil)
}

// appendJSON is scanJSON with a scanner and room that may have been used before.
func (d *Document) appendJSON(scanner *yamlscan.Scanner, room []byte) ([]byte, bool) {
	s := d.loaded()
	if s.text == nil || s.scan < 0 {
		return nil, false
	}
	text := s.scanText()
	// Without its indentation a definition has some 60 % of its size.
	return scanner.AppendJSON(slices.Grow(room[:0], len(text)*5/8), text)
}

// A workspace is what Decode makes of a document on the way, and needs no more when it
// returns: json.Unmarshal copies what it keeps, and so must types that decode themselves.
type workspace struct {
	scanner *yamlscan.Scanner
	json    []byte
}

// largestSpare is the size of the largest workspace that is kept for another document.
const largestSpare = 256 << 10

// workspaces are those that are idle, of all sequences, as scanners are.
var workspaces sync.Pool // of *workspace

func newWorkspace() *workspace {
	if w, ok := workspaces.Get().(*workspace); ok {
		return w
	}
	return &workspace{scanner: yamlscan.New()}
}

// free keeps a workspace for another document.
func (w *workspace) free() {
	if cap(w.json) <= largestSpare {
		w.scanner.Forget()
		workspaces.Put(w)
	}
}

// fewFinds is how many places of a document the engine looks for, each time from the
// start of the text. For more a tree, which then has an index, is worth its memory.
const fewFinds = 16

// scanPlace is At for a document that the engine has taken.
func (d *Document) scanPlace(path []any) (Place, bool) {
	if d.source.scan < 0 || d.finds.Load() >= fewFinds {
		return Place{}, false
	}
	s := d.loaded()
	if s.text == nil {
		return Place{}, false
	}
	d.finds.Add(1)
	text := s.scanText()
	p, ok := yamlscan.New().Find(text, path)
	place := Place{Value: s.scanRange(text, p.Value), Found: p.Followed == len(path)}
	if p.Key.End > 0 {
		place.Key = s.scanRange(text, p.Key)
	}
	return place, ok
}
