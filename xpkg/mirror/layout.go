package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// refName is the annotation of index.json that names an entry (OCI image
// specification, "Pre-Defined Annotation Keys").
const refName = "org.opencontainers.image.ref.name"

// attachment is a tag under which something is attached to a manifest.
var attachment = regexp.MustCompile(`^sha(256|384|512)-[0-9a-f]{64,128}(\.(sig|att|sbom))?$`)

// FromLayout reads packages from an OCI layout, where they have their complete names.
func FromLayout(l *xpkg.Layout) *Source {
	names := layoutNames(l)
	return &Source{open: func(s meta.Source) (reader, error) {
		return &layoutReader{layout: l, names: names, repository: s.Identity()}, nil
	}}
}

// References are the packages that a layout holds, sorted by name. What is attached to
// them is left out: it comes along. The error names every entry that has no complete name, with its
// registry, and matches meta.ErrInvalid; the references are there all the same.
func References(l *xpkg.Layout) ([]meta.Reference, error) {
	var refs []meta.Reference
	var faults []error
	for _, e := range l.Entries() {
		name := e.Annotations[refName]
		r, err := meta.ParseReference(name)
		switch {
		case name == "":
			err = invalid("the entry " + e.Digest + " has no name: no annotation " + refName)
		case err == nil && !r.Source.HasRegistry():
			err = invalid("the entry " + e.Digest + " has the name " + quote(name) + ", expected a complete one, with its registry")
		case err == nil && r.Tag == "" && r.Digest == "":
			err = invalid("the entry " + e.Digest + " has the name " + quote(name) + ", expected a tag or a digest behind it")
		}
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if !attachment.MatchString(r.Tag) {
			refs = append(refs, r)
		}
	}
	slices.SortFunc(refs, func(a, b meta.Reference) int { return strings.Compare(a.Name(), b.Name()) })
	return refs, errors.Join(faults...)
}

// layoutNames are the entries of a layout by their names.
func layoutNames(l *xpkg.Layout) map[string]xpkg.Entry {
	names := map[string]xpkg.Entry{}
	for _, e := range l.Entries() {
		if name := e.Annotations[refName]; name != "" {
			names[name] = e
		}
	}
	return names
}

// layoutReader reads one repository of a layout.
type layoutReader struct {
	layout     *xpkg.Layout
	names      map[string]xpkg.Entry
	repository string
}

func (r *layoutReader) manifest(ctx context.Context, tagOrDigest, mediaType string) (*xpkg.RawManifest, error) {
	if meta.IsDigest(tagOrDigest) {
		return r.layout.Manifest(ctx, tagOrDigest, mediaType)
	}
	e, ok := r.names[full(r.repository, tagOrDigest)]
	if !ok {
		return nil, fmt.Errorf("%s is not in the layout: %w: %w", full(r.repository, tagOrDigest), meta.ErrNotFound, fs.ErrNotExist)
	}
	return r.layout.Manifest(ctx, e.Digest, e.MediaType)
}

func (r *layoutReader) blob(ctx context.Context, d *descriptor) (*xpkg.BlobReader, error) {
	return r.layout.Blob(ctx, d.Digest, d.Size)
}

func (r *layoutReader) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	e, ok := r.names[full(r.repository, referrersTag(digest))]
	if !ok {
		return nil, nil
	}
	return r.layout.Manifest(ctx, e.Digest, e.MediaType)
}

// referrersTag is the tag of the index of what refers to a manifest (OCI distribution
// specification, "Referrers Tag Schema").
func referrersTag(digest string) string { return strings.Replace(digest, ":", "-", 1) }
