package xpkg

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// Cache keeps the manifests and layers that a Client read, in a directory. It
// may be used concurrently, by several Clients and processes; one Cache value
// downloads nothing twice at the same time.
//
// Entries have their whole digest as their name, are verified before they get it
// and again each time they are read. An entry that is not what its name says,
// because of a crash or a bad disk, is removed and fetched again. What a tag
// named when it was last looked up is kept apart from them:
//
//	DIR/v1/blobs/sha256/HEX        a manifest or layer
//	DIR/v1/refs/REPOSITORY/TAG     what a tag names; both are hashed names
//	DIR/v1/tmp/                    what is being written
//
// The directory may be deleted at any time; nothing else makes it smaller. A
// Cache comes from OpenCache.
type Cache struct {
	dir string

	mu    sync.Mutex
	locks map[string]chan struct{} // closed when the lock is given back
}

// OpenCache returns the cache in a directory. It does no I/O: the directory is
// made when something is written, and when that fails the Client goes on
// without. With the directory "" every call of the Client fails with an error that
// matches meta.ErrInvalid.
func OpenCache(dir string) *Cache {
	return &Cache{dir: dir}
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
	return what + " is not in the cache " + e.Dir + ", and the pull policy is Never; cached versions: " + cached
}

// Is reports whether target is meta.ErrNotFound.
func (e *CacheMissError) Is(target error) bool { return target == meta.ErrNotFound }

// cacheError is a failure to write, as opposed to one of what is written.
type cacheError struct{ err error }

func (e *cacheError) Error() string { return "cache: " + e.err.Error() }
func (e *cacheError) Unwrap() error { return e.err }

// lock waits until nobody else holds the key, or ctx ends.
func (c *Cache) lock(ctx context.Context, key string) (unlock func(), err error) {
	for {
		c.mu.Lock()
		held, busy := c.locks[key]
		if !busy {
			mine := make(chan struct{})
			if c.locks == nil {
				c.locks = map[string]chan struct{}{}
			}
			c.locks[key] = mine
			c.mu.Unlock()
			return func() {
				c.mu.Lock()
				delete(c.locks, key)
				c.mu.Unlock()
				close(mine)
			}, nil
		}
		c.mu.Unlock()
		select {
		case <-held:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// path is the place of an entry. What is no digest has none.
func (c *Cache) path(h v1.Hash) (string, error) {
	if _, err := v1.NewHash(h.String()); err != nil {
		return "", err
	}
	return filepath.Join(c.dir, "v1", "blobs", h.Algorithm, h.Hex), nil
}

// open opens a layer that is whole and right. It returns nothing when there is
// none, with an error when there was one that was broken.
func (c *Cache) open(ctx context.Context, d descriptor) (io.ReadCloser, error) {
	path, err := c.path(d.Digest)
	if err != nil {
		return nil, err
	}
	f, err := openRegular(path)
	if err == notRegular {
		return nil, c.drop(path, &FileError{Path: path, Err: err})
	}
	if err != nil {
		return nil, ignoreMissing(err)
	}
	v, err := newVerifyReader(newContextReader(ctx, f, path), path, "cache entry", d)
	if err == nil {
		_, err = io.Copy(io.Discard, v)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err == nil {
		return f, nil
	}
	_ = f.Close()
	return nil, c.drop(path, err)
}

// drop removes an entry that is wrong.
func (c *Cache) drop(path string, why error) error {
	if digest := (*DigestError)(nil); errors.As(why, &digest) || errors.Is(why, notRegular) {
		// When it cannot be removed it will be replaced.
		_ = c.remove(path)
	}
	return why
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
	path, err := c.path(h)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	if info.Mode().IsRegular() && info.Size() > limit {
		// No manifest: a layer of which somebody says that it is one.
		return nil, nil
	}
	rc, err := c.open(ctx, descriptor{Digest: h, Size: info.Size()})
	if err != nil || rc == nil {
		return nil, err
	}
	defer rc.Close()
	return io.ReadAll(rc)
}

// write stores a small entry that was verified.
func (c *Cache) write(h v1.Hash, b []byte) error {
	path, err := c.path(h)
	if err != nil {
		return err
	}
	return c.putBytes(path, b)
}

func (c *Cache) putBytes(path string, b []byte) error {
	f, err := c.put(path, func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b)), nil })
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	return err
}

// store writes what from opens under its digest, and opens it. What from yields
// is verified: it ends with io.EOF only when it is right. The error is a
// *cacheError when it is the cache that failed; what was written comes with it
// when only its name could not be given, and from is not called when the failure
// can be told before.
func (c *Cache) store(h v1.Hash, from func() (io.ReadCloser, error)) (io.ReadCloser, error) {
	path, err := c.path(h)
	if err != nil {
		return nil, err
	}
	return c.put(path, from)
}

// put writes a file whole or not at all and returns it open for reading, with
// an error when that is all that is left of it.
func (c *Cache) put(path string, from func() (io.ReadCloser, error)) (f io.ReadCloser, err error) {
	tmp := filepath.Join(c.dir, "v1", "tmp")
	for _, dir := range []string{tmp, filepath.Dir(path)} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, &cacheError{err}
		}
	}
	w, err := os.CreateTemp(tmp, "entry-*")
	if err != nil {
		return nil, &cacheError{err}
	}
	defer func() {
		if err != nil && f == nil {
			_ = w.Close()
			_ = os.Remove(w.Name())
		}
	}()
	rc, err := from()
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	to := &cacheWriter{w: w}
	if _, err := io.Copy(to, readerOnly{rc}); err != nil {
		if to.err != nil {
			return nil, &cacheError{to.err}
		}
		return nil, err
	}
	if err := w.Sync(); err != nil {
		return nil, &cacheError{err}
	}
	if err := w.Close(); err != nil {
		return nil, &cacheError{err}
	}
	if err := c.rename(w.Name(), path); err != nil {
		return openTemporary(w.Name(), &cacheError{err})
	}
	entry, err := openRegular(path)
	if err != nil {
		return nil, &cacheError{err}
	}
	return entry, nil
}

// rename gives a file its name, in the place of whatever has it.
func (c *Cache) rename(from, to string) error {
	err := os.Rename(from, to)
	if err == nil || c.remove(to) != nil {
		return err
	}
	return os.Rename(from, to)
}

// openTemporary opens what could not get its name, so that it need not be read
// from its source again; closing it removes it.
func openTemporary(name string, why error) (io.ReadCloser, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, why
	}
	return readCloser{f, func() error { return errors.Join(f.Close(), os.Remove(name)) }}, why
}

// cacheWriter remembers that it was writing that failed.
type cacheWriter struct {
	w   io.Writer
	err error
}

func (c *cacheWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.err = err
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
