// Package source opens what the example programs call a SOURCE: an image
// reference, a .xpkg file, an OCI layout directory, a package directory, a
// package.yaml, or standard input.
package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
	"github.com/xpkg-go/sdk/xpkg"
)

// Package is what was read from a SOURCE.
type Package struct {
	Source   string // as it was given
	Kind     Kind
	Digest   string      // of the image's manifest; empty where there is no image
	Platform string      // os/arch of the image; empty where there is none
	Method   string      // how package.yaml was found: annotation, label, flattened, file, directory or stream
	Image    *xpkg.Image // that the package was read from; nil where there is none
	*parser.Package
	// Faults is what is wrong with the package itself; everything that could
	// be read is in Package all the same.
	Faults parser.ErrorList
	// Skipped lists what was left out of a directory, such as symbolic links.
	Skipped []parser.Event
}

// Kind says what a SOURCE is.
type Kind int

// The kinds of SOURCE.
const (
	Reference Kind = iota // an image in a registry
	Image                 // a .xpkg file or an OCI layout directory
	Directory             // a package directory
	File                  // a package.yaml
	Stdin                 // a stream on standard input
)

// KindOf tells what a SOURCE is by looking at the file system. A name that does
// not exist is an image reference, unless it can only have meant a file.
func KindOf(source string) (Kind, error) {
	if source == "-" {
		return Stdin, nil
	}
	info, err := os.Stat(source)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !looksLikePath(source):
		return Reference, nil
	case err != nil:
		return 0, fmt.Errorf("%w: %w", meta.ErrNotFound, err)
	case info.IsDir():
		if _, err := os.Stat(filepath.Join(source, "oci-layout")); err == nil {
			return Image, nil
		}
		return Directory, nil
	}
	switch strings.ToLower(filepath.Ext(source)) {
	case ".yaml", ".yml", ".json":
		return File, nil
	case ".xpkg", ".tar":
		return Image, nil
	}
	if info.Mode().IsRegular() && isArchive(source) {
		return Image, nil
	}
	return File, nil
}

// isArchive looks for what a tar archive, or a compressed one, begins with.
func isArchive(file string) bool {
	f, err := os.Open(file)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 262)
	n, _ := io.ReadFull(f, head)
	head = head[:n]
	return bytes.HasPrefix(head, []byte{0x1f, 0x8b}) || n == 262 && string(head[257:]) == "ustar"
}

func looksLikePath(source string) bool {
	switch strings.ToLower(filepath.Ext(source)) {
	case ".yaml", ".yml", ".json", ".xpkg", ".tar":
		return true
	}
	return filepath.IsAbs(source) || strings.HasPrefix(source, "./") || strings.HasPrefix(source, "../") || source == "." || source == ".."
}

// Read reads a SOURCE. An error means that there is nothing to show; what is
// wrong with a package that could be read is in Faults.
func Read(ctx context.Context, source string, client *xpkg.Client, o *xpkg.Options, stdin io.Reader) (*Package, error) {
	kind, err := KindOf(source)
	if err != nil {
		return nil, err
	}
	p := &Package{Source: source, Kind: kind}
	switch kind {
	case Reference:
		img, err := client.Image(ctx, source, o)
		if err != nil {
			// A name without a registry may as well be a mistyped file.
			if r, parseErr := meta.ParseReference(source); parseErr == nil && !r.Source.HasRegistry() {
				return nil, fmt.Errorf("no file or directory %s, and as an image reference: %w", source, err)
			}
			return nil, err
		}
		return p.fromImage(ctx, img)
	case Image:
		img, err := xpkg.OpenFile(ctx, source, o)
		if err != nil {
			return nil, err
		}
		return p.fromImage(ctx, img)
	case Directory:
		root, err := os.OpenRoot(source)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		return FromDirectory(ctx, source, root, nil)
	case File:
		f, err := os.Open(source)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		p.Method = "file"
		return p.fromStream(ctx, filepath.Base(source), f)
	default:
		p.Method = "stream"
		return p.fromStream(ctx, "-", stdin)
	}
}
