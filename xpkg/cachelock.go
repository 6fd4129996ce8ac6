package xpkg

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
)

// lockInterval is how often a lock that another process holds is asked for.
const lockInterval = 20 * time.Millisecond

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
	for {
		unlock, err := c.tryLockFile(key)
		if err != errLocked {
			return unlock, err
		}
		select {
		case <-time.After(lockInterval):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

var (
	errLocked  = errors.New("locked by another process")
	errNoLocks = errors.New("the file system has no locks")
)

// tryLockFile is lockFile without waiting: the error is errLocked when somebody
// else holds the lock.
func (c *Cache) tryLockFile(key string) (unlock func(), err error) {
	return tryLock(filepath.Join(c.dir, "v1", "locks", hashedName(key)))
}

// tryLock locks a file that it makes and that unlock removes, so that locks do
// not pile up. Who opened the file before it was removed locks one that is not
// there any more; so the lock counts only when the file still has its name.
func tryLock(path string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	const most = 100 // times that the file is removed by those before
	for range most {
		// Whatever stands there is not waited for.
		f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|openNonblock), flock.SetPermissions(0o666))
		if ok, err := f.TryLock(); err != nil {
			if open := (*fs.PathError)(nil); !errors.As(err, &open) {
				_ = os.Remove(path) // made, and cannot be locked
			}
			return nil, err
		} else if !ok {
			return nil, errLocked
		}
		locked, err := f.Stat()
		if err == nil {
			var named os.FileInfo
			if named, err = os.Stat(path); err == nil && os.SameFile(locked, named) {
				return func() { unlockAndRemove(f) }, nil
			}
		}
		_ = f.Unlock()
	}
	return nil, errNoLocks
}

// unlockAndRemove removes the file of a lock while nobody else can have it. On
// Windows that is when nobody has it open, and removing it fails otherwise;
// elsewhere it is while it is locked.
func unlockAndRemove(f *flock.Flock) {
	if runtime.GOOS == "windows" {
		_ = f.Unlock()
		_ = os.Remove(f.Path())
		return
	}
	_ = os.Remove(f.Path())
	_ = f.Unlock()
}
