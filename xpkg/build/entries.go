package build

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// What a whiteout is called (OCI image specification, layer.md).
const (
	whiteout = ".wh."
	opaque   = ".wh..wh..opq"
)

// Bounds of the layers that are looked through.
const (
	maxEntries      = xpkg.DefaultMaxEntries
	maxLayerBytes   = xpkg.DefaultMaxLayerBytes
	maxTrailerBytes = 1 << 20 // of the zeros that may follow an archive
)

// layerEntry is what a layer says about a path.
type layerEntry struct {
	name      string // as the archive has it
	path      string // below the root, without a leading slash; "" for the root itself
	directory bool
	link      bool   // symbolic or hard
	target    string // that a link leads to, below the root
	deletes   bool   // a whiteout: what is at the path, and below it, goes
	opaque    bool   // a whiteout of everything below the path
}

// entriesOf reads a layer to its end and returns what it says, in its order. A layer
// that is no archive, that has more behind its end, or is not what its digests say,
// is an error.
func entriesOf(ctx context.Context, ref string, l v1.Layer) (entries []layerEntry, err error) {
	digest, err := l.Digest()
	if err != nil {
		return nil, err
	}
	fail := func(err error) error {
		var known *xpkg.DigestError
		switch {
		case ctx.Err() != nil:
			return canceled(ctx)
		case errors.As(err, &known):
			return known
		}
		return &LayerError{Layer: digest.String(), Reason: "cannot be read as a tar archive", Err: err}
	}
	diffID, err := l.DiffID()
	if err != nil {
		return nil, fail(err)
	}
	rc, err := l.Uncompressed()
	if err != nil {
		return nil, fail(err)
	}
	defer rc.Close()
	sum := sha256.New()
	limited := &io.LimitedReader{R: contextReader{ctx, rc}, N: maxLayerBytes + 1}
	content := io.TeeReader(limited, sum)
	for t := tar.NewReader(content); ; {
		h, err := t.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fail(err)
		}
		if len(entries) == maxEntries {
			return nil, &meta.LimitError{What: "the entries of the layer", Limit: maxEntries, Unit: "entries", Where: ref}
		}
		if h.Typeflag == tar.TypeXGlobalHeader {
			for key := range h.PAXRecords {
				if key == "path" || key == "linkpath" {
					// Readers differ about whether it renames all that follows.
					return nil, &LayerError{Layer: digest.String(), Entry: h.Name, Reason: "gives all entries another name by a global PAX record " + shown(key)}
				}
			}
			continue
		}
		entries = append(entries, entryOf(h))
	}
	// Only what is behind the end is left: padding, and nothing else.
	rest, err := io.ReadAll(io.LimitReader(content, maxTrailerBytes+1))
	switch {
	case err != nil:
		return nil, fail(err)
	case limited.N <= 0:
		return nil, &meta.LimitError{What: "the layer", Limit: maxLayerBytes, Where: ref + ": layer " + digest.String()}
	case len(rest) > maxTrailerBytes || len(bytes.Trim(rest, "\x00")) > 0:
		return nil, &LayerError{Layer: digest.String(), Entry: "", Reason: "has more behind the end of its archive, which some readers take for entries"}
	}
	if got := "sha256:" + hex.EncodeToString(sum.Sum(nil)); got != diffID.String() {
		return nil, &xpkg.DigestError{Ref: ref, What: "layer content", Want: diffID.String(), Got: got, WantSize: -1}
	}
	return entries, nil
}

// rooted returns a name as a path below the root; what would leave it does not.
func rooted(name string) string { return strings.TrimPrefix(path.Clean("/"+name), "/") }

func entryOf(h *tar.Header) layerEntry {
	e := layerEntry{name: h.Name, path: rooted(h.Name), directory: h.Typeflag == tar.TypeDir}
	switch h.Typeflag {
	case tar.TypeLink:
		e.link, e.target = true, rooted(h.Linkname)
	case tar.TypeSymlink:
		e.link, e.target = true, rooted(h.Linkname)
		if !strings.HasPrefix(h.Linkname, "/") {
			e.target = rooted(path.Join("/", path.Dir("/"+e.path), h.Linkname))
		}
	}
	dir, base := path.Split(e.path)
	switch {
	case base == opaque:
		e.path, e.opaque = strings.TrimSuffix(dir, "/"), true
	case strings.HasPrefix(base, whiteout):
		e.path, e.deletes = rooted(dir+strings.TrimPrefix(base, whiteout)), true
	}
	return e
}

// below reports whether a path is in a directory, or is that directory.
func below(p, dir string) bool {
	return dir == "" || p == dir || strings.HasPrefix(p, dir+"/")
}

// shadows returns why an entry changes what a reader of the flattened file system
// finds at /package.yaml, or "".
func (e *layerEntry) shadows() string {
	switch {
	case e.opaque && e.path == "":
		return "deletes all that is in the root, /package.yaml too"
	case e.deletes && (e.path == packageFile || e.path == ""):
		return "deletes /package.yaml"
	case e.opaque && below(e.path, packageFile), below(e.path, packageFile):
		return "is /package.yaml, or below it"
	case e.path == "" && !e.directory:
		return "takes the place of the root"
	case e.link && (e.target == packageFile || below(e.target, packageFile)):
		return "is a link to /package.yaml, through which that can be written"
	}
	return ""
}

// refuse returns a *LayerError where a layer has an entry that may change what is at
// /package.yaml once it lies upon others. links are those of the layers below; they are
// asked for only when it matters.
func refuse(digest v1.Hash, entries []layerEntry, links func() (map[string]bool, error)) error {
	fail := func(e *layerEntry, reason string) error {
		return &LayerError{Layer: digest.String(), Entry: e.name, Reason: reason}
	}
	here := map[string]bool{}
	for i := range entries {
		if reason := entries[i].shadows(); reason != "" {
			return fail(&entries[i], reason)
		}
		if entries[i].link {
			here[entries[i].path] = true
		}
	}
	var lower map[string]bool
	for i := range entries {
		e := &entries[i]
		// Below a link it may be anywhere.
		if path.Base(e.path) != packageFile && !e.opaque {
			continue
		}
		if lower == nil {
			var err error
			if lower, err = links(); err != nil {
				return err
			}
		}
		dir := e.path
		if !e.opaque {
			dir = parent(dir)
		}
		for ; dir != ""; dir = parent(dir) {
			if here[dir] || lower[dir] {
				return fail(e, "is behind the link /"+dir+", which may lead to /package.yaml")
			}
		}
	}
	return nil
}

// parent returns the directory that a path is in, and "" for the root.
func parent(p string) string { return p[:max(strings.LastIndexByte(p, '/'), 0)] }

// linksOf returns the paths of all links of layers.
func linksOf(ctx context.Context, ref string, layers []v1.Layer) (map[string]bool, error) {
	links := map[string]bool{}
	for _, l := range layers {
		entries, err := entriesOf(ctx, ref, l)
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			if e.link {
				links[e.path] = true
			}
		}
	}
	return links, nil
}
