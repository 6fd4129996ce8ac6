package parser

import (
	"sync"
	"weak"

	"github.com/xpkg-go/sdk/internal/yamltree"
)

// A heldText is the text of a document that Options.Hold holds. What it gives back is kept
// for as long as memory allows: a document is mostly asked for several things at once.
type heldText struct {
	again func() []byte
	size  int

	mu    sync.Mutex
	known weak.Pointer[source]
}

// hold gives the text of a document that nobody else knows yet to Options.Hold.
func (d *Document) hold(take func(text []byte) (again func() []byte)) {
	if d == nil || take == nil {
		return
	}
	if again := take(d.source.text); again != nil {
		d.source.held = &heldText{again: again, size: len(d.source.text)}
		d.source.text = nil
	}
}

// loaded returns the source with its text; without one where the text does not come back.
func (d *Document) loaded() *source {
	h := d.source.held
	if h == nil {
		return &d.source
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.known.Value(); s != nil {
		return s
	}
	s := d.source
	s.held = nil
	if text := h.again(); len(text) == h.size {
		s.text = text
	}
	h.known = weak.Make(&s)
	return &s
}

// tree returns the tree of the document; nil when it has no text.
func (d *Document) tree() *yamltree.Tree { return d.cache.get(d.loaded()) }

// parse makes a tree of the text, and returns what is wrong with it.
func (s *source) parse() (*yamltree.Tree, []yamltree.Fault) {
	return yamltree.Parse(s.text, s.oldBreaks, s.limits)
}
