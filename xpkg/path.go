package xpkg

import (
	"path"
	"strings"
)

// whiteout is the prefix of the names that delete what lower layers hold, and
// opaque the one that deletes all that they hold in its directory (OCI image
// specification, layer.md, "Representing Changes").
const (
	whiteout = ".wh."
	opaque   = ".wh..wh..opq"
)

// cleanName returns the name of a tar entry relative to the root of the image,
// with slashes: "package.yaml" for package.yaml, ./package.yaml and
// /package.yaml; "." for the root itself; "" for a name that leaves the root.
// Names are taken literally, as go-containerregistry does: an entry below a
// symbolic link is not put where the link leads.
func cleanName(name string) string {
	name = path.Clean(strings.TrimLeft(name, "/"))
	if name == ".." || strings.HasPrefix(name, "../") {
		return ""
	}
	return name
}

// below reports whether name lies in the directory dir.
func below(name, dir string) bool {
	if dir == "." {
		return name != "."
	}
	return len(name) > len(dir) && name[len(dir)] == '/' && name[:len(dir)] == dir
}

// hides returns what a whiteout entry deletes: a path with all below it or,
// when children is set, only what is below it. ok is false for other entries.
func hides(name string) (target string, children, ok bool) {
	dir, base := path.Split(name)
	if !strings.HasPrefix(base, whiteout) {
		return "", false, false
	}
	if base == opaque {
		return path.Clean(dir), true, true
	}
	target = base[len(whiteout):]
	if target == "" || target == "." || target == ".." || strings.HasPrefix(target, whiteout) {
		// .wh..wh.aufs and the like are metadata of the aufs file system; the
		// other names cannot be deleted.
		return "", true, true
	}
	return path.Join(dir, target), false, true
}

// linkTarget resolves the target of a symbolic link at name inside the image; ""
// when it leaves the root, and when its text does not say where it leads: ".."
// behind the name of a directory is that directory's parent or, when it is a link
// itself, another one, and a slash at the end wants a directory.
func linkTarget(name, link string) string {
	if strings.HasPrefix(link, "/") {
		name, link = "", strings.TrimLeft(link, "/")
	}
	named := false
	for part := range strings.SplitSeq(link, "/") {
		switch part {
		case "", ".":
		case "..":
			if named {
				return ""
			}
		default:
			named = true
		}
	}
	if named && (strings.HasSuffix(link, "/") || strings.HasSuffix(link, "/.")) {
		return ""
	}
	return cleanName(path.Join(path.Dir(name), link))
}
