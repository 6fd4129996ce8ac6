package parser

import (
	"runtime"
	"slices"
	"sync"

	"github.com/xpkg-go/sdk/internal/yamlscan"
)

// ahead holds the steps of a sequence that were taken from its input and not yet done.
// While the document of the first of them is scanned, the engine scans those behind it
// on other cores. Everything else, reading among it, stays in the caller's goroutine,
// so that breaking off leaves nothing running but the engine, which is waited for.
//
// Nothing is taken ahead while the next step can be done, so that a reader which
// waits for what follows does not hold back what is there.
type ahead struct {
	workers   int // goroutines that may scan at a time
	queue     []*step
	unscanned chan *step                 // of these, those that the engine has not begun with
	documents int                        // in queue
	bytes     int                        // of these documents
	files     int                        // bytes of the files that end in queue
	types     *fitTypes                  // on its own: every document refers to it for as long as it is held
	hold      func([]byte) func() []byte // Options.Hold
}

// scanners are those that are idle, of all sequences. A pool of each sequence would hold it,
// and what it refers to, for two collections more: with GOGC above 100, memory would grow with
// each package that is read.
var scanners sync.Pool // of *yamlscan.Scanner

// A step is what a sequence does next: a document that was cut from its stream, or
// something between documents.
type step struct {
	source  source
	behind  Range         // where the stream goes on
	doc     *Document     // what the engine made of it, or nil when it does not take it
	done    chan struct{} // closed when the engine has looked at it
	problem any           // what the engine panicked with

	between func() bool // not a document: what to do; false ends the sequence
	file    int         // bytes of the file that ends here, and is held up to here
}

const (
	// smallBytes is the size of documents that are scanned at once, since handing
	// them over would take longer.
	smallBytes = 4 << 10
	// aheadBytes bounds the documents that are cut ahead, the first not counted, and
	// the files that are read ahead.
	aheadBytes = 2 << 20
	// documentsPerWorker bounds the documents that are cut ahead. They differ in size by a
	// thousand times, so that one for each worker would leave most of them without work.
	documentsPerWorker = 4
	// stepsPerWorker bounds the steps between documents. A file of one document
	// makes two steps.
	stepsPerWorker = 2 * documentsPerWorker
)

func newAhead(hold func([]byte) func() []byte) ahead {
	workers := runtime.GOMAXPROCS(0)
	return ahead{workers: workers, unscanned: make(chan *step, documentsPerWorker*workers+1), types: new(fitTypes), hold: hold}
}

// hasRoom reports whether one more step may be taken.
func (a *ahead) hasRoom() bool {
	if len(a.queue) == 0 {
		return true
	}
	select {
	case <-a.queue[0].done:
		return false
	default:
		return a.documents <= documentsPerWorker*a.workers && len(a.queue) <= stepsPerWorker*a.workers && max(a.bytes, a.files) < aheadBytes
	}
}

// add appends something to do between documents, behind which a file of so many bytes
// is not held any more.
func (a *ahead) add(file int, between func() bool) {
	s := &step{between: between, file: file, done: make(chan struct{})}
	close(s.done)
	a.queue = append(a.queue, s)
	a.files += file
}

// scan appends a document to the queue.
func (a *ahead) scan(src source, behind Range) {
	s := &step{source: src, behind: behind, done: make(chan struct{})}
	a.queue = append(a.queue, s)
	a.documents++
	a.bytes += len(src.text)
	if len(src.text) <= smallBytes || a.workers == 1 {
		a.work(s)
		return
	}
	// A goroutine scans the first that no other has begun with. Were it to scan s, the
	// last ones would be scanned first, and those behind the first step be done before it:
	// then there is nothing to scan while the next ones are cut.
	a.unscanned <- s
	go func() { a.work(<-a.unscanned) }()
}

// work has the engine look at a document.
func (a *ahead) work(s *step) {
	defer close(s.done)
	// A panic in a goroutine of ours would end the program, whatever the caller does
	// to stand one. next hands it on.
	defer func() { s.problem = recover() }()
	scanner, ok := scanners.Get().(*yamlscan.Scanner)
	if !ok {
		scanner = yamlscan.New()
	}
	s.doc = scanned(scanner, s.source)
	if s.doc != nil {
		s.doc.source.types = a.types
		s.doc.hold(a.hold)
	}
	scanner.Forget()
	scanners.Put(scanner)
}

// next takes the first step from the queue, and waits for the engine; nil when there is
// none. It panics with what the engine panicked with.
func (a *ahead) next() *step {
	s := a.take()
	if s != nil && s.problem != nil {
		panic(s.problem)
	}
	return s
}

func (a *ahead) take() *step {
	if len(a.queue) == 0 {
		return nil
	}
	s := a.queue[0]
	<-s.done
	a.queue = slices.Delete(a.queue, 0, 1)
	a.files -= s.file
	if s.between == nil {
		a.documents--
		a.bytes -= len(s.source.text)
	}
	return s
}

// end waits until nothing is running any more, and forgets the queue.
func (a *ahead) end() {
	for a.take() != nil {
	}
}
