package xpkg

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/internal/filelock"
)

// Pruned is what Cache.Prune removed.
type Pruned struct {
	// Digests are those of the manifests and layers, in lexical order.
	Digests []string
	// Tags are references that named a manifest that is not there, in lexical
	// order.
	Tags []string
	// Leftovers is how many files of processes there were that have died.
	Leftovers int
	// Bytes is what became free, as the sizes of the files tell it.
	Bytes int64
}

// Prune removes what nothing needs: manifests and layers that neither a tag nor
// a pin leads to, tags without a manifest, and what processes that have died left
// behind. Packages that were put there by hand stay. An image that was asked for
// by its digest has no tag: pin it, or Prune removes it. What was used since Prune
// began is kept, and what another process is writing or has open on Windows.
//
// What cannot be removed is left out; the error, a *FileError, then comes with
// what was removed.
func (c *Cache) Prune(ctx context.Context) (*Pruned, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	began := time.Now()
	// The tags are read after the entries: a tag is written after its manifest.
	entries, _, err := c.entries(ctx)
	if err != nil {
		return nil, err
	}
	needed, err := c.pinned(ctx)
	if err != nil {
		return nil, err
	}
	tags, _, err := c.allTags(ctx)
	if err != nil {
		return nil, err
	}
	p := &Pruned{}
	var failed []error
	remove := func(path string) bool {
		err := os.Remove(path)
		if !removed(err) {
			failed = append(failed, &FileError{Path: path, Err: err})
		}
		return err == nil
	}
	for _, t := range tags {
		c.need(needed, t.Digest)
		path := c.tagFile(t.Repository, t.Tag)
		if at, err := c.path(t.Digest); err == nil && isGone(at) {
			if info, err := os.Stat(path); err == nil && info.ModTime().Before(began) && remove(path) {
				p.Tags = append(p.Tags, t.name())
				p.Bytes += info.Size()
			}
		}
	}
	for _, e := range entries {
		if ctx.Err() != nil {
			return p, c.failed(ctx, c.dir, ctx.Err())
		}
		info, err := os.Stat(e.path)
		if needed[e.digest] || err != nil || !info.ModTime().Before(began) {
			continue
		}
		if remove(e.path) {
			p.Digests = append(p.Digests, e.digest.String())
			p.Bytes += e.size
		}
	}
	files, bytes := c.removeLeftovers()
	p.Leftovers, p.Bytes = files+c.removeLocks(), p.Bytes+bytes
	return p, errors.Join(failed...)
}

// removeLocks removes the locks of processes that have died, and returns how
// many there were.
func (c *Cache) removeLocks() int {
	dir := filepath.Join(c.dir, "v1", "locks")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if _, err := v1.NewHash("sha256:" + e.Name()); err != nil {
			continue // none of ours
		}
		path := filepath.Join(dir, e.Name())
		if unlock, err := filelock.Try(path, openNonblock); err == nil {
			unlock()
			if isGone(path) {
				n++
			}
		}
	}
	return n
}
