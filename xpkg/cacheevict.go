package xpkg

import (
	"cmp"
	"context"
	"errors"
	"os"
	"slices"

	"github.com/xpkg-go/sdk/internal/filelock"
)

// pinsLock is the key of the lock between those who evict and those who pin.
const pinsLock = "pins"

// evict makes room for an entry that was written just now. The error is about
// entries that could not be removed and are in the way; those that another
// process has open on Windows are such.
func (c *Cache) evict(newest string) error {
	if c.max <= 0 {
		return nil
	}
	c.evicting.Lock()
	defer c.evicting.Unlock()
	unlock, err := c.tryLockFile(pinsLock)
	if err == filelock.ErrLocked {
		// Another process makes room, or pins. A read does not wait for that; the
		// next one to write will make room again.
		return nil
	}
	if err == nil {
		defer unlock()
	}
	ctx := context.Background() // nothing here waits
	entries, _, err := c.entries(ctx)
	if err != nil {
		return err
	}
	var total int64
	for _, e := range entries {
		total += e.size
	}
	if total <= c.max {
		return nil
	}
	pinned, err := c.pinned(ctx)
	if err != nil {
		return err // what must be kept is not known
	}
	slices.SortStableFunc(entries, func(a, b cached) int {
		return cmp.Or(a.used.Compare(b.used), cmp.Compare(a.digest.String(), b.digest.String()))
	})
	var failed []error
	for _, e := range entries {
		if total <= c.max {
			return nil
		}
		if e.path == newest || pinned[e.digest] {
			continue
		}
		if err := os.Remove(e.path); !removed(err) {
			failed = append(failed, err)
			continue
		}
		total -= e.size
	}
	if total <= c.max {
		return nil
	}
	return errors.Join(failed...)
}
