package xpkg

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"strings"

	v1 "github.com/google/go-containerregistry/pkg/v1"
)

// dockerManifestFile is the entry point of a docker tar.
const dockerManifestFile = "manifest.json"

// dockerSource reads the layers of a docker tar.
type dockerSource struct{ *archive }

func (s dockerSource) blob(ctx context.Context, l *layer, b *budget) (io.ReadCloser, error) {
	rc, _, err := s.open(ctx, l.file, b)
	return rc, err
}

// readDockerTar reads what a docker tar says about its one image. A docker tar
// has no manifest with digests and annotations: its layers are verified by the
// diff IDs of the configuration, and the base layer is the one that a label of
// the configuration, io.crossplane.xpkg:<digest of the layer>=base, names.
func readDockerTar(ctx context.Context, path string, a *archive, o *Options) (*content, error) {
	fail := func(reason string, err error) error { return &ManifestError{Ref: path, Reason: reason, Err: err} }
	b := newBudget(o)
	raw, err := readFile(ctx, path, a, dockerManifestFile, o, b)
	if err != nil {
		return nil, err
	}
	var images []struct {
		Config   string
		RepoTags []string
		Layers   []string
	}
	if err := json.Unmarshal(raw, &images); err != nil {
		return nil, fail(dockerManifestFile+" is not the JSON of a docker tar", err)
	}
	if len(images) != 1 {
		var tags []string
		for _, img := range images {
			tags = append(tags, quote(strings.Join(img.RepoTags, " ")))
		}
		return nil, &NotPackageError{Ref: path, Reason: ReasonNoImage, Detail: fmt.Sprintf("the docker tar holds %d images, expected one: %s", len(images), list(tags))}
	}
	img := images[0]
	rawConfig, err := readFile(ctx, path, a, img.Config, o, b)
	if err != nil {
		return nil, err
	}
	if claim, ok := digestInName(img.Config); ok {
		if err := verifyBytes(rawConfig, path, "configuration", claim); err != nil {
			return nil, err
		}
	}
	var config dockerConfig
	if err := json.Unmarshal(rawConfig, &config); err != nil {
		return nil, fail("the configuration "+quote(img.Config)+" is not the JSON of one", jsonCause(err))
	}
	if len(config.RootFS.DiffIDs) != len(img.Layers) {
		return nil, fail(fmt.Sprintf("it lists %d layers, and the configuration %d diff IDs", len(img.Layers), len(config.RootFS.DiffIDs)), nil)
	}
	digest, _, err := v1.SHA256(strings.NewReader(string(rawConfig)))
	if err != nil {
		return nil, err
	}
	c := &content{digest: digest.String(), method: MethodFlattened}
	for i, name := range img.Layers {
		e, err := a.find(cleanName(name))
		if err != nil {
			return nil, err
		}
		l := layer{descriptor: descriptor{Size: e.size}, index: i, file: cleanName(name), diffID: config.RootFS.DiffIDs[i]}
		l.claim, _ = digestInName(l.file)
		c.layers = append(c.layers, l)
	}
	return c, c.label(ctx, a, config.labels(), b)
}

// dockerConfig is what is looked at of an image configuration.
type dockerConfig struct {
	Config struct {
		Labels annotations `json:"Labels"`
	} `json:"config"`
	RootFS struct {
		DiffIDs []v1.Hash `json:"diff_ids"`
	} `json:"rootfs"`
}

// labels returns the marks of layers by digest.
func (c *dockerConfig) labels() map[v1.Hash]string {
	marks := map[v1.Hash]string{}
	for key, mark := range c.Config.Labels {
		if digest, ok := strings.CutPrefix(key, AnnotationKey+":"); ok {
			if h, err := v1.NewHash(digest); err == nil {
				marks[h] = mark
			}
		}
	}
	return marks
}

// label gives the layers the marks that the configuration has for them. A mark
// whose layer is not here says nothing: docker compresses layers anew, which
// changes their digests.
func (c *content) label(ctx context.Context, a *archive, marks map[v1.Hash]string, b *budget) error {
	for i := range c.layers {
		l := &c.layers[i]
		if len(marks) == 0 {
			return nil
		}
		mark, ok := marks[l.claim]
		if !ok {
			mark, ok = marks[l.diffID]
		}
		if !ok && (l.claim == (v1.Hash{}) || l.claim == l.diffID) {
			// The name does not tell the digest of the blob.
			if err := b.addBytes(l.Size, a.path); err != nil {
				return err
			}
			h, err := a.digest(ctx, l.file, b)
			if err != nil {
				return err
			}
			mark, ok = marks[h]
			l.Digest = h
		}
		l.mark = mark
		if ok && mark == BaseAnnotation {
			c.base = append(c.base, i)
			c.method = MethodLabel
		}
	}
	return nil
}

// digest computes the digest of a file of the archive.
func (a *archive) digest(ctx context.Context, name string, b *budget) (v1.Hash, error) {
	rc, _, err := a.open(ctx, name, b)
	if err != nil {
		return v1.Hash{}, err
	}
	in := newContextReader(ctx, rc, a.path)
	defer in.Close()
	h, _, err := v1.SHA256(in)
	if err != nil && ctx.Err() == nil {
		err = &FileError{Path: a.path, Name: name, Err: err}
	}
	return h, err
}

// digestInName returns the digest that the name of a file in a docker tar
// claims: sha256:<hex>, <hex>.json, <hex>.tar.gz, blobs/sha256/<hex>. The
// <hex>/layer.tar of old docker versions is an ID and no digest.
func digestInName(name string) (v1.Hash, bool) {
	dir, base := path.Split(name)
	if dir != "" && dir != "blobs/sha256/" {
		return v1.Hash{}, false
	}
	base = strings.TrimPrefix(base, "sha256:")
	base, _, _ = strings.Cut(base, ".")
	h, err := v1.NewHash("sha256:" + base)
	return h, err == nil
}
