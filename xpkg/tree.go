package xpkg

import (
	"archive/tar"
	"context"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/xpkg-go/sdk/meta"
)

// FS returns the flattened file system of the image: all layers applied, with
// whiteouts, whether or not one of them is marked as the base layer. It reads
// and verifies every layer and holds the files in memory, at most
// Options.MaxPackageBytes of them, their names and 512 bytes for each entry of a
// layer and each directory that is only implied, which is what one takes in
// memory; the other limits apply as well. The context governs this call only.
//
// The file system also implements fs.ReadLinkFS. Symbolic links are followed
// inside the image, an absolute one from its root; one that leads out of it, or
// in a circle, is fs.ErrNotExist or fs.ErrInvalid when opened. Hard links are
// files of their own; one to a file that is not there is left out. So are
// entries whose names leave the image or are no UTF-8, devices, fifos, and entries below
// something that is no directory. Where tools differ, names are taken
// literally: an entry below a symbolic link is not put where the link leads.
//
// It may be used concurrently. Errors are those of Image.Stream. See the specification, "Layers".
func (i *Image) FS(ctx context.Context) (fs.FS, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return nil, err
	}
	return i.flatten(ctx, c.layers)
}

// flatten applies layers, bottom first.
func (i *Image) flatten(ctx context.Context, layers []layer) (fs.FS, error) {
	t := &tree{root: newDirectory(), max: i.o.MaxEntries, where: i.ref, held: &held{max: i.o.MaxPackageBytes, where: i.ref}}
	b := newBudget(&i.o)
	for n := range layers {
		changes, err := i.changes(ctx, &layers[n], b, t.held)
		if err != nil {
			return nil, err
		}
		if err := t.apply(ctx, changes); err != nil {
			return nil, err
		}
	}
	return memory{t.root}, nil
}

// change is one entry of a layer, in the order of the layer.
type change struct {
	name string
	node *node
	link string // of a hard link, the file that it is
}

// changes reads a layer.
func (i *Image) changes(ctx context.Context, l *layer, b *budget, h *held) ([]change, error) {
	s, err := i.scan(ctx, l, b)
	if err != nil {
		return nil, err
	}
	defer s.Close()
	var changes []change
	for {
		name, header, err := s.next()
		if err == io.EOF {
			return changes, nil
		}
		if err != nil {
			return nil, err
		}
		if !fs.ValidPath(name) {
			continue // "", and what is no UTF-8
		}
		// A name can be a megabyte long.
		if err := h.add(nodeBytes + int64(len(name)+len(header.Linkname))); err != nil {
			return nil, err
		}
		c := change{name: name, node: &node{mode: header.FileInfo().Mode(), modified: header.ModTime}}
		switch {
		case isRegular(header.Typeflag):
			if err := h.add(header.Size); err != nil {
				return nil, err
			}
			if c.node.content, err = s.content(header.Size); err != nil {
				return nil, err
			}
			c.node.mode &^= fs.ModeType
		case header.Typeflag == tar.TypeSymlink:
			c.node.target = header.Linkname
		case header.Typeflag == tar.TypeLink:
			c.link = cleanName(header.Linkname)
		}
		changes = append(changes, c)
	}
}

// tree is a file system while layers are applied to it.
type tree struct {
	root   *node
	n, max int64 // nodes that were made: a long name makes many
	where  string
	held   *held
}

// nodeBytes is what a node takes in memory beside its name and content: itself,
// its place in the directory above it and, while a layer is applied, in the list
// of changes. It is rounded up for what waits to be collected.
const nodeBytes = 512

// held counts the memory that a file system takes.
type held struct {
	n, max int64
	where  string
}

func (h *held) add(n int64) error {
	if n > h.max-h.n {
		// The sum may be more than an integer holds.
		return &meta.LimitError{What: "the file system", Limit: h.max, Got: max(h.n+n, 0), Where: h.where}
	}
	h.n += n
	return nil
}

// node is a file, a directory or a symbolic link.
type node struct {
	mode     fs.FileMode
	modified time.Time
	content  []byte
	target   string           // of a symbolic link, as it is written
	children map[string]*node // of a directory
}

func newDirectory() *node {
	return &node{mode: fs.ModeDir | 0o755, children: map[string]*node{}}
}

// apply changes the tree by one layer: first what the layer deletes, wherever in
// it that is said, then what it adds.
func (t *tree) apply(ctx context.Context, changes []change) error {
	for _, c := range changes {
		if target, children, ok := hides(c.name); ok && target != "" {
			t.remove(target, children)
		}
	}
	links := map[string]string{}
	for _, c := range changes {
		if ctx.Err() != nil { // a long name is a great many directories
			return canceled(ctx, t.where)
		}
		if _, _, ok := hides(c.name); ok {
			continue
		}
		switch c.node.mode.Type() {
		case 0, fs.ModeDir, fs.ModeSymlink:
			if c.link != "" {
				links[c.name] = c.link
			} else if err := t.add(c.name, c.node); err != nil {
				return err
			}
		default:
			if err := t.displace(c.name); err != nil {
				return err
			}
		}
	}
	// A hard link may come before the file that it is, which may be one.
	for _, c := range changes {
		if c.link == "" || links[c.name] != c.link {
			continue
		}
		target := c.link
		for range maxLinks {
			if links[target] != "" {
				target = links[target]
			}
		}
		if linked := t.find(target); linked != nil && !linked.mode.IsDir() && links[target] == "" {
			if err := t.add(c.name, linked); err != nil {
				return err
			}
		} else if err := t.displace(c.name); err != nil {
			return err
		}
	}
	return nil
}

// displace puts something that the file system does not hold in the place of
// what was there.
func (t *tree) displace(name string) error {
	err := t.add(name, &node{})
	t.remove(name, false)
	return err
}

// find returns the node at a path without following links.
func (t *tree) find(name string) *node {
	n := t.root
	if name == "." {
		return n
	}
	for part := range strings.SplitSeq(name, "/") {
		if n = n.children[part]; n == nil {
			return nil
		}
	}
	return n
}

// remove deletes a path with all below it, or only what is below it.
func (t *tree) remove(target string, children bool) {
	if target == "." {
		clear(t.root.children)
		return
	}
	dir, base := path.Split(target)
	parent := t.find(path.Clean(dir))
	if parent == nil {
		return
	}
	if at := parent.children[base]; at != nil && children {
		clear(at.children)
	} else {
		delete(parent.children, base)
	}
}

// add puts an entry in the place of what was there. A directory keeps what it
// holds; what a layer puts below a file makes it a directory.
func (t *tree) add(name string, n *node) error {
	if name == "." {
		return nil
	}
	at := t.root
	dir, base := path.Split(name)
	if dir != "" {
		for part := range strings.SplitSeq(strings.TrimSuffix(dir, "/"), "/") {
			next := at.children[part]
			if next == nil || !next.mode.IsDir() {
				if err := t.count(); err != nil {
					return err
				}
				if err := t.held.add(nodeBytes); err != nil {
					return err
				}
				next = newDirectory()
				at.children[part] = next
			}
			at = next
		}
	}
	if err := t.count(); err != nil {
		return err
	}
	if n.mode.IsDir() {
		n.children = map[string]*node{}
		if old := at.children[base]; old != nil && old.mode.IsDir() {
			n.children = old.children
		}
	}
	at.children[base] = n
	return nil
}

func (t *tree) count() error {
	if t.n++; t.n > t.max {
		return &meta.LimitError{What: "the file system", Unit: "files and directories", Limit: t.max, Where: t.where}
	}
	return nil
}
