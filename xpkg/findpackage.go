package xpkg

import (
	"os"
	"path/filepath"
	"slices"
)

// FindPackage returns the path of the only .xpkg file of a directory (packages-guide,
// "Pushing a Package"). Links to files count as files. The error is a *PackageFilesError,
// which lists what is there, or a *FileError.
func FindPackage(dir string) (string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", &FileError{Path: dir, Err: err}
	}
	e := &PackageFilesError{Dir: dir}
	for _, entry := range entries {
		name := entry.Name()
		info, err := os.Stat(filepath.Join(dir, name))
		if filepath.Ext(name) == ".xpkg" && err == nil && info.Mode().IsRegular() {
			e.Packages = append(e.Packages, name)
			continue
		}
		if entry.IsDir() {
			name += "/"
		}
		e.Others = append(e.Others, name)
	}
	if len(e.Packages) == 1 {
		return filepath.Join(dir, e.Packages[0]), nil
	}
	slices.Sort(e.Packages)
	slices.Sort(e.Others)
	if len(e.Packages) > 0 {
		e.Others = nil
	}
	return "", e
}
