package mirror

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/google/go-containerregistry/pkg/v1/types"

	"github.com/xpkg-go/sdk/meta"
	"github.com/xpkg-go/sdk/xpkg"
)

// cosignSuffixes are behind the tags under which cosign keeps what belongs to a
// manifest: its signatures, attestations and bills of materials.
var cosignSuffixes = []string{".sig", ".att", ".sbom"}

// attached copies what is attached to manifests, and to what is attached to those.
func (c *copier) attached(ctx context.Context, i *item, from reader, to writer, subjects []string) ([]Attached, error) {
	var all []Attached
	seen := map[string]bool{}
	for _, s := range subjects {
		seen[s] = true
	}
	for len(subjects) > 0 {
		// Of each the tags, and behind them what refers to it.
		ways := len(cosignSuffixes) + 1
		found := make([][]Attached, ways*len(subjects))
		if err := c.each(ctx, len(found), func(ctx context.Context, n int) (err error) {
			subject := subjects[n/ways]
			if n%ways < len(cosignSuffixes) {
				found[n], err = c.tagged(ctx, i, from, to, referrersTag(subject)+cosignSuffixes[n%ways])
			} else {
				found[n], err = c.referring(ctx, i, from, to, subject)
			}
			return err
		}); err != nil {
			return nil, err
		}
		subjects = nil
		for _, a := range slices.Concat(found...) {
			switch {
			case a.Tag != "":
				all = append(all, a)
			case !seen[a.Digest]:
				seen[a.Digest] = true
				all = append(all, a)
				subjects = append(subjects, a.Digest)
			}
		}
		if len(seen) > MaxManifests {
			return nil, &meta.LimitError{What: "what is attached", Unit: "manifests", Limit: MaxManifests, Where: i.declared.String()}
		}
	}
	return all, nil
}

// tagged copies what stands under a tag, if anything.
func (c *copier) tagged(ctx context.Context, i *item, from reader, to writer, tag string) ([]Attached, error) {
	m, err := from.manifest(ctx, tag, "")
	if meta.Code(err) == "not-found" {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	there, err := to.named(ctx, tag)
	if err != nil {
		return nil, err
	}
	if there != m.Digest {
		if _, err := c.copyTree(ctx, i, from, to, m); err != nil {
			return nil, err
		}
		if err := to.name(ctx, tag, m); err != nil {
			return nil, err
		}
	}
	return []Attached{{Tag: tag, Digest: m.Digest}}, nil
}

// referring copies what refers to a manifest.
func (c *copier) referring(ctx context.Context, i *item, from reader, to writer, subject string) ([]Attached, error) {
	index, err := from.referrers(ctx, subject)
	if index == nil || err != nil {
		return nil, err
	}
	listed, err := listOf(index)
	if err != nil {
		return nil, err
	}
	if len(listed) > MaxManifests {
		return nil, &meta.LimitError{What: "the list of referrers of " + subject, Unit: "manifests", Limit: MaxManifests, Where: i.declared.String()}
	}
	there := make([]bool, len(listed))
	if err := c.each(ctx, len(listed), func(ctx context.Context, n int) (err error) {
		there[n], err = c.refers(ctx, i, from, to, &listed[n])
		return err
	}); err != nil {
		return nil, err
	}
	var all []Attached
	var kept []referrer
	for n, r := range listed {
		if there[n] {
			kept = append(kept, r)
			all = append(all, Attached{Digest: r.Digest, ArtifactType: r.ArtifactType})
		}
	}
	// Two packages may have the same image, and the list is read and written again.
	free, err := c.busy.Lock(ctx, i.mirrored.Source.Identity()+"@"+subject)
	if err != nil {
		return nil, canceled(err)
	}
	defer free()
	return all, list(ctx, to, subject, index, listed, kept)
}

// refers copies one manifest that refers to another, and reports whether there is one.
func (c *copier) refers(ctx context.Context, i *item, from reader, to writer, r *referrer) (bool, error) {
	m, err := from.manifest(ctx, r.Digest, r.MediaType)
	if meta.Code(err) == "not-found" {
		// Anybody can list anything: what is not there cannot be copied, and is
		// no reason to go without the package.
		c.event(Event{Kind: Dangling, Ref: i.declared.String(), Name: r.Digest, Err: err})
		return false, nil
	}
	if err != nil {
		return false, err
	}
	_, err = c.copyTree(ctx, i, from, to, m)
	return err == nil, err
}

// referrer is an entry of the list of what refers to a manifest, as it is and as far as
// it is understood.
type referrer struct {
	Digest       string `json:"digest"`
	MediaType    string `json:"mediaType"`
	ArtifactType string `json:"artifactType"`
	raw          json.RawMessage
}

// listOf reads a list of referrers.
func listOf(index *xpkg.RawManifest) ([]referrer, error) {
	fail := func(reason string, err error) error {
		return &ManifestError{Digest: index.Digest, Reason: "a list of referrers: " + reason, Err: err}
	}
	var in struct {
		Manifests []json.RawMessage `json:"manifests"`
	}
	if err := json.Unmarshal(index.Raw, &in); err != nil {
		return nil, fail("not the JSON of an index", jsonCause(err))
	}
	var all []referrer
	for _, raw := range in.Manifests {
		r := referrer{raw: raw}
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, fail("an entry that is none", jsonCause(err))
		}
		if !meta.IsDigest(r.Digest) {
			return nil, fail("an entry with the digest "+quote(r.Digest)+", expected one such as sha256:…", nil)
		}
		all = append(all, r)
	}
	return all, nil
}

// list sees to it that what refers to a manifest is listed there. A registry with
// an endpoint for that does it itself; elsewhere it is the index under a tag, in which
// what was there before stays.
func list(ctx context.Context, to writer, subject string, index *xpkg.RawManifest, listed, kept []referrer) error {
	if len(kept) == 0 {
		return nil
	}
	there, err := to.referrers(ctx, subject)
	if err != nil {
		return err
	}
	var had []referrer
	if there != nil {
		if had, err = listOf(there); err != nil {
			return err
		}
	}
	var missing []referrer
	for _, r := range kept {
		if !slices.ContainsFunc(had, func(h referrer) bool { return h.Digest == r.Digest }) {
			missing = append(missing, r)
		}
	}
	switch {
	case len(missing) == 0:
		return nil
	case len(had) == 0 && len(kept) == len(listed):
		// The list as it was, so that its digest is the same.
	default:
		if index, err = join(append(had, missing...)); err != nil {
			return err
		}
	}
	if err := to.put(ctx, index); err != nil {
		return err
	}
	return to.name(ctx, referrersTag(subject), index)
}

// join makes a list of entries, by their digests.
func join(entries []referrer) (*xpkg.RawManifest, error) {
	slices.SortStableFunc(entries, func(a, b referrer) int { return strings.Compare(a.Digest, b.Digest) })
	whole := struct {
		SchemaVersion int               `json:"schemaVersion"`
		MediaType     types.MediaType   `json:"mediaType"`
		Manifests     []json.RawMessage `json:"manifests"`
	}{2, types.OCIImageIndex, nil}
	for _, r := range entries {
		whole.Manifests = append(whole.Manifests, r.raw)
	}
	raw, err := json.Marshal(whole)
	if err != nil {
		return nil, err
	}
	return xpkg.NewRawManifest(raw, string(types.OCIImageIndex))
}
