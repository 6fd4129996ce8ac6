package build

import (
	"archive/tar"
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
	"strconv"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/partial"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
	specs "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Format is how an image is written to a file.
type Format string

const (
	// OCI is an OCI layout in a tar. It keeps the manifest with its annotations
	// and digest, so that tools that copy it to a registry keep the package
	// intact. It is the default.
	OCI Format = "oci"
	// Docker is the tar of docker save, which Crossplane's own tools read and
	// write. It keeps no manifest; the base layer is told by the label in the
	// configuration.
	Docker Format = "docker"
)

// WriteFile writes an image to a file, usually NAME.xpkg, that xpkg.OpenFile
// reads. The file appears under its name when it is whole, in the place of one
// that was there; whatever fails leaves nothing behind. What is there and no
// regular file, nor a link to one, is left alone and an error. format "" is OCI. The
// same image gives the same bytes.
//
// Every part is held against its digest while it is written. When one is not
// what the manifest says, the error is a *xpkg.DigestError. Every other error is
// a *xpkg.FileError with the path; it matches meta.ErrInvalid for an unknown
// format and for no image, meta.ErrCanceled when ctx ends, meta.ErrNotFound when
// the directory is not there, and fs.ErrPermission and the like.
func WriteFile(ctx context.Context, path string, img v1.Image, format Format) (err error) {
	fail := func(err error) error { return &xpkg.FileError{Path: path, Err: err} }
	if img == nil {
		return fail(missingImage("img"))
	}
	write := writeOCI
	switch format {
	case OCI, "":
	case Docker:
		write = writeDocker
	default:
		return fail(&meta.FieldError{Path: meta.Path{"format"}, Found: shown(string(format)), Want: fmt.Sprintf("a format: %q or %q", string(OCI), string(Docker))})
	}
	// What is replaced is a file: a device or a fifo, which /dev/stdout leads to,
	// would be gone for everybody. Links lead to what is meant.
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			what := "a device or the like"
			if info.IsDir() {
				what = "a directory"
			}
			return fail(&meta.FieldError{Path: meta.Path{"path"}, Found: what, Want: "a file, or a name that is free"})
		}
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return fail(err)
		}
	} else if _, there := os.Lstat(path); there == nil {
		return fail(err) // a link that leads to nothing, or in a circle
	}
	// Not os.CreateTemp, whose files are for their owner only.
	tmp := filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+"."+rand.Text())
	f, err := os.OpenFile(tmp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return fail(without(tmp, err))
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(tmp)
			if digest := (*xpkg.DigestError)(nil); errors.As(err, &digest) {
				err = digest
			} else {
				err = fail(without(tmp, err))
			}
		}
	}()
	if err := write(contextWriter{ctx, f}, &verified{img, path}); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// shown quotes a text for a message, its first 80 bytes.
func shown(text string) string {
	const most = 80
	if len(text) > most {
		return strconv.Quote(text[:most]) + "…"
	}
	return strconv.Quote(text)
}

// without takes the name of the temporary file, which is another one each time,
// out of an error of the system about it.
func without(tmp string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) && p.Path == tmp {
		return p.Err
	}
	if l := (*os.LinkError)(nil); errors.As(err, &l) && l.Old == tmp {
		return l.Err
	}
	return err
}

// contextWriter fails when the context ends.
type contextWriter struct {
	ctx context.Context
	w   io.Writer
}

// Write implements io.Writer.
func (c contextWriter) Write(p []byte) (int, error) {
	if err := canceled(c.ctx); err != nil {
		return 0, err
	}
	return c.w.Write(p)
}

// writeDocker writes the tar of docker save.
func writeDocker(w io.Writer, img *verified) error {
	digest, err := img.Digest()
	if err != nil {
		return err
	}
	// A reference by digest gives the image no tag in the tar.
	ref, err := name.NewDigest("package@" + digest.String())
	if err != nil {
		return err
	}
	return tarball.Write(ref, img, w)
}

// writeOCI writes an OCI layout: what names a blob after the blob.
func writeOCI(w io.Writer, img *verified) error {
	t := tar.NewWriter(w)
	layers, err := img.Layers()
	if err != nil {
		return err
	}
	written := map[v1.Hash]bool{}
	blob := func(h v1.Hash, size int64, r io.Reader) error {
		if written[h] {
			return nil
		}
		written[h] = true
		return writeEntry(t, "blobs/"+h.Algorithm+"/"+h.Hex, size, r)
	}
	if err := writeBytes(t, specs.ImageLayoutFile, specs.ImageLayout{Version: specs.ImageLayoutVersion}); err != nil {
		return err
	}
	for _, l := range layers {
		if err := writeLayer(blob, l); err != nil {
			return err
		}
	}
	config, err := img.RawConfigFile()
	if err != nil {
		return err
	}
	configName, err := img.ConfigName()
	if err != nil {
		return err
	}
	if err := blob(configName, int64(len(config)), bytes.NewReader(config)); err != nil {
		return err
	}
	manifest, err := img.RawManifest()
	if err != nil {
		return err
	}
	descriptor, err := partial.Descriptor(img.Image)
	if err != nil {
		return err
	}
	if err := blob(descriptor.Digest, int64(len(manifest)), bytes.NewReader(manifest)); err != nil {
		return err
	}
	if err := writeBytes(t, specs.ImageIndexFile, v1.IndexManifest{
		SchemaVersion: 2, MediaType: types.OCIImageIndex, Manifests: []v1.Descriptor{*descriptor},
	}); err != nil {
		return err
	}
	return t.Close()
}

func writeLayer(blob func(v1.Hash, int64, io.Reader) error, l v1.Layer) error {
	digest, err := l.Digest()
	if err != nil {
		return err
	}
	size, err := l.Size()
	if err != nil {
		return err
	}
	rc, err := l.Compressed()
	if err != nil {
		return err
	}
	defer rc.Close()
	return blob(digest, size, rc)
}

func writeBytes(t *tar.Writer, name string, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeEntry(t, name, int64(len(b)), bytes.NewReader(b))
}

func writeEntry(t *tar.Writer, name string, size int64, r io.Reader) error {
	err := t.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: size, ModTime: time.Unix(0, 0), Format: tar.FormatUSTAR,
	})
	if err != nil {
		return err
	}
	n, err := io.Copy(t, r)
	if err == nil && n != size {
		err = fmt.Errorf("%s has %d bytes, expected %d", name, n, size)
	}
	return err
}
