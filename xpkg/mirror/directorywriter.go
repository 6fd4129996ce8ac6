package mirror

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/types"
	specs "github.com/opencontainers/image-spec/specs-go/v1"

	"github.com/xpkg-go/sdk/xpkg"
)

// directoryWriter writes one repository into a layout.
type directoryWriter struct {
	*directory
	repository string
}

func (w *directoryWriter) has(ctx context.Context, digest string) (bool, error) {
	return w.holdsAll(ctx, digest)
}

// named tells what has a name and is whole: what is damaged is copied once more.
func (w *directoryWriter) named(ctx context.Context, tagOrDigest string) (string, error) {
	digest := w.entry(tagOrDigest)
	if digest == "" {
		return "", nil
	}
	if all, err := w.holdsAll(ctx, digest); !all || err != nil {
		return "", err
	}
	return digest, nil
}

// entry is the digest that a name has in index.json, or "".
func (w *directoryWriter) entry(tagOrDigest string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	i, ok := w.at[full(w.repository, tagOrDigest)]
	if !ok {
		return ""
	}
	return w.index.Manifests[i].Digest.String()
}

func (w *directoryWriter) referrers(ctx context.Context, digest string) (*xpkg.RawManifest, error) {
	listed := w.entry(referrersTag(digest))
	if listed == "" {
		return nil, nil
	}
	m, err := w.from().manifest(ctx, listed, "")
	if err != nil {
		return nil, ended(ctx) // to be made anew
	}
	return m, nil
}

func (w *directoryWriter) putBlob(ctx context.Context, d *descriptor, open func() (io.ReadCloser, error)) (bool, error) {
	if there, err := w.holds(ctx, d); there || err != nil {
		return false, err
	}
	rc, err := open()
	if err != nil {
		return false, err
	}
	defer rc.Close()
	if _, err := w.copy(blobName(d.Digest), d.Size, rc); err != nil {
		return false, err
	}
	w.came(d.Digest)
	return true, nil
}

func (w *directoryWriter) put(ctx context.Context, m *xpkg.RawManifest) error {
	if there, err := w.holds(ctx, &descriptor{Digest: m.Digest, Size: int64(len(m.Raw))}); there || err != nil {
		return err
	}
	if err := w.write(blobName(m.Digest), m.Raw); err != nil {
		return err
	}
	w.came(m.Digest)
	return nil
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
