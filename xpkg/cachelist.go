package xpkg

import (
	"context"
	"os"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// CacheEntryKind says what an entry of a cache is.
type CacheEntryKind string

const (
	// CachedPackage is a package that was put there by hand.
	CachedPackage CacheEntryKind = "package"
	// CachedIndex is an index of images.
	CachedIndex CacheEntryKind = "index"
	// CachedManifest is the manifest of an image.
	CachedManifest CacheEntryKind = "manifest"
	// CachedLayer is a layer, or whatever is no manifest.
	CachedLayer CacheEntryKind = "layer"
)

// CacheEntry is one entry of a cache.
type CacheEntry struct {
	Kind CacheEntryKind
	// Digest is that of the entry. For a package it is that of its image, as
	// Image.Digest describes it; "" when the file cannot be opened.
	Digest string
	// Size is in bytes.
	Size int64
	// Names are the references of the tags that name the entry, in lexical order;
	// of a package its one name.
	Names []string
	// Pinned says that the entry is covered by a pin.
	Pinned bool
	// Used is when the entry was last used or, for a package, written.
	Used time.Time
}

// List returns what is in the cache: first the packages that were put there by
// hand, by name, then manifests and layers by digest. Nothing is verified, and
// using the list is no use of the entries. The error is a *FileError, or one that matches
// meta.ErrCanceled or, for a cache without a directory, meta.ErrInvalid.
func (c *Cache) List(ctx context.Context) ([]CacheEntry, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	locals, err := c.locals()
	if err != nil {
		return nil, c.failed(ctx, c.dir, err)
	}
	entries, _, err := c.entries(ctx)
	if err != nil {
		return nil, err
	}
	tags, _, err := c.allTags(ctx)
	if err != nil {
		return nil, err
	}
	pinned, err := c.pinned(ctx)
	if err != nil {
		return nil, err
	}
	var all []CacheEntry
	for _, name := range locals {
		info, err := os.Stat(c.localPath(name))
		if err != nil {
			continue
		}
		e := CacheEntry{Kind: CachedPackage, Size: sizeOf(info), Names: []string{name}, Used: info.ModTime()}
		if img, err := OpenFile(ctx, c.localPath(name), nil); err == nil {
			e.Digest, _ = img.Digest(ctx)
		}
		if ctx.Err() != nil {
			return nil, c.failed(ctx, c.dir, ctx.Err())
		}
		all = append(all, e)
	}
	names := map[v1.Hash][]string{}
	for _, t := range tags {
		names[t.Digest] = append(names[t.Digest], t.name())
	}
	for _, e := range entries {
		all = append(all, CacheEntry{
			Kind: c.kind(e.digest), Digest: e.digest.String(), Size: e.size,
			Names: names[e.digest], Pinned: pinned[e.digest], Used: e.used,
		})
	}
	return all, nil
}

func (c *Cache) kind(h v1.Hash) CacheEntryKind {
	switch m := c.manifestOf(h); {
	case m == nil:
		return CachedLayer
	case m.index:
		return CachedIndex
	default:
		return CachedManifest
	}
}
