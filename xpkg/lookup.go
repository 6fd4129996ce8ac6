package xpkg

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"path"
)

// packageFile is the one file of a package, at the root of its base layer or of
// the flattened file system (specification, "Layers").
const packageFile = "package.yaml"

// maxLinks bounds the links that are followed to reach package.yaml. Each costs
// a pass over the layers.
const maxLinks = 32

// maxLinkName bounds the target of a link, as file systems do.
const maxLinkName = 4096

// lookup finds one file in a stack of layers without flattening them: from the
// top layer down, and no further than the layer that decides.
type lookup struct {
	image  *Image
	layers []layer // bottom first
	budget *budget
	near   nearMisses

	removed  string          // the layer that whites package.yaml out, if one does
	searched []string        // names of the layers that were gone through
	seen     map[string]bool // the same as a set
	links    int
	entries  int64

	// took are the places that links led from, by name and top layer: to come
	// there again is a circle.
	took map[place]bool
}

// place is a name as the layers up to one have it.
type place struct {
	name string
	top  int
}

// find opens package.yaml. The scan that it returns stands at its content, and
// name is the name of the entry, which differs from packageFile after a link.
func (i *Image) find(ctx context.Context) (s *layerScan, name string, size int64, err error) {
	layers, err := i.search(ctx)
	if err != nil {
		return nil, "", 0, err
	}
	l := &lookup{image: i, layers: layers, budget: newBudget(&i.o), seen: map[string]bool{}}
	l.took = map[place]bool{{packageFile, len(layers) - 1}: true}
	// as is where a hard link stands, which is another place than the file that
	// it is when that is a symbolic link.
	name, as, top := packageFile, packageFile, len(layers)-1
	for {
		s, e, err := l.pass(ctx, name, top)
		if err != nil {
			return nil, "", 0, err
		}
		switch {
		case s != nil:
			return s, name, e.size, nil
		case e == nil, e.name != name && as != name:
			// The target of a hard link is taken literally.
			return nil, "", 0, l.missing(name)
		case len(e.link) > maxLinkName:
			return nil, "", 0, l.refuse(ReasonBadLink, fmt.Sprintf("%s is a link to a name of %d bytes, at most %d may be", shown(e.name), len(e.link), maxLinkName))
		case e.name != name || e.kind == tar.TypeSymlink:
			// A symbolic link, of the file or of a directory above it: it is
			// read in the finished file system.
			from := e.name
			if e.name == name {
				from = as
			}
			target := linkTarget(from, e.link)
			if target == "" {
				return nil, "", 0, l.refuse(ReasonBadLink, fmt.Sprintf("%s is a symbolic link to %s, which is outside of the image or no plain path in it", shown(e.name), quote(e.link)))
			}
			name, top = path.Join(target, name[len(e.name):]), len(layers)-1
			as = name
		case e.kind == tar.TypeLink:
			// A hard link names a file as it was when the layer was made.
			target := cleanName(e.link)
			if target == "" {
				return nil, "", 0, l.refuse(ReasonBadLink, fmt.Sprintf("%s is a hard link to %s, which is outside of the image", shown(e.name), quote(e.link)))
			}
			name, top = target, e.layer
		default:
			return nil, "", 0, l.refuse(ReasonNotAFile, l.called(name)+" is "+kindName(e.kind)+", expected a file")
		}
		if l.took[place{name, top}] {
			return nil, "", 0, l.refuse(ReasonBadLink, fmt.Sprintf("%s is a link in a circle, which comes to %s again", packageFile, quote(name)))
		}
		l.took[place{name, top}] = true
		if l.links++; l.links > maxLinks {
			return nil, "", 0, l.refuse(ReasonBadLink, fmt.Sprintf("%s leads over more than %d links", packageFile, maxLinks))
		}
		if name == "." {
			return nil, "", 0, l.refuse(ReasonNotAFile, packageFile+" is a link to the root directory, expected a file")
		}
	}
}

// entry is what a layer says about a path.
type entry struct {
	name  string
	kind  byte // a type flag of archive/tar; tar.TypeDir also for a directory that is only implied
	link  string
	size  int64
	layer int
}

// pass looks for name from the layer top down. It returns a scan that stands at
// the content when name is a regular file; an entry alone when name is
// something else, or when a directory above it is a symbolic link, whose name
// the entry then has; and nothing when there is no such path.
func (l *lookup) pass(ctx context.Context, name string, top int) (*layerScan, *entry, error) {
	above := map[string]*entry{} // directories above name, as the topmost layer that says something about them has them
	for n := top; n >= 0; n-- {
		s, found, hidden, err := l.look(ctx, name, n, above)
		if s != nil || found != nil || err != nil {
			return s, found, err
		}
		if hidden {
			break
		}
	}
	for dir := range parents(name) {
		if e := above[dir]; e != nil && e.kind == tar.TypeSymlink {
			return nil, e, nil
		}
	}
	return nil, nil, nil
}

