// Package filelock has locks between processes: files that the system unlocks when who
// locked them dies.
package filelock

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

// interval is how often a lock that another process holds is asked for.
const interval = 20 * time.Millisecond

var (
	// ErrLocked says that somebody else holds a lock.
	ErrLocked = errors.New("locked by another process")
	errNone   = errors.New("the file system has no locks")
)

// Wait waits until nobody else, in this process or another, holds the lock of a file, or
// ctx ends. An error that is not that of ctx says that there are no locks. waits, when not
// nil, is called once when somebody else holds it. flag is what Try takes.
func Wait(ctx context.Context, path string, flag int, waits func()) (unlock func(), err error) {
	for {
		unlock, err := Try(path, flag)
		if err != ErrLocked {
			return unlock, err
		}
		if waits != nil {
			waits()
			waits = nil
		}
		select {
		case <-time.After(interval):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// Try locks a file that it makes, with its directory, and that unlock removes, so that locks
// do not pile up; it is opened with flag besides. Who opened the file before it was removed locks one that is not
// there any more; so the lock counts only when the file still has its name. The error is ErrLocked when somebody
// else holds the lock.
func Try(path string, flag int) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, err
	}
	const most = 100 // times that the file is removed by those before
	for range most {
		f := flock.New(path, flock.SetFlag(os.O_CREATE|os.O_RDWR|flag), flock.SetPermissions(0o666))
		if ok, err := f.TryLock(); err != nil {
			if open := (*fs.PathError)(nil); !errors.As(err, &open) {
				_ = os.Remove(path) // made, and cannot be locked
			}
			return nil, err
		} else if !ok {
			return nil, ErrLocked
		}
		locked, err := f.Stat()
		if err == nil {
			var named os.FileInfo
			if named, err = os.Stat(path); err == nil && os.SameFile(locked, named) {
				return func() { remove(f) }, nil
			}
		}
		_ = f.Unlock()
	}
	return nil, errNone
}

// remove removes the file of a lock while nobody else can have it. On Windows that is
// when nobody has it open, and removing it fails otherwise; elsewhere it is while it is
// locked.
func remove(f *flock.Flock) {
	if runtime.GOOS == "windows" {
		_ = f.Unlock()
		_ = os.Remove(f.Path())
		return
	}
	_ = os.Remove(f.Path())
	_ = f.Unlock()
}
