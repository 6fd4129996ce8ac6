// Package oci makes the images that cases describe, with all that is wrong with them, as
// layouts on disk, and serves them as a registry that may fail.
package oci

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/xpkg-go/sdk/conformance/internal/recipe"
)

// Image is an image, or an index where it lists entries.
type Image struct {
	Name    string         `yaml:"name"`
	Docker  bool           `yaml:"docker"`
	Config  *recipe.Recipe `yaml:"config"`  // {} unless it says otherwise
	Missing []string       `yaml:"missing"` // config, or names of layers: listed and not there
	Layers  []Layer        `yaml:"layers"`
	Index   *[]Entry       `yaml:"index"`
	Nested  int            `yaml:"nested"` // this image or index in so many indexes of one
	Raw     string         `yaml:"raw"`    // the manifest as it is, with mediaType
	Media   string         `yaml:"mediaType"`
}

// Layer is a layer of an image.
type Layer struct {
	Name      string         `yaml:"name"`
	Mark      string         `yaml:"mark"` // its annotation io.crossplane.xpkg
	MediaType string         `yaml:"mediaType"`
	Package   *recipe.Recipe `yaml:"package"` // a layer with this as package.yaml
	Entries   []recipe.Entry `yaml:"entries"` // or with these
	Blob      *recipe.Recipe `yaml:"blob"`    // or these bytes
	Compress  string         `yaml:"compress"`
	Served    *Layer         `yaml:"served"` // what is there in its place
	Size      int64          `yaml:"size"`   // what the manifest says, where it is not the truth
	Times     int            `yaml:"times"`  // so many of them, with {n} in paths counted up
}

// Entry is an entry of an index.
type Entry struct {
	Image       `yaml:",inline"`
	Platform    string            `yaml:"platform"`
	Annotations map[string]string `yaml:"annotations"`
	Absent      bool              `yaml:"absent"` // listed and not there
}

const (
	mediaManifest       = "application/vnd.oci.image.manifest.v1+json"
	mediaIndex          = "application/vnd.oci.image.index.v1+json"
	mediaConfig         = "application/vnd.oci.image.config.v1+json"
	mediaLayer          = "application/vnd.oci.image.layer.v1.tar"
	mediaDockerManifest = "application/vnd.docker.distribution.manifest.v2+json"
	mediaDockerLayer    = "application/vnd.docker.image.rootfs.diff.tar.gzip"
	annotation          = "io.crossplane.xpkg"
)

// Layout is an image on disk, with the names of its parts.
type Layout struct {
	Dir     string
	Digests map[string]string // of what has a name; "image" is the whole
	texts   recipe.Texts
	media   map[string]string // of manifests by digest
	top     descriptor
}

type descriptor struct {
	MediaType   string            `json:"mediaType"`
	Digest      string            `json:"digest"`
	Size        int64             `json:"size"`
	Annotations map[string]string `json:"annotations,omitempty"`
	Platform    map[string]string `json:"platform,omitempty"`
}

// Write writes an image as an OCI layout.
func Write(dir string, img *Image, texts recipe.Texts) (*Layout, error) {
	l := &Layout{Dir: dir, Digests: map[string]string{}, media: map[string]string{}, texts: texts}
	if err := os.MkdirAll(l.blob(""), 0o777); err != nil {
		return nil, err
	}
	top, err := l.add(img)
	if err != nil {
		return nil, err
	}
	l.top, l.Digests["image"] = top, top.Digest
	index, err := json.Marshal(map[string]any{"schemaVersion": 2, "manifests": []descriptor{top}})
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "oci-layout"), []byte(`{"imageLayoutVersion":"1.0.0"}`), 0o666); err != nil {
		return nil, err
	}
	return l, os.WriteFile(filepath.Join(dir, "index.json"), index, 0o666)
}

// blob is the path of a blob.
func (l *Layout) blob(digest string) string {
	return filepath.Join(l.Dir, "blobs", "sha256", strings.TrimPrefix(digest, "sha256:"))
}

// add writes an image, and the indexes that it is in.
func (l *Layout) add(img *Image) (descriptor, error) {
	var top descriptor
	var err error
	switch {
	case img.Raw != "":
		top, err = l.manifest(img.Media, json.RawMessage(img.Raw))
	case img.Index != nil:
		top, err = l.index(*img.Index)
	default:
		top, err = l.image(img)
	}
	for range img.Nested {
		if err != nil {
			return top, err
		}
		top, err = l.manifest(mediaIndex, map[string]any{"schemaVersion": 2, "mediaType": mediaIndex, "manifests": []descriptor{top}})
	}
	if img.Name != "" {
		l.Digests[img.Name] = top.Digest
	}
	return top, err
}