// look goes through one layer and closes it, unless it stands at the content.
func (l *lookup) look(ctx context.Context, name string, n int, above map[string]*entry) (at *layerScan, found *entry, hidden bool, err error) {
	s, err := l.image.scan(ctx, &l.layers[n], l.budget)
	if err != nil {
		return nil, nil, false, err
	}
	defer func() { // also when the reader of a caller's transport panics
		if at == nil {
			_ = s.Close()
		}
	}()
	found, hidden, err = l.layer(s, name, n, above)
	if err == nil && found != nil && isRegular(found.kind) {
		at = s
	}
	return at, found, hidden, err
}

// layer goes through one layer. It stops at name when that is a regular file
// and reads the layer to its end otherwise. hidden says that lower layers
// cannot hold name: it, or a directory above it, is whited out or is no
// directory here.
func (l *lookup) layer(s *layerScan, name string, n int, above map[string]*entry) (found *entry, hidden bool, err error) {
	id := l.layers[n].name()
	again := l.seen[id]
	if !again {
		l.seen[id] = true
		l.searched = append(l.searched, id)
	}
	here := map[string]*entry{}
	removesLegacy := false
	for {
		got, h, err := s.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, false, err
		}
		if !again { // a link has led to a second pass
			l.entries++
		}
		target, children, isWhiteout := hides(got)
		switch {
		case got == "":
		case isWhiteout:
			removesLegacy = removesLegacy || target == legacyDir || below(legacyDir, target)
			// What a layer deletes is deleted below it, wherever in the layer
			// the whiteout stands.
			if below(name, target) || !children && name == target {
				hidden = true
				if name == packageFile {
					l.removed = id
				}
			}
		case got == name:
			e := &entry{name: got, kind: h.Typeflag, link: h.Linkname, size: h.Size, layer: n}
			if found != nil && found.kind == tar.TypeDir && e.kind == tar.TypeDir {
				continue // a directory may be mentioned again
			}
			if found != nil {
				return nil, false, s.refuse(l.refuse(ReasonDuplicate, fmt.Sprintf("layer %s holds %s more than once", l.layers[n].name(), l.called(name))))
			}
			found = e
			if isRegular(e.kind) {
				return found, false, l.acceptable(s, e)
			}
		case below(got, name):
			if found == nil {
				found = &entry{name: name, kind: tar.TypeDir, layer: n}
			}
		case below(name, got):
			here[got] = &entry{name: got, kind: h.Typeflag, link: h.Linkname, layer: n}
		default:
			l.near.add(got)
		}
	}
	l.near.noLegacy = l.near.noLegacy || removesLegacy
	for dir := range parents(name) {
		if e := here[dir]; e != nil {
			if above[dir] == nil {
				above[dir] = e
			}
			hidden = hidden || e.kind != tar.TypeDir
		}
	}
	return found, hidden, nil
}

// acceptable refuses a regular file by what its header says.
func (l *lookup) acceptable(s *layerScan, e *entry) error {
	if e.size == 0 {
		return s.refuse(l.refuse(ReasonEmpty, l.called(e.name)+" is empty"))
	}
	return tooLarge(&l.image.o, e.size, l.image.ref)
}

// called is the path as a message says it: where links led, both ends.
func (l *lookup) called(name string) string {
	if name == packageFile {
		return packageFile
	}
	return packageFile + " is a link to " + quote(name) + ", which"
}

func (l *lookup) missing(name string) error {
	detail := "there is no " + packageFile + " at the root of the image"
	marked := l.image.content.Load().method != MethodFlattened
	switch {
	case name != packageFile:
		return l.refuse(ReasonBadLink, fmt.Sprintf("%s is a link to %s, which does not exist", packageFile, quote(name)))
	case l.removed != "" && !marked:
		detail += "; layer " + l.removed + " removes that of the layers below it"
	case len(l.layers) == 1 && marked:
		detail = fmt.Sprintf("there is no %s at the root of the layer that is marked %s=%s", packageFile, AnnotationKey, BaseAnnotation)
	}
	if l.near.legacy {
		return l.refuse(ReasonLegacy, detail)
	}
	return l.refuse(ReasonMissing, detail)
}

func (l *lookup) refuse(reason Reason, detail string) error {
	e := &NotPackageError{Ref: l.image.ref, Reason: reason, Detail: detail, Layers: l.searched, Entries: l.entries}
	if reason == ReasonMissing || reason == ReasonLegacy {
		e.NearMisses, e.Hint = l.near.paths, l.near.hint()
	}
	return e
}

func isRegular(kind byte) bool {
	return kind == tar.TypeReg || kind == tar.TypeGNUSparse || kind == tar.TypeCont
}

func kindName(kind byte) string {
	switch kind {
	case tar.TypeDir:
		return "a directory"
	case tar.TypeFifo:
		return "a fifo"
	case tar.TypeChar, tar.TypeBlock:
		return "a device"
	}
	return fmt.Sprintf("a tar entry of type %q", kind)
}

// parents yields the directories above name, the outermost first, without the
// root.
func parents(name string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for i := 0; i < len(name); i++ {
			if name[i] == '/' && !yield(name[:i]) {
				return
			}
		}
	}
}
