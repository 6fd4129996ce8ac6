package xpkg

import (
	"context"
	"errors"
	"hash/maphash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/internal/parallel"
	"github.com/xpkg-go/sdk/meta"
)

// Cache keeps the manifests and layers that a Client read, in a directory. It
// may be used concurrently, by several Clients and processes, which download
// nothing twice at the same time: who asks for a tag, a manifest or a layer that
// another is fetching waits for it, and for nothing else. When a process dies the
// next one goes on in its place.
//
// Entries have their whole digest as their name, are verified before they get it
// and again each time they are read. An entry that is not what its name says,
// because of a crash or a bad disk, is removed and fetched again. What a tag
// named when it was last looked up is kept apart from them:
//
//	DIR/NAME.xpkg                  a package that was put there by hand, or by Add
//	DIR/v1/blobs/sha256/HEX        a manifest or layer; its time is that of its last use
//	DIR/v1/refs/REPOSITORY/TAG     what a tag names; both are hashed names
//	DIR/v1/pins/sha256/HEX         a pin; the file is empty
//	DIR/v1/tmp/                    what is being written
//	DIR/v1/locks/                  who writes it; names are hashed
//
// Files and directories are made for everybody whom the umask of the process
// leaves in, so that users can share a cache; who may only read it does that.
//
// Another layout would have another name than v1. The directory may be deleted at
// any time. A file of a process that died while it wrote is removed by the next
// that writes.
//
// A cache that is full, read-only or missing makes no call of a Client fail,
// unless its policy is Never: what goes wrong is an Event. The methods of Cache
// that are there to change or to look at it return errors: a *FileError, one that
// matches meta.ErrCanceled, or, for the directory "", meta.ErrInvalid.
//
// A Cache comes from OpenCache and needs no closing. See the packages guide, "The Package Cache".
type Cache struct {
	dir string
	max int64

	locks parallel.Keys // within the process

	evicting sync.Mutex
}

// CacheOptions says how a cache is kept. Nil and zero fields mean the defaults.
type CacheOptions struct {
	// MaxBytes bounds the size of all manifests and layers together. Who writes
	// an entry removes, of the others, those that have not been used for longest
	// until the rest is within it. What is pinned counts and is not removed, nor
	// is the new entry itself; packages that were put there by hand do not count.
	// What was evicted is fetched again when it is asked for, and a tag whose
	// manifest was evicted is looked up again.
	// Default: no limit. Several processes may have different limits for one
	// directory: the smallest of them rules whenever its process writes.
	MaxBytes int64
}

// OpenCache returns the cache in a directory. It does no I/O: the directory is
// made when something is written, and when that fails the Client goes on
// without. With the directory "" every call of the Client fails with an error that
// matches meta.ErrInvalid.
func OpenCache(dir string, o *CacheOptions) *Cache {
	c := &Cache{dir: dir}
	if o != nil {
		c.max = o.MaxBytes
	}
	return c
}

// Dir returns the directory that the cache was opened with.
func (c *Cache) Dir() string { return c.dir }

// CacheMissError says that the policy Never does not allow to ask a registry for
// what the cache does not have. It matches meta.ErrNotFound.
type CacheMissError struct {
	Ref    string
	Digest string   // of the manifest or layer that is missing; "" when the tag is not known
	Dir    string   // of the cache, "" when there is none
	Cached []string // the tags of the repository that the cache knows
	Local  []string // the packages that were put there by hand, where Ref may be one
}

// Error implements error.
func (e *CacheMissError) Error() string {
	what := e.Ref
	if e.Digest != "" {
		what += ": " + e.Digest
	}
	if e.Dir == "" {
		return what + " cannot be had: the pull policy is Never, and there is no cache"
	}
	cached := "none"
	if len(e.Cached) > 0 {
		cached = list(e.Cached)
	}
	if len(e.Local) > 0 {
		cached += "; packages put there by hand: " + list(e.Local)
	}
	return what + " is not in the cache " + e.Dir + ", and the pull policy is Never; cached versions: " + cached
}

// Is reports whether target is meta.ErrNotFound.
func (e *CacheMissError) Is(target error) bool { return target == meta.ErrNotFound }

// cacheError is a failure to write, as opposed to one of what is written.
type cacheError struct{ err error }

// Error implements error.
func (e *cacheError) Error() string { return "cache: " + e.err.Error() }

// Unwrap returns the cause.
func (e *cacheError) Unwrap() error { return e.err }

// path is the place of an entry. What is no digest has none.
func (c *Cache) path(h v1.Hash) (string, error) {
	if _, err := v1.NewHash(h.String()); err != nil {
		return "", err
	}
	return filepath.Join(c.dir, "v1", "blobs", h.Algorithm, h.Hex), nil
}

