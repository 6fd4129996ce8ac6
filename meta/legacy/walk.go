package legacy

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/xpkg-go/sdk/meta"
)

// walk lists the files of the package, sorted by path. It does not follow links, and goes no
// deeper than paths may be long.
func (r *reader) walk() []file {
	var files []file
	n := 0
	for dirs := []string{r.p.Root}; len(dirs) > 0; {
		dir := dirs[len(dirs)-1]
		dirs = dirs[:len(dirs)-1]
		for entry, err := range entries(r.fsys, dir) {
			if r.ctx.Err() != nil {
				return nil
			}
			if err != nil {
				r.unreadable(dir, err)
				break
			}
			if n++; n > r.maxFiles {
				r.limit(r.p.Root, &meta.LimitError{What: "the package", Limit: int64(r.maxFiles), Unit: "files and directories"})
				return sorted(files)
			}
			name := join(dir, entry.Name())
			switch kind := entry.Type(); {
			case !isName(entry.Name()) || len(name) > MaxPath:
				r.fileFault(shortPath(name), FileName)
			case kind.IsDir():
				dirs = append(dirs, name)
			case kind&fs.ModeSymlink != 0:
				r.fileFault(name, FileLink)
			case !kind.IsRegular():
				r.fileFault(name, FileIrregular)
			default:
				files = append(files, classify(r.p.Root, name))
			}
		}
	}
	return sorted(files)
}

func sorted(files []file) []file {
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(files, func(a, b file) bool { return a.path == b.path })
}

// batch is how many entries of a directory are asked for at a time: it may have more than
// fit into memory.
const batch = 256

// entries yields what a directory holds, in any order.
func entries(fsys fs.FS, dir string) func(yield func(fs.DirEntry, error) bool) {
	return func(yield func(fs.DirEntry, error) bool) {
		f, err := fsys.Open(dir)
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close() // nothing was written
		d, ok := f.(fs.ReadDirFile)
		if !ok {
			yield(nil, &fs.PathError{Op: "readdir", Path: dir, Err: errors.ErrUnsupported})
			return
		}
		for {
			list, err := d.ReadDir(batch)
			for _, e := range list {
				if !yield(e, nil) {
					return
				}
			}
			switch {
			case err == io.EOF, err == nil && len(list) == 0:
				return
			case err != nil:
				yield(nil, err)
				return
			}
		}
	}
}

// isName reports whether a name can be that of a file of a package, and be shown.
func isName(name string) bool {
	return name != "" && name != "." && name != ".." && utf8.ValidString(name) && !strings.ContainsFunc(name, func(c rune) bool {
		return c == '/' || c == '\\' || !strconv.IsPrint(c)
	})
}

// join joins a directory and a name as they are.
func join(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// shortPath is a path, or the beginning of one that is too long.
func shortPath(name string) string {
	if len(name) <= MaxPath {
		return name
	}
	end := MaxPath
	for end > 0 && !utf8.RuneStart(name[end]) {
		end--
	}
	return path.Clean(name[:end]) + "…"
}
