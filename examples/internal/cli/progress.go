package cli

import (
	"io"
	"sync"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/xpkg-go/sdk/xpkg"
)

// Progress shows a person how far downloads are: one bar for all of them. Where
// nobody looks, when standard error is no terminal, it shows nothing. It may be
// used concurrently.
type Progress struct {
	mu    sync.Mutex
	bar   *progressbar.ProgressBar // nil where nobody looks
	bytes map[string]int64         // that have come, by what they are of
	total map[string]int64
}

// Progress returns a bar on standard error.
func (e *Env) Progress() *Progress {
	if !IsTerminal(e.Stderr) || e.JSON() {
		return &Progress{}
	}
	return newProgress(e.Stderr)
}

func newProgress(w io.Writer) *Progress {
	return &Progress{
		bar: progressbar.NewOptions64(1,
			progressbar.OptionSetWriter(w), progressbar.OptionShowBytes(true), progressbar.OptionShowCount(), progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish()),
		bytes: map[string]int64{}, total: map[string]int64{},
	}
}

// Watch shows what a client downloads by a bar, which done takes away. It may be
// called more than once.
func (e *Env) Watch(client *xpkg.Client) (done func()) {
	bar := e.Progress()
	tell := client.Event
	client.Event = func(event xpkg.Event) {
		if event.Kind == xpkg.Downloading {
			bar.Show(event.Name, event.Bytes, event.Total)
			return
		}
		tell(event)
	}
	return bar.Done
}

// Show says that so many bytes of something have come.
func (p *Progress) Show(name string, bytes, total int64) {
	if p.bar == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bytes[name], p.total[name] = bytes, max(total, bytes)
	sum, all := int64(0), int64(0)
	for name := range p.bytes {
		sum, all = sum+p.bytes[name], all+p.total[name]
	}
	// A bar that is full ends, and another download may follow.
	p.bar.ChangeMax64(all + 1)
	_ = p.bar.Set64(sum)
}

// Done takes the bar away. It may be called more than once.
func (p *Progress) Done() {
	if p.bar == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.bar.Clear()
}