// look tells which file has the name of an entry, nil when none has.
func (c *Cache) look(h v1.Hash) os.FileInfo {
	path, err := c.path(h)
	if err != nil {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// open opens an entry that is what its name says, and takes it for used. It
// returns nothing when there is none, with an error when there was one that was
// broken.
func (c *Cache) open(ctx context.Context, h v1.Hash) (*checkedFile, error) {
	f, err := c.verified(ctx, h)
	if f == nil {
		return nil, err
	}
	c.used(f.Name())
	return f, nil
}

// used sets the time of an entry, from which its last use is known to all
// processes. When that fails the entry will be evicted too early, and in a cache
// that is read-only nobody evicts.
func (c *Cache) used(path string) { _ = os.Chtimes(path, time.Time{}, time.Now()) }

// verified is open without the use. An entry is held against its name and
// nothing else: what a manifest says of it may be wrong, and others need it.
func (c *Cache) verified(ctx context.Context, h v1.Hash) (*checkedFile, error) {
	f, info, err := c.openEntry(h)
	if f == nil {
		return nil, err
	}
	path := f.Name()
	sum := new(maphash.Hash)
	v, err := newVerifyReader(newContextReader(ctx, f, path), path, "cache entry", descriptor{Digest: h, Size: info.Size()})
	if err == nil {
		_, err = io.Copy(sum, v)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		return &checkedFile{f, info.Size(), sum.Seed(), sum.Sum64()}, nil
	}
	_ = f.Close()
	return nil, c.drop(path, info, err)
}

// openEntry opens what has the name of an entry, or returns nothing.
func (c *Cache) openEntry(h v1.Hash) (*os.File, os.FileInfo, error) {
	path, err := c.path(h)
	if err != nil {
		return nil, nil, err
	}
	f, err := openRegular(path)
	if err == notRegular || errors.Is(err, syscall.ELOOP) {
		return nil, nil, c.drop(path, nil, &FileError{Path: path, Err: notRegular})
	}
	if err != nil {
		return nil, nil, ignoreMissing(err)
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// drop removes an entry that is wrong, unless another one has taken the place of
// the file that was read.
func (c *Cache) drop(path string, was os.FileInfo, why error) error {
	if trouble(why) != CacheBroken {
		return why
	}
	if now, err := os.Stat(path); err == nil && was != nil && !unchanged(was, now) {
		return why
	}
	// When it cannot be removed it will be replaced.
	_ = c.remove(path)
	return why
}

// trouble says whether an entry is wrong or only could not be read.
func trouble(err error) EventKind {
	if digest := (*DigestError)(nil); errors.As(err, &digest) || errors.Is(err, notRegular) {
		return CacheBroken
	}
	return CacheFailed
}

// remove deletes what stands in the place of an entry, a directory with all that
// it holds. Nothing outside of the cache is touched: links are removed and not
// followed.
func (c *Cache) remove(path string) error {
	name, err := filepath.Rel(c.dir, path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(c.dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.RemoveAll(name)
}

// read returns a small entry, nil when there is none.
func (c *Cache) read(ctx context.Context, h v1.Hash, limit int64) ([]byte, error) {
	f, info, err := c.openEntry(h)
	if f == nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		// No manifest: a layer of which somebody says that it is one.
		return nil, nil
	}
	path := f.Name()
	b, err := io.ReadAll(io.LimitReader(newContextReader(ctx, f, path), info.Size()))
	if err == nil {
		err = verifyBytes(b, path, "cache entry", h)
	}
	if err != nil {
		return nil, c.drop(path, info, err)
	}
	c.used(path)
	return b, nil
}

// write stores a small entry that was verified.
func (c *Cache) write(h v1.Hash, b []byte) error {
	path, err := c.path(h)
	if err != nil {
		return err
	}
	return errors.Join(c.putBytes(path, b), c.evict(path))
}

func (c *Cache) putBytes(path string, b []byte) error {
	f, err := c.put(path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return err
}

// store writes what from opens under its digest, and opens it. What from yields
// is verified: it ends with io.EOF only when it is right. The error is a
// *cacheError when it is the cache that failed; what was written comes with it
// when it could be written all the same, and from is not called when the failure
// can be told before.
func (c *Cache) store(h v1.Hash, from func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	path, err := c.path(h)
	if err != nil {
		return nil, err
	}
	f, err := c.put(path, func(w io.Writer) error {
		rc, err := from()
		if err != nil {
			return err
		}
		defer rc.Close()
		_, err = io.Copy(w, readerOnly{rc})
		return err
	})
	if err != nil {
		return f, err
	}
	if err := c.evict(path); err != nil {
		return f, &cacheError{err}
	}
	return f, nil
}

// put writes a file whole or not at all and returns it open for reading, with
// an error when that is all that is left of it.
func (c *Cache) put(path string, fill func(io.Writer) error) (f io.ReadCloser, err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, &cacheError{err}
	}
	t, err := c.newTemporary()
	if err != nil {
		return nil, &cacheError{err}
	}
	to := &cacheWriter{w: t}
	filled := false
	defer func() { // also when what fills it panics
		if !filled {
			_ = t.discard()
		}
	}()
	if err = fill(to); to.err != nil {
		err = &cacheError{to.err}
	} else if err == nil {
		err = finish(t)
	}
	if err != nil {
		return nil, err
	}
	filled = true
	if err := c.rename(t.Name(), path); err != nil {
		f, lost := t.reopen()
		return f, &cacheError{errors.Join(err, lost)}
	}
	t.unlock()
	entry, err := openRegular(path)
	if err != nil {
		return nil, &cacheError{err}
	}
	return entry, nil
}

// finish brings a temporary file to the disk. The time that the system gave it
// may be older than that of an entry that was used before.
func finish(t *temporary) error {
	err := t.Sync()
	if err = errors.Join(err, t.File.Close()); err == nil {
		err = os.Chtimes(t.Name(), time.Time{}, time.Now())
	}
	if err != nil {
		return &cacheError{err}
	}
	return nil
}

// rename gives a file its name, in the place of whatever has it.
func (c *Cache) rename(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || c.remove(to) != nil {
		return err
	}
	return os.Rename(from, to)
}

// cacheWriter remembers that it was writing that failed.
type cacheWriter struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (c *cacheWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil {
		c.err = err
	}
	return n, err
}

// ignoreMissing turns the absence of a file, or of a directory above it, into
// no error.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}
