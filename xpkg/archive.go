package xpkg

import (
	"archive/tar"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/xpkg-go/sdk/meta"
)

const (
	maxArchiveEntries = 1 << 16 // of the tar that holds an image, not of its layers
	maxArchiveLinks   = 8

	// maxArchiveName is far above the names of blobs. Those of files that are
	// longer are not kept: a tar can hold many of a megabyte each.
	maxArchiveName = 1024
)

// archive is a tar that holds an image: a table of its files, which are read where
// they lie.
type archive struct {
	path       string
	from       func() (archiveFile, error)
	compressed bool
	maxBytes   int64
	table      map[string]archived
}

// archived is one entry of an archive.
type archived struct {
	offset, size int64  // of the content, in the decompressed archive
	link         string // the name of another entry, for links
}

// archiveFile is a file on disk or in memory.
type archiveFile interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
}

// openArchive goes through the headers of a tar. The error is a
// *NotPackageError when it is no tar.
func openArchive(ctx context.Context, path string, from func() (archiveFile, error), o *Options) (*archive, error) {
	a := &archive{path: path, from: from, maxBytes: o.MaxLayerBytes, table: map[string]archived{}}
	f, err := from()
	if err != nil {
		return nil, &FileError{Path: path, Err: err}
	}
	defer f.Close()
	var position func() (int64, error)
	var in io.Reader
	if a.compressed, err = isCompressed(f); err != nil {
		return nil, &FileError{Path: path, Err: err}
	}
	if a.compressed {
		content, free, err := decompress(newContextReader(ctx, f, path), 0, newBudget(o), path)
		if err != nil {
			return nil, a.fail(ctx, err)
		}
		defer free()
		// Few compressed bytes can be a great many decompressed ones.
		counter := &limitedReader{r: newContextReader(ctx, io.NopCloser(content), path), max: o.MaxLayerBytes, where: path}
		in, position = counter, func() (int64, error) { return counter.n, nil }
	} else {
		// archive/tar skips by seeking and reads no further than it has to, so
		// that the file stands at the content of each entry.
		in, position = contextFile{ctx, f}, func() (int64, error) { return f.Seek(0, io.SeekCurrent) }
	}
	if err := a.read(tar.NewReader(in), position); err != nil {
		return nil, a.fail(ctx, err)
	}
	if a.compressed {
		// To the end, where the checksum is.
		if _, err := io.Copy(io.Discard, in); err != nil {
			return nil, a.fail(ctx, err)
		}
	}
	return a, nil
}

func (a *archive) read(tr *tar.Reader, position func() (int64, error)) error {
	for n := 1; ; n++ {
		h, err := tr.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil && !errors.Is(err, tar.ErrInsecurePath) {
			return err
		}
		if n > maxArchiveEntries {
			return &meta.LimitError{What: "the archive", Unit: "entries", Limit: maxArchiveEntries, Where: a.path}
		}
		name := cleanName(h.Name)
		offset, err := position()
		if err != nil {
			return err
		}
		if name == "" || isSparse(h) || len(h.Name)+len(h.Linkname) > maxArchiveName {
			continue
		}
		if _, twice := a.table[name]; twice && (name == indexFile || name == dockerManifestFile) {
			// Two tools could read two different images out of it.
			return &ManifestError{Ref: a.path, Reason: "the archive holds " + name + " more than once"}
		}
		switch h.Typeflag {
		case tar.TypeReg:
			a.table[name] = archived{offset: offset, size: h.Size}
		case tar.TypeSymlink:
			a.table[name] = archived{link: linkTarget(name, h.Linkname)}
		case tar.TypeLink:
			a.table[name] = archived{link: cleanName(h.Linkname)}
		}
	}
}

// fail says why the headers cannot be read.
func (a *archive) fail(ctx context.Context, err error) error {
	var limit *meta.LimitError
	var manifest *ManifestError
	switch {
	case ctx.Err() != nil:
		return canceled(ctx, a.path)
	case errors.As(err, &limit), errors.As(err, &manifest):
		return err
	case errors.Is(err, fs.ErrPermission):
		return &FileError{Path: a.path, Err: err}
	case len(a.table) == 0:
		return &NotPackageError{Ref: a.path, Reason: ReasonNoImage, Detail: "not a tar archive: " + err.Error()}
	}
	return &NotPackageError{Ref: a.path, Reason: ReasonNoImage, Detail: "the tar archive is broken: " + err.Error()}
}

func (a *archive) has(name string) bool {
	_, ok := a.table[name]
	return ok
}

// find follows links to a file.
func (a *archive) find(name string) (archived, error) {
	for range maxArchiveLinks {
		e, ok := a.table[name]
		if !ok {
			return archived{}, &FileError{Path: a.path, Name: name, Err: fs.ErrNotExist}
		}
		if e.link == "" {
			return e, nil
		}
		name = e.link
	}
	return archived{}, &FileError{Path: a.path, Name: name, Err: invalidFile("too many links")}
}

func (a *archive) open(ctx context.Context, name string, b *budget) (io.ReadCloser, int64, error) {
	fail := func(err error) (io.ReadCloser, int64, error) {
		return nil, 0, &FileError{Path: a.path, Name: name, Err: err}
	}
	e, err := a.find(path.Clean(name))
	if err != nil {
		return nil, 0, err
	}
	f, err := a.from()
	if err != nil {
		return fail(err)
	}
	if !a.compressed {
		return readCloser{io.NewSectionReader(f, e.offset, e.size), f.Close}, e.size, nil
	}
	in := newContextReader(ctx, f, a.path)
	// What stands before the file is decompressed again for each file.
	if err := b.addBytes(e.offset, a.path); err != nil {
		_ = in.Close()
		return nil, 0, err
	}
	content, free, err := decompress(in, 0, b, a.path)
	if err == nil {
		_, err = io.CopyN(io.Discard, newContextReader(ctx, io.NopCloser(content), a.path), e.offset)
	}
	closeAll := func() error {
		free()
		return in.Close()
	}
	if err != nil {
		_ = closeAll()
		if ctx.Err() != nil {
			return nil, 0, canceled(ctx, a.path)
		}
		return fail(err)
	}
	return readCloser{io.LimitReader(content, e.size), closeAll}, e.size, nil
}

// isSparse knows files whose content is not what lies in the archive.
func isSparse(h *tar.Header) bool {
	if h.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for key := range h.PAXRecords {
		if strings.HasPrefix(key, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// isCompressed looks at the first bytes of a file and goes back to its start.
func isCompressed(f archiveFile) (bool, error) {
	magic := make([]byte, 4)
	n, err := io.ReadFull(f, magic)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return n >= 2 && magic[0] == 0x1f && magic[1] == 0x8b || isZstd(magic[:n]), err
}

// contextFile is a file whose reads end with the context.
type contextFile struct {
	ctx context.Context
	f   archiveFile
}

// Read implements io.Reader.
func (c contextFile) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.f.Read(p)
}

// Seek implements io.Seeker.
func (c contextFile) Seek(offset int64, whence int) (int64, error) { return c.f.Seek(offset, whence) }

// limitedReader counts, and fails where io.LimitReader would end.
type limitedReader struct {
	r      io.Reader
	n, max int64
	where  string
}

// Read implements io.Reader.
func (l *limitedReader) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if l.n += int64(n); l.n > l.max {
		return 0, &meta.LimitError{What: "the decompressed archive", Limit: l.max, Where: l.where}
	}
	return n, err
}
