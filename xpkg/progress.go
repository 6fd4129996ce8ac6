package xpkg

import "io"

// progress tells how much of a blob has been read.
type progress struct {
	rc             io.ReadCloser
	event          func(Event)
	kind           EventKind
	name           string
	n, told, total int64
	ended          bool
}

// Read implements io.Reader.
func (p *progress) Read(b []byte) (int, error) {
	n, err := p.rc.Read(b)
	p.read(n, err)
	return n, err
}

// read is told what a Read has returned.
func (p *progress) read(n int, err error) {
	p.n += int64(n)
	if ends := err != nil && !p.ended; ends || p.n-p.told >= 1<<20 {
		p.told, p.ended = p.n, p.ended || ends
		p.event(Event{Kind: p.kind, Name: p.name, Bytes: p.n, Total: p.total})
	}
}

// Close implements io.Closer.
func (p *progress) Close() error { return p.rc.Close() }
