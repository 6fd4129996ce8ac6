package parser

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/internal/ignore"
	"github.com/xpkg-go/sdk/internal/yamlstream"
	"github.com/xpkg-go/sdk/meta"
)

const (
	examplesDir = "examples"
	ignoreFile  = ".xpkgignore"
	lintFile    = ".xpkg-lint.yaml"

	maxIgnoreBytes = 64 << 10
)

// An entry is something that the walk through a directory came by.
type entry struct {
	path  string    // slash-separated
	event EventKind // not read, for this reason
	err   error     // cannot be read, for this reason
}

// A walker lists the files to read and what else there is to tell.
type walker struct {
	root    *os.Root
	dir     string // below the root, or "."
	ignored ignore.List
	entries []entry // sorted by path
}

// walk fills the entries. The error is the context's.
func (w *walker) walk(ctx context.Context, patterns []string) error {
	switch info, err := w.root.Lstat(w.dir); {
	case errors.Is(err, fs.ErrNotExist) && w.dir != ".":
		return nil
	case err == nil && !info.IsDir():
		w.add(entry{path: w.dir, event: cmp.Or(passedOver(w.dir, info.Mode()), SkippedFile)})
		return nil
	}
	w.readPatterns(ctx, patterns)
	err := fs.WalkDir(w.root.FS(), w.dir, func(name string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return w.visit(name, d, err)
	})
	slices.SortFunc(w.entries, func(a, b entry) int { return cmp.Compare(a.path, b.path) })
	return err
}

func (w *walker) add(e entry) { w.entries = append(w.entries, e) }

// readPatterns reads the patterns of the directory's own file. Those of the
// caller follow them, so that they have the last word.
func (w *walker) readPatterns(ctx context.Context, patterns []string) {
	name := path.Join(w.dir, ignoreFile)
	switch info, err := w.root.Lstat(name); {
	case errors.Is(err, fs.ErrNotExist):
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		// git does not follow it either. But what it would leave out must not get into
		// a package in silence.
		w.add(entry{path: name, err: errIgnoreLink})
	default:
		text, err := readFile(ctx, w.root, name, maxIgnoreBytes, maxIgnoreBytes)
		if errors.Is(err, errFileTooLarge) || errors.Is(err, yamlstream.ErrStreamTooLarge) {
			err = &meta.LimitError{What: "a file of ignore patterns", Limit: maxIgnoreBytes}
		}
		if err == nil && isForeign(text) {
			err = errIgnoreForeign
		}
		if err != nil {
			w.add(entry{path: name, err: err})
		}
		w.ignored = ignore.Parse(string(text))
	}
	w.ignored = append(w.ignored, ignore.Parse(strings.Join(patterns, "\n"))...)
}

// Reasons why ignore patterns are not read.
var (
	errIgnoreLink    = errors.New("a symbolic link is not followed, so its patterns leave out nothing")
	errIgnoreForeign = errors.New("ignore patterns are text in UTF-8, and this is not")
)

// isForeign reports whether a text is of two bytes a character, or no text. Other bytes are
// those of the names of files, whatever these are.
func isForeign(text []byte) bool {
	return bytes.HasPrefix(text, []byte("\xFF\xFE")) || bytes.HasPrefix(text, []byte("\xFE\xFF")) || bytes.IndexByte(text, 0) >= 0
}

func (w *walker) visit(name string, d fs.DirEntry, err error) error {
	if err != nil {
		w.add(entry{path: name, err: err})
		return nil
	}
	if name == w.dir || name == lintFile && !d.IsDir() {
		return nil
	}
	if name == path.Join(w.dir, ignoreFile) && !d.IsDir() { // of which readPatterns has told
		return nil
	}
	below := strings.TrimPrefix(name, w.dir+"/")
	ignored := w.ignored.Match(below, d.IsDir())
	if d.IsDir() {
		switch {
		case name == examplesDir:
			w.add(entry{path: name, event: SkippedExamples})
		case ignored:
			w.add(entry{path: name, event: SkippedIgnored})
		default:
			return nil
		}
		return fs.SkipDir
	}
	event := passedOver(name, d.Type())
	switch {
	case event == "" && !isYAML(name): // a file like any other: nobody asks
	case ignored:
		w.add(entry{path: name, event: SkippedIgnored})
	default:
		w.add(entry{path: name, event: event})
	}
	return nil
}

// passedOver returns why something that is no directory is not read though its
// author may think so, or "". An irregular file is what Windows has for links
// beside symbolic ones: a junction may be a whole directory.
func passedOver(name string, mode fs.FileMode) EventKind {
	switch {
	case mode&fs.ModeSymlink != 0:
		return SkippedLink
	case mode&fs.ModeIrregular != 0:
		return SkippedFile
	case isYAML(name) && !mode.IsRegular():
		return SkippedFile
	case !isYAML(name) && isNearlyYAML(name):
		return SkippedNearMiss
	}
	return ""
}

func isYAML(name string) bool {
	ext := path.Ext(name)
	return strings.EqualFold(ext, ".yaml") || strings.EqualFold(ext, ".yml")
}

// isNearlyYAML reports whether a file that is not read may be meant to be: JSON,
// a slip in the extension, or an extension behind it, such as editors, templates
// and backups add.
func isNearlyYAML(name string) bool {
	base := strings.TrimRight(strings.ToLower(path.Base(name)), " ~")
	switch path.Ext(base) {
	case ".json", ".yaml", ".yml", ".ymal":
		return true
	}
	return strings.Contains(base, ".yaml.") || strings.Contains(base, ".yml.")
}
