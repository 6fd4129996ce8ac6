package mirror

import (
	"context"
	"io"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// Source is where packages are copied from: FromRegistries or FromLayout. It may be
// used concurrently.
type Source struct {
	open func(meta.Source) (reader, error)
}

// reader reads one repository.
type reader interface {
	// manifest reads a manifest by tag, or by digest, against which it is held.
	// mediaType is what the entry calls it that names it. What is not there matches
	// meta.ErrNotFound.
	manifest(ctx context.Context, tagOrDigest, mediaType string) (*xpkg.RawManifest, error)
	// blob opens a blob, whose last Read fails when it was not the one that was named.
	blob(ctx context.Context, d *descriptor) (*xpkg.BlobReader, error)
	// referrers reads the index of what refers to a manifest, or nil.
	referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error)
}

// Target is where packages are copied to: ToRegistries, ToDirectory or ToFile. One is
// for one Copy at a time.
type Target struct {
	// names says where a package is kept.
	names func(meta.Source) (meta.Source, error)
	rules []meta.Rewrite
	// lock keeps other copies from what is written, from before begin until after end. waits
	// is called where that has to be waited for.
	lock func(ctx context.Context, waits func()) (unlock func(), err error)
	// begin is called before anything is written, and end behind the last, with
	// whether all of it came to be tried.
	begin func(ctx context.Context) error
	open  func(meta.Source) (writer, error)
	end   func(ctx context.Context) error
}

// writer writes one repository, and reads what was written.
type writer interface {
	// has tells whether there is a manifest, with all that it lists.
	has(ctx context.Context, digest string) (bool, error)
	// named tells what a tag or a digest names, or "" for nothing.
	named(ctx context.Context, tagOrDigest string) (string, error)
	// referrers reads the index of what refers to a manifest, or nil.
	referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error)
	// putBlob writes a blob unless it is there, and reports whether it had to.
	putBlob(ctx context.Context, d *descriptor, open func() (io.ReadCloser, error)) (bool, error)
	// put writes a manifest under its digest.
	put(ctx context.Context, m *xpkg.RawManifest) error
	// name gives a manifest that is there a tag, or its digest for a name.
	name(ctx context.Context, tagOrDigest string, m *xpkg.RawManifest) error
}

// FromRegistries reads packages where a client finds them, by its Registries, past its
// cache.
func FromRegistries(c *xpkg.Client) *Source {
	return &Source{open: func(s meta.Source) (reader, error) {
		r, err := c.Repository(s)
		if err != nil {
			return nil, err
		}
		return registryReader{r}, nil
	}}
}

// ToRegistries writes packages where the rules say, of which the one with the longest
// From counts; a package that none is about is an error. The client's Registries play no
// part, but for the default registry of what the rules yield. A blob that another
// repository of the registry has got in this run is taken over from there, if the registry does that.
func ToRegistries(c *xpkg.Client, rules []meta.Rewrite) *Target {
	taken := &mounts{}
	return &Target{
		rules: rules,
		names: func(s meta.Source) (meta.Source, error) {
			r, err := meta.Registries{Default: c.Registries.Default, Rewrites: rules}.Resolve(s)
			if err != nil {
				return meta.Source{}, err
			}
			if r.Rule == nil {
				return meta.Source{}, ErrNoRule
			}
			return r.Rewritten, nil
		},
		lock:  func(context.Context, func()) (func(), error) { return func() {}, nil },
		begin: func(context.Context) error { taken.forget(); return nil },
		end:   func(context.Context) error { return nil },
		open: func(s meta.Source) (writer, error) {
			r, err := c.Destination(s)
			if err != nil {
				return nil, err
			}
			return registryWriter{r, taken}, nil
		},
	}
}
