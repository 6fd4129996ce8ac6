package xpkg

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
)

// cached is an entry as the directory shows it.
type cached struct {
	digest v1.Hash
	path   string
	size   int64
	used   time.Time
}

// entries returns the manifests and layers, in the order of their digests, and
// the paths of what is there and cannot be one.
func (c *Cache) entries(ctx context.Context) (all []cached, strange []string, err error) {
	err = c.walk(ctx, "blobs", func(path string, info fs.FileInfo) {
		h, err := v1.NewHash(filepath.Base(filepath.Dir(path)) + ":" + filepath.Base(path))
		if err != nil || !info.Mode().IsRegular() {
			strange = append(strange, path)
			return
		}
		all = append(all, cached{h, path, info.Size(), info.ModTime()})
	})
	return all, strange, err
}

// walk visits the files of the directories in a part of the cache, in lexical
// order. What is removed meanwhile is left out.
func (c *Cache) walk(ctx context.Context, part string, visit func(path string, info fs.FileInfo)) error {
	top := filepath.Join(c.dir, "v1", part)
	dirs, err := os.ReadDir(top)
	if err != nil {
		return c.failed(ctx, top, ignoreMissing(err))
	}
	for _, dir := range dirs {
		path := filepath.Join(top, dir.Name())
		files, err := os.ReadDir(path)
		if err != nil && ignoreMissing(err) != nil {
			return c.failed(ctx, path, err)
		}
		for _, file := range files {
			if ctx.Err() != nil {
				return c.failed(ctx, path, ctx.Err())
			}
			path := filepath.Join(path, file.Name())
			// A link to a file is as good as the file.
			if info, err := os.Stat(path); err == nil {
				visit(path, info)
			} else if info, err := os.Lstat(path); err == nil {
				visit(path, info)
			}
		}
	}
	return nil
}

// failed is the error of a method of Cache.
func (c *Cache) failed(ctx context.Context, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return canceled(ctx, "cache "+c.dir)
	}
	return &FileError{Path: path, Err: err}
}

// manifestOf reads an entry that is a manifest, or returns nothing. It is not
// held against its digest: it decides what is kept, not what is given out.
func (c *Cache) manifestOf(h v1.Hash) *manifest {
	const most = 64 << 20 // far above what anybody accepts
	path, err := c.path(h)
	if err != nil {
		return nil
	}
	f, err := openRegular(path)
	if err != nil {
		return nil
	}
	defer f.Close()
	first := make([]byte, 512)
	n, _ := io.ReadFull(f, first)
	if !bytes.HasPrefix(bytes.TrimLeft(first[:n], " \t\r\n"), []byte("{")) {
		return nil // a layer, which may be large
	}
	rest, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil
	}
	m, err := parseManifest(path, h, "", append(first[:n], rest...))
	if err != nil {
		return nil
	}
	return m
}

// need adds to a set what belongs to a manifest that is cached: itself, its
// layers, and for an index the images that it lists with theirs.
func (c *Cache) need(set map[v1.Hash]bool, h v1.Hash) {
	for next := []v1.Hash{h}; len(next) > 0; {
		h, next = next[0], next[1:]
		if set[h] {
			continue
		}
		set[h] = true
		m := c.manifestOf(h)
		if m == nil {
			continue
		}
		for _, d := range m.layers {
			set[d.Digest] = true
		}
		for _, d := range m.manifests {
			next = append(next, d.Digest)
		}
	}
}

// allTags returns every tag that is known, in the order of their names, and the
// files that say nothing.
func (c *Cache) allTags(ctx context.Context) (tags []cachedTag, broken []string, err error) {
	err = c.walk(ctx, "refs", func(path string, _ fs.FileInfo) {
		t, ok := readTag(path)
		if !ok || path != c.tagFile(t.Repository, t.Tag) {
			broken = append(broken, path)
			return
		}
		tags = append(tags, t)
	})
	slices.SortFunc(tags, func(a, b cachedTag) int { return strings.Compare(a.name(), b.name()) })
	return tags, broken, err
}

// check refuses a cache without a directory.
func (c *Cache) check() error {
	if c.dir == "" {
		return &meta.FieldError{Path: meta.Path{"Cache"}, Found: `""`, Want: "a directory"}
	}
	return nil
}

// removed reports whether a file is gone, by us or by somebody else.
func removed(err error) bool { return err == nil || errors.Is(err, fs.ErrNotExist) }

// isGone reports whether there is nothing in a place.
func isGone(path string) bool {
	_, err := os.Lstat(path)
	return removed(err) && err != nil
}

// unchanged reports whether two looks at a place found one file. The inode of a
// file that is gone may be that of the next one.
func unchanged(was, now os.FileInfo) bool {
	return os.SameFile(was, now) && was.Size() == now.Size() && was.ModTime().Equal(now.ModTime())
}
