package xpkg

import (
	"context"
	"errors"
	"io/fs"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Layout is all that an OCI layout holds, a directory or a tar, for those who copy it
// and do not ask whether it is a package. It is read where it lies: a file that changes
// in between is an error of what is read then. It may be used concurrently and needs no
// closing.
type Layout struct {
	src     *layoutSource
	entries []Entry
}

// OpenLayout reads the index.json of an OCI layout. Errors are *FileError,
// *NotPackageError for what is no layout, *ManifestError for an index.json that is no
// index, *meta.LimitError for one that is larger than Options.MaxManifestBytes, and one that
// matches meta.ErrCanceled.
func OpenLayout(ctx context.Context, path string, o *Options) (*Layout, error) {
	options := o.withDefaults()
	from, err := layoutFiles(ctx, path, &options)
	if err != nil {
		return nil, err
	}
	src, err := newLayoutSource(ctx, path, from, &options)
	if err != nil {
		return nil, err
	}
	src.budget = nil
	l := &Layout{src: src}
	for i := range src.root.manifests {
		d := &src.root.manifests[i]
		l.entries = append(l.entries, newEntry(d, d.role()))
	}
	return l, nil
}

// layoutFiles are the files of an OCI layout.
func layoutFiles(ctx context.Context, path string, o *Options) (files, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, &FileError{Path: path, Err: err}
	}
	if info.IsDir() {
		if _, err := directory(path).stat(indexFile); errors.Is(err, fs.ErrNotExist) {
			return nil, noLayout(path)
		}
		return directory(path), nil
	}
	a, err := openArchive(ctx, path, archiveAt(path), o)
	if err != nil {
		return nil, err
	}
	if !a.has(indexFile) {
		return nil, &NotPackageError{Ref: path, Reason: ReasonNoImage, Detail: "the tar archive is no OCI layout: it has no " + indexFile}
	}
	return a, nil
}

// Entries are those of index.json, in its order. The caller may change the list, and
// not what is in it.
func (l *Layout) Entries() []Entry { return append([]Entry(nil), l.entries...) }

// Manifest reads a manifest by digest, against which it is held. mediaType is what the
// entry calls it that names it, and may be empty. Errors are *FileError, *DigestError,
// *meta.LimitError and *meta.FieldError for a text that is no digest.
func (l *Layout) Manifest(ctx context.Context, digest, mediaType string) (*RawManifest, error) {
	h, err := digestArgument(digest)
	if err != nil {
		return nil, err
	}
	raw, err := l.src.manifest(ctx, &descriptor{Digest: h})
	if err != nil {
		return nil, err
	}
	if err := verifyBytes(raw, l.src.path, "manifest", h); err != nil {
		return nil, err
	}
	return &RawManifest{Digest: digest, MediaType: mediaTypeOf(raw, mediaType), Raw: raw}, nil
}

// Blob opens a blob of a size in bytes, which is held against its digest. The caller
// closes it. Errors are *FileError, *meta.FieldError for a text that is no digest, and one that matches
// meta.ErrCanceled.
func (l *Layout) Blob(ctx context.Context, digest string, size int64) (*BlobReader, error) {
	h, err := digestArgument(digest)
	if err != nil {
		return nil, err
	}
	d := descriptor{Digest: h, Size: size}
	return l.src.verified(ctx, &d)
}

// verified opens a blob that is held against its digest.
func (s *layoutSource) verified(ctx context.Context, d *descriptor) (*BlobReader, error) {
	rc, err := s.blob(ctx, &layer{descriptor: *d}, s.counting())
	if err != nil {
		return nil, err
	}
	return newBlobReader(ctx, rc, s.path, d)
}

// HasBlob tells whether there is a blob or a manifest of that digest. What is in it
// was not read.
func (l *Layout) HasBlob(digest string) bool {
	h, err := v1.NewHash(digest)
	if err != nil {
		return false
	}
	switch from := l.src.files.(type) {
	case directory:
		info, err := from.stat(blobName(h))
		return err == nil && info.Mode().IsRegular()
	case *archive:
		return from.has(blobName(h))
	}
	return false
}