func (l *Layout) index(entries []Entry) (descriptor, error) {
	list := []descriptor{}
	for _, e := range entries {
		d, err := l.add(&e.Image)
		if err != nil {
			return d, err
		}
		d.Annotations = e.Annotations
		if part := strings.Split(e.Platform, "/"); len(part) > 1 {
			d.Platform = map[string]string{"os": part[0], "architecture": part[1]}
			if len(part) > 2 {
				d.Platform["variant"] = part[2]
			}
		}
		if e.Absent {
			if err := os.Remove(l.blob(d.Digest)); err != nil {
				return d, err
			}
		}
		list = append(list, d)
	}
	return l.manifest(mediaIndex, map[string]any{"schemaVersion": 2, "mediaType": mediaIndex, "manifests": list})
}

func (l *Layout) image(img *Image) (descriptor, error) {
	config := recipe.Recipe{Text: "{}"}
	if img.Config != nil {
		config = *img.Config
	}
	c, err := l.write(config)
	if err != nil {
		return c, err
	}
	c.MediaType, l.Digests["config"] = mediaConfig, c.Digest
	layers := []descriptor{}
	for _, layer := range img.Layers {
		for n := range max(layer.Times, 1) {
			d, err := l.layer(&layer, n)
			if err != nil {
				return d, err
			}
			layers = append(layers, d)
		}
	}
	for _, name := range img.Missing {
		if err := os.Remove(l.blob(l.Digests[name])); err != nil {
			return c, err
		}
	}
	media := mediaManifest
	if img.Docker {
		media = mediaDockerManifest
	}
	return l.manifest(media, map[string]any{"schemaVersion": 2, "mediaType": media, "config": c, "layers": layers})
}

// layer writes a layer, or what is there in its place under its digest.
func (l *Layout) layer(layer *Layer, n int) (descriptor, error) {
	r, media, err := layer.recipe(n)
	if err != nil {
		return descriptor{}, err
	}
	d, err := l.write(r)
	if err != nil {
		return d, err
	}
	if layer.Served != nil {
		other, _, err := layer.Served.recipe(n)
		if err != nil {
			return d, err
		}
		f, err := os.Create(l.blob(d.Digest))
		if err != nil {
			return d, err
		}
		if err := l.texts.Write(f, other); err != nil {
			return d, err
		}
		if err := f.Close(); err != nil {
			return d, err
		}
	}
	d.MediaType = media
	if layer.Size != 0 {
		d.Size = layer.Size
	}
	if layer.Mark != "" {
		d.Annotations = map[string]string{annotation: layer.Mark}
	}
	if layer.Name != "" {
		l.Digests[layer.Name] = d.Digest
	}
	return d, nil
}

// recipe is that of the layer's blob, with its media type.
func (layer *Layer) recipe(n int) (recipe.Recipe, string, error) {
	content := layer.content(n)
	media, step := mediaLayer+"+gzip", &recipe.Step{Gzip: &content}
	switch layer.Compress {
	case "", "gzip":
	case "stored":
		step.Stored = true
	case "docker":
		media = mediaDockerLayer
	case "zstd":
		media, step = mediaLayer+"+zstd", &recipe.Step{Zstd: &content}
	case "none":
		media, step = mediaLayer, nil
	default:
		return content, media, fmt.Errorf("a layer cannot be compressed with %q", layer.Compress)
	}
	if layer.MediaType != "" {
		media = layer.MediaType
	}
	if step == nil || layer.Blob != nil {
		return content, media, nil
	}
	return recipe.Recipe{Step: step}, media, nil
}

// content is what is compressed: an archive, unless the layer is told as its bytes.
func (layer *Layer) content(n int) recipe.Recipe {
	if layer.Blob != nil {
		return *layer.Blob
	}
	entries := []recipe.Entry{}
	if layer.Package != nil {
		entries = append(entries, recipe.Entry{Path: "package.yaml", Content: *layer.Package})
	}
	for _, e := range layer.Entries {
		if layer.Times > 0 {
			e.Path = recipe.Numbered(e.Path, n)
		}
		entries = append(entries, e)
	}
	return recipe.Recipe{Step: &recipe.Step{Tar: entries}}
}

func (l *Layout) manifest(media string, m any) (descriptor, error) {
	b, err := json.Marshal(m)
	if err != nil {
		return descriptor{}, err
	}
	d, err := l.write(recipe.Recipe{Text: string(b)})
	d.MediaType = media
	l.media[d.Digest] = media
	return d, err
}

// write writes a blob, whatever its size, and describes it.
func (l *Layout) write(r recipe.Recipe) (descriptor, error) {
	f, err := os.CreateTemp(l.Dir, "blob")
	if err != nil {
		return descriptor{}, err
	}
	hash, size := sha256.New(), new(recipe.Size)
	if err := l.texts.Write(io.MultiWriter(f, hash, size), r); err != nil {
		return descriptor{}, err
	}
	if err := f.Close(); err != nil {
		return descriptor{}, err
	}
	digest := "sha256:" + hex.EncodeToString(hash.Sum(nil))
	return descriptor{Digest: digest, Size: int64(*size)}, os.Rename(f.Name(), l.blob(digest))
}
