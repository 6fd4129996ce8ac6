package parser

import (
	"runtime"
	"sync"

	"github.com/xpkg-go/sdk/internal/yamlscan"
	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/internal/yamltree"
)

// ahead holds the documents that were cut from a stream and not yet yielded. While
// the first of them is scanned, or the caller's loop looks at the one before, the
// engine scans those behind it on other cores. Cutting itself, which reads, stays
// in the caller's goroutine, so that breaking off leaves nothing running but the
// engine, which is waited for.
//
// Nothing is cut ahead while the next document is ready, so that a reader which
// waits for what follows does not hold back what is there.
type ahead struct {
	queue    []*cutDocument
	bytes    int // of the documents in queue
	scanners sync.Pool
	types    fitTypes
}

// A cutDocument is a document that was cut from its stream.
type cutDocument struct {
	source source
	behind Range     // where the stream goes on
	doc    *Document // what the engine made of it, or nil when it does not take it
	done   chan struct{}
}

const (
	// smallBytes is the size of documents that are scanned at once, since handing
	// them over would take longer.
	smallBytes = 4 << 10
	// aheadBytes bounds the documents that are cut ahead, the first not counted.
	aheadBytes = 4 << 20
)

// hasRoom reports whether one more document may be cut.
func (a *ahead) hasRoom() bool {
	if len(a.queue) == 0 {
		return true
	}
	select {
	case <-a.queue[0].done:
		return false
	default:
		return len(a.queue) <= runtime.GOMAXPROCS(0) && a.bytes < aheadBytes
	}
}

// scan appends a document to the queue.
func (a *ahead) scan(s source, behind Range) {
	c := &cutDocument{source: s, behind: behind, done: make(chan struct{})}
	a.queue = append(a.queue, c)
	a.bytes += len(s.text)
	scan := func() {
		defer close(c.done)
		scanner, ok := a.scanners.Get().(*yamlscan.Scanner)
		if !ok {
			scanner = yamlscan.New()
		}
		c.doc = scanned(scanner, s)
		if c.doc != nil {
			c.doc.source.types = &a.types
		}
		a.scanners.Put(scanner)
	}
	if len(s.text) <= smallBytes || runtime.GOMAXPROCS(0) == 1 {
		scan()
		return
	}
	go scan()
}

// next takes the first document from the queue and waits for it; nil when there is
// none.
func (a *ahead) next() *cutDocument {
	if len(a.queue) == 0 {
		return nil
	}
	c := a.queue[0]
	<-c.done
	a.queue = append(a.queue[:0], a.queue[1:]...)
	a.bytes -= len(c.source.text)
	return c
}

// end waits until nothing is running any more, and forgets the queue.
func (a *ahead) end() {
	for a.next() != nil {
	}
}

// scanned returns the document of a source as the engine reads it, and nil when the
// engine does not take it, or when there is anything to be said against it: then the
// library reads it, and finds the words.
func scanned(scanner *yamlscan.Scanner, s source) *Document {
	start := s.scanStart()
	if start < 0 || yamltree.HasMoreNodes(s.text, s.limits) {
		return nil
	}
	if flaw, oldBreaks := yamlstream.CheckText(s.text); flaw != nil || oldBreaks {
		return nil
	}
	id, ok := scanner.Scan(s.text[start:], s.limits.Depth)
	if !ok || s.text[start+id.Root.Start] == '<' { // which may be no YAML but HTML
		return nil
	}
	text := func(t yamlscan.Span) string { return string(s.text[start+t.Start : start+t.End]) }
	d := &Document{APIVersion: text(id.APIVersion), Kind: text(id.Kind), Name: text(id.Name), source: s}
	d.source.scan = start
	d.Range = d.source.rangeOf(d.source.scanSpan(id.Root))
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

// scanSpan returns a span of the engine as one of the source.
func (s *source) scanSpan(span yamlscan.Span) yamltree.Span {
	return yamltree.Span{Start: s.scan + span.Start, End: s.scan + span.End}
}
