package xpkg

import (
	"fmt"

	"github.com/xpkg-go/sdk/meta"
)

// TagError says that a tag is no full semantic version, so that no dependency with a
// range of versions would ever find the package. It matches meta.ErrInvalid.
type TagError struct {
	Ref     string
	Tag     string
	Implied bool       // the reference has no tag, and this one stands for none
	Class   meta.Class // what it is: meta.ClassPartial or meta.ClassOther
}

// Error implements error.
func (e *TagError) Error() string {
	what := "is no semantic version"
	switch {
	case e.Implied:
		what = "stands for no tag, and is no semantic version"
	case e.Class == meta.ClassPartial:
		what = "is only the beginning of a version"
	}
	return fmt.Sprintf("%s: the tag %s %s, such as v1.2.3; ranges of versions never find it", e.Ref, quote(e.Tag), what)
}

// Is reports whether target is meta.ErrInvalid.
func (e *TagError) Is(target error) bool { return target == meta.ErrInvalid }

// PlatformClashError says that two images of a push are for one platform, of which an
// index can only have one. It matches meta.ErrInvalid.
type PlatformClashError struct {
	Platform      string // such as linux/amd64, or "" for images that name none
	First, Second PushedImage
}

// Error implements error.
func (e *PlatformClashError) Error() string {
	what := "both are for " + shown(e.Platform)
	if e.Platform == "" {
		what = "neither names a platform"
	}
	s := fmt.Sprintf("%s (%s) and %s (%s): %s, of which an index can have one", shown(e.First.File), e.First.Digest, shown(e.Second.File), e.Second.Digest, what)
	if e.First.Digest == e.Second.Digest {
		s += "; they are the same image"
	}
	return s
}

// Is reports whether target is meta.ErrInvalid.
func (e *PlatformClashError) Is(target error) bool { return target == meta.ErrInvalid }

// NoPlatformError says that an image of several names no platform, so that an index
// could not tell for whom it is. It matches meta.ErrInvalid.
type NoPlatformError struct{ Image PushedImage }

// Error implements error.
func (e *NoPlatformError) Error() string {
	return fmt.Sprintf("%s: the configuration of %s names no platform, which an index of several images needs", shown(e.Image.File), e.Image.Digest)
}

// Is reports whether target is meta.ErrInvalid.
func (e *NoPlatformError) Is(target error) bool { return target == meta.ErrInvalid }

// PackageFilesError says that a directory does not hold one .xpkg file that could be
// meant. It matches meta.ErrNotFound when there is none and meta.ErrInvalid when there are several.
type PackageFilesError struct {
	Dir      string
	Packages []string // the names of the .xpkg files, sorted
	Others   []string // without one, the names of what else is there, sorted
}

// Error lists what is there, the first few of each.
func (e *PackageFilesError) Error() string {
	dir := shown(e.Dir)
	switch {
	case len(e.Packages) > 0:
		return fmt.Sprintf("%s holds %d .xpkg files, name the one that is meant: %s", dir, len(e.Packages), list(shownAll(e.Packages)))
	case len(e.Others) > 0:
		return fmt.Sprintf("%s holds no .xpkg file; it holds %s", dir, list(shownAll(e.Others)))
	}
	return dir + " holds no .xpkg file; it is empty"
}

// Is reports whether target is the category.
func (e *PackageFilesError) Is(target error) bool {
	if len(e.Packages) > 0 {
		return target == meta.ErrInvalid
	}
	return target == meta.ErrNotFound
}

func shownAll(names []string) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = shown(name)
	}
	return all
}
