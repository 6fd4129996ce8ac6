package parser

import (
	"runtime"
	"slices"
	"sync"

	"github.com/xpkg-go/sdk/internal/yamlscan"
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
	a.queue = slices.Delete(a.queue, 0, 1)
	a.bytes -= len(c.source.text)
	return c
}

// end waits until nothing is running any more, and forgets the queue.
func (a *ahead) end() {
	for a.next() != nil {
	}
}
