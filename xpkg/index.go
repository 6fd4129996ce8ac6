package xpkg

import (
	"context"
	"maps"
	"os"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// Role is what an entry of an index is.
type Role string

const (
	// RoleImage: an image, which may be a package.
	RoleImage Role = "image"
	// RoleAttestation: a description of another entry, such as buildkit adds for
	// each image.
	RoleAttestation Role = "attestation"
	// RoleArtifact: something else, such as a signature or a chart.
	RoleArtifact Role = "artifact"
)

// Entry is one manifest that an index lists, as the index describes it.
type Entry struct {
	Digest       string // of the manifest, such as sha256:…
	MediaType    string
	ArtifactType string
	Size         int64 // of the manifest, in bytes
	// Platform is what the index says of it; nil when it says nothing. For a
	// package that is the platform of the runtime that the image may hold as well:
	// what it installs has none.
	Platform    *v1.Platform
	Annotations map[string]string
	Role        Role
}

// Index returns what a reference leads to: all entries of an index in its order,
// those of an index within it in its place, once, or, when the reference names an
// image, the one entry that would list it. It is for those who want every
// platform; to read a package, Image chooses one. An entry can be opened by its
// digest.
//
// It reads the index, the indexes within it, and those manifests that only their
// layers tell from attestations, within the limits of Options. Options.Verify is
// not asked, since nothing of a package is read. Errors are those of Image
// without *PlatformError.
func (c *Client) Index(ctx context.Context, ref string, o *Options) ([]Entry, error) {
	if o == nil {
		o = c.Options
	}
	if err := c.check(); err != nil {
		return nil, err
	}
	if img, err := c.local(ctx, ref, o); err != nil || img != nil {
		if err != nil {
			return nil, err
		}
		return img.Index(ctx)
	}
	src, m, err := c.find(ctx, ref, o)
	if err != nil {
		return nil, err
	}
	defer src.done()
	if !m.index {
		return []Entry{manifestEntry(m)}, nil
	}
	return newSelection(ref, src, src.o).entries(ctx, m, 1)
}

// IndexFile returns the same of an OCI layout, a directory or a tar: the entries of
// its index.json. With Options.Platform, OpenFile opens the one of a platform. A
// docker tar has no index: there it is nil. Errors are those of OpenFile without
// *PlatformError.
func IndexFile(ctx context.Context, path string, o *Options) ([]Entry, error) {
	options := o.withDefaults()
	info, err := os.Stat(path)
	if err != nil {
		return nil, &FileError{Path: path, Err: err}
	}
	var from files = directory(path)
	if !info.IsDir() {
		a, err := openArchive(ctx, path, archiveAt(path), &options)
		if err != nil {
			return nil, err
		}
		if !a.has(indexFile) && a.has(dockerManifestFile) {
			return nil, nil
		}
		from = a
	}
	src, err := newLayoutSource(ctx, path, from, &options)
	if err != nil {
		return nil, err
	}
	return newSelection(path, src, &options).entries(ctx, src.root, 1)
}

// Index returns the same of an image that is open: the entries of the index that
// it was chosen from, or itself. For a file it is its index.json. A docker tar
// and an image of Open have none: there it is nil. Errors are those of Client.Index.
func (i *Image) Index(ctx context.Context) ([]Entry, error) {
	c, err := i.contents(ctx)
	if err != nil {
		return nil, err
	}
	src, ok := i.src.(manifestSource)
	switch {
	case i.root != nil && ok:
		return newSelection(i.ref, src, &i.o).entries(ctx, i.root, 1)
	case c.manifest != nil && ok:
		return []Entry{manifestEntry(c.manifest)}, nil
	}
	return nil, nil
}

// manifestEntry is a manifest as an index would list it.
func manifestEntry(m *manifest) Entry {
	d := descriptor{MediaType: m.mediaType, Artifact: m.artifact, Digest: m.digest, Size: int64(len(m.raw))}
	return newEntry(&d, manifestRole(m))
}

// entries lists an index with all that it holds. An index that is listed again
// adds nothing, or a few of them could list more than any memory holds.
func (s *selection) entries(ctx context.Context, m *manifest, depth int64) ([]Entry, error) {
	var all []Entry
	s.seen[m.digest] = true
	for i := range m.manifests {
		d := &m.manifests[i]
		what := d.role()
		switch {
		case isIndexType(d.MediaType) && what == RoleImage && s.seen[d.Digest]:
			continue
		case isIndexType(d.MediaType) && what == RoleImage:
			child, err := s.nested(ctx, d, depth)
			if err != nil {
				return nil, err
			}
			below, err := s.entries(ctx, child, depth+1)
			if err != nil {
				return nil, err
			}
			all = append(all, below...)
			continue
		case what == RoleImage && d.suspect():
			child, err := s.read(ctx, d)
			if err != nil {
				return nil, err
			}
			what = manifestRole(child)
		}
		all = append(all, newEntry(d, what))
	}
	return all, nil
}

func newEntry(d *descriptor, what Role) Entry {
	e := Entry{
		Digest: d.Digest.String(), MediaType: d.MediaType, ArtifactType: d.Artifact, Size: d.Size,
		Annotations: maps.Clone(map[string]string(d.Annotations)), Role: what,
	}
	if d.Platform != nil {
		e.Platform = d.Platform.DeepCopy()
	}
	return e
}

// role is what an entry says of itself.
func (d *descriptor) role() Role {
	switch {
	case d.foreign():
		return RoleArtifact
	case d.Annotations[referenceType] != "":
		return RoleAttestation
	}
	return RoleImage
}

// suspect reports whether an entry has the platform that attestations have, and
// that tools write which know no platforms: only its layers tell.
func (d *descriptor) suspect() bool {
	return d.Platform != nil && d.Platform.OS == "unknown" && d.Platform.Architecture == "unknown"
}

// manifestRole is what a manifest says of itself.
func manifestRole(m *manifest) Role {
	switch {
	case m.attestation():
		return RoleAttestation
	case m.foreign():
		return RoleArtifact
	}
	return RoleImage
}

// satisfies reports whether what an image runs on is what was asked for, as far as
// it is said.
func satisfies(have, want *v1.Platform) bool {
	return have != nil && have.Satisfies(*want)
}

// impliesVariant reports the same where an image names no variant and has the one
// that was asked for all the same.
func impliesVariant(have, want *v1.Platform) bool {
	if have == nil || have.Variant != "" || want.Variant == "" || want.Variant != defaultVariant(have.Architecture) {
		return false
	}
	named := *have
	named.Variant = want.Variant
	return named.Satisfies(*want)
}

// defaultVariant is the variant of an architecture that names none, as
// containerd reads it.
func defaultVariant(architecture string) string {
	switch architecture {
	case "arm64":
		return "v8"
	case "arm":
		return "v7"
	case "amd64":
		return "v1"
	}
	return ""
}
