package xpkg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/xpkg-go/sdk/meta"
)

// OpenFile opens an image on disk: a docker tar (what docker save and
// Crossplane's package builder write, often named .xpkg), an OCI layout as a
// directory or as a tar. A tar may be compressed. The content decides which it
// is, not the name; a tar that is both is read as an OCI layout, unless only
// its docker configuration marks the base layer.
//
// From an index one image is chosen as Select describes, by Options.Platform.
// Nothing on disk is trusted: layers and manifests are held against their
// digests as if they came from a registry, the layers of a docker tar against
// the diff IDs of its configuration and against digests in file names.
//
// Files are opened for each call and closed with it; the image needs no closing
// and a file that changes in between is an error, not a mixture.
//
// Errors: *FileError, *NotPackageError for a file that holds no image or
// several, and those of Select.
func OpenFile(ctx context.Context, path string, o *Options) (*Image, error) {
	options := o.withDefaults()
	info, err := os.Stat(path)
	if err != nil {
		return nil, &FileError{Path: path, Err: err}
	}
	if info.IsDir() {
		files := directory(path)
		if _, err := files.stat(indexFile); errors.Is(err, fs.ErrNotExist) {
			return nil, noLayout(path)
		}
		return openLayout(ctx, path, files, options)
	}
	if !info.Mode().IsRegular() { // opening a fifo would wait for a writer
		return nil, &NotPackageError{Ref: path, Reason: ReasonNoImage, Detail: "neither a file nor a directory"}
	}
	return openTar(ctx, path, archiveAt(path), options)
}

// archiveAt opens an archive on disk, each time that it is read.
func archiveAt(path string) func() (archiveFile, error) {
	return func() (archiveFile, error) {
		f, err := openRegular(path)
		if err != nil {
			return nil, err
		}
		return f, nil
	}
}

// openTar opens the image in a tar of either kind.
func openTar(ctx context.Context, path string, from func() (archiveFile, error), options Options) (*Image, error) {
	a, err := openArchive(ctx, path, from, &options)
	if err != nil {
		return nil, err
	}
	layout, docker := a.has(indexFile), a.has(dockerManifestFile)
	switch {
	case layout && docker:
		img, err := openLayout(ctx, path, a, options)
		if err != nil {
			return nil, err
		}
		if c := img.content.Load(); c.method == MethodAnnotation {
			return img, nil
		}
		// The annotations are gone, as after a round trip through docker; the
		// labels may have stayed.
		if c, err := readDockerTar(ctx, path, a, &options); err == nil && c.method == MethodLabel {
			return opened(ctx, &Image{ref: path, o: options, src: dockerSource{a}}, c)
		}
		return img, nil
	case layout:
		return openLayout(ctx, path, a, options)
	case docker:
		c, err := readDockerTar(ctx, path, a, &options)
		if err != nil {
			return nil, err
		}
		return opened(ctx, &Image{ref: path, o: options, src: dockerSource{a}}, c)
	}
	e := &NotPackageError{Ref: path, Reason: ReasonNoImage, Detail: fmt.Sprintf("the tar archive holds neither %s (OCI layout) nor %s (docker tar)", indexFile, dockerManifestFile)}
	if a.has(packageFile) {
		e.NearMisses = []string{packageFile}
		e.Hint = "the layer of a package without its image"
	}
	return nil, e
}

func noLayout(path string) error {
	return &NotPackageError{Ref: path, Reason: ReasonNoImage, Detail: "the directory is no OCI layout: it has no " + indexFile}
}

// files are the files of an image on disk, by slash-separated name.
type files interface {
	// open opens a file for reading, from its start. size is that of the file.
	// What has to be decompressed to get to it counts.
	open(ctx context.Context, name string, b *budget) (rc io.ReadCloser, size int64, err error)
}

// readFile reads a small file.
func readFile(ctx context.Context, path string, from files, name string, o *Options, b *budget) ([]byte, error) {
	rc, size, err := from.open(ctx, name, b)
	if err != nil {
		return nil, err
	}
	defer rc.Close()
	if size > o.MaxManifestBytes {
		return nil, &meta.LimitError{What: name, Limit: o.MaxManifestBytes, Got: size, Where: path}
	}
	raw, err := io.ReadAll(io.LimitReader(rc, size))
	if err != nil {
		if ctx.Err() != nil {
			return nil, canceled(ctx, path)
		}
		return nil, &FileError{Path: path, Name: name, Err: err}
	}
	return raw, nil
}

// readCloser joins a reader with what closes it.
type readCloser struct {
	io.Reader
	close func() error
}

// Close implements io.Closer.
func (r readCloser) Close() error { return r.close() }
