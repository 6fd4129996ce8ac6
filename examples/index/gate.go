package main

import (
	"context"
	"io"
)

// largeText is how much text a package may have, in bytes, to be held beside others.
const largeText = 1 << 20

// gate lets small packages pass and holds large ones, one of which passes at a time: which
// one is large nobody knows before so much has come.
type gate struct {
	ctx   context.Context
	from  io.Reader
	large chan struct{} // room for the one large package
	wait  func() func() // begins a wait, which what it returns ends

	n    int64
	held bool
}

// Read implements io.Reader.
func (g *gate) Read(p []byte) (int, error) {
	if !g.held && g.n >= largeText {
		done := g.wait()
		defer done()
		select {
		case g.large <- struct{}{}:
			g.held = true
		case <-g.ctx.Done():
			return 0, g.ctx.Err()
		}
	}
	n, err := g.from.Read(p)
	g.n += int64(n)
	return n, err
}

// leave lets the next large package pass.
func (g *gate) leave() {
	if g.held {
		<-g.large
	}
}
