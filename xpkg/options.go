package xpkg

import (
	"context"

	v1 "github.com/google/go-containerregistry/pkg/v1"

	"github.com/xpkg-go/sdk/parser"
)

// The defaults of Options. They are far above what packages that are in use
// need: the largest provider is a package.yaml of 100 MB.
const (
	DefaultMaxPackageBytes   = 200 << 20
	DefaultMaxBlobBytes      = 1 << 30
	DefaultMaxLayerBytes     = 2 << 30
	DefaultMaxLayers         = 1024
	DefaultMaxEntries        = 1_000_000
	DefaultMaxManifestBytes  = 4 << 20
	DefaultMaxIndexDepth     = 8
	DefaultMaxIndexManifests = 32
	DefaultMaxHeaderBytes    = 1 << 20
	DefaultMaxZstdWindow     = 128 << 20
)

// Options says what is read of an image, and how much of it. Nil and zero
// fields mean the defaults.
//
// Every limit that is passed is an error that matches meta.ErrLimit and carries
// the limit (*meta.LimitError); nothing is cut short in silence. Some bounds are
// fixed, because nothing real comes near: 65,536 files in the tar that holds an
// image, 32 links on the way to one file and 4,096 bytes in the target of each,
// 200,000 tags of a repository, or repositories of a registry, in 4,000 pages.
type Options struct {
	// Platform is the platform that is chosen from an index that lists several
	// images; nil is linux/amd64. A field of it that is empty matches anything,
	// as in v1.Platform.Satisfies. An index with one image yields that image,
	// whatever its platform. See Select.
	Platform *v1.Platform

	// MaxPackageBytes bounds the size of package.yaml and, for Image.FS, that of
	// all files of the tree together, with their names and 512 bytes for each
	// file and directory. Default: DefaultMaxPackageBytes, 200 MiB.
	MaxPackageBytes int64

	// MaxLayerBytes bounds what one call decompresses: the base layer, or all
	// layers together that a look into the flattened file system goes through;
	// for a tar that is compressed as a whole, also what stands before them in
	// it. Default: DefaultMaxLayerBytes, 2 GiB.
	MaxLayerBytes int64

	// MaxBlobBytes bounds the size of one layer as it is sent, which is mostly
	// compressed: one that the manifest says to be larger is refused unread. It
	// also bounds what OpenReader holds. Default: DefaultMaxBlobBytes, 1 GiB.
	MaxBlobBytes int64

	// MaxLayers bounds the layers of an image. Default: DefaultMaxLayers, 1024;
	// builders stop at 127.
	MaxLayers int64

	// MaxEntries bounds the tar entries that one call goes through, counted as
	// MaxLayerBytes is: when package.yaml is a link, what is gone through again
	// to follow it counts again. Default: DefaultMaxEntries, one million.
	MaxEntries int64

	// MaxHeaderBytes bounds the header of one tar entry: all of its blocks up to
	// the content, so its name, link and owner, PAX records, GNU long names and
	// the table of a sparse file. One of PAX records, name and link is never
	// longer than 1 MiB, and below 1024 bytes the limit is 1024. Default:
	// DefaultMaxHeaderBytes, 1 MiB.
	MaxHeaderBytes int64

	// MaxZstdWindow bounds the window of a layer or archive that is compressed
	// with zstd, in bytes: how much memory one takes to decompress, whatever is
	// in it. Below 1 KiB the limit is 1 KiB, the smallest window that there is.
	// Default: DefaultMaxZstdWindow, 128 MiB, which is what the zstd command
	// decompresses without being told to.
	MaxZstdWindow int64

	// MaxManifestBytes bounds a manifest, an index and, in docker tars, the
	// configuration. Default: DefaultMaxManifestBytes, 4 MiB, which is what
	// registries accept.
	MaxManifestBytes int64

	// MaxIndexDepth bounds how deep indexes stand within each other. Default:
	// DefaultMaxIndexDepth, 8; real ones are one level deep, two at most.
	MaxIndexDepth int64

	// MaxIndexManifests bounds the manifests that are read beside the index to
	// choose one, or to list all. Default: DefaultMaxIndexManifests, 32.
	MaxIndexManifests int64

	// Verify, when not nil, judges what a reference leads to before any layer of
	// it is read, also when all of it comes from a cache: it is where signatures
	// are checked. When it returns an error there is no image, nothing is stored in
	// the cache, and the error is a *VerifyError. See Subject.
	Verify func(ctx context.Context, s *Subject) error

	// Parser is handed to the parser by Image.Package; nil is its defaults. A
	// MaxBytes of zero in it is MaxPackageBytes here.
	Parser *parser.Options
}

// withDefaults returns a copy in which every limit is set.
func (o *Options) withDefaults() Options {
	var c Options
	if o != nil {
		c = *o
	}
	for _, limit := range []struct {
		field *int64
		value int64
	}{
		{&c.MaxPackageBytes, DefaultMaxPackageBytes},
		{&c.MaxLayerBytes, DefaultMaxLayerBytes},
		{&c.MaxEntries, DefaultMaxEntries},
		{&c.MaxManifestBytes, DefaultMaxManifestBytes},
		{&c.MaxBlobBytes, DefaultMaxBlobBytes},
		{&c.MaxLayers, DefaultMaxLayers},
		{&c.MaxIndexDepth, DefaultMaxIndexDepth},
		{&c.MaxIndexManifests, DefaultMaxIndexManifests},
		{&c.MaxHeaderBytes, DefaultMaxHeaderBytes},
		{&c.MaxZstdWindow, DefaultMaxZstdWindow},
	} {
		if *limit.field <= 0 {
			*limit.field = limit.value
		}
	}
	return c
}
