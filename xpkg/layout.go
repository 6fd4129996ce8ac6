package xpkg

import (
	"context"
	"io"
	"io/fs"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// indexFile is the entry point of an OCI layout.
const indexFile = "index.json"

// openLayout opens the image that an OCI layout holds.
func openLayout(ctx context.Context, path string, from files, o Options) (*Image, error) {
	src, err := newLayoutSource(ctx, path, from, &o)
	if err != nil {
		return nil, err
	}
	s := newSelection(path, src, &o)
	m, chosen, err := s.image(ctx, src.root)
	if err != nil {
		return nil, err
	}
	img := &Image{ref: path, o: o, src: src, root: src.root, platform: chosen.Platform}
	if entries := s.real(src.root.manifests); len(entries) == 1 && isIndexType(entries[0].MediaType) {
		img.index = entries[0].Digest.String()
	}
	if img, err = opened(ctx, img, newContent(m)); err != nil {
		return nil, err
	}
	src.budget = nil
	return img, nil
}

// newLayoutSource reads the index.json of a layout.
func newLayoutSource(ctx context.Context, path string, from files, o *Options) (*layoutSource, error) {
	b := newBudget(o)
	raw, err := readFile(ctx, path, from, indexFile, o, b)
	if err != nil {
		return nil, err
	}
	root, err := parseManifest(path, v1.Hash{}, "application/vnd.oci.image.index.v1+json", raw)
	if err != nil {
		return nil, err
	}
	if !root.index {
		return nil, &ManifestError{Ref: path, Reason: indexFile + " is an image manifest, expected an index"}
	}
	return &layoutSource{path: path, files: from, o: o, root: root, budget: b}, nil
}

// layoutSource reads the manifests and blobs of an OCI layout.
type layoutSource struct {
	path  string
	files files
	o     *Options
	root  *manifest // index.json
	// budget is that of the call that opens the image; nil afterwards, when each
	// read has one of its own.
	budget *budget
}

func (s *layoutSource) blob(ctx context.Context, l *layer, b *budget) (io.ReadCloser, error) {
	rc, _, err := s.files.open(ctx, blobName(l.Digest), b)
	return rc, err
}

func (s *layoutSource) manifest(ctx context.Context, d *descriptor) ([]byte, error) {
	return readFile(ctx, s.path, s.files, blobName(d.Digest), s.o, s.counting())
}

func (s *layoutSource) counting() *budget {
	if s.budget != nil {
		return s.budget
	}
	return newBudget(s.o)
}

// blobName is the place of a blob in a layout. A v1.Hash holds an algorithm that
// is known and hexadecimal digits, so this is no way out of the directory.
func blobName(h v1.Hash) string { return "blobs/" + h.Algorithm + "/" + h.Hex }

// directory is an OCI layout on disk. Links in it that lead out of it are not
// followed.
type directory string

func (d directory) stat(name string) (fs.FileInfo, error) {
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.Stat(name)
}

func (d directory) open(_ context.Context, name string, _ *budget) (io.ReadCloser, int64, error) {
	fail := func(err error) (io.ReadCloser, int64, error) {
		return nil, 0, &FileError{Path: string(d), Name: name, Err: err}
	}
	// Opening a fifo would wait for a writer.
	info, err := d.stat(name)
	if err != nil {
		return fail(err)
	}
	if !info.Mode().IsRegular() {
		return fail(notRegular)
	}
	root, err := os.OpenRoot(string(d))
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	f, err := root.OpenFile(name, os.O_RDONLY|openNonblock, 0)
	if err == nil {
		f, err = stillRegular(f)
	}
	if err != nil {
		return fail(err)
	}
	return f, info.Size(), nil
}
