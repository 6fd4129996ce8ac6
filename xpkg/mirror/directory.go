package mirror

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	specs "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// ToDirectory writes packages into a directory that is an OCI layout, which is made if
// it is not there. What it holds already stays. A directory that holds other things is refused.
func ToDirectory(path string) *Target {
	d := &directory{path: path}
	return d.target(d.begin, func(context.Context) error { return d.flush() })
}

// flush makes a layout of a directory into which nothing came.
func (d *directory) flush() error {
	if _, err := os.Stat(filepath.Join(d.path, specs.ImageIndexFile)); err == nil {
		return nil
	}
	raw, err := json.Marshal(d.index)
	if err != nil {
		return err
	}
	return d.write(specs.ImageIndexFile, raw)
}

// target makes a target of a layout, in which packages keep their names.
func (d *directory) target(begin, end func(context.Context) error) *Target {
	return &Target{
		names: func(s meta.Source) (meta.Source, error) { return s, s.Err() },
		begin: begin, end: end,
		open: func(s meta.Source) (writer, error) {
			return &directoryWriter{directory: d, repository: s.Identity()}, nil
		},
	}
}

// directory is an OCI layout that is written.
type directory struct {
	path string
	// base is where blobs are that need not be written once more, or nil.
	base *xpkg.Layout

	mu    sync.Mutex
	index v1.IndexManifest
	at    map[string]int // entries of index, by their names
}

// begin makes the directory, or reads what it has.
func (d *directory) begin(ctx context.Context) error {
	if err := os.MkdirAll(filepath.Join(d.path, "blobs"), 0o777); err != nil {
		return &xpkg.FileError{Path: d.path, Err: err}
	}
	raw, err := os.ReadFile(filepath.Join(d.path, specs.ImageIndexFile))
	d.index = v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{}}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := d.onlyOurs(); err != nil {
			return err
		}
	case err != nil:
		return &xpkg.FileError{Path: d.path, Err: err}
	default:
		if _, err := xpkg.OpenLayout(ctx, d.path, layoutOptions()); err != nil {
			return err
		}
		if err := json.Unmarshal(raw, &d.index); err != nil {
			return &xpkg.ManifestError{Ref: d.path, Reason: specs.ImageIndexFile + " cannot be read", Err: jsonCause(err)}
		}
	}
	d.at = map[string]int{}
	for i, e := range d.index.Manifests {
		if name := e.Annotations[refName]; name != "" {
			d.at[name] = i
		}
	}
	marker, err := json.Marshal(specs.ImageLayout{Version: specs.ImageLayoutVersion})
	if err != nil {
		return err
	}
	return d.write(specs.ImageLayoutFile, marker)
}

// onlyOurs refuses a directory without an index.json that holds what no layout does.
func (d *directory) onlyOurs() error {
	entries, err := os.ReadDir(d.path)
	if err != nil {
		return &xpkg.FileError{Path: d.path, Err: err}
	}
	for _, e := range entries {
		name := e.Name()
		if name != "blobs" && name != specs.ImageLayoutFile && !strings.HasPrefix(name, temporary) {
			return &xpkg.FileError{Path: d.path, Name: name, Err: invalid("the directory is no OCI layout, and not empty")}
		}
	}
	return nil
}

// layoutOptions lets the index.json of a mirror be larger than that of a package.
func layoutOptions() *xpkg.Options { return &xpkg.Options{MaxManifestBytes: maxIndexBytes} }

// maxIndexBytes bounds the index.json of a mirror, which has an entry of some 300
// bytes for each name.
const maxIndexBytes = 64 << 20

// temporary begins the names of files that are not whole.
const temporary = ".incomplete-"

// write writes a file whole or not at all.
func (d *directory) write(name string, content []byte) error {
	_, err := d.copy(name, int64(len(content)), bytes.NewReader(content))
	return err
}

// copy writes a file of a size under its name when all of it has come.
func (d *directory) copy(name string, size int64, r io.Reader) (n int64, err error) {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	fail := func(err error) error { return &xpkg.FileError{Path: d.path, Name: name, Err: err} }
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, fail(err)
	}
	tmp := filepath.Join(dir, temporary+rand.Text())
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return 0, fail(bare(err))
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(tmp)
		}
	}()
	w := &diskWriter{w: f}
	n, err = io.Copy(w, r)
	switch {
	case w.err != nil:
		return n, fail(bare(w.err))
	case err != nil:
		return n, err // of the content, which says where it is from
	case n != size:
		return n, fail(fmt.Errorf("%d bytes came, expected %d", n, size))
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return n, fail(err)
	}
	if err := os.Rename(tmp, path); err != nil {
		return n, fail(bare(err))
	}
	return n, nil
}

