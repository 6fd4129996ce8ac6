package main

import (
	"context"
	"fmt"
	"sync"

	"github.com/xpkg-go/sdk/meta"
)

// schedule hands out items, of each host a few at a time: one that does not answer holds
// up nobody but its own references. It may be used concurrently.
type schedule struct {
	mu      sync.Mutex
	changed *sync.Cond
	hosts   []*host // that have items waiting
	next    int     // the host whose turn it is
	perHost int
	left    int // items that were not handed out
	stopped bool
}

// host is a registry and what is asked of it.
type host struct {
	name    string
	waiting []item
	running int
	slow    int // references in a row that came to the end of their time
}

// mostSlow is how many references of a host may come to the end of their time, one after the
// other, before the host is given up: a thousand of them would take days.
const mostSlow = 10

// silentError says that a reference was not asked for.
type silentError struct{ reference, host string }

// Error names the reference and the host.
func (e *silentError) Error() string {
	return fmt.Sprintf("%.200q was not asked for: %d references of %s in a row were not read in time", e.reference, mostSlow, e.host)
}

// Is reports whether target is meta.ErrUnavailable.
func (e *silentError) Is(target error) bool { return target == meta.ErrUnavailable }

func newSchedule(items []item, perHost int) *schedule {
	s := &schedule{perHost: perHost, left: len(items)}
	s.changed = sync.NewCond(&s.mu)
	byName := map[string]*host{}
	for _, i := range items {
		name := "" // of what needs no host, since it is no reference
		if ref, err := meta.ParseReference(i.reference); err == nil && i.err == nil {
			name = ref.Source.Registry()
		}
		h := byName[name]
		if h == nil {
			h = &host{name: name}
			byName[name] = h
			s.hosts = append(s.hosts, h)
		}
		h.waiting = append(h.waiting, i)
	}
	return s
}

// take waits for an item that may be read now. done is called when that has happened, with
// whether it took too long. ok is false when there are no more.
func (s *schedule) take() (i item, done func(slow bool), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.left > 0 && !s.stopped {
		for range s.hosts {
			s.next %= len(s.hosts)
			h := s.hosts[s.next]
			if h.running == s.perHost {
				s.next++
				continue
			}
			i, h.waiting = h.waiting[0], h.waiting[1:]
			if len(h.waiting) > 0 {
				s.next++
			} else {
				// Or who comes behind thousands of hosts would be looked for among them.
				last := len(s.hosts) - 1
				s.hosts[s.next], s.hosts = s.hosts[last], s.hosts[:last]
			}
			if h.slow >= mostSlow && i.err == nil {
				i.err = &silentError{i.reference, h.name}
			}
			h.running++
			s.left--
			return i, func(slow bool) { s.done(h, slow) }, true
		}
		s.changed.Wait()
	}
	s.changed.Broadcast()
	return item{}, nil, false
}

func (s *schedule) done(h *host, slow bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	h.running--
	switch {
	case slow:
		h.slow++
	case h.slow < mostSlow: // who is given up answers no more
		h.slow = 0
	}
	s.changed.Broadcast()
}

// stopWith hands out nothing more when ctx ends.
func (s *schedule) stopWith(ctx context.Context) (release func() bool) {
	return context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.stopped = true
		s.changed.Broadcast()
	})
}
