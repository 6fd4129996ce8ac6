package xpkg

import (
	"crypto/rand"
	"errors"
	"io"
	"os"
	"path/filepath"
)

// temporary is a file that is being written. It has a lock for as long as its
// writer lives, by which others see that it is not left over.
type temporary struct {
	*os.File
	unlock func()
}

func (c *Cache) tempDir() string { return filepath.Join(c.dir, "v1", "tmp") }

// newTemporary makes a temporary file, and removes those that nobody writes any
// more. Who may read and write it is what the umask of the process leaves, as for
// the directories: a cache may be shared.
func (c *Cache) newTemporary() (*temporary, error) {
	if err := os.MkdirAll(c.tempDir(), 0o777); err != nil {
		return nil, err
	}
	c.removeLeftovers()
	name := "entry-" + rand.Text()
	// Locked before it is there, so that a file without a lock is left over.
	// Where there are no locks nobody can tell, and nobody removes anything.
	unlock, err := c.tryLockFile(name)
	if err != nil {
		unlock = func() {}
	}
	f, err := os.OpenFile(filepath.Join(c.tempDir(), name), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		unlock()
		return nil, err
	}
	return &temporary{f, unlock}, nil
}

// discard removes the file. It may be closed already.
func (t *temporary) discard() error {
	_ = t.File.Close()
	err := os.Remove(t.Name())
	t.unlock()
	return err
}

// reopen returns the file for reading when it could not get its name, so that
// it need not be read from its source again; closing it removes it.
func (t *temporary) reopen() (io.ReadCloser, error) {
	f, err := os.Open(t.Name())
	if err != nil {
		return nil, errors.Join(err, t.discard())
	}
	return readCloser{f, func() error { return errors.Join(f.Close(), t.discard()) }}, nil
}

// removeLeftovers removes the temporary files of processes that have died, and
// returns how many there were and their size.
func (c *Cache) removeLeftovers() (files int, bytes int64) {
	entries, err := os.ReadDir(c.tempDir())
	if err != nil {
		return 0, 0
	}
	for _, e := range entries {
		unlock, err := c.tryLockFile(e.Name())
		if err != nil {
			continue
		}
		path := filepath.Join(c.tempDir(), e.Name())
		info, err := os.Lstat(path)
		if err == nil && c.remove(path) == nil {
			files++
			bytes += sizeOf(info)
		}
		unlock()
	}
	return files, bytes
}

// sizeOf is the size of a file, nothing of a directory.
func sizeOf(info os.FileInfo) int64 {
	if !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