// diskWriter tells errors of writing from those of reading.
type diskWriter struct {
	w   io.Writer
	err error
}

// Write implements io.Writer.
func (d *diskWriter) Write(p []byte) (int, error) {
	n, err := d.w.Write(p)
	d.err = err
	return n, err
}

// bare takes the name of a file that is only there for a moment out of an error.
func bare(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) {
		return l.Err
	}
	return err
}

// blobName is the place of a blob in a layout. It has to be the name of a digest.
func blobName(digest string) string {
	algorithm, hex, _ := strings.Cut(digest, ":")
	return "blobs/" + algorithm + "/" + hex
}

// holds reports whether there is a blob. Under its name it is whole: it came there
// when it was.
func (d *directory) holds(digest string, size int64) bool {
	info, err := os.Stat(filepath.Join(d.path, filepath.FromSlash(blobName(digest))))
	if err == nil && info.Mode().IsRegular() && (size < 0 || info.Size() == size) {
		return true
	}
	return d.base != nil && d.base.HasBlob(digest)
}

// directoryWriter writes one repository into a layout.
type directoryWriter struct {
	*directory
	repository string
}

func (w *directoryWriter) has(_ context.Context, digest string) (bool, error) {
	return w.holds(digest, -1), nil
}

func (w *directoryWriter) named(_ context.Context, tagOrDigest string) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	i, ok := w.at[full(w.repository, tagOrDigest)]
	if !ok {
		return "", nil
	}
	return w.index.Manifests[i].Digest.String(), nil
}

func (w *directoryWriter) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	listed, err := w.named(ctx, referrersTag(digest))
	if listed == "" || err != nil {
		return nil, err
	}
	if w.base != nil && w.base.HasBlob(listed) {
		return w.base.Manifest(ctx, listed, "")
	}
	raw, err := os.ReadFile(filepath.Join(w.path, filepath.FromSlash(blobName(listed))))
	if err != nil {
		return nil, &xpkg.FileError{Path: w.path, Err: err}
	}
	return xpkg.NewRawManifest(raw, "")
}

func (w *directoryWriter) putBlob(_ context.Context, d *descriptor, open func() (io.ReadCloser, error)) (bool, error) {
	if w.holds(d.Digest, d.Size) {
		return false, nil
	}
	rc, err := open()
	if err != nil {
		return false, err
	}
	defer rc.Close()
	_, err = w.copy(blobName(d.Digest), d.Size, rc)
	return err == nil, err
}

func (w *directoryWriter) put(_ context.Context, m *xpkg.RawManifest) error {
	if w.holds(m.Digest, int64(len(m.Raw))) {
		return nil
	}
	return w.write(blobName(m.Digest), m.Raw)
}

func (w *directoryWriter) name(_ context.Context, tagOrDigest string, m *xpkg.RawManifest) error {
	h, err := v1.NewHash(m.Digest)
	if err != nil {
		return err
	}
	name := full(w.repository, tagOrDigest)
	entry := v1.Descriptor{
		MediaType: types.MediaType(m.MediaType), Digest: h, Size: int64(len(m.Raw)),
		Annotations: map[string]string{refName: name},
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	manifests := slices.Clone(w.index.Manifests)
	if i, ok := w.at[name]; ok {
		manifests[i] = entry
	} else {
		manifests = append(manifests, entry)
	}
	// In the order of their names, whichever came first.
	slices.SortStableFunc(manifests, func(a, b v1.Descriptor) int {
		return strings.Compare(a.Annotations[refName], b.Annotations[refName])
	})
	index := w.index
	index.Manifests = manifests
	raw, err := json.Marshal(index)
	if err != nil {
		return err
	}
	if err := w.write(specs.ImageIndexFile, raw); err != nil {
		return err
	}
	w.index, w.at = index, map[string]int{}
	for i, e := range manifests {
		if name := e.Annotations[refName]; name != "" {
			w.at[name] = i
		}
	}
	return nil
}
