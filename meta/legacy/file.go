package legacy

import (
	"path"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

// A FileError says that something in a package cannot be taken for a file of it. It matches
// meta.ErrInvalid.
type FileError struct {
	File    string
	Problem FileProblem
}

// A FileProblem says what is wrong with a file.
type FileProblem string

// The problems of files.
const (
	// FileLink: it is a symbolic link. None is followed, since it may lead out of the package.
	FileLink FileProblem = "link"
	// FileIrregular: it is a device, a socket or a pipe.
	FileIrregular FileProblem = "irregular"
	// FileName: its name is empty, is no UTF-8, holds a slash or what cannot be seen, or its
	// path is longer than MaxPath.
	FileName FileProblem = "name"
)

// Error is such as: ".registry/icon.svg" is a symbolic link, which is not followed.
func (e *FileError) Error() string { return quote(e.File) + " " + e.message() }

// message is the text of the error without the file.
func (e *FileError) message() string {
	switch e.Problem {
	case FileLink:
		return "is a symbolic link, which is not followed"
	case FileIrregular:
		return "is neither a file nor a directory"
	}
	return "has a name that no file of a package has"
}

// Is reports whether target is meta.ErrInvalid.
func (e *FileError) Is(target error) bool { return target == meta.ErrInvalid }

// A class is what a file is by its name.
type class int

const (
	classUnknown class = iota
	classMisplaced
	classApp
	classInstall
	classBehavior
	classGroup
	classResource
	classIcon
	classUISchema
	classCRD    // its name says so
	classObject // it stands where definitions do
)

// A file is one of the package.
type file struct {
	path   string
	dir    string
	class  class
	prefix string // before the part of the name that says the class
	size   int64
}

// Names of files and of their ends. (packages v1, Package Files)
const (
	registryDir  = ".registry"
	resourcesDir = "resources"

	appFile      = "app.yaml"
	installFile  = "install.yaml"
	behaviorFile = "behavior.yaml"
	groupFile    = "group.yaml"

	resourceEnd = "resource.yaml"
	uiSchemaEnd = "ui-schema.yaml"
	crdEnd      = "crd.yaml"
	iconStem    = "icon"
)

// classify tells what a file of the package in the directory root is.
func classify(root, name string) file {
	f := file{path: name, dir: path.Dir(name)}
	base := path.Base(name)
	ends := func(end string) bool {
		before, ok := strings.CutSuffix(base, end)
		if ok {
			f.prefix = strings.TrimRight(before, ".")
		}
		return ok
	}
	switch {
	case base == appFile, base == installFile, base == behaviorFile:
		f.class = map[string]class{appFile: classApp, installFile: classInstall, behaviorFile: classBehavior}[base]
		if f.dir != root {
			f.class = classMisplaced
		}
	case base == groupFile:
		f.class = classGroup
	case ends(crdEnd):
		f.class, f.prefix = classCRD, ""
	case ends(resourceEnd):
		f.class = classResource
	case ends(uiSchemaEnd):
		f.class = classUISchema
	case MediaTypeOf(base) != "" && ends(iconStem+path.Ext(base)):
		f.class = classIcon
	case isYAML(base) && covers(path.Join(root, resourcesDir), f.dir):
		f.class = classObject
	}
	return f
}

func isYAML(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

// covers reports whether what stands in the directory applies to what stands in another one:
// it is the same, or above it.
func covers(dir, below string) bool {
	return dir == "." || below == dir || strings.HasPrefix(below, dir+"/")
}
