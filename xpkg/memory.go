package xpkg

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"
)

// memory is a finished tree as a file system.
type memory struct{ root *node }

var _ fs.ReadLinkFS = memory{}

// find looks a name up for an operation and follows the symbolic links above
// it, and the last one as well when final is set.
func (m memory) find(op, name string, final bool) (*node, error) {
	fail := func(err error) (*node, error) { return nil, &fs.PathError{Op: op, Path: name, Err: err} }
	if !fs.ValidPath(name) {
		return fail(fs.ErrInvalid)
	}
	at := name
	for range maxLinks {
		n, link := m.walk(at, final)
		switch {
		case n == nil:
			return fail(fs.ErrNotExist)
		case link == "":
			return n, nil
		}
		target := linkTarget(link, n.target)
		if target == "" {
			return fail(fs.ErrNotExist)
		}
		at = path.Join(target, at[len(link):])
	}
	return fail(fs.ErrInvalid)
}

// walk goes down to a path. It stops at a symbolic link that is to be followed
// and returns that with its path.
func (m memory) walk(name string, final bool) (n *node, link string) {
	n = m.root
	if name == "." {
		return n, ""
	}
	for end := 0; end < len(name); end++ {
		start := end
		if i := strings.IndexByte(name[start:], '/'); i >= 0 {
			end = start + i
		} else {
			end = len(name)
		}
		if n = n.children[name[start:end]]; n == nil {
			return nil, ""
		}
		if n.mode.Type() == fs.ModeSymlink && (final || end < len(name)) {
			return n, name[:end]
		}
	}
	return n, ""
}

// Open implements fs.FS.
func (m memory) Open(name string) (fs.File, error) {
	n, err := m.find("open", name, true)
	if err != nil {
		return nil, err
	}
	info := nodeInfo{path.Base(name), n}
	if n.mode.IsDir() {
		return &openDir{info: info, names: slices.Sorted(maps.Keys(n.children))}, nil
	}
	return &openFile{info: info, Reader: bytes.NewReader(n.content)}, nil
}

// Stat implements fs.StatFS.
func (m memory) Stat(name string) (fs.FileInfo, error) {
	n, err := m.find("stat", name, true)
	if err != nil {
		return nil, err
	}
	return nodeInfo{path.Base(name), n}, nil
}

// Lstat implements fs.ReadLinkFS.
func (m memory) Lstat(name string) (fs.FileInfo, error) {
	n, err := m.find("lstat", name, false)
	if err != nil {
		return nil, err
	}
	return nodeInfo{path.Base(name), n}, nil
}

// ReadLink implements fs.ReadLinkFS.
func (m memory) ReadLink(name string) (string, error) {
	n, err := m.find("readlink", name, false)
	if err != nil {
		return "", err
	}
	if n.mode.Type() != fs.ModeSymlink {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return n.target, nil
}

// nodeInfo describes a node under a name.
type nodeInfo struct {
	name string
	node *node
}

// Name implements fs.FileInfo.
func (i nodeInfo) Name() string { return i.name }

// Size implements fs.FileInfo.
func (i nodeInfo) Size() int64 { return int64(len(i.node.content)) }

// Mode implements fs.FileInfo.
func (i nodeInfo) Mode() fs.FileMode { return i.node.mode }

// ModTime implements fs.FileInfo.
func (i nodeInfo) ModTime() time.Time { return i.node.modified }

// IsDir implements fs.FileInfo.
func (i nodeInfo) IsDir() bool { return i.node.mode.IsDir() }

// Sys implements fs.FileInfo.
func (i nodeInfo) Sys() any { return nil }

// Type implements fs.DirEntry.
func (i nodeInfo) Type() fs.FileMode { return i.node.mode.Type() }

// Info implements fs.DirEntry.
func (i nodeInfo) Info() (fs.FileInfo, error) { return i, nil }

type openFile struct {
	info nodeInfo
	*bytes.Reader
}

// Stat implements fs.File.
func (f *openFile) Stat() (fs.FileInfo, error) { return f.info, nil }

// Close implements fs.File.
func (f *openFile) Close() error { return nil }

// openDir lists a directory; names are those not listed yet.
type openDir struct {
	info  nodeInfo
	names []string
}

// Stat implements fs.File.
func (d *openDir) Stat() (fs.FileInfo, error) { return d.info, nil }

// Close implements fs.File.
func (d *openDir) Close() error { return nil }

// Read implements fs.File: a directory cannot be read.
func (d *openDir) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: d.info.name, Err: fs.ErrInvalid}
}

// ReadDir implements fs.ReadDirFile.
func (d *openDir) ReadDir(n int) ([]fs.DirEntry, error) {
	names := d.names
	if n > 0 {
		if len(names) == 0 {
			return nil, io.EOF
		}
		names = names[:min(n, len(names))]
	}
	d.names = d.names[len(names):]
	entries := make([]fs.DirEntry, len(names))
	for i, name := range names {
		entries[i] = nodeInfo{name, d.info.node.children[name]}
	}
	return entries, nil
}
