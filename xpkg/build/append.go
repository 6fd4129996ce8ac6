package build

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"
	"unicode/utf8"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Append puts a layer on top of an image and marks it io.crossplane.xpkg: mark, for
// whoever knows that word; with the mark "" it is a layer like others (specification,
// "Manifests"). All layers that are there keep their digests and annotations, and
// everything else that the manifest and the configuration say stays.
//
// A layer that holds, deletes or hides /package.yaml, by whatever name or link, is
// refused with a *LayerError: a reader of the flattened file system would find
// another package. The layer is read to its end for that; where it has files called
// package.yaml below links, those below it are read too.
//
// So is one that is no tar archive. Other errors: a *meta.FieldError for the mark
// "base", which one layer has, or one that is no word;
// *xpkg.DigestError; *xpkg.ManifestError; and one that matches meta.ErrCanceled.
// Neither img nor l is changed. See the specification, "Manifests: Motivation".
func Append(ctx context.Context, img v1.Image, mark string, l v1.Layer) (v1.Image, error) {
	e, err := editOf(img)
	if err != nil {
		return nil, err
	}
	if l == nil {
		return nil, &meta.FieldError{Path: meta.Path{"l"}, Found: "nil", Want: "a layer"}
	}
	if mark == xpkg.BaseAnnotation || !utf8.ValidString(mark) || strings.ContainsFunc(mark, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return nil, &meta.FieldError{Path: meta.Path{"mark"}, Found: shown(mark), Want: "a word for a layer of a third party"}
	}
	layers, err := img.Layers()
	if err != nil {
		return nil, err
	}
	entries, err := entriesOf(ctx, e.ref, l)
	if err != nil {
		return nil, err
	}
	digest, err := l.Digest()
	if err != nil {
		return nil, err
	}
	if err := refuse(digest, entries, func() (map[string]bool, error) { return linksOf(ctx, e.ref, layers) }); err != nil {
		return nil, err
	}
	history := v1.History{Created: v1.Time{Time: time.Unix(0, 0).UTC()}, Comment: "layer " + mark}
	if err := e.config.get("created", &history.Created); err != nil {
		return nil, &xpkg.ManifestError{Ref: e.ref, Reason: "its configuration has no time of creation", Err: err}
	}
	if err := e.append(l, mark, history); err != nil {
		return nil, err
	}
	return e.image()
}

// Files makes a layer of the files of a directory, for Append. The same files give the
// same layer: times and owners are left out, and of the permissions all is left out
// but whether a file may be executed. What is neither a file nor a directory, such as
// a symbolic link, is an error, and so is a file that changes while it is read.
//
// Errors are a *fs.PathError, which for an entry that cannot be in it matches
// fs.ErrInvalid, and one that matches meta.ErrCanceled.
func Files(ctx context.Context, fsys fs.FS, c Compression) (v1.Layer, error) {
	options := Options{Compression: c}
	if err := options.check(); err != nil {
		return nil, err
	}
	w := newBlockWriter(ctx, c, 0, nil)
	t := tar.NewWriter(w)
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		return writeFile(t, fsys, name, d)
	})
	if err == nil {
		err = t.Close()
	}
	if err != nil {
		w.abandon()
		if ended := canceled(ctx); ended != nil {
			return nil, ended
		}
		return nil, err
	}
	return w.layer(nil)
}

// writeFile writes a file or directory with its header.
func writeFile(t *tar.Writer, fsys fs.FS, name string, d fs.DirEntry) error {
	fail := func(err error) error { return &fs.PathError{Op: "pack", Path: name, Err: err} }
	h := &tar.Header{Typeflag: tar.TypeDir, Name: name + "/", Mode: 0o755, ModTime: time.Unix(0, 0), Format: tar.FormatPAX}
	if d.IsDir() {
		return t.WriteHeader(h)
	}
	if !d.Type().IsRegular() {
		return fail(fmt.Errorf("it is neither a file nor a directory: %w", fs.ErrInvalid))
	}
	f, err := fsys.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	h.Typeflag, h.Name, h.Mode, h.Size = tar.TypeReg, name, 0o644, info.Size()
	if info.Mode()&0o111 != 0 {
		h.Mode = 0o755
	}
	if err := t.WriteHeader(h); err != nil {
		return err
	}
	if n, err := io.Copy(t, f); errors.Is(err, tar.ErrWriteTooLong) || err == nil && n != h.Size {
		return fail(errors.New("it changed while it was read"))
	} else if err != nil {
		return err
	}
	return nil
}
