package cli

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Counter shows a person how many of many things are done. Where nobody looks, when
// standard error is no terminal, it shows nothing. It may be used concurrently.
type Counter struct {
	bar *progressbar.ProgressBar // nil where nobody looks
}

// Counting returns a bar of so many things on standard error. beside says that lines go to
// standard output meanwhile: on a terminal they show how far it is.
func (e *Env) Counting(total int, beside bool) *Counter {
	if !IsTerminal(e.Stderr) || beside && IsTerminal(e.Stdout) {
		return &Counter{}
	}
	return newCounter(e.Stderr, total)
}

func newCounter(w io.Writer, total int) *Counter {
	return &Counter{progressbar.NewOptions(total,
		progressbar.OptionSetWriter(w), progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())}
}

// Add says that one more is done.
func (c *Counter) Add() {
	if c.bar != nil {
		_ = c.bar.Add(1)
	}
}

// Done takes the bar away. It may be called more than once.
func (c *Counter) Done() {
	if c.bar != nil {
		_ = c.bar.Clear()
	}
}
