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
	"strings"
	"sync"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	specs "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/xpkg-go/sdk/internal/filelock"
	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// ToDirectory writes packages into a directory that is an OCI layout, which is made if
// it is not there. What it holds already stays. A directory that holds other things is refused.
// Copies into one directory wait for each other, those of other processes too.
func ToDirectory(path string) *Target {
	d := &directory{path: path}
	return d.target(filepath.Join(path, temporary+"lock"), d.begin, func(context.Context) error { return nil })
}

// target makes a target of a layout, in which packages keep their names.
func (d *directory) target(lock string, begin, end func(context.Context) error) *Target {
	return &Target{
		lock: func(ctx context.Context, waits func()) (func(), error) {
			if err := ended(ctx); err != nil {
				return nil, err
			}
			unlock, err := filelock.Wait(ctx, lock, 0, waits)
			if ctx.Err() != nil {
				if err == nil {
					unlock()
				}
				return nil, canceled(ctx.Err())
			}
			if err != nil { // where files cannot be locked, or not be written, as begin will tell
				return func() {}, nil
			}
			return unlock, nil
		},
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
	// collected is the same directory as it is read.
	collected *xpkg.Layout
	// passing says that it is there until a file is made of it: a blob that a crash of the
	// system cut is found to be wrong by the next run, and need not be waited for.
	passing bool
	// base is where blobs are that need not be written once more, or nil.
	base *xpkg.Layout

	mu    sync.Mutex
	index v1.IndexManifest
	at    map[string]int  // entries of index, by their names
	whole map[string]bool // blobs that were held against their digests
	wrote bool            // a blob or a manifest
}

// begin makes the directory, or reads what it has.
func (d *directory) begin(ctx context.Context) error {
	if err := os.MkdirAll(d.path, 0o777); err != nil {
		return &xpkg.FileError{Path: d.path, Err: err}
	}
	marker, err := json.Marshal(specs.ImageLayout{Version: specs.ImageLayoutVersion})
	if err != nil {
		return err
	}
	d.index = v1.IndexManifest{SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{}}
	raw, err := os.ReadFile(filepath.Join(d.path, specs.ImageIndexFile))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := d.onlyOurs(); err != nil {
			return err
		}
		if raw, err = json.Marshal(d.index); err != nil {
			return err
		}
		if err := errors.Join(d.write(specs.ImageLayoutFile, marker), d.write(specs.ImageIndexFile, raw)); err != nil {
			return err
		}
	case err != nil:
		return &xpkg.FileError{Path: d.path, Err: err}
	}
	if d.collected, err = xpkg.OpenLayout(ctx, d.path, layoutOptions()); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, &d.index); err != nil {
		return &xpkg.ManifestError{Ref: d.path, Reason: specs.ImageIndexFile + " cannot be read", Err: jsonCause(err)}
	}
	d.at, d.whole, d.wrote = map[string]int{}, map[string]bool{}, false
	for i, e := range d.index.Manifests {
		if name := e.Annotations[refName]; name != "" {
			d.at[name] = i
		}
	}
	if err := os.MkdirAll(filepath.Join(d.path, "blobs"), 0o777); err != nil {
		return &xpkg.FileError{Path: d.path, Err: err}
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
	if !d.passing || !strings.HasPrefix(name, "blobs/") {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
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
