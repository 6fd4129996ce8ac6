package xpkg

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/xpkg-go/sdk/internal/filelock"
)

// A lock is one at a time, also while its file is removed and made again by
// Caches that know nothing of each other.
func TestLockExcludes(t *testing.T) {
	dir := t.TempDir()
	var inside, times atomic.Int64
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			c := OpenCache(dir, nil)
			for times.Load() < 700 {
				unlock, err := c.tryLockFile("key")
				if errors.Is(err, filelock.ErrLocked) {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if n := inside.Add(1); n != 1 {
					t.Errorf("%d hold the lock", n)
				}
				times.Add(1)
				for range 20 { // so that others come meanwhile
					_, _ = os.Stat(dir)
				}
				inside.Add(-1)
				unlock()
			}
		})
	}
	wg.Wait()
	if left, err := os.ReadDir(filepath.Join(dir, "v1", "locks")); err != nil || len(left) != 0 {
		t.Errorf("there are %v (%v)", left, err)
	}
}

func TestLockOfAnotherKey(t *testing.T) {
	dir := t.TempDir()
	unlock, err := OpenCache(dir, nil).lock(t.Context(), "key")
	if err != nil {
		t.Fatal(err)
	}
	other, err := OpenCache(dir, nil).lock(t.Context(), "other")
	if err != nil {
		t.Fatal(err)
	}
	other()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := OpenCache(dir, nil).lock(ctx, "key"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	// Who gave up leaves the lock to be had in its own process.
	c := OpenCache(dir, nil)
	if _, err := c.lock(ctx, "key"); err == nil {
		t.Error("got no error")
	}
	unlock()
	again, err := c.lock(t.Context(), "key")
	if err != nil {
		t.Fatal(err)
	}
	again()
}
