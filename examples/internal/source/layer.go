package source

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/linter"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// layerEntry is what a layer says about a path.
type layerEntry struct {
	path      string // without a leading slash
	directory bool
	deletes   bool // a whiteout: what is at the path, and below it, goes
	opaque    bool // a whiteout of everything below the path
}

// entriesIn returns the entries of a layer, which is read and verified to its end.
func entriesIn(ctx context.Context, img *xpkg.Image, index int, left *int) (entries []layerEntry, err error) {
	r, err := img.OpenLayer(ctx, index)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closed := r.Close(); err == nil {
			err = closed
		}
	}()
	for t := tar.NewReader(r); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		if *left--; *left < 0 {
			return nil, &meta.LimitError{What: "the entries of the layers", Limit: maxNames}
		}
		entries = append(entries, entryOf(h))
	}
	_, err = io.Copy(io.Discard, r) // only then is the layer verified
	return entries, err
}

const (
	whiteout = ".wh."
	opaque   = ".wh..wh..opq"
)

func entryOf(h *tar.Header) layerEntry {
	n := layerEntry{path: strings.TrimPrefix(path.Clean("/"+h.Name), "/"), directory: h.Typeflag == tar.TypeDir}
	dir, base := path.Split(n.path)
	switch {
	case base == opaque:
		n.path, n.opaque = strings.TrimSuffix(dir, "/"), true
	case strings.HasPrefix(base, whiteout):
		n.path, n.deletes = dir+strings.TrimPrefix(base, whiteout), true
	}
	return n
}

// overwrites returns the files of one layer that the entries of a later one replace
// or delete, by path.
func overwrites(files map[string]bool, entries []layerEntry, layer, by int) []linter.OverwrittenPath {
	taken, emptied := map[string]bool{}, map[string]bool{}
	for _, n := range entries {
		switch {
		case n.opaque:
			emptied[n.path] = true
		case !n.directory:
			taken[n.path] = true
		}
	}
	var list []linter.OverwrittenPath
	for _, file := range slices.Sorted(maps.Keys(files)) {
		gone := taken[file]
		for dir := parent(file); !gone; dir = parent(dir) {
			gone = taken[dir] || emptied[dir]
			if dir == "" {
				break
			}
		}
		if gone {
			list = append(list, linter.OverwrittenPath{Path: file, Layer: layer, By: by})
		}
	}
	return list
}

// parent returns the directory that a path is in, and "" for the root.
func parent(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }
