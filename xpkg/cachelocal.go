package xpkg

import (
	"archive/tar"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/parser"
)

// localExt is what the name of a package in the cache's directory ends with.
const localExt = ".xpkg"

// LocalPackage is a package that was put into a cache by hand (packages guide,
// "Pre-Populating the Package Cache").
type LocalPackage struct {
	// Name is what Client.Image finds the package by: that of the file without
	// .xpkg.
	Name string
	// Path is the file in the cache.
	Path string
	// Digest is that of the image, as Image.Digest describes it.
	Digest string
	// Controller is the image that the package wants to be run, as it names it:
	// spec.controller.image of a Provider, spec.image of a Function. It is not in
	// the cache, and whoever runs the package must be able to pull it. It is ""
	// when nothing is run, or the image of the package itself, as newer packages
	// have it.
	Controller string
}

// Add puts a package into the cache by hand, for use without a registry. path is
// whatever OpenFile opens; the name of the package is that of the file or
// directory without .xpkg: mycoolpkg for mycoolpkg.xpkg. o is as for OpenFile.
//
// The package is read and verified as Image.Package does it, and what cannot be
// read without a fault is refused. Then the file is copied to NAME.xpkg in the
// directory of the cache, a layout directory as a tar archive. A package of that
// name is replaced at once and whole. The same can be done by copying a file
// there, which is then looked at when it is used; it is removed by removing it.
// The cache itself neither evicts nor prunes it. An image that was opened before
// its file was replaced gives errors, and never a mixture.
//
// Client.Image gives the package for its bare name under every policy, and asks
// no registry: no registry or tag is applied to the name, and what was put there
// on purpose is not replaced by what has that name on Docker Hub.
//
// Errors: those of OpenFile and Image.Package; a *meta.FieldError for a name that
// is not of at most 250 letters, digits and . _ - or begins with . or -; a
// *DigestError for a file that changes while it is read; a *FileError for a
// directory that cannot be written to. See the packages guide, "Pre-Populating the Package Cache".
func (c *Cache) Add(ctx context.Context, path string, o *Options) (*LocalPackage, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	name := strings.TrimSuffix(filepath.Base(path), localExt)
	if !isLocalName(name) {
		return nil, &meta.FieldError{Path: meta.Path{"path"}, Found: quote(name), Want: "a file name of letters, digits and . _ -"}
	}
	if other := c.sameLocal(name); other != "" {
		return nil, &meta.FieldError{Path: meta.Path{"path"}, Found: quote(name), Want: "a name that the file system can tell from " + other}
	}
	sum, size, err := sumFile(ctx, path)
	if err != nil {
		return nil, err
	}
	img, err := OpenFile(ctx, path, o)
	if err != nil {
		return nil, err
	}
	to := c.localPath(name)
	added, err := describeLocal(ctx, img, name, to)
	if err != nil {
		return nil, err
	}
	f, err := c.put(to, func(w io.Writer) error {
		copied := newSummer(w)
		if err := copyFile(ctx, path, copied); err != nil {
			return err
		}
		if copied.String() != sum { // not what was verified
			return &DigestError{Ref: path, What: "file", Want: sum, Got: copied.String(), WantSize: size, GotSize: copied.n}
		}
		return nil
	})
	if f != nil {
		err = errors.Join(err, f.Close())
	}
	if failed := (*cacheError)(nil); errors.As(err, &failed) {
		return nil, &FileError{Path: to, Err: failed.err}
	}
	if err != nil {
		return nil, err
	}
	return added, nil
}

// Local reads a package that was put into the cache by hand, by Add or by copying
// a file: which image it is, and which controller image must be reachable to run
// it. name is as Client.Image takes it, and o as for Add; the package is read and
// verified as Image.Package does it. List names all of them.
//
// Errors: a *FileError that matches meta.ErrNotFound when there is none of that
// name, a *meta.FieldError for what can be no name, and those of OpenFile and
// Image.Package.
func (c *Cache) Local(ctx context.Context, name string, o *Options) (*LocalPackage, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	if !isLocalName(name) {
		return nil, &meta.FieldError{Path: meta.Path{"name"}, Found: quote(name), Want: "the name of a package, of letters, digits and . _ -"}
	}
	names, err := c.locals()
	if err != nil {
		return nil, c.failed(ctx, c.dir, err)
	}
	path := c.localPath(name)
	if !slices.Contains(names, name) {
		return nil, &FileError{Path: path, Err: fs.ErrNotExist}
	}
	img, err := openLocal(ctx, path, o)
	if err != nil {
		return nil, err
	}
	return describeLocal(ctx, img, name, path)
}

func describeLocal(ctx context.Context, img *Image, name, path string) (*LocalPackage, error) {
	pkg, err := img.Package(ctx)
	if err != nil {
		return nil, err
	}
	digest, err := img.Digest(ctx)
	if err != nil {
		return nil, err
	}
	return &LocalPackage{Name: name, Path: path, Digest: digest, Controller: controllerOf(pkg)}, nil
}

// controllerOf returns the image that a package wants to be run.
func controllerOf(pkg *parser.Package) string {
	switch m := pkg.Meta; {
	case m == nil:
		return ""
	case m.Controller != nil && m.Controller.Image != "":
		return m.Controller.Image
	default:
		return m.Image
	}
}

// isLocalName says whether s can be the name of a package that was put into the
// cache by hand: one that is portable between file systems, not hidden, and not a
// way out of the directory. It is what meta/install accepts in a manifest.
func isLocalName(s string) bool {
	const most = 250 // with .xpkg, what file systems allow
	return s != "" && len(s) <= most && s[0] != '.' && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	}) && filepath.IsLocal(s+localExt) // not a device of Windows
}

func (c *Cache) localPath(name string) string { return filepath.Join(c.dir, name+localExt) }

// locals returns the names of the packages that were put there by hand, in
// lexical order. They are those that the directory lists: a file system that does
// not tell upper from lower case would find others.
func (c *Cache) locals() ([]string, error) {
	entries, err := os.ReadDir(c.dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), localExt); ok && isLocalName(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names, nil
}

// sameLocal returns the package whose file would be overwritten by that of
// another name.
func (c *Cache) sameLocal(name string) string {
	names, _ := c.locals()
	at, err := os.Stat(c.localPath(name))
	if err != nil || slices.Contains(names, name) {
		return ""
	}
	for _, other := range names {
		if info, err := os.Stat(c.localPath(other)); err == nil && os.SameFile(at, info) {
			return other
		}
	}
	return ""
}

// local opens the package of a bare name that was put into the cache by hand, or
// returns nothing.
func (c *Client) local(ctx context.Context, ref string, o *Options) (*Image, error) {
	if c.Cache == nil || !isLocalName(ref) {
		return nil, nil
	}
	names, err := c.Cache.locals()
	if err != nil {
		c.event(CacheFailed, ref, err)
	}
	if !slices.Contains(names, ref) {
		return nil, nil
	}
	img, err := openLocal(ctx, c.Cache.localPath(ref), o)
	if err != nil {
		return nil, err
	}
	img.ref = ref // nobody else has it yet
	return img, nil
}

// openLocal opens a file that Add may replace meanwhile.
func openLocal(ctx context.Context, path string, o *Options) (*Image, error) {
	for {
		was, err := os.Stat(path)
		if err != nil {
			return nil, &FileError{Path: path, Err: err}
		}
		img, err := OpenFile(ctx, path, o)
		if err == nil {
			return img, nil
		}
		// Opened at the moment when Add replaced it, the file is two.
		if now, stat := os.Stat(path); stat != nil || unchanged(was, now) || ctx.Err() != nil {
			return nil, err
		}
	}
}

// sumFile returns the digest and the size of what copyFile writes.
func sumFile(ctx context.Context, path string) (sum string, size int64, err error) {
	s := newSummer(io.Discard)
	err = copyFile(ctx, path, s)
	return s.String(), s.n, err
}

// summer computes the digest of what is written through it.
type summer struct {
	w    io.Writer
	hash hash.Hash
	n    int64
}

func newSummer(w io.Writer) *summer { return &summer{w: w, hash: sha256.New()} }

// Write implements io.Writer.
func (s *summer) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.hash.Write(p[:n])
	s.n += int64(n)
	return n, err
}

// String is the digest of what was written.
func (s *summer) String() string { return "sha256:" + hex.EncodeToString(s.hash.Sum(nil)) }

// copyFile writes a file as it is, and a layout directory as a tar archive that
// is the same each time.
func copyFile(ctx context.Context, path string, w io.Writer) error {
	info, err := os.Stat(path)
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	if info.IsDir() {
		return copyLayout(ctx, path, w)
	}
	f, err := openRegular(path)
	if err != nil {
		return &FileError{Path: path, Err: err}
	}
	return copyFrom(newContextReader(ctx, f, path), path, "", w)
}

// copyFrom closes what it reads. Errors of w are left as they are.
func copyFrom(rc io.ReadCloser, path, name string, w io.Writer) error {
	defer rc.Close()
	to := &cacheWriter{w: w}
	_, err := io.Copy(to, readerOnly{rc})
	if canceled := (*canceledError)(nil); err == nil || to.err != nil || errors.As(err, &canceled) {
		return err
	}
	return &FileError{Path: path, Name: name, Err: err}
}

// copyLayout writes index.json and the blobs of a layout.
func copyLayout(ctx context.Context, dir string, w io.Writer) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return &FileError{Path: dir, Err: err}
	}
	defer root.Close()
	names, err := fs.Glob(root.FS(), "blobs/*/*")
	if err != nil {
		return &FileError{Path: dir, Err: err}
	}
	out := tar.NewWriter(w)
	for _, name := range append([]string{indexFile}, names...) {
		info, err := root.Stat(name)
		if name == indexFile && errors.Is(err, fs.ErrNotExist) {
			return noLayout(dir)
		}
		if err == nil && info.IsDir() {
			continue
		}
		rc, size, err := directory(dir).open(ctx, name, nil)
		if err != nil {
			return err
		}
		if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o644, Size: size}); err != nil {
			_ = rc.Close()
			return err
		}
		// No further than it was when it was opened, or the archive would break.
		limited := readCloser{io.LimitReader(newContextReader(ctx, rc, dir), size), rc.Close}
		if err := copyFrom(limited, dir, name, out); err != nil {
			return err
		}
	}
	return out.Close()
}
