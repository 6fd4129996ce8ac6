package parallel

import (
	"context"
	"sync"
)

// Keys are things that one goroutine at a time works on, by what they are called. The zero
// value has none that is worked on.
type Keys struct {
	mu   sync.Mutex
	held map[string]chan struct{}
}

// Lock waits until nobody works on a thing, or ctx ends, whose error it returns then.
func (k *Keys) Lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		k.mu.Lock()
		held, busy := k.held[key]
		if !busy {
			mine := make(chan struct{})
			if k.held == nil {
				k.held = map[string]chan struct{}{}
			}
			k.held[key] = mine
			k.mu.Unlock()
			return func() {
				k.mu.Lock()
				delete(k.held, key)
				k.mu.Unlock()
				close(mine)
			}, nil
		}
		k.mu.Unlock()
		select {
		case <-held:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Held reports whether somebody works on a thing, now.
func (k *Keys) Held(key string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	_, held := k.held[key]
	return held
}
