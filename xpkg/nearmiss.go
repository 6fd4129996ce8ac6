package xpkg

import (
	"path"
	"slices"
	"strings"
)

// nearMisses remembers, of the entries that a lookup passes, those that tell
// why there is no package.yaml.
type nearMisses struct {
	paths   []string
	legacy  bool // there are files of a v1 package
	runtime bool

	// noLegacy says that a layer above removes those of the layers below.
	noLegacy bool
}

// legacyDir is the directory of a package of the v1 format.
const legacyDir = ".registry"

// add looks at the name of an entry, relative to the root.
func (n *nearMisses) add(name string) {
	dir, base := path.Split(name)
	switch dir {
	case "":
		switch base {
		case "bin", "etc", "usr", "lib", "ko-app", "nonroot":
			n.runtime = true
		}
	case "bin/", "etc/", "usr/", "ko-app/", "usr/local/bin/":
		n.runtime = true
	}
	if below(name, legacyDir) && !n.noLegacy {
		n.legacy = true
	}
	if len(n.paths) == 8 {
		return
	}
	switch strings.ToLower(base) {
	case "package.yaml", "package.yml", "crossplane.yaml", "crossplane.yml":
		if len(name) > 200 {
			name = "…" + name[len(name)-200:]
		}
		// Upper layers come first, and a lower one may hold the path again.
		if !slices.Contains(n.paths, name) {
			n.paths = append(n.paths, name)
		}
	}
}

func (n *nearMisses) hint() string {
	switch {
	case n.legacy:
		return "a v1 package (it has a .registry directory): package meta/legacy reads those, from Image.FS"
	case n.runtime && len(n.paths) == 0:
		return "a runtime image that was not built as a package"
	}
	return ""
}
