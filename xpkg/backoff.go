package xpkg

import (
	"context"
	"time"
)

// How what failed in passing is repeated. The pauses are a quarter, a half, one
// and two seconds; a registry that names another pause gets it.
const (
	// attempts is how often a thing is tried before its failure counts.
	attempts = 5
	// firstPause is doubled each time.
	firstPause = 250 * time.Millisecond
	// maxPause bounds each pause. A registry that asks for a longer one is not
	// asked again.
	maxPause = time.Minute
)

// backoff counts the attempts at one thing and pauses between them.
type backoff struct {
	client *Client
	failed int // attempts so far
}

// again reports whether to try once more, after a pause. That is told, with a
// name of what is repeated and the error that told makes of the failure. It
// reports false, at once, when ctx ends.
func (b *backoff) again(ctx context.Context, name string, failure *passingError, told func() error) bool {
	wait := firstPause << b.failed
	if failure.wanted {
		wait = failure.wait
	}
	if b.failed++; b.failed >= attempts || wait > maxPause || ctx.Err() != nil {
		return false
	}
	if b.client.Event != nil {
		b.client.Event(Event{Kind: Retried, Name: name, Err: told(), Wait: wait})
	}
	if b.client.pause != nil {
		return b.client.pause(ctx, wait)
	}
	return pause(ctx, wait)
}

// pause reports false, at once, when ctx ends.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return ctx.Err() == nil
	case <-ctx.Done():
		return false
	}
}
