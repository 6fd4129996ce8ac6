package mirror

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	specs "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// partial is behind the name of a file that is being made, for the directory in which
// it is collected.
const partial = ".partial"

// ToFile writes packages into one file, an OCI layout as a tar: the same bytes for the
// same packages. A file that is there already has to be one; what it holds stays, and is
// not copied once more. What has come is collected in the directory FILE.partial
// until the file appears in its place, whole; when a run is interrupted the directory stays,
// and the next run goes on from there. Copies into one file wait for each other, those of
// other processes too.
func ToFile(path string) *Target {
	f := &file{path: path, directory: directory{path: path + partial, passing: true}}
	return f.target(path+partial+".lock", f.begin, f.end)
}

// file is a tar that is written by way of a directory.
type file struct {
	directory
	path string
	was  []byte // the index that it has
}

// begin reads what the file holds, and what an interrupted run has collected.
func (f *file) begin(ctx context.Context) error {
	info, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return &xpkg.FileError{Path: f.path, Err: err}
	case !info.Mode().IsRegular():
		// What is replaced is a file: a device would be gone for everybody.
		return &xpkg.FileError{Path: f.path, Err: invalid("it is no file")}
	default:
		if f.base, err = xpkg.OpenLayout(ctx, f.path, layoutOptions()); err != nil {
			return err
		}
	}
	if err := f.directory.begin(ctx); err != nil {
		return err
	}
	if f.base == nil {
		return nil
	}
	for _, e := range f.base.Entries() {
		if _, known := f.at[e.Annotations[refName]]; known {
			continue // newer, from an interrupted run
		}
		h, err := v1.NewHash(e.Digest)
		if err != nil {
			return err
		}
		f.at[e.Annotations[refName]] = len(f.index.Manifests)
		f.index.Manifests = append(f.index.Manifests, v1.Descriptor{
			MediaType: types.MediaType(e.MediaType), ArtifactType: e.ArtifactType, Digest: h, Size: e.Size, Annotations: e.Annotations, Platform: e.Platform,
		})
	}
	if f.was, err = f.encode(); err != nil {
		return err
	}
	if len(f.index.Manifests) != len(f.base.Entries()) {
		f.was = nil // an interrupted run has more
	}
	return nil
}

// encode is the index of the tar.
func (f *file) encode() ([]byte, error) { return json.Marshal(f.index) }

// end makes the file of what was collected, unless it has all of that. When the context has
// ended, what was collected waits for the next run.
func (f *file) end(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return nil
	}
	raw, err := f.encode()
	if err != nil {
		return err
	}
	if f.was == nil || f.wrote || !bytes.Equal(raw, f.was) {
		if err := f.pack(ctx, raw); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(f.directory.path); err != nil {
		return &xpkg.FileError{Path: f.directory.path, Err: err}
	}
	return nil
}

// pack writes the tar whole or not at all.
func (f *file) pack(ctx context.Context, index []byte) (err error) {
	fail := func(err error) error {
		if ctx.Err() != nil {
			return canceled(ctx.Err())
		}
		if meta.Code(err) != "internal" {
			return err
		}
		return &xpkg.FileError{Path: f.path, Err: bare(err)}
	}
	from := f.from()
	blobs, err := f.reachable(ctx, from)
	if err != nil {
		return fail(err)
	}
	path := f.path
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved // links lead to what is meant
	}
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	out, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fail(err)
	}
	defer func() {
		if err != nil {
			_ = out.Close()
			_ = os.Remove(tmp)
			err = fail(err)
		}
	}()
	w := tar.NewWriter(out)
	marker, err := json.Marshal(specs.ImageLayout{Version: specs.ImageLayoutVersion})
	if err != nil {
		return err
	}
	for _, e := range []struct {
		name    string
		content []byte
	}{{specs.ImageLayoutFile, marker}, {specs.ImageIndexFile, index}} {
		if err := entry(w, e.name, int64(len(e.content)), bytes.NewReader(e.content)); err != nil {
			return err
		}
	}
	for _, b := range blobs {
		if err := packBlob(ctx, w, from, &b); err != nil {
			return err
		}
	}
	if err := errors.Join(w.Close(), out.Sync(), out.Close()); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// packBlob copies a blob into the tar, held against its digest once more.
func packBlob(ctx context.Context, w *tar.Writer, from layouts, d *descriptor) error {
	rc, err := from.blob(ctx, d)
	if err != nil {
		return err
	}
	defer rc.Close()
	return entry(w, blobName(d.Digest), d.Size, rc)
}

// entry writes one file of a tar.
func entry(w *tar.Writer, name string, size int64, r io.Reader) error {
	err := w.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: time.Unix(0, 0), Format: tar.FormatPAX,
	})
	if err != nil {
		return err
	}
	_, err = io.Copy(w, r)
	return err
}

// layouts reads what is in any of several layouts.
type layouts []*xpkg.Layout

// holding is the layout that has a blob, or the last.
func (l layouts) holding(digest string) *xpkg.Layout {
	for _, one := range l[:len(l)-1] {
		if one.HasBlob(digest) {
			return one
		}
	}
	return l[len(l)-1]
}

func (l layouts) manifest(ctx context.Context, digest, mediaType string) (*xpkg.RawManifest, error) {
	return l.holding(digest).Manifest(ctx, digest, mediaType)
}

func (l layouts) blob(ctx context.Context, d *descriptor) (*xpkg.BlobReader, error) {
	return l.holding(d.Digest).Blob(ctx, d.Digest, d.Size)
}

func (l layouts) referrers(context.Context, string) (*xpkg.RawManifest, error) { return nil, nil }

// reachable are all blobs and manifests that the index leads to, by digest.
func (f *file) reachable(ctx context.Context, from layouts) ([]descriptor, error) {
	known := map[string]descriptor{}
	for _, e := range f.index.Manifests {
		root, err := from.manifest(ctx, e.Digest.String(), string(e.MediaType))
		if err != nil {
			return nil, err
		}
		nodes, err := tree(ctx, from, root)
		if err != nil {
			return nil, err
		}
		for _, n := range nodes {
			known[n.manifest.Digest] = descriptor{Digest: n.manifest.Digest, Size: int64(len(n.manifest.Raw))}
			for _, b := range n.parts.blobs {
				known[b.Digest] = b
			}
		}
	}
	return slices.SortedFunc(maps.Values(known), func(a, b descriptor) int { return strings.Compare(a.Digest, b.Digest) }), nil
}
