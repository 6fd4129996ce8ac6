package xpkg

import (
	"context"
	"io"
)

// BrokenEntry is something in a cache that is not what its name says.
type BrokenEntry struct {
	// Name is the digest of a manifest or layer, the name of a package that was
	// put there by hand, or "" for what is none of them.
	Name string
	// Path is the file.
	Path string
	// Err says what is wrong: a *DigestError, a *FileError, or for a package what
	// OpenFile and Image.Package return.
	Err error
	// Removed says that the file is gone, so that it will be fetched again.
	Removed bool
}

// Verify reads everything that is in the cache, holds it against its digest, and
// returns what is wrong, in the order of List and then the tags. What is broken is
// removed, as it is when it is met by a Client; packages that were put there by
// hand, of which Verify reads every layer, are told and stay. Verify takes as
// long as reading the disk does, and keeps nobody waiting.
//
// An error ends it, and what was found before comes with it.
func (c *Cache) Verify(ctx context.Context) ([]BrokenEntry, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	locals, err := c.locals()
	if err != nil {
		return nil, c.failed(ctx, c.dir, err)
	}
	var broken []BrokenEntry
	for _, name := range locals {
		path := c.localPath(name)
		err := verifyImage(ctx, path)
		if ctx.Err() != nil {
			return broken, c.failed(ctx, path, ctx.Err())
		}
		if err != nil {
			broken = append(broken, BrokenEntry{Name: name, Path: path, Err: err})
		}
	}
	entries, strange, err := c.entries(ctx)
	if err != nil {
		return broken, err
	}
	for _, e := range entries {
		f, err := c.verified(ctx, e.digest)
		if f != nil {
			err = f.Close()
		}
		if ctx.Err() != nil {
			return broken, c.failed(ctx, e.path, ctx.Err())
		}
		if err != nil {
			broken = append(broken, c.broken(e.digest.String(), e.path, err))
		}
	}
	for _, path := range strange {
		_ = c.remove(path)
		broken = append(broken, c.broken("", path, &FileError{Path: path, Err: notRegular}))
	}
	_, odd, err := c.allTags(ctx)
	for _, path := range odd {
		_ = c.remove(path)
		broken = append(broken, c.broken("", path, &FileError{Path: path, Err: notATag}))
	}
	return broken, err
}

const notATag = invalidFile("not the record of a tag")

// broken tells of an entry and whether it is still there.
func (c *Cache) broken(name, path string, err error) BrokenEntry {
	return BrokenEntry{Name: name, Path: path, Err: err, Removed: isGone(path)}
}

// verifyImage reads the package of an image on disk and all of its layers.
func verifyImage(ctx context.Context, path string) error {
	img, err := OpenFile(ctx, path, nil)
	if err != nil {
		return err
	}
	if _, err := img.Package(ctx); err != nil {
		return err
	}
	for i := range img.content.Load().layers {
		lr, err := img.open(ctx, &img.content.Load().layers[i], newBudget(&img.o))
		if err != nil {
			return err
		}
		err = lr.drain()
		_ = lr.Close()
		if err != io.EOF {
			return err
		}
	}
	return nil
}
