package xpkg

import (
	"context"
	"path/filepath"

	"github.com/xpkg-go/sdk/internal/filelock"
)

// lock waits until nobody else holds the key, in this process or another, or
// ctx ends. One goroutine of a process waits for the others. The system gives
// the lock of a process that has died to the next. Where files cannot be locked,
// in a directory that is read-only for one, the lock holds in this process only:
// two may download the same then, and nobody gets less.
func (c *Cache) lock(ctx context.Context, key string) (unlock func(), err error) {
	here, err := c.locks.Lock(ctx, key)
	if err != nil {
		return nil, err
	}
	everywhere, err := c.lockFile(ctx, key)
	if ctx.Err() != nil {
		if err == nil {
			everywhere()
		}
		here()
		return nil, ctx.Err()
	}
	if err != nil {
		return here, nil
	}
	return func() {
		everywhere()
		here()
	}, nil
}

// lockFile is lock between processes, and between Caches of one directory. An
// error that is not that of ctx says that the directory has no locks.
func (c *Cache) lockFile(ctx context.Context, key string) (unlock func(), err error) {
	return filelock.Wait(ctx, c.lockPath(key), openNonblock, nil) // whatever stands there
}

// tryLockFile is lockFile without waiting: the error is filelock.ErrLocked when somebody
// else holds the lock.
func (c *Cache) tryLockFile(key string) (unlock func(), err error) {
	return filelock.Try(c.lockPath(key), openNonblock)
}

func (c *Cache) lockPath(key string) string {
	return filepath.Join(c.dir, "v1", "locks", hashedName(key))
}
